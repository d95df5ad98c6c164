//! The query of a page of games: searches in indexes, merged in the order in which the games were opened.
//!
//! **Invariant:** each search asks for one visibility and is in order by itself, in an index that begins with what it asks for and
//! ends with the order. What no index serves is tried row by row, and of such rows a page looks at no more than [`LOOKED_AT`]:
//! then it stops and tells where, so that a page takes about the same time however many games there are and however rare what is
//! looked for. Where the database lets it, the index is named, since without statistics SQLite can't tell a good one from a bad
//! one (the statement fails if it is not there); Postgres is kept from choosing another by a search that asks for nothing else.

use qiguan_game::position_key::PositionKey;
use qiguan_protocol::ids::{GameId, PlayerId};
use sqlx::{
    ColumnIndex, Database, Decode, Encode, Executor, FromRow, IntoArguments, Postgres,
    QueryBuilder, Sqlite, Type, database::HasStatementCache,
};
use uuid::Uuid;

use crate::{
    opening_rows,
    rows::{GameRow, status_word, visibility_word},
    searching::{self, By, Place, Search, Span},
    sql,
    store::{CHALLENGES, ClockKind, GameFilter, ResultFilter},
};

/// So many games a page tries at most whose index does not answer everything that is asked.
pub const LOOKED_AT: u32 = 2_500;

/// How a statement names the index for a database.
pub(super) trait Dialect: Database {
    /// What stands before the name of the index behind that of the table; none if there is no such thing.
    const INDEXED_BY: Option<&'static str>;
    /// How the lines of games are found that have reached a position.
    const LINES_OF_REACHED: &'static str;
}

impl Dialect for Sqlite {
    const INDEXED_BY: Option<&'static str> = Some(" indexed by ");
    const LINES_OF_REACHED: &'static str = opening_rows::lines_of_reached!(sqlite);
}

impl Dialect for Postgres {
    const INDEXED_BY: Option<&'static str> = None;
    const LINES_OF_REACHED: &'static str = opening_rows::lines_of_reached!(postgres);
}

/// Lists of games in a database.
pub(super) struct Lists<DB>(std::marker::PhantomData<DB>);

