//! The audit log. What it tells of is written by whatever is done (`Append`, `Change`, `Ratings::revise`,
//! `FairPlay::close_report`), in the same transaction; here it is added to and read, and there is no other way to touch it.

use async_trait::async_trait;
use qiguan_protocol::{
    audit::ActId,
    ids::{GameId, Millis, PlayerId},
    operation::Operation,
};

use crate::store::store::StoreError;

/// The audit log.
#[async_trait]
pub trait Acts: Send + Sync {
    /// Adds entries. Those that are there already stay as they are.
    async fn add_acts(&self, acts: Vec<Act>) -> Result<(), StoreError>;

    /// A page of entries with the names of whom they name, the newest first.
    async fn acts(&self, filter: &ActFilter) -> Result<Vec<NamedAct>, StoreError>;
}

/// Something that was done, and by whom, to whom, why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    /// The entry.
    pub id: ActId,
    /// When.
    pub at: Millis,
    /// What.
    pub operation: Operation,
    /// Who did it; none for the operator.
    pub by: Option<PlayerId>,
    /// Whom it was done to.
    pub player: Option<PlayerId>,
    /// Which game it was done to.
    pub game: Option<GameId>,
    /// Why; empty if nobody has said.
    pub reason: String,
    /// What else there is to know, for people to read.
    pub details: String,
}

impl Act {
    /// The same, done to a player.
    #[must_use]
    pub fn to_player(self, player: PlayerId) -> Self {
        Self {
            player: Some(player),
            ..self
        }
    }

    /// The same, done to a game.
    #[must_use]
    pub fn to_game(self, game: GameId) -> Self {
        Self {
            game: Some(game),
            ..self
        }
    }

    /// The same, with more to know.
    #[must_use]
    pub fn with(self, details: String) -> Self {
        Self { details, ..self }
    }
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
