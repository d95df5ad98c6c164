//! What is asked of the records about when the players of a game were connected.

use async_trait::async_trait;
use qiguan_protocol::ids::{GameId, Millis, Ply};
use qiguan_rules::Seat;

use crate::store::store::StoreError;

/// How many entries a game has at most, before one that says that no more are kept.
pub const ENTRIES: u32 = 1_000;

/// When the players of games were connected.
#[async_trait]
pub trait Attendances: Send + Sync {
    /// Notes entries in one transaction, all or nothing. One that is there already is noted once; of games that are not there none is.
    /// A game that has [`ENTRIES`] gets [`What::Cut`] instead, once.
    async fn note_attendance(&self, entries: Vec<Attended>) -> Result<(), StoreError>;

    /// Notes in every game that is being played that the server was gone between these times, or a little later if something was noted
    /// later. A game without entries, or in which nothing was noted since the server was back the last time, is left as it is.
    async fn note_restart(
        &self,
        stopped: Option<Millis>,
        started: Millis,
    ) -> Result<(), StoreError>;

    /// Adds entries from another record. What is there already stays as it is.
    async fn add_attendance(&self, entries: Vec<Attended>) -> Result<(), StoreError>;

    /// The entries of a game, the earliest first.
    async fn attendance(&self, game: GameId) -> Result<Vec<Attended>, StoreError>;

    /// A page of all entries after one, by game and time.
    async fn all_attendance(
        &self,
        after: Option<Attended>,
        limit: u32,
    ) -> Result<Vec<Attended>, StoreError>;
}

/// Something that happened to the connections of a game's players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attended {
    /// The game.
    pub game: GameId,
    /// When.
    pub at: Millis,
    /// What.
    pub what: What,
    /// How many moves had been played; none for what the server did.
    pub ply: Option<Ply>,
}

impl Attended {
    /// What no two entries share, in the order of the table.
    pub const fn key(&self) -> (GameId, Millis, &'static str) {
        (self.game, self.at, self.what.as_str())
    }
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
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

impl What {
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
