//! Accounts and sessions in every database: the statements, and how they follow each other. What differs between the databases
//! (how a connection is found, how a transaction begins) is not here.

use std::marker::PhantomData;

use qiguan_game::people::identity::{Identity, Scopes};
use qiguan_protocol::{
    account::Scope,
    ids::{GameId, Millis, PlayerId},
    names::Role,
};
use sqlx::{
    ColumnIndex, Database, Decode, Encode, Executor, IntoArguments, QueryBuilder, Type,
    database::HasStatementCache,
};
use uuid::Uuid;

use crate::{
    account::{Account, Banned, Known, PasswordHash, Purpose, SessionOf, StoredSession, Wanted},
    store::{StoreError, TokenHash},
};

/// Whom a token belongs to, and everything about the session.
pub(super) const OF_TOKEN: &str = "select sessions.player_id, name, role, banned_until, ban_reason, \
     token_hash, kind, label, scopes, agent, sessions.created_at, last_seen_at, expires_at \
     from sessions join players on players.id = sessions.player_id \
     where token_hash = $1 and deleted_at is null";
/// An account by its player.
pub(super) const ACCOUNT: &str = "select id, name, role, password_hash, banned_until, ban_reason, muted_until, mute_reason, limited_at, registered_at, deleted_at \
     from players where id = $1";
/// An account by a key of its name.
pub(super) const ACCOUNT_OF_KEY: &str = "select id, name, role, password_hash, banned_until, ban_reason, muted_until, mute_reason, limited_at, registered_at, deleted_at \
     from names join players on players.id = names.player_id where key = $1 and deleted_at is null";
/// Those of some players who are limited; which players is to follow.
const LIMITED: &str = "select id from players where limited_at is not null and id in (";
/// The sessions of players; which of them is to follow.
const SESSIONS: &str = "select player_id, banned_until, token_hash, kind, label, scopes, agent, sessions.created_at, last_seen_at, expires_at \
     from sessions join players on players.id = sessions.player_id where player_id in (";

/// Those whose names are still to leave games.
pub(super) const LEAVING: &str =
    "select id from players where deleted_at is not null and withdrawn_at is null order by id";
/// Those whose new names are still to come into games.
pub(super) const RENAMING: &str = "select id from players where renamed_at is not null order by id";
/// Who plays in a game or is invited to it, with their roles.
pub(super) const PLAYERS_OF: &str = "select players.id, role from games \
     join players on players.id in (games.first_id, games.second_id, games.invited_id) where games.id = $1 order by players.id";
/// The games that name a player.
pub(super) const NAMING: &str = "select id from games where first_id = $1 union select id from games where second_id = $1 \
     union select id from games where invited_id = $1 order by 1";

/// What a session's columns hold, from the token's hash on.
type SessionRow = (
    Vec<u8>,
    String,
    Option<String>,
    Option<String>,
    Option<String>,
    i64,
    i64,
    Option<i64>,
);
type AccountRow = (
    Uuid,
    String,
    String,
    Option<String>,
    Option<i64>,
    Option<String>,
    Option<i64>,
    Option<String>,
    Option<i64>,
    Option<i64>,
    Option<i64>,
);

/// Accounts and sessions in a database.
pub(super) struct People<DB>(PhantomData<DB>);

