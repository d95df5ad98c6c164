//! What is asked of the records about accounts and sessions: each change is whole, and says what it relies on.

use std::fmt;

use qiguan_game::{
    audit_entry::Act,
    calendar,
    people::identity::{Identity, Scopes},
};
use qiguan_protocol::{
    ids::{GameId, Millis, PlayerId, SessionId},
    names::Role,
};

use crate::store::TokenHash;

/// The name of a deleted account.
pub const DELETED_NAME: &str = "(deleted)";
/// So long after an account was deleted nothing of it is on its way any more: requests have ended by then.
pub const LEAVING_LASTS: Millis = Millis(60_000);
/// The end of a ban that has none.
pub const FOR_GOOD: Millis = Millis(i64::MAX);
/// So many places one account may be signed in at; the oldest end for new ones.
pub const MOST_SESSIONS: u32 = 50;

/// What the records know of an account, or of a guest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The player.
    pub id: PlayerId,
    /// The name.
    pub name: String,
    /// What the player is here.
    pub role: Role,
    /// What is kept of the password; none for guests.
    pub password: Option<PasswordHash>,
    /// Whether and until when the account is closed to its owner.
    pub ban: Option<Banned>,
    /// Whether and until when the player may not chat.
    pub mute: Option<Banned>,
    /// Since when the player is limited, if so.
    pub limited_at: Option<Millis>,
    /// When the guest became a player.
    pub registered_at: Option<Millis>,
    /// When the account was deleted.
    pub deleted_at: Option<Millis>,
}

/// The hash of a password, as a PHC string. For debugging it is not printed.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(pub String);

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<hidden>")
    }
}

/// A ban, or a mute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Banned {
    /// Until when; [`FOR_GOOD`] if it has no end.
    pub until: Millis,
    /// Why.
    pub reason: String,
}

impl Banned {
    /// Until when, for people to read.
    pub fn told_until(&self) -> String {
        if self.until == FOR_GOOD {
            "for good".to_owned()
        } else {
            format!("until {}", calendar::minute_past(self.until))
        }
    }

    /// Whether it still holds.
    pub fn holds(&self, now: Millis) -> bool {
        now < self.until
    }
}

/// How an account is looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// By the player.
    Player(PlayerId),
    /// By a key of its name. Accounts that are deleted are not found so.
    Key(String),
}

/// A session as it is stored.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredSession {
    /// The hash of its token.
    pub hash: TokenHash,
    /// What it is for.
    pub purpose: Purpose,
    /// What the browser or program called itself.
    pub agent: Option<String>,
    /// When it began.
    pub created_at: Millis,
    /// When it was last used, give or take.
    pub last_seen_at: Millis,
    /// When it ends by itself; none for never.
    pub expires_at: Option<Millis>,
}

impl StoredSession {
    /// Its id.
    pub fn id(&self) -> SessionId {
        self.hash.session()
    }

    /// What its token may do.
    pub fn scopes(&self) -> Scopes {
        match &self.purpose {
            Purpose::SignIn => Scopes::ALL,
            Purpose::Program { scopes, .. } => *scopes,
        }
    }

    /// Whether it goes on.
    pub fn lives(&self, now: Millis) -> bool {
        self.expires_at.is_none_or(|end| now < end)
    }
}

impl fmt::Debug for StoredSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<hidden>")
    }
}

/// What a session is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Somebody has signed in, or come as a guest.
    SignIn,
    /// A token for a program.
    Program {
        /// What its owner calls it.
        label: String,
        /// What it may do.
        scopes: Scopes,
    },
}

/// Whom a token belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// Who.
    pub identity: Identity,
    /// The session.
    pub session: StoredSession,
    /// Whether and until when the account is closed to its owner.
    pub ban: Option<Banned>,
}

/// A player's session among others, with what it takes to tell whether it goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionOf {
    /// Whose.
    pub player: PlayerId,
    /// The session.
    pub session: StoredSession,
    /// Until when its owner is banned.
    pub banned_until: Option<Millis>,
}

