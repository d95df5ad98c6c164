//! Ratings as lines: a line for some changes of one player in one rule set, and one for each result that does not count.

use qiguan_game::ratings::{
    change::{Cause, Change},
    glicko::{self, Strength},
};
use qiguan_protocol::{
    ids::{GameId, Millis, PlayerId},
    names::Seat,
};
use serde::{Deserialize, Serialize, Serializer, ser::Error};

use super::LineError;

/// How many changes a line has at most.
pub const CHANGES: usize = 1_000;

/// That a result does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Withdrawn {
    /// The game.
    #[serde(rename = "withdrawal")]
    pub game: GameId,
    /// Its rule set's id.
    pub ruleset: String,
    /// When it was withdrawn.
    pub at: Millis,
    /// By whom; omitted for the operator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<PlayerId>,
    /// Why.
    pub reason: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RatingsLine {
    /// The rule set.
    ratings: String,
    player: PlayerId,
    changes: Vec<ChangeLine>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChangeLine {
    number: u32,
    at: Millis,
    game: GameId,
    /// Left out if the results before were recomputed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    played: Option<PlayedLine>,
    before: i64,
    rating: i64,
    deviation: i64,
    volatility: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayedLine {
    opponent: PlayerId,
    seat: Seat,
    #[serde(with = "Score")]
    score: glicko::Score,
    counts: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "glicko::Score", rename_all = "snake_case")]
enum Score {
    Lost,
    Drawn,
    Won,
}

/// Changes of one player in one rule set as a line.
///
/// # Errors
/// When there is no change.
pub(super) fn write<S: Serializer>(changes: &[Change], out: S) -> Result<S::Ok, S::Error> {
    let Some(first) = changes.first() else {
        return Err(S::Error::custom("no changes"));
    };
    let lines = changes.iter().map(|change| ChangeLine {
        number: change.number,
        at: change.at,
        game: change.game,
        played: match change.cause {
            Cause::Revised => None,
            Cause::Played {
                opponent,
                seat,
                score,
                counts,
            } => Some(PlayedLine {
                opponent,
                seat: seat.into(),
                score,
                counts,
            }),
        },
        before: change.before,
        rating: change.after.rating,
        deviation: change.after.deviation,
        volatility: change.after.volatility,
    });
    let line = RatingsLine {
        ratings: first.ruleset.clone(),
        player: first.player,
        changes: lines.collect(),
    };
    line.serialize(out)
}

pub(super) fn read_ratings(line: RatingsLine) -> Result<Vec<Change>, LineError> {
    if line.changes.is_empty() || line.changes.len() > CHANGES {
        return Err(LineError {
            field: "changes".to_owned(),
            what: format!("expected 1 to {CHANGES}"),
        });
    }
    let changes = line.changes.into_iter().map(|change| Change {
        player: line.player,
        ruleset: line.ratings.clone(),
        number: change.number,
        at: change.at,
        game: change.game,
        cause: match change.played {
            None => Cause::Revised,
            Some(played) => Cause::Played {
                opponent: played.opponent,
                seat: played.seat.into(),
                score: played.score,
                counts: played.counts,
            },
        },
        before: change.before,
        after: Strength {
            rating: change.rating,
            deviation: change.deviation,
            volatility: change.volatility,
        },
    });
    Ok(changes.collect())
}