impl<DB> Lists<DB>
where
    DB: Dialect + HasStatementCache,
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
    DB::Arguments: IntoArguments<DB>,
    usize: ColumnIndex<DB::Row>,
    for<'r> GameRow: FromRow<'r, DB::Row>,
    for<'q> i64: Encode<'q, DB> + Decode<'q, DB> + Type<DB>,
    for<'q> Uuid: Encode<'q, DB> + Decode<'q, DB> + Type<DB>,
    for<'q> String: Encode<'q, DB> + Type<DB>,
    for<'q> &'static str: Encode<'q, DB> + Type<DB>,
{
    /// A page of games, and where the next one begins.
    pub(super) async fn page(
        connection: &mut DB::Connection,
        filter: GameFilter,
    ) -> Result<(Vec<GameRow>, Option<GameId>), sqlx::Error> {
        let before = match filter.before {
            None => None,
            Some(before) => match Self::place(connection, before).await? {
                None => return Ok((Vec::new(), None)),
                place => place,
            },
        };
        let searches = searching::searches(&filter);
        // A list of none is no SQL; nothing is in it.
        let asks_for_none = filter.rulesets.as_ref().is_some_and(Vec::is_empty);
        if searches.is_empty() || asks_for_none {
            return Ok((Vec::new(), None));
        }
        let each = LOOKED_AT / u32::try_from(searches.len()).unwrap_or(u32::MAX);
        let mut span = Span::of(&filter, before);
        let mut stop = None;
        if let Some(mut stops) = Self::stops(&searches, span, each) {
            let found: Option<Place> = stops
                .build_query_as()
                .fetch_optional(&mut *connection)
                .await?;
            span = span.from(found);
            stop = found.map(|(_, id)| GameId(id));
        }
        let rows: Vec<GameRow> = Self::lines(&searches, span, each, filter.limit)
            .build_query_as()
            .fetch_all(connection)
            .await?;
        let full = rows.len() >= filter.limit as usize;
        let last = rows.last().map(|row| GameId(row.id));
        Ok((rows, if full { last } else { stop }))
    }

    /// Where a game stands among all.
    async fn place(
        connection: &mut DB::Connection,
        game: GameId,
    ) -> Result<Option<Place>, sqlx::Error> {
        let at: Option<(i64,)> = sqlx::query_as(sql::CREATED_AT)
            .bind(game.0)
            .fetch_optional(connection)
            .await?;
        let at = at.map(|(at,)| at).or_else(|| {
            // It has been deleted; but the ids that are drawn here tell when.
            let (seconds, nanos) = game.0.get_timestamp()?.to_unix();
            i64::try_from(seconds * 1_000 + u64::from(nanos / 1_000_000)).ok()
        });
        Ok(at.map(|at| (at, game.0)))
    }

    /// The query of the place at which a page stops, where no search looks at more games than `each`; none if it finds what it
    /// shows without trying.
    pub(super) fn stops(searches: &[Search], span: Span, each: u32) -> Option<QueryBuilder<DB>> {
        if let [search] = searches
            && let By::Position(position) = search.by
        {
            return search.tries().then(|| {
                let mut query = QueryBuilder::new("");
                push_reached(&mut query, position, span);
                query.push(" limit 1 offset ").push_bind(i64::from(each));
                query
            });
        }
        let mut query = QueryBuilder::new("");
        let trying = searches.iter().filter(|search| search.tries());
        for (number, search) in trying.clone().enumerate() {
            query.push(if number > 0 { " union all " } else { "" });
            query.push("select * from (select created_at, id from games");
            Self::push_search(&mut query, search, span);
            query
                .push(" order by created_at desc, id desc limit 1 offset ")
                .push_bind(i64::from(each))
                .push(") as last");
        }
        trying.clone().next()?;
        query.push(" order by created_at desc, id desc limit 1");
        Some(query)
    }

    /// The query of the lines of a page.
    pub(super) fn lines(
        searches: &[Search],
        span: Span,
        each: u32,
        limit: u32,
    ) -> QueryBuilder<DB> {
        if let [search] = searches
            && let By::Position(position) = search.by
        {
            let looked_at = if search.tries() {
                i64::from(each) + 1
            } else {
                i64::from(limit)
            };
            let mut query = QueryBuilder::new(sql::LINES_OF);
            query.push("(");
            push_reached(&mut query, position, span);
            query.push(" limit ").push_bind(looked_at);
            query
                .push(") as reached ")
                .push(DB::LINES_OF_REACHED)
                .push(" where true");
            push_rest(&mut query, &search.rest);
            query.push(" order by opened_at desc, game_id desc limit ");
            query.push_bind(i64::from(limit));
            return query;
        }
        let order = " order by created_at desc, id desc limit ";
        let mut query = QueryBuilder::new("");
        for (number, search) in searches.iter().enumerate() {
            query.push(if number > 0 { " union all " } else { "" });
            if DB::INDEXED_BY.is_some() {
                query.push(sql::LINE);
                Self::push_search(&mut query, search, span);
                push_rest(&mut query, &search.rest);
                continue;
            }
            // Limits keep the parts of the query apart: what follows one has no say in the choice of the index, and no search
            // is carried out further than a page needs.
            query.push("(").push(sql::LINES_OF);
            if search.tries() {
                query.push("(select * from games");
                Self::push_search(&mut query, search, span);
                query.push(order).push_bind(i64::from(each) + 1);
                query.push(") as games where true");
            } else {
                query.push("games");
                Self::push_search(&mut query, search, span);
            }
            push_rest(&mut query, &search.rest);
            query.push(order).push_bind(i64::from(limit)).push(")");
        }
        if DB::INDEXED_BY.is_some() || searches.len() > 1 {
            query.push(order).push_bind(i64::from(limit));
        }
        query
    }

    /// Which index, what is asked of it, and between which places.
    fn push_search(query: &mut QueryBuilder<DB>, search: &Search, span: Span) {
        if let Some(indexed_by) = DB::INDEXED_BY {
            query.push(indexed_by).push(search.by.index());
        }
        query
            .push(" where visibility = ")
            .push_bind(visibility_word(search.visibility));
        match &search.by {
            By::Pair(first, second) => {
                query.push(" and first_id = ").push_bind(first.0);
                query.push(" and second_id = ").push_bind(second.0);
            }
            By::First(player) => {
                query.push(" and first_id = ").push_bind(player.0);
            }
            By::Second(player) => {
                query.push(" and second_id = ").push_bind(player.0);
            }
            By::UnfinishedFirst(player, status) => {
                query.push(" and first_id = ").push_bind(player.0);
                query.push(" and status <> 'ended' and status = ");
                query.push_bind(status_word(*status));
            }
            By::UnfinishedSecond(player, status) => {
                query.push(" and second_id = ").push_bind(player.0);
                query.push(" and status <> 'ended' and status = ");
                query.push_bind(status_word(*status));
            }
            By::Status(status) => {
                query.push(" and status = ").push_bind(status_word(*status));
            }
            By::Reason(reason) => {
                query.push(" and reason = ").push_bind(reason.as_str());
            }
            By::Drawn => {
                query.push(" and winner is null and reason <> 'aborted'");
            }
            By::Ruleset(ruleset) => {
                query.push(" and ruleset = ").push_bind(ruleset.clone());
            }
            // `push_reached` looks for these.
            By::Position(_) | By::Anything => {}
        }
        if let Some((at, id)) = span.from {
            query.push(" and (created_at, id) >= (").push_bind(at);
            query.push(", ").push_bind(id).push(")");
        }
        if let Some((at, id)) = span.until {
            query.push(" and (created_at, id) < (").push_bind(at);
            query.push(", ").push_bind(id).push(")");
        }
    }
}

