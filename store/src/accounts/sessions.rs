//! Sessions, each known by the hash of its token: sign-ins, and tokens for programs.

use std::fmt;

use qiguan_game::people::identity::{Identity, Scopes};
use qiguan_protocol::{
    account::Scope,
    ids::{Millis, PlayerId, SessionId},
};
use sqlx::FromRow;
use uuid::Uuid;

use crate::{
    accounts::{StoredSanction, role_of},
    db::{Db, Failed, Statement, sql},
    store::{Store, StoreError, TokenHash},
};

/// So many places one account may be signed in at; the oldest end for new ones.
pub const MOST_SESSIONS: u32 = 50;

/// The columns of a [`SessionRow`].
macro_rules! session_columns {
    () => {
        "sessions.player_id, token_hash, kind, label, scopes, agent, sessions.created_at, last_seen_at, expires_at"
    };
}
pub(super) use session_columns;
/// A new session, as [`bind`] binds it.
macro_rules! new_session {
    () => {
        "insert into sessions (player_id, token_hash, kind, label, scopes, agent, created_at, last_seen_at, expires_at) \
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
    };
}
pub(super) use new_session;

/// Whom a token belongs to, and everything about the session.
pub(crate) const OF_TOKEN: &str = concat!(
    "select ",
    session_columns!(),
    ", name, role, banned_until, ban_reason \
     from sessions join players on players.id = sessions.player_id \
     where token_hash = $1 and deleted_at is null"
);
/// The sessions of players; which of them is to follow.
const SESSIONS: &str = concat!(
    "select ",
    session_columns!(),
    ", banned_until from sessions join players on players.id = sessions.player_id where player_id in "
);
const NEW_SESSION: &str = new_session!();

impl Store {
    /// Whom a token belongs to, and what it may do. Whether the session or a ban has ended, the caller judges.
    ///
    /// # Errors
    /// When the database can't be read, or the row makes no sense.
    pub async fn session(
        &self,
        token: TokenHash,
    ) -> Result<Option<AuthenticatedSession>, StoreError> {
        let row: Option<AuthenticatedRow> = self.row(sql(OF_TOKEN).bind(token)).await?;
        row.map(AuthenticatedSession::try_from).transpose()
    }

    /// All sessions and tokens of these players, by player and the newest first, in one query.
    ///
    /// # Errors
    /// When the database can't be read, or a row makes no sense.
    pub async fn sessions_of(
        &self,
        players: Vec<PlayerId>,
    ) -> Result<Vec<PlayerSession>, StoreError> {
        if players.is_empty() {
            return Ok(Vec::new());
        }
        let sessions = sql(SESSIONS)
            .push_list(players)
            .push(" order by player_id, sessions.created_at desc, token_hash");
        let rows: Vec<PlayerSessionRow> = self.rows(sessions).await?;
        let sessions = rows.into_iter().map(|row| {
            Ok(PlayerSession {
                player: PlayerId(row.session.player_id),
                session: row.session.try_into()?,
                banned_until: row.banned_until.map(Millis),
            })
        });
        sessions.collect()
    }
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
pub struct AuthenticatedSession {
    /// Who.
    pub identity: Identity,
    /// The session.
    pub session: StoredSession,
    /// Whether and until when the account is closed to its owner.
    pub ban: Option<StoredSanction>,
}

/// A player's session among others, with what it takes to tell whether it goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerSession {
    /// Whose.
    pub player: PlayerId,
    /// The session.
    pub session: StoredSession,
    /// Until when its owner is banned.
    pub banned_until: Option<Millis>,
}

/// A row of `sessions`.
#[derive(FromRow)]
pub(super) struct SessionRow {
    pub(super) player_id: Uuid,
    token_hash: Vec<u8>,
    kind: String,
    label: Option<String>,
    scopes: Option<String>,
    agent: Option<String>,
    created_at: i64,
    last_seen_at: i64,
    expires_at: Option<i64>,
}

/// A session with whose it is.
#[derive(FromRow)]
struct AuthenticatedRow {
    #[sqlx(flatten)]
    session: SessionRow,
    name: String,
    role: String,
    banned_until: Option<i64>,
    ban_reason: Option<String>,
}

/// A session with its owner's ban.
#[derive(FromRow)]
struct PlayerSessionRow {
    #[sqlx(flatten)]
    session: SessionRow,
    banned_until: Option<i64>,
}

impl TryFrom<AuthenticatedRow> for AuthenticatedSession {
    type Error = StoreError;

    fn try_from(row: AuthenticatedRow) -> Result<Self, StoreError> {
        let id = row.session.player_id;
        let session = StoredSession::try_from(row.session)?;
        Ok(Self {
            identity: Identity {
                id: PlayerId(id),
                role: role_of(id, &row.role)?,
                name: row.name,
                session: session.id(),
                scopes: session.scopes(),
            },
            session,
            ban: StoredSanction::from_columns(row.banned_until, row.ban_reason),
        })
    }
}

impl TryFrom<SessionRow> for StoredSession {
    type Error = StoreError;

    fn try_from(row: SessionRow) -> Result<Self, StoreError> {
        let corrupt = |what: String| StoreError::Corrupt {
            table: "sessions",
            row: row.player_id.to_string(),
            what,
        };
        let hash = <[u8; 32]>::try_from(row.token_hash)
            .map_err(|_| corrupt("a hash is of the wrong size".to_owned()))?;
        let purpose = match row.kind.as_str() {
            "session" => Purpose::SignIn,
            "token" => Purpose::Program {
                label: row.label.unwrap_or_default(),
                scopes: scopes_of(&row.scopes.unwrap_or_default()),
            },
            other => return Err(corrupt(format!("unknown kind of session {other:?}"))),
        };
        Ok(Self {
            hash: TokenHash(hash),
            purpose,
            agent: row.agent,
            created_at: Millis(row.created_at),
            last_seen_at: Millis(row.last_seen_at),
            expires_at: row.expires_at.map(Millis),
        })
    }
}

/// Adds a session to a player's.
pub(super) async fn insert(
    db: &mut Db,
    player: PlayerId,
    session: StoredSession,
) -> Result<(), Failed> {
    db.execute(bind(sql(NEW_SESSION), player, session)).await?;
    Ok(())
}

/// Binds a new session.
pub(super) fn bind(statement: Statement, player: PlayerId, session: StoredSession) -> Statement {
    let (kind, label, scopes) = match session.purpose {
        Purpose::SignIn => ("session", None, None),
        Purpose::Program { label, scopes } => ("token", Some(label), Some(scope_words(scopes))),
    };
    statement
        .bind(player)
        .bind(session.hash)
        .bind(kind)
        .bind(label)
        .bind(scopes)
        .bind(session.agent)
        .bind(session.created_at)
        .bind(session.last_seen_at)
        .bind(session.expires_at)
}

/// What a token may do, as it is stored.
fn scope_words(scopes: Scopes) -> String {
    let words: Vec<_> = scopes.list().into_iter().map(Scope::as_str).collect();
    words.join(" ")
}

/// What a token may do, as it was stored. An unknown word allows nothing.
fn scopes_of(words: &str) -> Scopes {
    let given: Vec<_> = words.split(' ').filter_map(Scope::from_name).collect();
    Scopes::of(&given)
}