impl<DB> People<DB>
where
    DB: Database + HasStatementCache,
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
    DB::Arguments: IntoArguments<DB>,
    usize: ColumnIndex<DB::Row>,
    for<'q> i64: Encode<'q, DB> + Decode<'q, DB> + Type<DB>,
    for<'q> Uuid: Encode<'q, DB> + Decode<'q, DB> + Type<DB>,
    for<'q> String: Encode<'q, DB> + Decode<'q, DB> + Type<DB>,
    for<'q> Vec<u8>: Encode<'q, DB> + Decode<'q, DB> + Type<DB>,
    for<'q> &'static str: Encode<'q, DB> + Type<DB>,
    for<'q> Option<i64>: Encode<'q, DB>,
    for<'q> Option<String>: Encode<'q, DB>,
{
    /// Whom a token belongs to.
    pub(super) async fn of_token(
        connection: &mut DB::Connection,
        token: TokenHash,
    ) -> Result<Option<Result<Known, StoreError>>, sqlx::Error> {
        #[expect(clippy::type_complexity, reason = "a row")]
        let found: Option<(
            Uuid,
            String,
            String,
            Option<i64>,
            Option<String>,
            Vec<u8>,
            String,
            Option<String>,
            Option<String>,
            Option<String>,
            i64,
            i64,
            Option<i64>,
        )> = sqlx::query_as(OF_TOKEN)
            .bind(token.0.to_vec())
            .fetch_optional(connection)
            .await?;
        Ok(found.map(
            |(id, name, role, until, why, hash, kind, label, scopes, agent, made, seen, end)| {
                let session = session(id, (hash, kind, label, scopes, agent, made, seen, end))?;
                Ok(Known {
                    identity: Identity {
                        id: PlayerId(id),
                        name,
                        role: role_of(id, &role)?,
                        session: session.id(),
                        scopes: session.scopes(),
                    },
                    session,
                    ban: ban(until, why),
                })
            },
        ))
    }

    /// An account.
    pub(super) async fn account(
        connection: &mut DB::Connection,
        wanted: Wanted,
    ) -> Result<Option<Result<Account, StoreError>>, sqlx::Error> {
        let query = match wanted {
            Wanted::Player(player) => sqlx::query_as(ACCOUNT).bind(player.0),
            Wanted::Key(key) => sqlx::query_as(ACCOUNT_OF_KEY).bind(key),
        };
        let found: Option<AccountRow> = query.fetch_optional(connection).await?;
        Ok(found.map(account))
    }

    /// Those of these players who are limited.
    pub(super) async fn limited(
        connection: &mut DB::Connection,
        players: Vec<PlayerId>,
    ) -> Result<Vec<PlayerId>, sqlx::Error> {
        if players.is_empty() {
            return Ok(Vec::new());
        }
        let mut query = QueryBuilder::<DB>::new(LIMITED);
        let mut list = query.separated(", ");
        for player in players {
            list.push_bind(player.0);
        }
        query.push(")");
        let query = query.build_query_scalar().persistent(false);
        let ids: Vec<Uuid> = query.fetch_all(connection).await?;
        Ok(ids.into_iter().map(PlayerId).collect())
    }

    /// All sessions of these players, by player and the newest first.
    pub(super) async fn sessions(
        connection: &mut DB::Connection,
        players: Vec<PlayerId>,
    ) -> Result<Result<Vec<SessionOf>, StoreError>, sqlx::Error> {
        if players.is_empty() {
            return Ok(Ok(Vec::new()));
        }
        let mut query = QueryBuilder::<DB>::new(SESSIONS);
        let mut list = query.separated(", ");
        for player in players {
            list.push_bind(player.0);
        }
        query.push(") order by player_id, sessions.created_at desc, token_hash");
        #[expect(clippy::type_complexity, reason = "a row")]
        let rows: Vec<(
            Uuid,
            Option<i64>,
            Vec<u8>,
            String,
            Option<String>,
            Option<String>,
            Option<String>,
            i64,
            i64,
            Option<i64>,
        )> = query
            .build_query_as()
            .persistent(false)
            .fetch_all(connection)
            .await?;
        let sessions = rows.into_iter().map(
            |(id, until, hash, kind, label, scopes, agent, made, seen, end)| {
                Ok(SessionOf {
                    player: PlayerId(id),
                    session: session(id, (hash, kind, label, scopes, agent, made, seen, end))?,
                    banned_until: until.map(Millis),
                })
            },
        );
        Ok(sessions.collect())
    }

    /// Those who are deleted, and whose names have not left every game.
    pub(super) async fn leaving(
        connection: &mut DB::Connection,
    ) -> Result<Vec<PlayerId>, sqlx::Error> {
        let ids: Vec<Uuid> = sqlx::query_scalar(LEAVING).fetch_all(connection).await?;
        Ok(ids.into_iter().map(PlayerId).collect())
    }

    /// Those whose new names have not come into every game.
    pub(super) async fn renaming(
        connection: &mut DB::Connection,
    ) -> Result<Vec<PlayerId>, sqlx::Error> {
        let ids: Vec<Uuid> = sqlx::query_scalar(RENAMING).fetch_all(connection).await?;
        Ok(ids.into_iter().map(PlayerId).collect())
    }

    /// Who plays in a game or is invited to it, with their roles.
    pub(super) async fn players_of(
        connection: &mut DB::Connection,
        game: GameId,
    ) -> Result<Result<Vec<(PlayerId, Role)>, StoreError>, sqlx::Error> {
        let rows: Vec<(Uuid, String)> = sqlx::query_as(PLAYERS_OF)
            .bind(game.0)
            .fetch_all(connection)
            .await?;
        let players = rows.into_iter();
        Ok(players
            .map(|(id, role)| Ok((PlayerId(id), role_of(id, &role)?)))
            .collect())
    }

    /// The games that name a player.
    pub(super) async fn naming(
        connection: &mut DB::Connection,
        player: PlayerId,
    ) -> Result<Vec<GameId>, sqlx::Error> {
        let ids: Vec<Uuid> = sqlx::query_scalar(NAMING)
            .bind(player.0)
            .fetch_all(connection)
            .await?;
        Ok(ids.into_iter().map(GameId).collect())
    }

    /// Adds a session. Whether the statement comes back with a row.
    pub(super) async fn insert_session(
        connection: &mut DB::Connection,
        statement: &'static str,
        player: PlayerId,
        session: StoredSession,
    ) -> Result<bool, sqlx::Error> {
        let (kind, label, scopes) = purpose_words(session.purpose);
        let added = sqlx::query(statement)
            .bind(session.hash.0.to_vec())
            .bind(player.0)
            .bind(kind)
            .bind(label)
            .bind(scopes)
            .bind(session.agent)
            .bind(session.created_at.0)
            .bind(session.last_seen_at.0)
            .bind(session.expires_at.map(|end| end.0));
        Ok(added.fetch_optional(connection).await?.is_some())
    }
}

