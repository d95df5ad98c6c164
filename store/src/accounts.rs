//! Accounts and guests: what the records know of them.

pub mod analyses;
mod arrivals;
mod changes;
mod follows;
mod leaving;
mod names;
pub mod puzzles;
mod recovery;
mod search;
mod sessions;
mod settings;

use std::fmt;

use qiguan_game::{calendar, event::Player};
use qiguan_protocol::{
    ids::{GameId, Millis, PlayerId},
    names::Role,
};
use sqlx::FromRow;
use uuid::Uuid;

pub(crate) use self::changes::HOLD;
pub use self::{
    arrivals::{AccountRecord, Added, Arrival, PlayerRecord},
    changes::{Change, ChangeResult, Registration},
    follows::{Follow, FollowResult, Followed},
    leaving::{DELETED_NAME, LEAVING_LASTS},
    recovery::Recovery,
    sessions::{AuthenticatedSession, MOST_SESSIONS, PlayerSession, Purpose, StoredSession},
    settings::SettingsRecord,
};
#[cfg(test)]
pub(crate) use self::{
    changes::{END_ONE, TOKENS},
    follows::{FOLLOWED, MAY_BE_SEEN},
    leaving::{GAMES_TO_LEAVE_IN_SQLITE, LEAVING},
    names::{NAMING, RENAMING},
    search::{BEGINNING, CONTAINING},
    sessions::OF_TOKEN,
};
use crate::{
    db::{Statement, sql},
    store::{Store, StoreError, TokenHash},
};

/// The columns of an [`AccountRow`].
macro_rules! account_columns {
    () => {
        "id, name, role, password_hash, banned_until, ban_reason, muted_until, mute_reason, \
         limited_at, registered_at, deleted_at"
    };
}
use account_columns;

/// A new guest.
const NEW_GUEST: &str = "insert into players (id, name, created_at) values ($1, $2, $3)";
/// An account by its player.
const ACCOUNT: &str = concat!("select ", account_columns!(), " from players where id = $1");
/// An account by a key of its name.
pub(crate) const ACCOUNT_OF_KEY: &str = concat!(
    "select ",
    account_columns!(),
    " from names join players on players.id = names.player_id where key = $1 and deleted_at is null"
);
/// The limited ones of some players; which players is to follow.
const LIMITED: &str = "select id from players where limited_at is not null and id in ";
/// Who plays in a game or is invited to it, with their roles.
pub(crate) const PLAYERS_OF: &str = "select players.id, role from games \
     join players on players.id in (games.first_id, games.second_id, games.invited_id) where games.id = $1 order by players.id";

impl Store {
    /// Stores a new player and the hash of the token that proves the identity.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn create_guest(
        &self,
        player: &Player,
        token: TokenHash,
        at: Millis,
    ) -> Result<(), StoreError> {
        let id = player.id;
        let new = sql(NEW_GUEST).bind(id).bind(player.name.clone()).bind(at);
        let session = StoredSession {
            hash: token,
            purpose: Purpose::SignIn,
            agent: None,
            created_at: at,
            last_seen_at: at,
            expires_at: None,
        };
        self.write(None, move |db| {
            Box::pin(async move {
                db.execute(new).await?;
                sessions::insert(db, id, session).await
            })
        })
        .await
    }

    /// An account, or a guest.
    ///
    /// # Errors
    /// When the database can't be read, or the row makes no sense.
    pub async fn account(&self, wanted: AccountLookup) -> Result<Option<Account>, StoreError> {
        let asked = match wanted {
            AccountLookup::Player(player) => sql(ACCOUNT).bind(player),
            AccountLookup::Key(key) => sql(ACCOUNT_OF_KEY).bind(key),
        };
        let row: Option<AccountRow> = self.row(asked).await?;
        row.map(Account::try_from).transpose()
    }

    /// The limited ones among these players.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn shadowbanned_among(
        &self,
        players: Vec<PlayerId>,
    ) -> Result<Vec<PlayerId>, StoreError> {
        if players.is_empty() {
            return Ok(players);
        }
        self.ids(sql(LIMITED).push_list(players), PlayerId).await
    }

    /// Who plays in a game or is invited to it, with the roles that they have now.
    ///
    /// # Errors
    /// When the database can't be read, or a row makes no sense.
    pub async fn players_of(&self, game: GameId) -> Result<Vec<(PlayerId, Role)>, StoreError> {
        let rows: Vec<(Uuid, String)> = self.rows(sql(PLAYERS_OF).bind(game)).await?;
        let players = rows.into_iter();
        players
            .map(|(id, role)| Ok((PlayerId(id), role_of(id, &role)?)))
            .collect()
    }
}

/// The end of a ban that has none.
pub const FOR_GOOD: Millis = Millis(i64::MAX);

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
    pub ban: Option<StoredSanction>,
    /// Whether and until when the player may not chat.
    pub mute: Option<StoredSanction>,
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
pub struct StoredSanction {
    /// Until when; [`FOR_GOOD`] if it has no end.
    pub until: Millis,
    /// Why.
    pub reason: String,
}

impl StoredSanction {
    /// From two columns: until when, and why.
    fn from_columns(until: Option<i64>, reason: Option<String>) -> Option<Self> {
        until.map(|until| Self {
            until: Millis(until),
            reason: reason.unwrap_or_default(),
        })
    }

    /// Binds the two columns.
    fn bind(ban: Option<Self>, statement: Statement) -> Statement {
        let until = ban.as_ref().map(|ban| ban.until);
        statement.bind(until).bind(ban.map(|ban| ban.reason))
    }

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
pub enum AccountLookup {
    /// By the player.
    Player(PlayerId),
    /// By a key of its name. Accounts that are deleted are not found so.
    Key(String),
}

/// A row of `players`, as far as it is about the account.
#[derive(FromRow)]
struct AccountRow {
    id: Uuid,
    name: String,
    role: String,
    password_hash: Option<String>,
    banned_until: Option<i64>,
    ban_reason: Option<String>,
    muted_until: Option<i64>,
    mute_reason: Option<String>,
    limited_at: Option<i64>,
    registered_at: Option<i64>,
    deleted_at: Option<i64>,
}

impl TryFrom<AccountRow> for Account {
    type Error = StoreError;

    fn try_from(row: AccountRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: PlayerId(row.id),
            role: role_of(row.id, &row.role)?,
            name: row.name,
            password: row.password_hash.map(PasswordHash),
            ban: StoredSanction::from_columns(row.banned_until, row.ban_reason),
            mute: StoredSanction::from_columns(row.muted_until, row.mute_reason),
            limited_at: row.limited_at.map(Millis),
            registered_at: row.registered_at.map(Millis),
            deleted_at: row.deleted_at.map(Millis),
        })
    }
}

/// The role of this word.
fn role_of(player: Uuid, word: &str) -> Result<Role, StoreError> {
    Role::from_name(word).ok_or_else(|| StoreError::Corrupt {
        table: "players",
        row: player.to_string(),
        what: format!("unknown role {word:?}"),
    })
}