/// A change of accounts and sessions, in one transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A player gets a name and a password. All sessions until then end.
    Register {
        /// A guest who is there, or somebody new.
        player: PlayerId,
        /// Whether this is somebody new.
        is_new: bool,
        /// The name.
        name: String,
        /// Its keys; if anybody has one of them, nothing changes.
        keys: Vec<String>,
        /// What the player is from now on.
        role: Role,
        /// What is kept of the password.
        password: PasswordHash,
        /// The session from now on; none if nobody has signed in.
        session: Option<StoredSession>,
        /// The entry of the audit log, written with it; none if the player does it.
        act: Option<Act>,
        /// When.
        at: Millis,
    },
    /// Somebody has signed in with a password.
    SignIn {
        /// Who.
        player: PlayerId,
        /// What was kept of the password when it was tried; if that has changed, nothing does.
        tried: PasswordHash,
        /// What is kept of it from now on, if it was rehashed.
        rehashed: Option<PasswordHash>,
        /// The new session.
        session: StoredSession,
    },
    /// A new password. All sign-ins until then end.
    Password {
        /// Whose.
        player: PlayerId,
        /// What was kept of the old one when it was tried; if that has changed, nothing does. None if it was not asked for.
        tried: Option<PasswordHash>,
        /// What is kept of the new one.
        password: PasswordHash,
        /// The session from now on.
        session: Option<StoredSession>,
        /// Whether the tokens for programs end as well.
        revoke_tokens: bool,
        /// The entry of the audit log, written with it; none if the owner does it.
        act: Option<Act>,
    },
    /// A new token for a program, unless there are `most` already.
    Issue {
        /// Whose.
        player: PlayerId,
        /// The token.
        session: StoredSession,
        /// How many are allowed.
        most: u32,
    },
    /// One session or token ends.
    End {
        /// Whose.
        player: PlayerId,
        /// Which.
        session: SessionId,
        /// Whether it is a token for a program.
        is_token: bool,
    },
    /// All sign-ins but one end.
    EndOthers {
        /// Whose.
        player: PlayerId,
        /// Which one stays.
        keep: SessionId,
    },
    /// A session was used.
    Touch {
        /// Which.
        hash: TokenHash,
        /// When.
        at: Millis,
        /// When it ends by itself from now on.
        expires_at: Option<Millis>,
    },
    /// A player may be here again, or not.
    Ban {
        /// Who.
        player: PlayerId,
        /// None ends it.
        ban: Option<Banned>,
        /// The entry of the audit log, written with it.
        act: Act,
    },
    /// A player may chat again, or not.
    Mute {
        /// Who.
        player: PlayerId,
        /// None ends it.
        mute: Option<Banned>,
        /// The entry of the audit log, written with it.
        act: Act,
    },
    /// A player is limited, or not any more.
    Limit {
        /// Who.
        player: PlayerId,
        /// Since when; none ends it.
        since: Option<Millis>,
        /// The entry of the audit log, written with it.
        act: Act,
    },
    /// An account gets another name, if it still has the one before; the keys of that one stay, so that nobody else gets it. All
    /// its sessions and tokens end.
    Rename {
        /// Whose.
        player: PlayerId,
        /// The name before.
        before: String,
        /// The name from now on.
        name: String,
        /// Its keys; if anybody else has one of them, nothing changes.
        keys: Vec<String>,
        /// The entry of the audit log, written with it.
        act: Act,
    },
    /// A game gets the name that a player has now: its events and its line.
    NameInGame {
        /// Who.
        player: PlayerId,
        /// Which.
        game: GameId,
    },
    /// The new name of somebody has come into every game; [`Changed::Stale`] if one has another still.
    NamedInGames {
        /// Who.
        player: PlayerId,
    },
    /// An account gets another role, if it still has the one before. All its sessions and tokens end.
    Role {
        /// Whose.
        player: PlayerId,
        /// The role before.
        before: Role,
        /// The role from now on.
        role: Role,
        /// The entry of the audit log, written with it; none if the owner does it.
        act: Option<Act>,
    },
    /// An account is deleted: its sessions, tokens, setups and password go, the reasons of its ban and mute too, and the name becomes
    /// [`DELETED_NAME`]. Of the name's keys hashes stay, so that nobody else gets it.
    Delete {
        /// Whose.
        player: PlayerId,
        /// What was kept of the password when it was tried; if that has changed, nothing does.
        tried: PasswordHash,
        /// When.
        at: Millis,
    },
    /// The name of somebody deleted leaves a game: its events and its line. What they have said there, as player or spectator,
    /// and the notes and setups of their seat go as well; what they have said as its player stays while a report about them
    /// there is open.
    /// [`Changed::More`] if there was more to say than goes at once.
    LeaveGame {
        /// Who.
        player: PlayerId,
        /// Which.
        game: GameId,
    },
    /// What else of somebody deleted is in no game goes: blocks of theirs and of them, commands in the lobby, and the text of
    /// their reports that are closed. [`Changed::More`] if there is more than goes at once.
    LeaveRest {
        /// Who.
        player: PlayerId,
    },
    /// Something of somebody deleted has come from another record: it goes as well.
    Return {
        /// Who.
        player: PlayerId,
    },
    /// Somebody deleted has left everything; [`Changed::Stale`] while a report by or about them is open, and before
    /// [`LEAVING_LASTS`].
    Left {
        /// Who.
        player: PlayerId,
        /// When.
        at: Millis,
    },
}

/// What came of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// It is done.
    Done,
    /// A part of it is done; the same change does more.
    More,
    /// Somebody has that name, or one that looks like it. Nothing changed.
    NameTaken,
    /// What it relied on is not so any more. Nothing changed.
    Stale,
    /// There are as many as are allowed. Nothing changed.
    Full,
}
