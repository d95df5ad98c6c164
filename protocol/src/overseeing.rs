//! The moderators' views: more of a game than players and spectators see.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ids::{GameId, Millis, Ply, Seq},
    move_text::MoveText,
    names::{BySeat, Player, Seat},
    view::{GameView, TimeLeft},
};

/// `GET /api/admin/games/{id}/chat`: everything that was said in a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChatLog {
    /// The game.
    pub game: GameId,
    /// The players.
    pub players: BySeat<Option<Player>>,
    /// The lines of the players, the first one first.
    pub lines: Vec<LoggedLine>,
    /// The lines of the spectators, the first one first.
    pub spectators: Vec<LoggedSpectatorLine>,
}

/// A line of chat as moderators see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LoggedLine {
    /// The number of its event.
    pub seq: Seq,
    /// When it was said.
    pub at: Millis,
    /// How many moves had been played.
    pub ply: Ply,
    /// Who said it.
    pub seat: Seat,
    /// What; empty if the server has not kept it.
    pub text: String,
    /// Whether nobody else has heard it, since the player was limited.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shadow_muted: bool,
}

/// Something that a spectator said, as moderators see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LoggedSpectatorLine {
    /// Its number at this game.
    pub number: u32,
    /// When it was said.
    pub at: Millis,
    /// Who said it.
    pub player: Player,
    /// What.
    pub text: String,
    /// Whether nobody else has heard it, since the player was limited.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shadow_muted: bool,
}

/// `GET /api/admin/games/{id}`: a game as the referee knows it, also while it goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OverseenGame {
    /// The game as spectators see it, but for the position, which has every identity.
    pub view: GameView,
    /// In a game with setups: both, as they were taken, or as they stand while the players set up.
    #[schema(required)]
    pub setups: Option<BySeat<String>>,
    /// When play began.
    #[schema(required)]
    pub started_at: Option<Millis>,
    /// When the game ended.
    #[schema(required)]
    pub ended_at: Option<Millis>,
    /// Every move with its time.
    pub moves: Vec<OverseenMove>,
    /// The turn that no move has ended; null before play began, and after a move that ended the game.
    #[schema(required)]
    pub turn: Option<OverseenTurn>,
    /// When the players came and went while the game was not over, the earliest first.
    pub connections: Vec<ConnectionEvent>,
}

/// A move as the referee knows it, and how long it took.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OverseenMove {
    /// Its number, from 1.
    pub ply: Ply,
    /// Who made it.
    pub seat: Seat,
    /// The move.
    #[serde(rename = "move")]
    pub text: MoveText,
    /// The position after it, with every identity.
    pub fen: String,
    /// When it happened.
    pub at: Millis,
    /// How long after the move before it, or after play began, whatever the clocks did.
    pub after_ms: Millis,
    /// What it cost on the clock.
    pub spent_ms: Millis,
    /// What was taken off for the way of the message.
    pub lag_ms: Millis,
    /// How long the player was not connected during this turn, but for when the server was not there or the clocks stood; null if
    /// that is not known.
    #[schema(required)]
    pub away_ms: Option<Millis>,
    /// What both have left after it; null without a clock.
    #[schema(required)]
    pub left: Option<BySeat<TimeLeft>>,
}

/// The last turn of a game, until now or until the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OverseenTurn {
    /// Who is or was on the move.
    pub seat: Seat,
    /// How long it has taken, whatever the clocks did.
    pub after_ms: Millis,
    /// As in [`OverseenMove`].
    #[schema(required)]
    pub away_ms: Option<Millis>,
}

/// Something that happened to the connections of a game's players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConnectionEvent {
    /// When.
    pub at: Millis,
    /// How many moves had been played.
    pub ply: Ply,
    /// What.
    pub what: ConnectionEventKind,
    /// Who has come or gone; null for what the server did.
    #[schema(required)]
    pub seat: Option<Seat>,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConnectionEventKind {
    /// A player's first connection has begun to watch the game.
    Connected,
    /// The last one does no more.
    Disconnected,
    /// The server was last known to be there.
    ServerStopped,
    /// The server was back, and nobody connected yet.
    ServerStarted,
    /// There was more than is kept.
    Cut,
}
