//! What is asked of the records about when the players of a game were connected.

use async_trait::async_trait;
use qiguan_game::connection_log::Attended;
use qiguan_protocol::ids::{GameId, Millis};

use crate::store::StoreError;

/// How many entries a game has at most, before one that says that no more are kept.
pub const ENTRIES: u32 = 1_000;

/// When the players of games were connected.
#[async_trait]
pub trait Attendances: Send + Sync {
    /// Notes entries in one transaction, all or nothing. One that is there already is noted once; of games that are not there none is.
    /// A game that has [`ENTRIES`] gets [`What::Cut`](qiguan_game::connection_log::What::Cut) instead, once.
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
