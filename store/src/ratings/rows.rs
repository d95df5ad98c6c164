//! The statements about ratings and results, and what their rows mean.

use std::collections::BTreeMap;

use qiguan_game::ratings::{
    change::{Cause, Change, RatingState},
    glicko::{Score, Strength},
};
use qiguan_protocol::{
    ids::{GameId, Millis, PlayerId},
    names::{Role, Visibility},
};
use qiguan_rules::Seat;
use sqlx::FromRow;
use uuid::Uuid;

use crate::{
    ratings::{Leader, Past, Tally, Withdrawal},
    rows::{seat_number, seat_of, visibility_word},
    store::StoreError,
};

/// The columns of `rating_changes`, as they are written.
macro_rules! change_columns {
    () => {
        "player_id, ruleset, number, at, game_id, kind, opponent_id, seat, score, before, rating, deviation, volatility"
    };
}
pub(crate) use change_columns;

/// The columns of `ratings`, as they are written.
macro_rules! rating_columns {
    () => {
        "player_id, ruleset, number, rating, deviation, volatility, played_at"
    };
}
pub(crate) use rating_columns;

/// What changes of a rating that is there already.
macro_rules! rating_changes {
    () => {
        "on conflict (player_id, ruleset) do update set number = excluded.number, rating = excluded.rating, \
             deviation = excluded.deviation, volatility = excluded.volatility, played_at = excluded.played_at"
    };
}
pub(crate) use rating_changes;

/// What a game has changed.
pub(crate) const OF_GAME: &str = concat!(
    "select ",
    change_columns!(),
    " from rating_changes where game_id = $1 and kind <> 'revised' order by seat"
);
/// Where a player stands everywhere.
pub(crate) const STANDINGS: &str = concat!(
    "select ",
    rating_columns!(),
    " from ratings where player_id = $1 order by ruleset"
);
/// Where some players stand everywhere; which players is to follow.
pub(super) const STANDINGS_OF: &str = concat!(
    "select ",
    rating_columns!(),
    " from ratings where player_id in "
);
/// Where a player stands in a rule set.
pub(super) const STANDING: &str = concat!(
    "select ",
    rating_columns!(),
    " from ratings where player_id = $1 and ruleset = $2"
);
/// The leaders of a rule set. Five eighteenths of a squared thousandth is what a millisecond away adds to a deviation's square.
pub(crate) const LEADERS: &str = "select player_id, ruleset, number, rating, deviation, volatility, played_at, name, role \
     from ratings join players on players.id = ratings.player_id \
     where ruleset = $1 and deviation <= 110000 and rating <= $2 and (rating < $2 or player_id > $3) \
       and deleted_at is null and (banned_until is null or banned_until <= $5) \
       and played_at >= $4 and deviation * deviation + ($5 - played_at) * 5 / 18 <= 12100000000 \
     order by rating desc, player_id limit $6";
/// A page of a player's changes.
pub(crate) const HISTORY: &str = "select player_id, rating_changes.ruleset, number, at, game_id, kind, opponent_id, seat, score, before, rating, \
         deviation, volatility, first_id, second_id, visibility \
     from rating_changes left join games on games.id = rating_changes.game_id \
     where player_id = $1 and rating_changes.ruleset = $2 and number < $3 order by number desc limit $4";
/// Every rule set with ratings.
pub(super) const RULESETS: &str = "select distinct ruleset from ratings order by ruleset";
/// Every change of a rule set.
pub(crate) const CHANGES: &str = concat!(
    "select ",
    change_columns!(),
    " from rating_changes where ruleset = $1"
);
/// Everybody in a rule set.
pub(super) const RATINGS: &str = concat!(
    "select ",
    rating_columns!(),
    " from ratings where ruleset = $1 order by player_id"
);
/// A withdrawal.
pub(super) const WITHDRAWAL: &str = "select at, by_id, reason from withdrawals where game_id = $1";
/// A result that no longer counts.
pub(super) const WITHDRAW: &str = "insert into withdrawals (game_id, at, by_id, reason) values ($1, $2, $3, $4) \
     on conflict (game_id) do update set at = excluded.at, by_id = excluded.by_id, reason = excluded.reason";
