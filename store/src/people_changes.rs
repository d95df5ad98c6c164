//! The changes of accounts and sessions, in every database.

use qiguan_game::audit_entry::Act;
use qiguan_protocol::{
    ids::{Millis, PlayerId},
    names::Role,
};
use sqlx::{
    ColumnIndex, Database, Decode, Encode, Executor, IntoArguments, Type,
    database::HasStatementCache,
};
use uuid::Uuid;

use crate::{
    account::{Banned, Change, Changed, MOST_SESSIONS, PasswordHash, StoredSession},
    act_rows,
    people::{People, ban_columns},
    people_names::NAMED_IN_GAMES,
    ranks,
};

const NEW_ACCOUNT: &str = "insert into players (id, name, role, password_hash, registered_at, created_at) values ($1, $2, $3, $4, $5, $5) \
     returning id";
const REGISTER: &str = "update players set name = $2, role = $3, password_hash = $4, registered_at = $5 \
     where id = $1 and role = 'guest' and deleted_at is null returning id";
/// The account of this password, as it was tried.
const STILL: &str = "update players set name = name where id = $1 and password_hash = $2 and deleted_at is null returning id";
const PASSWORD: &str = "update players set password_hash = $2 where id = $1 and password_hash is not null and deleted_at is null returning id";
/// Keeps others from changing the account until this is done.
const HOLD: &str =
    "update players set name = name where id = $1 and deleted_at is null returning id";
const NEW_SESSION: &str = "insert into sessions (token_hash, player_id, kind, label, scopes, agent, created_at, last_seen_at, expires_at) \
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
/// The oldest sign-ins beyond so many.
const END_OLDEST: &str = "delete from sessions where player_id = $1 and kind = 'session' and token_hash not in \
     (select token_hash from sessions where player_id = $1 and kind = 'session' order by created_at desc, token_hash limit $2)";
pub(super) const END_SIGN_INS: &str =
    "delete from sessions where player_id = $1 and kind = 'session'";
const END_OTHERS: &str = "delete from sessions where player_id = $1 and kind = 'session' and substr(token_hash, 1, 16) <> $2";
pub(super) const END_ONE: &str = "delete from sessions where player_id = $1 and kind = $2 and substr(token_hash, 1, 16) = $3 \
     returning player_id";
pub(super) const END_ALL: &str = "delete from sessions where player_id = $1";
pub(super) const TOKENS: &str =
    "select count(*) from sessions where player_id = $1 and kind = 'token'";
