//! Puzzles: positions in which one move alone wins or saves the game.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};
use utoipa::{IntoParams, ToSchema};

use crate::{ids::Millis, judging::Judgement, move_text::MoveText, names::Rating, words::words};

/// A puzzle's id: eight letters and digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct PuzzleId(pub String);

/// What each move of a solution reaches, and no other move does.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    ToSchema,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum PuzzleAim {
    /// It wins.
    Win,
    /// It does not lose.
    Save,
}

/// What a player has made of a puzzle.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    ToSchema,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum PuzzleResult {
    /// Solved without a mistake.
    Solved,
    /// A wrong move was made, and the solution was not found yet.
    Failed,
    /// Found after a wrong move.
    Found,
    /// The solution was asked for.
    Shown,
}

words!(PuzzleAim, PuzzleResult);

/// A puzzle, without its solution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Puzzle {
    /// The puzzle's id.
    pub id: PuzzleId,
    /// The rule set.
    pub ruleset: String,
    /// What is to be reached.
    pub aim: PuzzleAim,
    /// The position before the opponent's move. Nothing has occurred before it.
    pub start: String,
    /// The opponent's move, after which the solver has to find one.
    pub opponent: MoveText,
    /// What the rules say after it.
    pub position: Judgement,
    /// How many moves there are to find.
    pub moves: u8,
    /// How hard it is: an estimate until somebody has tried it.
    pub rating: i32,
    /// What the caller has made of it; null if it was not tried.
    #[schema(required)]
    pub result: Option<PuzzleResult>,
    /// The solution, the solver's moves and the answers by turns, once the caller has found it or asked for it; null before.
    #[schema(required)]
    pub solution: Option<Vec<MoveText>>,
}

/// `GET /api/puzzles/daily`: the puzzle of the day, the same for everybody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DailyPuzzle {
    /// The day in UTC, such as `2026-03-31`.
    pub day: String,
    /// When the next one comes.
    pub until: Millis,
    /// The puzzle.
    pub puzzle: Puzzle,
    /// On how many days one after the other, up to today or yesterday, the caller has solved it.
    pub days: u32,
}

/// `GET /api/puzzles/next`: a puzzle of which rule set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct NextPuzzleQuery {
    /// The rule set: `doushouqi/booklet`, `xiangqi/grunfeld` or `xiangqi/standard`.
    pub ruleset: String,
}

/// `GET /api/puzzles/results`: which page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct PuzzleResultsQuery {
    /// Those before this time; absent: the last.
    #[serde(default)]
    pub before: Option<Millis>,
}

/// `POST /api/puzzles/{id}/attempts`: the solver's moves so far, or the wish to see the solution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PuzzleAttempt {
    /// The solver's moves from the first one on, such as `a3a4`, without the answers.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Gives up: the solution is sent.
    #[serde(default)]
    pub show: bool,
}

/// What a move of a solver is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PuzzleVerdict {
    /// The right one, and there are more to find.
    Right,
    /// The right one, and the last.
    Solved,
    /// Another one.
    Wrong,
    /// The solver gave up.
    Shown,
}

/// What becomes of an attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PuzzleAnswer {
    /// What the last move is.
    pub verdict: PuzzleVerdict,
    /// What answers it; null if nothing does, and to a wrong move also while the server's computers are off or busy.
    #[schema(required)]
    pub answer: Option<MoveText>,
    /// What the rules say after the move and its answer.
    pub position: Judgement,
    /// The whole solution, the solver's moves and the answers by turns, once it was found or asked for; null before.
    #[schema(required)]
    pub solution: Option<Vec<MoveText>>,
    /// What is kept of it for the caller; null for a caller without an identity.
    #[schema(required)]
    pub kept: Option<KeptAttempt>,
}

/// What is kept of a puzzle that a player has tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct KeptAttempt {
    /// The puzzle.
    pub puzzle: PuzzleId,
    /// Its rule set.
    pub ruleset: String,
    /// When it was tried first.
    pub at: Millis,
    /// What became of it.
    pub result: PuzzleResult,
    /// The player's rating before the first try.
    pub before: i32,
    /// And after it: a puzzle counts once.
    pub after: i32,
}

/// `GET /api/puzzles/results`: what the caller has made of puzzles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PuzzleResults {
    /// The ratings, by rule set.
    pub ratings: Vec<PuzzleRating>,
    /// On how many days one after the other, up to today or yesterday, the puzzle of the day was solved.
    pub days: u32,
    /// The most that ever were.
    pub best_days: u32,
    /// A page of puzzles that were tried, the last first.
    pub attempts: Vec<KeptAttempt>,
    /// Where the next page begins; null if this is the last.
    #[schema(required)]
    pub before: Option<Millis>,
}

/// `GET /api/puzzles/drills`: endings of Dou Shou Qi to practise on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Drills {
    /// The rule set of all of them.
    pub ruleset: String,
    /// The drills, the easiest first.
    pub drills: Vec<Drill>,
}

/// An ending that the side to move wins; `GET /api/tables` knows every move in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Drill {
    /// The position, with the winner to move.
    pub position: String,
    /// How many moves the winner needs with best play by both sides.
    pub moves: u32,
    /// How hard it is, from 0 for the easiest to 4.
    pub step: u8,
}

/// How strong a player is at the puzzles of a rule set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PuzzleRating {
    /// The rule set.
    pub ruleset: String,
    /// The rating.
    pub rating: Rating,
    /// How many puzzles were tried.
    pub tried: u32,
    /// How many of them were solved without a mistake.
    pub solved: u32,
    /// How many were solved one after the other, up to the last one.
    pub streak: u32,
    /// The most that ever were.
    pub best: u32,
}
