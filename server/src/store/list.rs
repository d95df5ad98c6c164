//! The query of a page of games: searches in indexes, merged by id.
//!
//! **Invariant:** each search asks for one visibility and is in order by itself, so that a page reads about as many rows as it
//! shows, however many games there are. Where the database lets it, the index is named, since without statistics SQLite can't
//! tell a good one from a bad one; the statement fails if it is not there. Filters that no index serves (result, clock) are
//! tried row by row.

use qiguan_protocol::{
    ids::PlayerId,
    names::{Status, Visibility},
};
use sqlx::{Database, Encode, Postgres, QueryBuilder, Sqlite, Type};
use uuid::Uuid;

use crate::store::{
    rows::{status_word, visibility_word},
    sql,
    store::{CHALLENGES, ClockKind, GameFilter, ResultFilter},
};

/// A search: the games of one visibility, of one player or two or of anybody.
struct Search {
    visibility: Visibility,
    first: Option<PlayerId>,
    second: Option<PlayerId>,
}

/// How a database wants to be told which index to search.
pub(super) trait Dialect: Database {
    /// What stands before the name of the index behind that of the table; none if there is no such thing.
    const INDEXED_BY: Option<&'static str>;
}

impl Dialect for Sqlite {
    const INDEXED_BY: Option<&'static str> = Some(" indexed by ");
}

impl Dialect for Postgres {
    const INDEXED_BY: Option<&'static str> = None;
}

/// A page of games, the newest first.
pub(super) fn page<DB: Dialect>(filter: &GameFilter) -> QueryBuilder<DB>
where
    for<'q> i64: Encode<'q, DB> + Type<DB>,
    for<'q> Uuid: Encode<'q, DB> + Type<DB>,
    for<'q> String: Encode<'q, DB> + Type<DB>,
    for<'q> &'static str: Encode<'q, DB> + Type<DB>,
{
    let mut query = QueryBuilder::new("");
    for (number, search) in searches(filter).iter().enumerate() {
        if number > 0 {
            query.push(" union all ");
        }
        push_search(&mut query, search, filter);
    }
    query
        .push(" order by id desc limit ")
        .push_bind(i64::from(filter.limit));
    query
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

/// What has to be searched. No game is in two of them, since nobody has both seats of a game.
fn searches(filter: &GameFilter) -> Vec<Search> {
    let of = |visibility, first, second| Search {
        visibility,
        first,
        second,
    };
    let mut searches = match filter.player {
        None => vec![of(Visibility::Public, None, None)],
        Some(player) => vec![
            of(Visibility::Public, Some(player), None),
            of(Visibility::Public, None, Some(player)),
        ],
    };
    if let Some(viewer) = filter.viewer {
        let opponent = filter.player.filter(|player| *player != viewer);
        searches.extend([
            of(Visibility::Link, Some(viewer), opponent),
            of(Visibility::Link, opponent, Some(viewer)),
        ]);
    }
    searches
}

/// The index that serves a search best.
const fn index(search: &Search, filter: &GameFilter) -> &'static str {
    match (search.first, search.second) {
        (Some(_), _) => "games_by_first",
        (None, Some(_)) => "games_by_second",
        (None, None) => match (filter.status, &filter.ruleset) {
            // Few games go on; nearly all have ended.
            (Some(Status::Open | Status::Playing), _) | (Some(Status::Ended), None) => {
                "games_by_status"
            }
            (Some(Status::Ended) | None, Some(_)) => "games_by_ruleset",
            (None, None) => "games_by_visibility",
        },
    }
}

fn push_search<DB: Dialect>(query: &mut QueryBuilder<DB>, search: &Search, filter: &GameFilter)
where
    for<'q> i64: Encode<'q, DB> + Type<DB>,
    for<'q> Uuid: Encode<'q, DB> + Type<DB>,
    for<'q> String: Encode<'q, DB> + Type<DB>,
    for<'q> &'static str: Encode<'q, DB> + Type<DB>,
{
    query.push(sql::LINE);
    if let Some(indexed_by) = DB::INDEXED_BY {
        query.push(indexed_by).push(index(search, filter));
    }
    query
        .push(" where visibility = ")
        .push_bind(visibility_word(search.visibility));
    if let Some(player) = search.first {
        query.push(" and first_id = ").push_bind(player.0);
    }
    if let Some(player) = search.second {
        query.push(" and second_id = ").push_bind(player.0);
    }
    if let Some(status) = filter.status {
        query.push(" and status = ").push_bind(status_word(status));
    }
    if let Some(ruleset) = &filter.ruleset {
        query.push(" and ruleset = ").push_bind(ruleset.clone());
    }
    if let Some(result) = filter.result {
        query.push(match result {
            ResultFilter::First => " and winner = 'first'",
            ResultFilter::Second => " and winner = 'second'",
            ResultFilter::Draw => {
                " and winner is null and reason is not null and reason <> 'aborted'"
            }
            ResultFilter::Aborted => " and reason = 'aborted'",
        });
    }
    if let Some(clock) = filter.clock {
        query.push(match clock {
            ClockKind::Fischer => " and clock = 'fischer'",
            ClockKind::Byoyomi => " and clock = 'byoyomi'",
            ClockKind::PerMove => " and clock = 'per_move'",
            ClockKind::None => " and clock = 'none'",
        });
    }
    if let Some(from) = filter.created_from {
        query.push(" and created_at >= ").push_bind(from.0);
    }
    if let Some(until) = filter.created_until {
        query.push(" and created_at < ").push_bind(until.0);
    }
    if let Some(before) = filter.before {
        query.push(" and id < ").push_bind(before.0);
    }
}