/// The places of the games that have reached a position, the newest first.
fn push_reached<DB: Database>(query: &mut QueryBuilder<DB>, position: PositionKey, span: Span)
where
    for<'q> i64: Encode<'q, DB> + Type<DB>,
    for<'q> Uuid: Encode<'q, DB> + Type<DB>,
{
    query
        .push("select opened_at, game_id from opening_games where position = ")
        .push_bind(position.0);
    let bounds = [(" >= (", span.from), (" < (", span.until)];
    for (compared, bound) in bounds {
        if let Some((at, id)) = bound {
            query.push(" and (opened_at, game_id)").push(compared);
            query.push_bind(at).push(", ").push_bind(id).push(")");
        }
    }
    query.push(" order by opened_at desc, game_id desc");
}

/// What is tried row by row.
fn push_rest<DB: Database>(query: &mut QueryBuilder<DB>, rest: &GameFilter)
where
    for<'q> i64: Encode<'q, DB> + Type<DB>,
    for<'q> Uuid: Encode<'q, DB> + Type<DB>,
    for<'q> String: Encode<'q, DB> + Type<DB>,
    for<'q> &'static str: Encode<'q, DB> + Type<DB>,
{
    if let Some(status) = rest.status {
        query.push(" and status = ").push_bind(status_word(status));
    }
    if let Some(rulesets) = &rest.rulesets {
        query.push(" and ruleset in (");
        let mut list = query.separated(", ");
        for ruleset in rulesets {
            list.push_bind(ruleset.clone());
        }
        query.push(")");
    }
    if let Some(result) = rest.result {
        query.push(match result {
            ResultFilter::First => " and winner = 'first'",
            ResultFilter::Second => " and winner = 'second'",
            ResultFilter::Draw => " and winner is null and reason <> 'aborted'",
            ResultFilter::Aborted => " and reason = 'aborted'",
        });
    }
    if let Some(reason) = rest.reason {
        query.push(" and reason = ").push_bind(reason.as_str());
    }
    if let Some(from) = rest.plies_from {
        query.push(" and plies >= ").push_bind(i64::from(from));
    }
    if let Some(until) = rest.plies_until {
        query.push(" and plies < ").push_bind(i64::from(until));
    }
    if let Some(from) = rest.rating_from.map(i64::from) {
        query.push(" and first_rating >= ").push_bind(from);
        query.push(" and second_rating >= ").push_bind(from);
    }
    if let Some(until) = rest.rating_until.map(i64::from) {
        query.push(" and first_rating < ").push_bind(until);
        query.push(" and second_rating < ").push_bind(until);
    }
    match rest.rated {
        Some(true) => query.push(" and rated"),
        Some(false) => query.push(" and not rated"),
        None => query,
    };
    if let Some(clock) = rest.clock {
        query.push(match clock {
            ClockKind::Fischer => " and clock = 'fischer'",
            ClockKind::Byoyomi => " and clock = 'byoyomi'",
            ClockKind::PerMove => " and clock = 'per_move'",
            ClockKind::None => " and clock = 'none'",
        });
    }
    if let Some(position) = rest.position {
        query
            .push(" and exists (select 1 from opening_games where position = ")
            .push_bind(position.0)
            .push(" and opened_at = created_at and game_id = id)");
    }
}

/// Open challenges to a player, the newest first.
pub(super) fn challenges<DB: Dialect>(player: PlayerId) -> QueryBuilder<DB>
where
    for<'q> i64: Encode<'q, DB> + Type<DB>,
    for<'q> Uuid: Encode<'q, DB> + Type<DB>,
{
    let mut query = QueryBuilder::new(sql::LINE);
    if let Some(indexed_by) = DB::INDEXED_BY {
        query.push(indexed_by).push("games_challenges");
    }
    query
        .push(" where status = 'open' and invited_id = ")
        .push_bind(player.0)
        .push(" order by id desc limit ")
        .push_bind(i64::from(CHALLENGES));
    query
}
