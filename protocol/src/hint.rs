//! Hints in practice games, `POST /api/games/{id}/hint`, and on positions that are stored nowhere, `POST /api/positions/hint`.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{ids::Ply, move_text::MoveText, names::Seat};

/// What a player who is on the move in a practice game wants to know.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HintRequest {
    /// A move to be weighed before it is played, such as `a3a4`; absent: only the best is asked for.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub text: Option<String>,
}

/// What the computer thinks, as far as the player may know the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Hint {
    /// The number of the move that is advised.
    pub ply: Ply,
    /// The best move that was found.
    pub best: WeighedMove,
    /// The move that was asked about; absent if none was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub asked: Option<JudgedMove>,
}

/// A move and the player's chance to win after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WeighedMove {
    /// From and to.
    #[serde(rename = "move")]
    pub text: MoveText,
    /// The chance to win after it, in thousandths: 0 is lost, 1000 won.
    pub chance: u32,
}

/// What the computer thinks of a position that is stored nowhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionHint {
    /// The side to move.
    pub turn: Seat,
    /// The best moves that were found, at most three, the best first.
    pub best: Vec<WeighedLine>,
}

/// A move with what is expected to follow it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WeighedLine {
    /// The moves of both sides in turn, the advised one first.
    pub line: Vec<MoveText>,
    /// The chance to win of the side to move, in thousandths: 0 is lost, 1000 won.
    pub chance: u32,
}

/// A move, and how good it is beside the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JudgedMove {
    /// From and to.
    #[serde(rename = "move")]
    pub text: MoveText,
    /// The chance to win after it, in thousandths.
    pub chance: u32,
    /// By how much less that is than after the best move, in thousandths.
    pub loss: u32,
    /// What that makes of the move.
    pub verdict: Verdict,
}

/// How good a move is, by the chance to win that it gives away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It gives away less than a tenth.
    Good,
    /// It gives away a tenth or more.
    Inaccuracy,
    /// It gives away a fifth or more.
    Mistake,
    /// It gives away three tenths or more.
    Blunder,
}

impl Verdict {
    /// The verdict on a loss, in thousandths of the chance to win.
    pub const fn of_loss(loss: u32) -> Self {
        match loss {
            0..100 => Self::Good,
            100..200 => Self::Inaccuracy,
            200..300 => Self::Mistake,
            _ => Self::Blunder,
        }
    }
}
