//! When the players of a game were connected.

use qiguan_protocol::ids::{GameId, Millis, Ply};
use qiguan_rules::Seat;

/// Something that happened to the connections of a game's players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionEvent {
    /// The game.
    pub game: GameId,
    /// When.
    pub at: Millis,
    /// What.
    pub what: ConnectionChange,
    /// How many moves had been played; none for what the server did.
    pub ply: Option<Ply>,
}

impl ConnectionEvent {
    /// What no two entries share, in the order of the table.
    pub const fn key(&self) -> (GameId, Millis, &'static str) {
        (self.game, self.at, self.what.as_str())
    }
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectionChange {
    /// A player has come: the first connection.
    Connected(Seat),
    /// A player has gone: the last connection.
    Disconnected(Seat),
    /// The server was last known to be alive.
    ServerStopped,
    /// The server was back, and nobody connected yet.
    ServerStarted,
    /// No more is kept of this game.
    Cut,
}

impl ConnectionChange {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Connected(Seat::First),
        Self::Connected(Seat::Second),
        Self::Disconnected(Seat::First),
        Self::Disconnected(Seat::Second),
        Self::ServerStopped,
        Self::ServerStarted,
        Self::Cut,
    ];

    /// As it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Connected(Seat::First) => "first_connected",
            Self::Connected(Seat::Second) => "second_connected",
            Self::Disconnected(Seat::First) => "first_disconnected",
            Self::Disconnected(Seat::Second) => "second_disconnected",
            Self::ServerStopped => "server_stopped",
            Self::ServerStarted => "server_started",
            Self::Cut => "cut",
        }
    }

    /// What a word says.
    pub fn from_name(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|what| what.as_str() == word)
    }
}
