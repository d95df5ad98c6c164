//! Endings of Dou Shou Qi that are known to the end: `GET /api/tables`.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{move_text::MoveText, names::Seat};

/// What tables say of a position with few animals, with best play by both sides. They know no history: nothing has occurred before, and
/// the last move captured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Ending {
    /// The rule set.
    pub ruleset: String,
    /// The position: the board and the side to move, as a position's text begins.
    pub position: String,
    /// The side to move.
    pub turn: Seat,
    /// What the position is worth for it.
    pub value: EndingValue,
    /// On which ply from here the next capture comes, or the end; null for a draw. The winner plays for few plies, the loser for many.
    #[schema(required)]
    pub plies: Option<u8>,
    /// Every move that is legal here, the best first.
    pub moves: Vec<EndingMove>,
    /// The best moves of both sides to the end of the game, so many as it takes; empty for a draw.
    pub line: Vec<MoveText>,
}

/// What a position or a move is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EndingValue {
    /// It wins, whatever the other side does.
    Win,
    /// Neither side can force a win. Where positions may not come back, the side that runs out of other moves may still lose.
    Draw,
    /// It loses, if the other side makes no mistake.
    Loss,
}

/// A move and what it is worth for the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EndingMove {
    /// From and to.
    #[serde(rename = "move")]
    pub text: MoveText,
    /// What it is worth.
    pub value: EndingValue,
    /// On which ply the next capture comes, or the end, this move counted; null for a draw.
    #[schema(required)]
    pub plies: Option<u8>,
}