pub(super) fn ban_columns(ban: Option<Banned>) -> (Option<i64>, Option<String>) {
    ban.map_or((None, None), |ban| (Some(ban.until.0), Some(ban.reason)))
}

/// The columns of a purpose.
fn purpose_words(purpose: Purpose) -> (&'static str, Option<String>, Option<String>) {
    match purpose {
        Purpose::SignIn => ("session", None, None),
        Purpose::Program { label, scopes } => ("token", Some(label), Some(scope_words(scopes))),
    }
}

/// What a token may do, as it is stored.
fn scope_words(scopes: Scopes) -> String {
    let words: Vec<_> = scopes.list().into_iter().map(Scope::as_str).collect();
    words.join(" ")
}

/// What a token may do, as it was stored. A word that is not known gives nothing.
fn scopes_of(words: &str) -> Scopes {
    let given: Vec<_> = words.split(' ').filter_map(Scope::from_name).collect();
    Scopes::of(&given)
}

/// A session from its columns.
pub(super) fn session(player: Uuid, row: SessionRow) -> Result<StoredSession, StoreError> {
    let (hash, kind, label, scopes, agent, created_at, last_seen_at, expires_at) = row;
    let corrupt = |what: String| StoreError::Corrupt {
        table: "sessions",
        row: player.to_string(),
        what,
    };
    let hash = <[u8; 32]>::try_from(hash)
        .map_err(|_| corrupt("a hash is of the wrong size".to_owned()))?;
    let purpose = match kind.as_str() {
        "session" => Purpose::SignIn,
        "token" => Purpose::Program {
            label: label.unwrap_or_default(),
            scopes: scopes_of(&scopes.unwrap_or_default()),
        },
        other => return Err(corrupt(format!("unknown kind of session {other:?}"))),
    };
    Ok(StoredSession {
        hash: TokenHash(hash),
        purpose,
        agent,
        created_at: Millis(created_at),
        last_seen_at: Millis(last_seen_at),
        expires_at: expires_at.map(Millis),
    })
}

fn account(row: AccountRow) -> Result<Account, StoreError> {
    let (
        id,
        name,
        role,
        password,
        until,
        why,
        muted,
        mute_why,
        limited_at,
        registered_at,
        deleted_at,
    ) = row;
    Ok(Account {
        id: PlayerId(id),
        name,
        role: role_of(id, &role)?,
        password: password.map(PasswordHash),
        ban: ban(until, why),
        mute: ban(muted, mute_why),
        limited_at: limited_at.map(Millis),
        registered_at: registered_at.map(Millis),
        deleted_at: deleted_at.map(Millis),
    })
}

/// The role of this word.
pub(super) fn role_of(player: Uuid, word: &str) -> Result<Role, StoreError> {
    Role::from_name(word).ok_or_else(|| StoreError::Corrupt {
        table: "players",
        row: player.to_string(),
        what: format!("unknown role {word:?}"),
    })
}

/// A ban from its columns.
pub(super) fn ban(until: Option<i64>, reason: Option<String>) -> Option<Banned> {
    until.map(|until| Banned {
        until: Millis(until),
        reason: reason.unwrap_or_default(),
    })
}
