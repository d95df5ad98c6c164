//! Whole games, as they are stored: what is asked of the records to move them, to check them and to prune them.

use qiguan_game::{event::Event, record::GameSummary};
use qiguan_protocol::{
    ids::{CommandId, GameId, Millis, PlayerId, Seq},
    names::Status,
};

use crate::{codec, store::StoreError};

/// Which games are meant; all of them if nothing is said. All conditions hold together. Games by link count as well: this is
/// asked by the operator, not by players.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Only games in this state.
    pub status: Option<Status>,
    /// Only games of this player.
    pub player: Option<PlayerId>,
    /// Only games of this rule set.
    pub ruleset: Option<String>,
    /// Only games opened at or after this time.
    pub created_from: Option<Millis>,
    /// Only games opened before this time.
    pub created_until: Option<Millis>,
}

impl Selection {
    /// Whether this is every game, also one that has lost its line in the lists.
    pub fn is_everything(&self) -> bool {
        *self == Self::default()
    }
}

/// A game as it is stored, whether it makes sense or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGame {
    /// The game.
    pub game: GameId,
    /// Its line in the lists; none if there are events without one.
    pub line: Option<Result<GameSummary, StoreError>>,
    /// Its events by number, as far as their rows can be read at all.
    pub events: Result<Vec<StoredEvent>, StoreError>,
}

/// An event as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEvent {
    /// Its number.
    pub seq: Seq,
    /// When it happened.
    pub at: Millis,
    /// The command behind it.
    pub command: Option<CommandId>,
    /// What happened, as `codec` has written it.
    pub body: String,
}

impl StoredEvent {
    /// The event.
    ///
    /// # Errors
    /// What is wrong with the body.
    pub fn decode(&self) -> Result<Event, String> {
        Ok(Event {
            seq: self.seq,
            at: self.at,
            command: self.command,
            body: codec::decode(&self.body)?,
        })
    }

    /// The event as it is to be stored.
    ///
    /// # Errors
    /// As [`codec::encode`].
    pub fn encode(event: &Event) -> Result<Self, serde_json::Error> {
        Ok(Self {
            seq: event.seq,
            at: event.at,
            command: event.command,
            body: codec::encode(&event.body)?,
        })
    }
}
