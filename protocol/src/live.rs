//! What can be watched just now: running games of the public, and the one that is featured of each kind; and what streams over HTTP say of
//! themselves.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ids::{GameId, Millis, Ply},
    names::{BySeat, Player},
    option::OptionValue,
    time_control::TimeControl,
};

/// A running game, as spectators know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LiveGame {
    /// The game.
    pub game: GameId,
    /// The rule set.
    pub ruleset: String,
    /// Options that differ from the rule set's.
    pub options: BTreeMap<String, OptionValue>,
    /// The time control.
    pub time_control: TimeControl,
    /// Whether the result counts for the players' ratings; left out for false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// The players.
    pub players: BySeat<Player>,
    /// The number of moves played.
    pub ply: Ply,
    /// How many watch without a seat.
    pub spectators: u32,
    /// When it was opened, in server time.
    pub created_at: Millis,
}

/// `GET /api/live`: games of the public in which play goes on, those of the highest rated players first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LiveGames {
    /// The first of them.
    pub games: Vec<LiveGame>,
    /// How many there are in all.
    pub total: u32,
}

/// `GET /api/tv`: the featured games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Tv {
    /// Of each kind of game.
    pub channels: Vec<Channel>,
}

/// What is featured of a kind of game. It stays as long as it goes on; then another follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Channel {
    /// The kind, such as `xiangqi`.
    pub kind: String,
    /// The game; null while none goes on.
    #[schema(required)]
    pub game: Option<LiveGame>,
}

/// In the stream of `GET /api/tv/{kind}`: which game comes now. Its snapshot follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChannelNotice {
    /// What is on.
    pub tv: ChannelNow,
}

/// What is on a channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChannelNow {
    /// The kind of game, such as `xiangqi`.
    pub kind: String,
    /// The game; null as long as none goes on.
    #[schema(required)]
    pub game: Option<GameId>,
}

/// In the stream of `GET /api/me/stream`: what was there already has been told, and all that follows is new.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OwnStreamNotice {
    /// Whose stream this is, and since when.
    pub me: OwnStreamNow,
}

/// Whose stream it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OwnStreamNow {
    /// The player.
    pub player: Player,
    /// Now, in server time.
    pub server_time: Millis,
}
