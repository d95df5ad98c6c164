//! The audit log. What it tells of is written by whatever is done (`Append`, `Change`, `Ratings::revise`,
//! `FairPlay::close_report`), in the same transaction; here it is added to and read, and there is no other way to touch it.

use async_trait::async_trait;
use qiguan_game::audit_entry::Act;
use qiguan_protocol::{
    audit::ActId,
    ids::{GameId, Millis, PlayerId},
    operation::Operation,
};

use crate::store::StoreError;

/// The audit log.
#[async_trait]
pub trait Acts: Send + Sync {
    /// Adds entries. Those that are there already stay as they are.
    async fn add_acts(&self, acts: Vec<Act>) -> Result<(), StoreError>;

    /// A page of entries with the names of whom they name, the newest first.
    async fn acts(&self, filter: &ActFilter) -> Result<Vec<NamedAct>, StoreError>;
}

/// An entry with the names of those whom it names, as they are now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedAct {
    /// The entry.
    pub act: Act,
    /// The name of who has done it; none if there is no such player.
    pub by: Option<String>,
    /// The name of whom it was done to.
    pub player: Option<String>,
}

/// Which entries. All conditions hold together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActFilter {
    /// Only what this player has done.
    pub by: Option<PlayerId>,
    /// Only what was done to this player.
    pub player: Option<PlayerId>,
    /// Only entries about this game.
    pub game: Option<GameId>,
    /// Only this.
    pub operation: Option<Operation>,
    /// Only what was done at or after this time.
    pub from: Option<Millis>,
    /// Only what was done before this time.
    pub until: Option<Millis>,
    /// Only entries before this one (the next page).
    pub before: Option<ActId>,
    /// How many.
    pub limit: u32,
}