/// A result that counts again.
pub(super) const RESTORE: &str = "delete from withdrawals where game_id = $1";
/// What a player has won and lost with each seat. Everybody may read it, so it tells nothing of games by link.
pub(super) const TALLIES: &str = "select ruleset, cast(0 as bigint) as seat, winner, count(*) as games from games \
         where first_id = $1 and visibility = 'public' and ended_at is not null and reason not in ('aborted', 'adjudication') group by ruleset, winner \
     union all select ruleset, cast(1 as bigint) as seat, winner, count(*) as games from games \
         where second_id = $1 and visibility = 'public' and ended_at is not null and reason not in ('aborted', 'adjudication') group by ruleset, winner";
/// The same against one opponent.
pub(super) const AGAINST: &str = "select ruleset, cast(0 as bigint) as seat, winner, count(*) as games from games \
         where first_id = $1 and second_id = $2 and visibility = 'public' and ended_at is not null and reason not in ('aborted', 'adjudication') group by ruleset, winner \
     union all select ruleset, cast(1 as bigint) as seat, winner, count(*) as games from games \
         where second_id = $1 and first_id = $2 and visibility = 'public' and ended_at is not null and reason not in ('aborted', 'adjudication') group by ruleset, winner";
/// When a player has left games.
pub(crate) const LEAVES: &str = "select ended_at from games \
         where first_id = $1 and ended_at >= $2 and second_id is not null and \
             ((reason = 'abandonment' and winner = 'second') or (reason = 'timeout' and winner = 'second' and plies < 2) \
              or (reason = 'aborted' and ended_by = 'first' and visibility = 'public')) \
     union all select ended_at from games \
         where second_id = $1 and ended_at >= $2 and first_id is not null and \
             ((reason = 'abandonment' and winner = 'first') or (reason = 'timeout' and winner = 'first' and plies < 2) \
              or (reason = 'aborted' and ended_by = 'second' and visibility = 'public'))";

/// New changes; the rows follow.
pub(super) const ADD: &str = concat!(
    "insert into rating_changes (",
    change_columns!(),
    ") values"
);
/// A change that is computed again.
pub(super) const ALTER: &str = "update rating_changes set kind = $4, before = $5, rating = $6, deviation = $7, volatility = $8 \
     where player_id = $1 and ruleset = $2 and number = $3";
/// Where players stand now; the rows follow, and then [`NOTED`].
pub(super) const NOTE: &str = concat!("insert into ratings (", rating_columns!(), ") values");
/// What changes of those who have ratings already.
pub(super) const NOTED: &str = concat!(" ", rating_changes!());

/// A row of `rating_changes`.
#[derive(FromRow)]
pub(super) struct ChangeRow {
    player_id: Uuid,
    ruleset: String,
    number: i64,
    at: i64,
    game_id: Uuid,
    kind: String,
    opponent_id: Option<Uuid>,
    seat: Option<i64>,
    score: Option<i64>,
    before: i64,
    rating: i64,
    deviation: i64,
    volatility: i64,
}

/// A row of `rating_changes` with what is asked of its game's line.
#[derive(FromRow)]
pub(super) struct PastRow {
    #[sqlx(flatten)]
    change: ChangeRow,
    first_id: Option<Uuid>,
    second_id: Option<Uuid>,
    visibility: Option<String>,
}

/// A row of `ratings`.
#[derive(FromRow)]
pub(crate) struct RatingRow {
    player_id: Uuid,
    ruleset: String,
    number: i64,
    rating: i64,
    deviation: i64,
    volatility: i64,
    played_at: Option<i64>,
}

/// A row of `ratings` with the player's name.
#[derive(FromRow)]
pub(super) struct LeaderRow {
    #[sqlx(flatten)]
    rating: RatingRow,
    name: String,
    role: String,
}

/// A row of a tally.
#[derive(FromRow)]
pub(super) struct TallyRow {
    ruleset: String,
    seat: i64,
    winner: Option<String>,
    games: i64,
}

/// A row of `withdrawals`: when, by whom, why.
pub(super) type WithdrawalRow = (i64, Option<Uuid>, String);

