//! The computer players of a server.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::names::Player;

/// `GET /api/computers`: whom visitors can play against at any time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Computers {
    /// Every computer player, by game and level; empty if computer play is switched off.
    pub computers: Vec<Computer>,
}

/// A computer player. `create_game` with its level, or with its name, begins a game against it at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Computer {
    /// It as a player.
    pub player: Player,
    /// The game that it plays, with any rule set: what its rule sets' ids begin with, such as `xiangqi`.
    pub game: String,
    /// How well it plays, from 1 (a beginner) to 8.
    pub level: u8,
    /// How strong it is beside the other levels of its game, in Elo points: measured in matches between neighbours, where level 1 has 800.
    /// People's ratings are another scale.
    pub rating: u16,
}
