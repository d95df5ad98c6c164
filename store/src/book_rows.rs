//! The statements about books of ratings that every database understands, and what their rows mean.

use qiguan_game::ratings::change::RatedEnd;
use qiguan_protocol::ids::{GameId, Millis, PlayerId};
use qiguan_rules::{BySeat, Seat};
use sqlx::FromRow;
use uuid::Uuid;

use crate::{
    books::Book,
    rating_rows::{self, ChangeRow, RatingRow, WithdrawalRow},
    store::StoreError,
};

/// Rated games that have ended with a result.
macro_rules! ends {
    () => {
        "select id, ruleset, ended_at, first_id, second_id, winner from games where rated and ended_at is not null \
             and reason not in ('aborted', 'adjudication') and first_id is not null and second_id is not null"
    };
}

/// Every rule set that has ratings, or games that should have been rated.
pub(super) const RULESETS: &str = "select ruleset from rating_changes union select ruleset from ratings \
     union select ruleset from games where rated and ended_at is not null and reason not in ('aborted', 'adjudication') \
         and first_id is not null and second_id is not null order by 1";
/// The rated games of a rule set that have ended with a result.
pub(super) const ENDS: &str = concat!(ends!(), " and ruleset = $1 order by id");
/// Those of all rule sets that have changed nothing.
pub(super) const UNRATED: &str = concat!(
    ends!(),
    " and not exists (select 1 from rating_changes where rating_changes.game_id = games.id and kind <> 'revised') \
     order by ended_at, id"
);
/// The withdrawals of a rule set.
pub(super) const WITHDRAWALS: &str = "select game_id, at, by_id, reason from withdrawals where exists (select 1 from rating_changes \
     where rating_changes.game_id = withdrawals.game_id and kind <> 'revised' and ruleset = $1)";
/// A change of a rule set, if it has any.
pub(super) const ANY_CHANGE: &str = "select number from rating_changes where ruleset = $1 limit 1";

/// The line of a rated game that has ended.
#[derive(FromRow)]
pub(super) struct EndRow {
    id: Uuid,
    ruleset: String,
    ended_at: i64,
    first_id: Uuid,
    second_id: Uuid,
    winner: Option<String>,
}

/// A row of `withdrawals` with the game first.
pub(super) type WithdrawnRow = (Uuid, i64, Option<Uuid>, String);

/// What a book is made up of.
pub(super) struct BookRows {
    pub(super) changes: Vec<ChangeRow>,
    pub(super) ratings: Vec<RatingRow>,
    pub(super) withdrawals: Vec<WithdrawnRow>,
    pub(super) ends: Vec<EndRow>,
}

/// The ends of rows. An invalid winner is left out: the check of the game itself tells of it.
pub(super) fn ends(rows: Vec<EndRow>) -> Vec<RatedEnd> {
    rows.into_iter().filter_map(end).collect()
}

fn end(row: EndRow) -> Option<RatedEnd> {
    let winner = match row.winner {
        None => None,
        Some(name) => Some(Seat::from_name(&name)?),
    };
    Some(RatedEnd {
        game: GameId(row.id),
        ruleset: row.ruleset,
        at: Millis(row.ended_at),
        players: BySeat {
            first: PlayerId(row.first_id),
            second: PlayerId(row.second_id),
        },
        winner,
        counts: true,
    })
}

/// A book.
pub(super) fn book(rows: BookRows) -> Result<Book, StoreError> {
    let all = rating_rows::all(rows.changes, rows.ratings)?;
    let withdrawals = rows.withdrawals.into_iter().map(|(game, at, by, reason)| {
        let row: WithdrawalRow = (at, by, reason);
        (GameId(game), rating_rows::withdrawal(row))
    });
    Ok(Book {
        changes: all.changes,
        standings: all.standings.into_iter().collect(),
        withdrawals: withdrawals.collect(),
        ends: ends(rows.ends),
    })
}
