//! Reviews of games that are over: `GET` and `POST /api/games/{id}/review`, and `POST /api/games/{id}/review/try`.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    hint::Verdict,
    ids::{GameId, Ply},
    move_text::MoveText,
    names::BySeat,
};

/// The review of a game, or as much of it as is done: it goes from the last move to the first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Review {
    /// The game.
    pub game: GameId,
    /// How many moves the game has.
    pub plies: Ply,
    /// How many of them are reviewed: the last ones.
    pub reviewed: u32,
    /// Whether all of it is done. A review that is not done is worked on.
    pub complete: bool,
    /// The first seat's chance to win before the first move, in thousandths; absent until it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub start: Option<u32>,
    /// How each side played, as far as its moves are reviewed.
    pub sides: BySeat<SideReview>,
    /// The moves that are reviewed, in the order in which they were played.
    pub moves: Vec<ReviewedMove>,
}

impl Review {
    /// Whether nothing was left out because it stood in a running game.
    pub fn is_whole(&self) -> bool {
        let whole =
            |reviewed: &ReviewedMove| reviewed.chance.is_some() && reviewed.judged.is_some();
        self.start.is_some() && self.moves.iter().all(whole)
    }
}

/// How a side played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SideReview {
    /// How many of its moves are judged.
    pub judged: u32,
    /// How many of them are the best that was found.
    pub best: u32,
    /// How well it played, in thousandths: 1000 for moves that lost nothing. Absent until a move is judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub accuracy: Option<u32>,
    /// What its moves lost of the chance to win on average, in thousandths; absent until a move is judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub average_loss: Option<u32>,
    /// How many moves of each verdict it made, the good ones apart.
    pub inaccuracies: u32,
    /// Mistakes.
    pub mistakes: u32,
    /// Blunders.
    pub blunders: u32,
}

/// A move of the game, reviewed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewedMove {
    /// The move's number.
    pub ply: Ply,
    /// From and to.
    #[serde(rename = "move")]
    pub text: MoveText,
    /// The first seat's chance to win after it, in thousandths, in Luzhanqi with all pieces open. Absent as long as the position stands in
    /// a running game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub chance: Option<u32>,
    /// How good it was, in Luzhanqi by what its player could know. Absent as long as the position before or after it stands in a running
    /// game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub judged: Option<MoveReview>,
    /// Luzhanqi: how good it was with all pieces open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub open: Option<MoveReview>,
}

/// How good a move was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveReview {
    /// Its player's chance to win after it, in thousandths: 0 is lost, 1000 won.
    pub chance: u32,
    /// By how much less that is than after the best move, in thousandths.
    pub loss: u32,
    /// What that makes of the move.
    pub verdict: Verdict,
    /// The best move that was found.
    pub best: MoveText,
    /// What the best move leads to, itself first; left out for a good move, and where nobody looked further.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<MoveText>,
}

/// Another move in place of one that was played: is it better?
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewTry {
    /// The number of the move that was played.
    pub ply: Ply,
    /// The move to play in its place, such as `a3a4`.
    #[serde(rename = "move")]
    pub text: String,
}
