//! Games out of the record, whole: a line of a download, and what came of a replay.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    delay::SpectatorDelay,
    ids::{GameId, Millis, Ply, Seq},
    names::BySeat,
    setup::RevealedSetup,
    view::{GameSummary, PlayedMove},
};

/// A line of `GET /api/games/export/ndjson`: a game that is over, as everybody may know it then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportedGame {
    /// As in lists.
    pub game: GameSummary,
    /// By how much spectators saw it later; left out for not at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spectator_delay: Option<SpectatorDelay>,
    /// The moves.
    pub moves: Vec<PlayedMove>,
    /// What the player had left after each move, of the budget, of the period, or of the move; null without a clock.
    #[schema(required)]
    pub left_ms: Option<Vec<Millis>>,
    /// In a game with setups that has come so far: what both committed to.
    #[schema(required)]
    pub setups: Option<BySeat<RevealedSetup>>,
}

/// `GET /api/games/{id}/verify`: what came of replaying a game that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Verification {
    /// The game.
    pub game: GameId,
    /// Whether everything in it follows: each event as the referee would have let it happen, each move by the rules, each clock, the end;
    /// and in Luzhanqi both setups as they were committed to, and every attack.
    pub holds: bool,
    /// How many events were judged.
    pub events: u32,
    /// How many moves were played again.
    pub plies: Ply,
    /// Whether there were setups, and they are those that were committed to; null in a game without, or that has not come so far.
    #[schema(required)]
    pub setups: Option<bool>,
    /// The first thing that does not follow.
    #[schema(required)]
    pub wrong: Option<Wrong>,
}

/// Something in a game that does not follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Wrong {
    /// The event.
    pub seq: Seq,
    /// For people: what is wrong with it.
    pub what: String,
}
