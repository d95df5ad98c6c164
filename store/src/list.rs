//! The query of a page of games: searches in indexes, merged in the order in which the games were opened.
//!
//! **Invariant:** each search asks for one visibility and is in order by itself, in an index that begins with what it asks for and
//! ends with the order. What no index serves is tried row by row, and of such rows a page looks at no more than [`LOOKED_AT`]:
//! then it stops and tells where, so that a page takes about the same time however many games there are and however rare what is
//! looked for. Where the database lets it, the index is named, since without statistics SQLite can't tell a good one from a bad
//! one (the statement fails if it is not there); Postgres is kept from choosing another by a search that asks for nothing else.

use qiguan_game::{position_key::PositionKey, record::GameSummary};
use qiguan_protocol::ids::{GameId, Millis, PlayerId};
use qiguan_rules::EndReason;
use uuid::Uuid;

use crate::{
    db::{Db, Dialect, Failed, Statement, sql},
    openings,
    rows::{self, GameRow, status_word, visibility_word},
    searching::{self, By, Place, Search, Span},
    sql,
    store::{CHALLENGES, ClockKind, GameFilter, GamesPage, ResultFilter, Store, StoreError},
};

/// So many games a page tries at most whose index does not answer everything that is asked.
pub const LOOKED_AT: u32 = 2_500;

/// The games of a player that have ended since a time, the last first: no more is read of an index than is wanted.
pub(crate) const ENDED_SINCE: &str = "select id from ( \
     select * from (select id, ended_at from games where first_id = $1 and ended_at >= $2 order by ended_at desc limit $3) as sat_first \
     union all \
     select * from (select id, ended_at from games where second_id = $1 and ended_at >= $2 order by ended_at desc limit $3) as sat_second \
     ) as ended order by ended_at desc, id desc limit $3";

impl Store {
    /// A page of games, the newest first. However rare what is looked for, a page tries only so many games ([`LOOKED_AT`]) and then says
    /// where to go on.
    ///
    /// # Errors
    /// When the database can't be read, or a row makes no sense.
    pub async fn games(&self, filter: &GameFilter) -> Result<GamesPage, StoreError> {
        let mut db = self.reader().await?;
        let mut filter = filter.clone();
        if let Some(rulesets) = &mut filter.rulesets {
            // No rule set has a zero byte, and Postgres would answer with an error.
            rulesets.retain(|ruleset| !ruleset.contains('\0'));
        }
        let (rows, before) = page(&mut db, &filter).await?;
        let games = rows.into_iter().map(rows::summary);
        Ok(GamesPage {
            games: games.collect::<Result<_, _>>()?,
            before,
        })
    }

    /// Open challenges to a player, the newest first, at most [`CHALLENGES`].
    ///
    /// # Errors
    /// When the database can't be read, or a row makes no sense.
    pub async fn challenges_to(&self, player: PlayerId) -> Result<Vec<GameSummary>, StoreError> {
        let mut db = self.reader().await?;
        let rows = db.rows(challenges(db.dialect(), player)).await?;
        rows.into_iter().map(rows::summary).collect()
    }

    /// Games of a player that have ended since a time, the last first, at most `limit`.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn ended_since(
        &self,
        player: PlayerId,
        since: Millis,
        limit: u32,
    ) -> Result<Vec<GameId>, StoreError> {
        let page = sql(ENDED_SINCE).bind(player).bind(since).bind(limit);
        let ids: Vec<Uuid> = self.reader().await?.values(page).await?;
        Ok(ids.into_iter().map(GameId).collect())
    }
}

/// A page of games, and where the next one begins.
async fn page(db: &mut Db, filter: &GameFilter) -> Result<(Vec<GameRow>, Option<GameId>), Failed> {
    let before = match filter.before {
        None => None,
        Some(before) => match place(db, before).await? {
            None => return Ok((Vec::new(), None)),
            place => place,
        },
    };
    let searches = searching::searches(filter);
    // A list of none is no SQL; nothing is in it.
    let asks_for_none = filter.rulesets.as_ref().is_some_and(Vec::is_empty);
    if searches.is_empty() || asks_for_none {
        return Ok((Vec::new(), None));
    }
    let each = LOOKED_AT / u32::try_from(searches.len()).unwrap_or(u32::MAX);
    let mut span = Span::of(filter, before);
    let mut stop = None;
    let dialect = db.dialect();
    if let Some(stops) = stops(dialect, &searches, span, each) {
        let found: Option<Place> = db.row(stops).await?;
        span = span.from(found);
        stop = found.map(|(_, id)| GameId(id));
    }
    let lines = lines(dialect, &searches, span, each, filter.limit);
    let rows: Vec<GameRow> = db.rows(lines).await?;
    let full = rows.len() >= filter.limit as usize;
    let last = rows.last().map(|row| GameId(row.id));
    Ok((rows, if full { last } else { stop }))
}

