//! Players whom one follows, and players who are online.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{ids::GameId, names::Player, profile::RuleSetRating};

/// A player as they are just now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayerNow {
    /// The player.
    pub player: Player,
    /// The ratings, by rule set.
    pub ratings: Vec<RuleSetRating>,
    /// Whether the player is connected, and shows it.
    pub online: bool,
    /// The games of the player that go on and that you may watch, the oldest first; empty if the player is not shown as online.
    pub playing: Vec<GameId>,
}

/// `GET /api/account/following`: whom the caller follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Following {
    /// The players: those who are online first, then the last followed first.
    pub players: Vec<PlayerNow>,
}

/// `GET /api/players/online`: players with an account who are online and show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OnlinePlayers {
    /// The players, those who came last first.
    pub players: Vec<PlayerNow>,
}

/// `GET` and `PUT /api/account/presence`: whether others see the caller online.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PresenceShown {
    /// True unless the caller has chosen otherwise.
    pub shown: bool,
}