const TOUCH: &str = "update sessions set last_seen_at = $2, expires_at = $3 where token_hash = $1 and last_seen_at < $2";
/// A change of somebody whose rank is still below that of who acts.
macro_rules! sanction {
    ($columns:literal, $by:literal, $least:literal) => {
        concat!(
            "update players set ",
            $columns,
            " where id = $1 and deleted_at is null and ",
            ranks::rank!("role"),
            " < ",
            ranks::rank_of_actor!($by, $least),
            " returning id"
        )
    };
}
const BAN: &str = sanction!("banned_until = $2, ban_reason = $3", "$4", "$5");
const MUTE: &str = sanction!("muted_until = $2, mute_reason = $3", "$4", "$5");
const LIMIT: &str = sanction!("limited_at = $2", "$3", "$4");
/// Who is banned, muted or limited gets no role above players: else a moderator would hold down an admin.
const ROLE: &str = concat!(
    "update players set role = $2 where id = $1 and role = $3 and deleted_at is null and ",
    ranks::rank!("role"),
    " < ",
    ranks::rank_of_actor!("$4", "$5"),
    " and (",
    ranks::rank!("$2"),
    " < 2 or coalesce(banned_until, 0) <= $6 and coalesce(muted_until, 0) <= $6 and limited_at is null) returning id"
);

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
    for<'q> Option<Uuid>: Encode<'q, DB>,
{
    /// Carries out a change, within a transaction. If it is not [`Changed::Done`], nothing is written.
    #[expect(clippy::too_many_lines, reason = "an arm for each change")]
    pub(super) async fn change(
        connection: &mut DB::Connection,
        change: Change,
    ) -> Result<Changed, sqlx::Error> {
        match change {
            Change::Register {
                player,
                is_new,
                name,
                keys,
                role,
                password,
                session,
                act,
                at,
            } => {
                let new = (player, name, role, password, at);
                let changed = Self::register(connection, new, is_new, keys, session).await?;
                Self::tell(connection, changed, act).await
            }
            Change::SignIn {
                player,
                tried,
                rehashed,
                session,
            } => {
                if !Self::is_still(connection, player, tried).await? {
                    return Ok(Changed::Stale);
                }
                if let Some(password) = rehashed {
                    Self::set_password(connection, player, password).await?;
                }
                Self::add_session(connection, player, session).await?;
                let oldest = sqlx::query(END_OLDEST).bind(player.0);
                oldest
                    .bind(i64::from(MOST_SESSIONS))
                    .execute(connection)
                    .await?;
                Ok(Changed::Done)
            }
            Change::Password {
                player,
                tried,
                password,
                session,
                revoke_tokens,
                act,
            } => {
                if let Some(tried) = tried
                    && !Self::is_still(connection, player, tried).await?
                {
                    return Ok(Changed::Stale);
                }
                if !Self::set_password(connection, player, password).await? {
                    return Ok(Changed::Stale);
                }
                let ended = if revoke_tokens { END_ALL } else { END_SIGN_INS };
                let ended = sqlx::query(ended).bind(player.0);
                ended.execute(&mut *connection).await?;
                Self::add_sessions(connection, player, session).await?;
                Self::tell(connection, Changed::Done, act).await
            }
            Change::Issue {
                player,
                session,
                most,
            } => {
                // Two that are issued at once would both count before either is written; so they come one after the other.
                let held = sqlx::query(HOLD).bind(player.0);
                if held.fetch_optional(&mut *connection).await?.is_none() {
                    return Ok(Changed::Stale);
                }
                let tokens = sqlx::query_scalar::<DB, i64>(TOKENS).bind(player.0);
                if tokens.fetch_one(&mut *connection).await? >= i64::from(most) {
                    return Ok(Changed::Full);
                }
                Self::add_session(connection, player, session).await?;
                Ok(Changed::Done)
            }
            Change::End {
                player,
                session,
                is_token,
            } => {
                let kind = if is_token { "token" } else { "session" };
                let ended = sqlx::query(END_ONE).bind(player.0).bind(kind);
                let ended = ended.bind(session.0.as_bytes().to_vec());
                Ok(done(ended.fetch_optional(connection).await?.is_some()))
            }
            Change::EndOthers { player, keep } => {
                let ended = sqlx::query(END_OTHERS).bind(player.0);
                let ended = ended.bind(keep.0.as_bytes().to_vec());
                ended.execute(connection).await?;
                Ok(Changed::Done)
            }
            Change::Touch {
                hash,
                at,
                expires_at,
            } => {
                let touched = sqlx::query(TOUCH).bind(hash.0.to_vec()).bind(at.0);
                let touched = touched.bind(expires_at.map(|end| end.0));
                touched.execute(connection).await?;
                Ok(Changed::Done)
            }
            Change::Ban { player, ban, act } => {
                let banned = Self::sanction(connection, BAN, player, ban, &act).await?;
                Self::tell(connection, banned, Some(act)).await
            }
            Change::Mute { player, mute, act } => {
                let muted = Self::sanction(connection, MUTE, player, mute, &act).await?;
                Self::tell(connection, muted, Some(act)).await
            }
            Change::Limit { player, since, act } => {
                let (by, least) = ranks::of(Some(&act));
                let limited = sqlx::query(LIMIT).bind(player.0).bind(since.map(|at| at.0));
                let limited = limited.bind(by).bind(least);
                let changed = done(limited.fetch_optional(&mut *connection).await?.is_some());
                Self::tell(connection, changed, Some(act)).await
            }
            Change::Rename {
                player,
                before,
                name,
                keys,
                act,
            } => {
                let names = (before, name, &act);
                let changed = Self::rename(connection, player, names, keys).await?;
                if changed == Changed::Done {
                    let ended = sqlx::query(END_ALL).bind(player.0);
                    ended.execute(&mut *connection).await?;
                }
                Self::tell(connection, changed, Some(act)).await
            }
            Change::NameInGame { player, game } => {
                Self::name_in_game(connection, player, game).await
            }
            Change::NamedInGames { player } => {
                let named = sqlx::query(NAMED_IN_GAMES).bind(player.0);
                Ok(done(named.fetch_optional(connection).await?.is_some()))
            }
            Change::Role {
                player,
                before,
                role,
                act,
            } => {
                let (by, least) = ranks::of(act.as_ref());
                let at = act.as_ref().map_or(0, |act| act.at.0);
                let changed = sqlx::query(ROLE).bind(player.0).bind(role.as_str());
                let changed = changed.bind(before.as_str()).bind(by).bind(least).bind(at);
                if changed.fetch_optional(&mut *connection).await?.is_none() {
                    return Ok(Changed::Stale);
                }
                sqlx::query(END_ALL)
                    .bind(player.0)
                    .execute(&mut *connection)
                    .await?;
                Self::tell(connection, Changed::Done, act).await
            }
            Change::Delete { player, tried, at } => {
                Self::delete(connection, player, tried, at).await
            }
            Change::LeaveGame { player, game } => Self::leave(connection, player, game).await,
            Change::LeaveRest { player } => Self::leave_rest(connection, player).await,
            Change::Return { player } => Self::leave_again(connection, player).await,
            Change::Left { player, at } => Self::left(connection, player, at).await,
        }
    }

    /// Adds an entry to the audit log if what it tells of is done.
    async fn tell(
        connection: &mut DB::Connection,
        changed: Changed,
        act: Option<Act>,
    ) -> Result<Changed, sqlx::Error> {
        if let (Changed::Done, Some(act)) = (changed, act) {
            act_rows::add::<DB>(connection, act).await?;
        }
        Ok(changed)
    }

    /// Imposes or lifts what has an end and a reason.
    async fn sanction(
        connection: &mut DB::Connection,
        statement: &'static str,
        player: PlayerId,
        sanction: Option<Banned>,
        act: &Act,
    ) -> Result<Changed, sqlx::Error> {
        let (until, why) = ban_columns(sanction);
        let (by, least) = ranks::of(Some(act));
        let written = sqlx::query(statement).bind(player.0).bind(until).bind(why);
        let written = written.bind(by).bind(least).fetch_optional(connection);
        Ok(done(written.await?.is_some()))
    }

    async fn register(
        connection: &mut DB::Connection,
        (player, name, role, password, at): (PlayerId, String, Role, PasswordHash, Millis),
        is_new: bool,
        keys: Vec<String>,
        session: Option<StoredSession>,
    ) -> Result<Changed, sqlx::Error> {
        let Some(taken) = Self::take_name(connection, player, keys).await? else {
            return Ok(Changed::NameTaken);
        };
        let registered = sqlx::query(if is_new { NEW_ACCOUNT } else { REGISTER })
            .bind(player.0)
            .bind(name)
            .bind(role.as_str())
            .bind(password.0)
            .bind(at.0);
        if registered.fetch_optional(&mut *connection).await?.is_none() {
            Self::leave_keys(connection, player, taken).await?;
            return Ok(Changed::Stale);
        }
        let ended = sqlx::query(END_ALL).bind(player.0);
        ended.execute(&mut *connection).await?;
        Self::add_sessions(connection, player, session).await?;
        Ok(Changed::Done)
    }

    /// Whether this is still what is kept of the password. From here on nobody else changes it.
    async fn is_still(
        connection: &mut DB::Connection,
        player: PlayerId,
        tried: PasswordHash,
    ) -> Result<bool, sqlx::Error> {
        let still = sqlx::query(STILL).bind(player.0).bind(tried.0);
        Ok(still.fetch_optional(connection).await?.is_some())
    }

    async fn set_password(
        connection: &mut DB::Connection,
        player: PlayerId,
        password: PasswordHash,
    ) -> Result<bool, sqlx::Error> {
        let set = sqlx::query(PASSWORD).bind(player.0).bind(password.0);
        Ok(set.fetch_optional(connection).await?.is_some())
    }

    async fn add_sessions(
        connection: &mut DB::Connection,
        player: PlayerId,
        sessions: impl IntoIterator<Item = StoredSession, IntoIter: Send> + Send,
    ) -> Result<(), sqlx::Error> {
        for session in sessions {
            Self::add_session(connection, player, session).await?;
        }
        Ok(())
    }

    async fn add_session(
        connection: &mut DB::Connection,
        player: PlayerId,
        session: StoredSession,
    ) -> Result<(), sqlx::Error> {
        Self::insert_session(connection, NEW_SESSION, player, session).await?;
        Ok(())
    }
}

pub(super) const fn done(is_done: bool) -> Changed {
    if is_done {
        Changed::Done
    } else {
        Changed::Stale
    }
}