/// Where a game stands among all.
async fn place(db: &mut Db, game: GameId) -> Result<Option<Place>, Failed> {
    let at: Option<i64> = db.value(sql(sql::CREATED_AT).bind(game)).await?;
    let at = at.or_else(|| {
        // It has been deleted; but the ids that are drawn here tell when.
        let (seconds, nanos) = game.0.get_timestamp()?.to_unix();
        i64::try_from(seconds * 1_000 + u64::from(nanos / 1_000_000)).ok()
    });
    Ok(at.map(|at| (at, game.0)))
}

/// The query of the place at which a page stops, where no search looks at more games than `each`; none if it finds what it
/// shows without trying.
pub(super) fn stops(
    dialect: Dialect,
    searches: &[Search],
    span: Span,
    each: u32,
) -> Option<Statement> {
    if let [search] = searches
        && let By::Position(position) = search.by
    {
        return search.tries().then(|| {
            let reached = push_reached(sql(""), position, span);
            reached.push(" limit 1 offset ").push_value(each)
        });
    }
    let mut query = sql("");
    let mut tries = false;
    for search in searches.iter().filter(|search| search.tries()) {
        query = query.push(if tries { " union all " } else { "" });
        query = query.push("select * from (select created_at, id from games");
        query = push_search(query, dialect, search, span)
            .push(" order by created_at desc, id desc limit 1 offset ")
            .push_value(each)
            .push(") as last");
        tries = true;
    }
    tries.then(|| query.push(" order by created_at desc, id desc limit 1"))
}

/// The query of the lines of a page.
pub(super) fn lines(
    dialect: Dialect,
    searches: &[Search],
    span: Span,
    each: u32,
    limit: u32,
) -> Statement {
    if let [search] = searches
        && let By::Position(position) = search.by
    {
        let looked_at = if search.tries() { each + 1 } else { limit };
        let query = push_reached(sql(sql::LINES_OF).push("("), position, span)
            .push(" limit ")
            .push_value(looked_at)
            .push(") as reached ")
            .push(dialect.pick(
                openings::lines_of_reached!(sqlite),
                openings::lines_of_reached!(postgres),
            ))
            .push(" where true");
        return push_rest(query, &search.rest)
            .push(" order by opened_at desc, game_id desc limit ")
            .push_value(limit);
    }
    let order = " order by created_at desc, id desc limit ";
    let mut query = sql("");
    for (number, search) in searches.iter().enumerate() {
        query = query.push(if number > 0 { " union all " } else { "" });
        if dialect == Dialect::Sqlite {
            query = push_search(query.push(sql::LINE), dialect, search, span);
            query = push_rest(query, &search.rest);
            continue;
        }
        // Limits keep the parts of the query apart: what follows one has no say in the choice of the index, and no search
        // is carried out further than a page needs.
        query = query.push("(").push(sql::LINES_OF);
        query = if search.tries() {
            push_search(query.push("(select * from games"), dialect, search, span)
                .push(order)
                .push_value(each + 1)
                .push(") as games where true")
        } else {
            push_search(query.push("games"), dialect, search, span)
        };
        query = push_rest(query, &search.rest);
        query = query.push(order).push_value(limit).push(")");
    }
    if dialect == Dialect::Sqlite || searches.len() > 1 {
        query = query.push(order).push_value(limit);
    }
    query
}

