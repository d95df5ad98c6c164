//! Games and players whole, as they are stored: what is asked of the records to move them, to check them and to prune them.

use qiguan_game::{
    audit_entry::Act,
    event::{Event, Player},
    record::GameSummary,
};
use qiguan_protocol::{
    ids::{CommandId, GameId, Millis, PlayerId, Seq},
    names::{Role, Status},
};

use crate::{
    account::{Banned, PasswordHash, StoredSession},
    codec,
    store::{NamedSetup, StoreError},
};

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

/// A player with everything that makes up the identity. Its setups are secrets, and none is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerRecord {
    /// The player.
    pub player: Player,
    /// When the player came.
    pub created_at: Millis,
    /// What makes the player more than a guest.
    pub account: AccountRecord,
    /// What proves the identity.
    pub tokens: Vec<StoredSession>,
    /// The saved setups, by name.
    pub setups: Vec<NamedSetup>,
}

/// A player who comes from another record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The player.
    pub record: PlayerRecord,
    /// The entries of the audit log that are written if the player is new.
    pub acts: Vec<Act>,
}

impl From<PlayerRecord> for Arrival {
    /// Without any entry.
    fn from(record: PlayerRecord) -> Self {
        let acts = Vec::new();
        Self { record, acts }
    }
}

/// What became of a player who came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// The player is there now.
    New,
    /// The player was there already, and stays as before.
    Known,
    /// Somebody else has a name that can't be told from the player's. Nothing was added.
    NameTaken,
    /// Somebody else has one of the player's tokens. Nothing was added.
    TokenTaken,
}

/// What makes a player more than a guest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountRecord {
    /// What the player is here.
    pub role: Role,
    /// What is kept of the password.
    pub password: Option<PasswordHash>,
    /// When the guest became a player.
    pub registered_at: Option<Millis>,
    /// Whether and until when the account is closed to its owner.
    pub ban: Option<Banned>,
    /// Whether and until when the player may not chat.
    pub mute: Option<Banned>,
    /// Since when the player is limited, if so.
    pub limited_at: Option<Millis>,
    /// Since when the player's new name is on its way into the games.
    pub renamed_at: Option<Millis>,
    /// When the account was deleted.
    pub deleted_at: Option<Millis>,
    /// When the deleted player's name had been removed from every game.
    pub withdrawn_at: Option<Millis>,
    /// The keys of the name, in order.
    pub keys: Vec<String>,
}

impl AccountRecord {
    /// Of a guest.
    pub const GUEST: Self = Self {
        role: Role::Guest,
        password: None,
        registered_at: None,
        ban: None,
        mute: None,
        limited_at: None,
        renamed_at: None,
        deleted_at: None,
        withdrawn_at: None,
        keys: Vec::new(),
    };
}
