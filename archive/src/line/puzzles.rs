//! What a player has made of puzzles, within the player's line.

use qiguan_game::ratings::glicko::Strength;
use qiguan_protocol::{ids::Millis, puzzle::PuzzleResult};
use qiguan_store::accounts::puzzles::{PuzzleDays, PuzzleRating, PuzzleRecord, TriedPuzzle};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PuzzlesLine {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tried: Vec<TriedLine>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ratings: Vec<RatingLine>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    days: Option<DaysLine>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TriedLine {
    puzzle: String,
    ruleset: String,
    at: Millis,
    result: PuzzleResult,
    before: i64,
    after: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RatingLine {
    ruleset: String,
    rating: i64,
    deviation: i64,
    volatility: i64,
    tried: u32,
    solved: u32,
    streak: u32,
    best: u32,
    at: Millis,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DaysLine {
    day: u32,
    days: u32,
    best: u32,
}

/// None if there is nothing.
pub(super) fn write(record: PuzzleRecord) -> Option<PuzzlesLine> {
    let is_empty = record.is_empty();
    let tried = record.results.into_iter().map(|row| TriedLine {
        puzzle: row.puzzle,
        ruleset: row.ruleset,
        at: row.at,
        result: row.result,
        before: row.before,
        after: row.after,
    });
    let ratings = record.ratings.into_iter().map(|row| RatingLine {
        ruleset: row.ruleset,
        rating: row.strength.rating,
        deviation: row.strength.deviation,
        volatility: row.strength.volatility,
        tried: row.tried,
        solved: row.solved,
        streak: row.streak,
        best: row.best,
        at: row.at,
    });
    let line = PuzzlesLine {
        tried: tried.collect(),
        ratings: ratings.collect(),
        days: record.days.map(|row| DaysLine {
            day: row.day,
            days: row.days,
            best: row.best,
        }),
    };
    (!is_empty).then_some(line)
}

pub(super) fn read(line: PuzzlesLine) -> PuzzleRecord {
    let results = line.tried.into_iter().map(|row| TriedPuzzle {
        puzzle: row.puzzle,
        ruleset: row.ruleset,
        at: row.at,
        result: row.result,
        before: row.before,
        after: row.after,
    });
    let ratings = line.ratings.into_iter().map(|row| PuzzleRating {
        ruleset: row.ruleset,
        strength: Strength {
            rating: row.rating,
            deviation: row.deviation,
            volatility: row.volatility,
        },
        tried: row.tried,
        solved: row.solved,
        streak: row.streak,
        best: row.best,
        at: row.at,
    });
    PuzzleRecord {
        results: results.collect(),
        ratings: ratings.collect(),
        days: line.days.map(|row| PuzzleDays {
            day: row.day,
            days: row.days,
            best: row.best,
        }),
    }
}