/// Which index, what is asked of it, and between which places.
fn push_search(query: Statement, dialect: Dialect, search: &Search, span: Span) -> Statement {
    let query = push_index(query, dialect, search.by.index());
    let query = query
        .push(" where visibility = ")
        .push_value(visibility_word(search.visibility));
    let unfinished = " and status <> 'ended' and status = ";
    let query = match &search.by {
        By::Pair(first, second) => query
            .push(" and first_id = ")
            .push_value(*first)
            .push(" and second_id = ")
            .push_value(*second),
        By::First(player) => query.push(" and first_id = ").push_value(*player),
        By::Second(player) => query.push(" and second_id = ").push_value(*player),
        By::UnfinishedFirst(player, status) => query
            .push(" and first_id = ")
            .push_value(*player)
            .push(unfinished)
            .push_value(status_word(*status)),
        By::UnfinishedSecond(player, status) => query
            .push(" and second_id = ")
            .push_value(*player)
            .push(unfinished)
            .push_value(status_word(*status)),
        By::Status(status) => query
            .push(" and status = ")
            .push_value(status_word(*status)),
        By::Reason(reason) => query.push(" and reason = ").push_value(reason.as_str()),
        By::Drawn => query.push(" and winner is null and reason <> 'aborted'"),
        By::Ruleset(ruleset) => query.push(" and ruleset = ").push_value(ruleset.clone()),
        // `push_reached` looks for these.
        By::Position(_) | By::Anything => query,
    };
    push_span(query, "(created_at, id)", span)
}

/// The places of the games that have reached a position, the newest first.
fn push_reached(query: Statement, position: PositionKey, span: Span) -> Statement {
    let query = query
        .push("select opened_at, game_id from opening_games where position = ")
        .push_value(position.0);
    push_span(query, "(opened_at, game_id)", span).push(" order by opened_at desc, game_id desc")
}

/// Between which places, which stand in these columns.
fn push_span(mut query: Statement, columns: &str, span: Span) -> Statement {
    for (compared, bound) in [(" >= (", span.from), (" < (", span.until)] {
        if let Some((at, id)) = bound {
            query = query.push(" and ").push(columns).push(compared);
            query = query.push_value(at).push(", ").push_value(id).push(")");
        }
    }
    query
}

/// The name of the index, where the database can be told.
fn push_index(query: Statement, dialect: Dialect, index: &str) -> Statement {
    match dialect {
        Dialect::Sqlite => query.push(" indexed by ").push(index),
        Dialect::Postgres => query,
    }
}

/// What is tried row by row.
fn push_rest(query: Statement, rest: &GameFilter) -> Statement {
    let mut query = query.push_some(" and status = ", rest.status.map(status_word));
    if let Some(rulesets) = &rest.rulesets {
        query = query.push(" and ruleset in ").push_list(rulesets.clone());
    }
    query = query.push(match rest.result {
        None => "",
        Some(ResultFilter::First) => " and winner = 'first'",
        Some(ResultFilter::Second) => " and winner = 'second'",
        Some(ResultFilter::Draw) => " and winner is null and reason <> 'aborted'",
        Some(ResultFilter::Aborted) => " and reason = 'aborted'",
    });
    query = query
        .push_some(" and reason = ", rest.reason.map(EndReason::as_str))
        .push_some(" and plies >= ", rest.plies_from)
        .push_some(" and plies < ", rest.plies_until)
        .push_some(" and first_rating >= ", rest.rating_from)
        .push_some(" and second_rating >= ", rest.rating_from)
        .push_some(" and first_rating < ", rest.rating_until)
        .push_some(" and second_rating < ", rest.rating_until)
        .push(match rest.rated {
            Some(true) => " and rated",
            Some(false) => " and not rated",
            None => "",
        })
        .push(match rest.clock {
            None => "",
            Some(ClockKind::Fischer) => " and clock = 'fischer'",
            Some(ClockKind::Byoyomi) => " and clock = 'byoyomi'",
            Some(ClockKind::PerMove) => " and clock = 'per_move'",
            Some(ClockKind::None) => " and clock = 'none'",
        });
    match rest.position {
        None => query,
        Some(position) => query
            .push(" and exists (select 1 from opening_games where position = ")
            .push_value(position.0)
            .push(" and opened_at = created_at and game_id = id)"),
    }
}

/// Open challenges to a player, the newest first.
pub(super) fn challenges(dialect: Dialect, player: PlayerId) -> Statement {
    push_index(sql(sql::LINE), dialect, "games_challenges")
        .push(" where status = 'open' and invited_id = ")
        .push_value(player)
        .push(" order by id desc limit ")
        .push_value(CHALLENGES)
}
