//! A player's own running game in short: enough to show on every page whose turn it is, without watching the game.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ids::{GameId, Millis, Seq},
    names::{Player, Seat, Status},
    time_control::TimeControl,
    view::Clocks,
};

/// A running game of the player, as it stands after its event `seq`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OwnGame {
    /// The game.
    pub game: GameId,
    /// The number of its last event: of two descriptions the one with the higher number is newer.
    pub seq: Seq,
    /// The rule set.
    pub ruleset: String,
    /// The time control.
    pub time_control: TimeControl,
    /// The player's seat.
    pub you: Seat,
    /// The other player.
    pub opponent: Player,
    /// `playing`, or `ended` once it is over.
    pub status: Status,
    /// Whether the game waits for the player: for a move, or for their setup.
    pub your_turn: bool,
    /// When the setups as they stand are taken, in server time; left out when nobody sets up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setup_until: Option<Millis>,
    /// Both clocks.
    pub clocks: Clocks,
}
