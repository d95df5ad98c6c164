//! Ratings as lines: a line for some changes of one player in one rule set, and one for each result that does not count.

use qiguan_game::ratings::{
    change::{Cause, Change},
    glicko::{self, Strength},
};
use qiguan_protocol::{
    ids::{GameId, Millis, PlayerId},
    names::Seat,
};
use qiguan_store::ratings::Withdrawal;
use serde::{Deserialize, Serialize};

use super::{LineError, line};

/// How many changes a line has at most.
pub const CHANGES: usize = 1_000;

/// That a result does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withdrawn {
    /// The game.
    pub game: GameId,
    /// Its rule set's id.
    pub ruleset: String,
    /// By whom, when and why.
    pub withdrawal: Withdrawal,
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
    score: Score,
    counts: bool,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Score {
    Lost,
    Drawn,
    Won,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WithdrawalLine {
    /// The game.
    withdrawal: GameId,
    ruleset: String,
    at: Millis,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<PlayerId>,
    reason: String,
}

/// Changes of one player in one rule set as a line; none for none.
///
/// # Errors
/// As [`super::header`].
pub fn ratings(changes: &[Change]) -> Result<Option<Vec<u8>>, serde_json::Error> {
    let Some(first) = changes.first() else {
        return Ok(None);
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
                score: score.into(),
                counts,
            }),
        },
        before: change.before,
        rating: change.after.rating,
        deviation: change.after.deviation,
        volatility: change.after.volatility,
    });
    line(&RatingsLine {
        ratings: first.ruleset.clone(),
        player: first.player,
        changes: lines.collect(),
    })
    .map(Some)
}

/// A withdrawal as a line.
///
/// # Errors
/// As [`super::header`].
pub fn withdrawal(withdrawn: Withdrawn) -> Result<Vec<u8>, serde_json::Error> {
    let Withdrawal { at, by, reason } = withdrawn.withdrawal;
    line(&WithdrawalLine {
        withdrawal: withdrawn.game,
        ruleset: withdrawn.ruleset,
        at,
        by,
        reason,
    })
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
                score: played.score.into(),
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

pub(super) fn read_withdrawal(line: WithdrawalLine) -> Withdrawn {
    Withdrawn {
        game: line.withdrawal,
        ruleset: line.ruleset,
        withdrawal: Withdrawal {
            at: line.at,
            by: line.by,
            reason: line.reason,
        },
    }
}

impl From<glicko::Score> for Score {
    fn from(score: glicko::Score) -> Self {
        match score {
            glicko::Score::Lost => Self::Lost,
            glicko::Score::Drawn => Self::Drawn,
            glicko::Score::Won => Self::Won,
        }
    }
}

impl From<Score> for glicko::Score {
    fn from(score: Score) -> Self {
        match score {
            Score::Lost => Self::Lost,
            Score::Drawn => Self::Drawn,
            Score::Won => Self::Won,
        }
    }
}
