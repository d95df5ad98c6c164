//! The query of a page of games: searches in indexes, merged by id.
//!
//! **Invariant:** each search asks for one visibility and is in order by itself, so that a page reads about as many rows as it
//! shows, however many games there are. The index is named, since without statistics SQLite can't tell a good one from a
//! bad one; the statement fails if it is not there. Filters that no index serves (result, clock) are tried row by row.

use qiguan_protocol::{
    ids::PlayerId,
    names::{Status, Visibility},
};
use sqlx::{QueryBuilder, Sqlite};

use crate::store::{
    sqlite_rows::{self, status_word, visibility_word},
    store::{ClockKind, GameFilter, ResultFilter},
};

/// A search: the games of one visibility, of one player or two or of anybody.
struct Search {
    visibility: Visibility,
    first: Option<PlayerId>,
    second: Option<PlayerId>,
}

/// A page of games, the newest first.
pub(super) fn page(filter: &GameFilter) -> QueryBuilder<Sqlite> {
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

fn push_search(query: &mut QueryBuilder<Sqlite>, search: &Search, filter: &GameFilter) {
    query
        .push(sqlite_rows::LINE)
        .push(" from games indexed by ")
        .push(index(search, filter))
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
