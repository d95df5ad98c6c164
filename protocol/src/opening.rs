//! How games begin: what was played in a position, and what came of it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{move_text::MoveText, view::GameSummary};

/// What games have made of a position. Counted are ended games for everybody, some moments after their end; not those that were aborted,
/// and not those with other options than their rule set's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// The rule set.
    pub ruleset: String,
    /// The position: the board and the side to move, as a position's text begins. In Luzhanqi the pieces are covered.
    pub position: String,
    /// What came of all games that have reached it. A game that has come back to it counts once.
    pub results: OpeningResults,
    /// What was played when a game reached it first, the most often played first.
    pub moves: Vec<OpeningMove>,
    /// The games that were opened last among those that have reached it, at most 5.
    pub newest: Vec<GameSummary>,
}

/// What came of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OpeningResults {
    /// How many games.
    pub games: u64,
    /// Won by the first seat.
    pub first: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by the second seat.
    pub second: u64,
    /// The mean of the players' ratings as they sat down, in games both of whose players had one; null without such games.
    #[schema(required)]
    pub mean_rating: Option<i32>,
}

/// A move that was played in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OpeningMove {
    /// From and to.
    #[serde(rename = "move")]
    pub text: MoveText,
    /// What came of it.
    pub results: OpeningResults,
}