/// The change of a row.
pub(super) fn change(row: ChangeRow) -> Result<Change, StoreError> {
    let corrupt = |what: &str| StoreError::Corrupt {
        table: "rating_changes",
        row: format!("{} {} {}", row.player_id, row.ruleset, row.number),
        what: what.to_owned(),
    };
    let played = |counts| {
        let opponent = row.opponent_id.map(PlayerId);
        let seat = row.seat.and_then(seat_of);
        let score = row.score.and_then(score_of);
        match (opponent, seat, score) {
            (Some(opponent), Some(seat), Some(score)) => Ok(Cause::Played {
                opponent,
                seat,
                score,
                counts,
            }),
            _ => Err(corrupt("a game without opponent, seat or score")),
        }
    };
    let cause = match row.kind.as_str() {
        "played" => played(true)?,
        "withdrawn" => played(false)?,
        "revised" => Cause::Revised,
        _ => return Err(corrupt("no such kind")),
    };
    Ok(Change {
        player: PlayerId(row.player_id),
        number: u32::try_from(row.number).map_err(|_| corrupt("no number"))?,
        ruleset: row.ruleset,
        at: Millis(row.at),
        game: GameId(row.game_id),
        cause,
        before: row.before,
        after: Strength {
            rating: row.rating,
            deviation: row.deviation,
            volatility: row.volatility,
        },
    })
}

/// A change in a player's history.
pub(super) fn past(row: PastRow) -> Result<Past, StoreError> {
    Ok(Past {
        change: change(row.change)?,
        players: [row.first_id, row.second_id].map(|id| id.map(PlayerId)),
        listed: row.visibility.as_deref() == Some(visibility_word(Visibility::Public)),
    })
}

/// Where a player stands, by a row.
pub(crate) fn rating_state(row: RatingRow) -> Result<(PlayerId, String, RatingState), StoreError> {
    let number = u32::try_from(row.number).map_err(|_| StoreError::Corrupt {
        table: "ratings",
        row: format!("{} {}", row.player_id, row.ruleset),
        what: "no number".to_owned(),
    })?;
    let rating_state = RatingState {
        number,
        strength: Strength {
            rating: row.rating,
            deviation: row.deviation,
            volatility: row.volatility,
        },
        played_at: row.played_at.map(Millis),
    };
    Ok((PlayerId(row.player_id), row.ruleset, rating_state))
}

/// A leader.
pub(super) fn leader(row: LeaderRow) -> Result<Leader, StoreError> {
    let (player, _, rating_state) = rating_state(row.rating)?;
    Ok(Leader {
        player,
        name: row.name,
        bot: row.role == Role::Bot.as_str(),
        rating_state,
    })
}

/// The withdrawal of a row.
pub(super) fn withdrawal((at, by, reason): WithdrawalRow) -> Withdrawal {
    Withdrawal {
        at: Millis(at),
        by: by.map(PlayerId),
        reason,
    }
}

/// Tallies from rows that each count one outcome.
pub(super) fn tallies(rows: Vec<TallyRow>) -> Result<Vec<Tally>, StoreError> {
    let mut tallies = BTreeMap::new();
    for row in rows {
        let corrupt = |what: &str| StoreError::Corrupt {
            table: "games",
            row: row.ruleset.clone(),
            what: what.to_owned(),
        };
        let seat = seat_of(row.seat).ok_or_else(|| corrupt("no such seat"))?;
        let winner = row.winner.as_deref().map(Seat::from_name);
        let key = (row.ruleset.clone(), row.seat);
        let tally = tallies.entry(key).or_insert_with(|| Tally {
            ruleset: row.ruleset.clone(),
            seat,
            won: 0,
            drawn: 0,
            lost: 0,
        });
        let games = row.games.unsigned_abs();
        match winner {
            None => tally.drawn += games,
            Some(Some(winner)) if winner == seat => tally.won += games,
            Some(Some(_)) => tally.lost += games,
            Some(None) => return Err(corrupt("no such winner")),
        }
    }
    Ok(tallies.into_values().collect())
}

/// What stands in the columns of a change that only a game has: the kind, the opponent, the seat and the score.
pub(crate) fn cause_columns(
    cause: &Cause,
) -> (&'static str, Option<Uuid>, Option<i64>, Option<i64>) {
    match cause {
        Cause::Played {
            opponent,
            seat,
            score,
            counts,
        } => (
            if *counts { "played" } else { "withdrawn" },
            Some(opponent.0),
            Some(seat_number(*seat)),
            Some(score_number(*score)),
        ),
        Cause::Revised => ("revised", None, None, None),
    }
}

const fn score_number(score: Score) -> i64 {
    match score {
        Score::Lost => 0,
        Score::Drawn => 1,
        Score::Won => 2,
    }
}

fn score_of(number: i64) -> Option<Score> {
    Score::ALL
        .into_iter()
        .find(|score| score_number(*score) == number)
}
