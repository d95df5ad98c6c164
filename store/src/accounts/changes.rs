//! What changes accounts and sessions: each change is whole, and names what it relies on.

use qiguan_game::audit_entry::AuditEntry;
use qiguan_protocol::{
    ids::{GameId, Millis, PlayerId, SessionId},
    names::Role,
};

use crate::{
    accounts::{
        MOST_SESSIONS, PasswordHash, StoredSanction, StoredSession, leaving,
        names::{self, NAMED_IN_GAMES},
        recovery::{self, Recovery},
        sessions,
    },
    audit_log,
    db::{Db, Failed, Statement, sql},
    ranks,
    store::{Store, StoreError, TokenHash},
};

const NEW_ACCOUNT: &str = "insert into players (id, name, role, password_hash, registered_at, created_at) values ($1, $2, $3, $4, $5, $5)";
const REGISTER: &str = "update players set name = $2, role = $3, password_hash = $4, registered_at = $5 \
     where id = $1 and role = 'guest' and deleted_at is null";
/// The account of this password, as it was tried. From here on nobody else changes it.
pub(super) const STILL: &str =
    "update players set name = name where id = $1 and password_hash = $2 and deleted_at is null";
pub(super) const PASSWORD: &str = "update players set password_hash = $2 where id = $1 and password_hash is not null and deleted_at is null";
/// Keeps others from changing the account until this is done.
pub(crate) const HOLD: &str = "update players set name = name where id = $1 and deleted_at is null";
/// The oldest sign-ins beyond so many.
const END_OLDEST: &str = "delete from sessions where player_id = $1 and kind = 'session' and token_hash not in \
     (select token_hash from sessions where player_id = $1 and kind = 'session' order by created_at desc, token_hash limit $2)";
const END_SIGN_INS: &str = "delete from sessions where player_id = $1 and kind = 'session'";
const END_OTHERS: &str = "delete from sessions where player_id = $1 and kind = 'session' and substr(token_hash, 1, 16) <> $2";
pub(crate) const END_ONE: &str =
    "delete from sessions where player_id = $1 and kind = $2 and substr(token_hash, 1, 16) = $3";
pub(super) const END_ALL: &str = "delete from sessions where player_id = $1";
pub(crate) const TOKENS: &str =
    "select count(*) from sessions where player_id = $1 and kind = 'token'";
const TOUCH: &str = "update sessions set last_seen_at = $2, expires_at = $3 where token_hash = $1 and last_seen_at < $2";
/// A change of somebody whose rank is still below that of the moderator.
macro_rules! sanction {
    ($columns:literal, $by:literal, $least:literal) => {
        concat!(
            "update players set ",
            $columns,
            " where id = $1 and deleted_at is null and ",
            ranks::rank!("role"),
            " < ",
            ranks::rank_of_actor!($by, $least)
        )
    };
}
const BAN: &str = sanction!("banned_until = $2, ban_reason = $3", "$4", "$5");
const MUTE: &str = sanction!("muted_until = $2, mute_reason = $3", "$4", "$5");
const LIMIT: &str = sanction!("limited_at = $2", "$3", "$4");
/// Who is banned, muted or limited gets no role above players: else a moderator would hold down an admin.
const ROLE: &str = concat!(
    sanction!("role = $2", "$5", "$6"),
    " and role = $3 and (",
    ranks::rank!("$2"),
    " < 2 or coalesce(banned_until, 0) <= $4 and coalesce(muted_until, 0) <= $4 and limited_at is null)"
);

impl Store {
    /// Changes accounts and sessions, in one transaction.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn change(&self, change: Change) -> Result<ChangeResult, StoreError> {
        self.write(Some("change_people"), |db| Box::pin(apply(db, change)))
            .await
    }
}

/// A change of accounts and sessions, in one transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A player gets a name and a password. All sessions until then end.
    Register(Registration),
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
        audit_entry: Option<AuditEntry>,
    },
    /// Recovery codes in place of all earlier ones.
    RecoveryCodes {
        /// Whose.
        player: PlayerId,
        /// What was kept of the password when it was tried; if that has changed, nothing does.
        tried: PasswordHash,
        /// The hashes of the codes.
        codes: Vec<TokenHash>,
        /// When.
        at: Millis,
    },
    /// A new password by a recovery code.
    Recover(Box<Recovery>),
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
        ban: Option<StoredSanction>,
        /// The entry of the audit log, written with it.
        audit_entry: AuditEntry,
    },
    /// A player may chat again, or not.
    Mute {
        /// Who.
        player: PlayerId,
        /// None ends it.
        mute: Option<StoredSanction>,
        /// The entry of the audit log, written with it.
        audit_entry: AuditEntry,
    },
    /// A player is limited, or not any more.
    Limit {
        /// Who.
        player: PlayerId,
        /// Since when; none ends it.
        since: Option<Millis>,
        /// The entry of the audit log, written with it.
        audit_entry: AuditEntry,
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
        audit_entry: AuditEntry,
    },
    /// A game gets the name that a player has now: its events and its line.
    NameInGame {
        /// Who.
        player: PlayerId,
        /// Which.
        game: GameId,
    },
    /// The new name of somebody has come into every game; [`ChangeResult::Stale`] if one has another still.
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
        audit_entry: Option<AuditEntry>,
    },
    /// An account is deleted: its sessions, tokens, setups, settings and password go, the reasons of its ban and mute too, and the name becomes
    /// [`DELETED_NAME`](super::DELETED_NAME). Of the name's keys hashes stay, so that nobody else gets it.
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
    /// [`ChangeResult::More`] if there was more to say than goes at once.
    LeaveGame {
        /// Who.
        player: PlayerId,
        /// Which.
        game: GameId,
    },
    /// What else of somebody deleted is in no game goes: blocks and follows of theirs and of them, commands in the lobby, and the text of
    /// their reports that are closed. [`ChangeResult::More`] if there is more than goes at once.
    LeaveRest {
        /// Who.
        player: PlayerId,
    },
    /// Something of somebody deleted has come from another record: it goes as well.
    Return {
        /// Who.
        player: PlayerId,
    },
    /// Somebody deleted has left everything; [`ChangeResult::Stale`] while a report by or about them is open, and before
    /// [`LEAVING_LASTS`](super::LEAVING_LASTS).
    Left {
        /// Who.
        player: PlayerId,
        /// When.
        at: Millis,
    },
}

/// A name and a password for a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// A guest who is there, or somebody new.
    pub player: PlayerId,
    /// Whether this is somebody new.
    pub is_new: bool,
    /// The name.
    pub name: String,
    /// Its keys; if anybody has one of them, nothing changes.
    pub keys: Vec<String>,
    /// What the player is from now on.
    pub role: Role,
    /// What is kept of the password.
    pub password: PasswordHash,
    /// The session from now on; none if nobody has signed in.
    pub session: Option<StoredSession>,
    /// The entry of the audit log, written with it; none if the player does it.
    pub audit_entry: Option<AuditEntry>,
    /// When.
    pub at: Millis,
}

/// What came of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeResult {
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

/// Carries out a change. Unless it comes back with [`ChangeResult::Done`] or [`ChangeResult::More`], nothing is changed.
#[expect(clippy::too_many_lines, reason = "an arm for each change")]
async fn apply(db: &mut Db, change: Change) -> Result<ChangeResult, Failed> {
    match change {
        Change::Register(registration) => register(db, registration).await,
        Change::SignIn {
            player,
            tried,
            rehashed,
            session,
        } => {
            if db.execute(sql(STILL).bind(player).bind(tried.0)).await? == 0 {
                return Ok(ChangeResult::Stale);
            }
            if let Some(password) = rehashed {
                db.execute(sql(PASSWORD).bind(player).bind(password.0))
                    .await?;
            }
            sessions::insert(db, player, session).await?;
            db.execute(sql(END_OLDEST).bind(player).bind(MOST_SESSIONS))
                .await?;
            Ok(ChangeResult::Done)
        }
        Change::Password {
            player,
            tried,
            password,
            session,
            revoke_tokens,
            audit_entry,
        } => {
            if let Some(tried) = tried
                && db.execute(sql(STILL).bind(player).bind(tried.0)).await? == 0
            {
                return Ok(ChangeResult::Stale);
            }
            let set = sql(PASSWORD).bind(player).bind(password.0);
            if db.execute(set).await? == 0 {
                return Ok(ChangeResult::Stale);
            }
            let ended = if revoke_tokens { END_ALL } else { END_SIGN_INS };
            db.execute(sql(ended).bind(player)).await?;
            if let Some(session) = session {
                sessions::insert(db, player, session).await?;
            }
            log(db, audit_entry).await
        }
        Change::RecoveryCodes {
            player,
            tried,
            codes,
            at,
        } => recovery::replace(db, player, tried, codes, at).await,
        Change::Recover(recovery) => recovery::recover(db, *recovery).await,
        Change::Issue {
            player,
            session,
            most,
        } => {
            // Two that are issued at once would both count before either is written; so they come one after the other.
            if db.execute(sql(HOLD).bind(player)).await? == 0 {
                return Ok(ChangeResult::Stale);
            }
            if db.count(sql(TOKENS).bind(player)).await? >= i64::from(most) {
                return Ok(ChangeResult::Full);
            }
            sessions::insert(db, player, session).await?;
            Ok(ChangeResult::Done)
        }
        Change::End {
            player,
            session,
            is_token,
        } => {
            let kind = if is_token { "token" } else { "session" };
            let end = sql(END_ONE).bind(player).bind(kind);
            done(db, end.bind(session.0.as_bytes().to_vec())).await
        }
        Change::EndOthers { player, keep } => {
            let keep = keep.0.as_bytes().to_vec();
            db.execute(sql(END_OTHERS).bind(player).bind(keep)).await?;
            Ok(ChangeResult::Done)
        }
        Change::Touch {
            hash,
            at,
            expires_at,
        } => {
            db.execute(sql(TOUCH).bind(hash).bind(at).bind(expires_at))
                .await?;
            Ok(ChangeResult::Done)
        }
        Change::Ban {
            player,
            ban,
            audit_entry,
        } => {
            permitted(
                db,
                StoredSanction::bind(ban, sql(BAN).bind(player)),
                Some(audit_entry),
            )
            .await
        }
        Change::Mute {
            player,
            mute,
            audit_entry,
        } => {
            permitted(
                db,
                StoredSanction::bind(mute, sql(MUTE).bind(player)),
                Some(audit_entry),
            )
            .await
        }
        Change::Limit {
            player,
            since,
            audit_entry,
        } => permitted(db, sql(LIMIT).bind(player).bind(since), Some(audit_entry)).await,
        Change::Rename {
            player,
            before,
            name,
            keys,
            audit_entry,
        } => names::rename(db, player, [before, name], keys, audit_entry).await,
        Change::NameInGame { player, game } => names::name_in_game(db, player, game).await,
        Change::NamedInGames { player } => done(db, sql(NAMED_IN_GAMES).bind(player)).await,
        Change::Role {
            player,
            before,
            role,
            audit_entry,
        } => {
            let at = audit_entry
                .as_ref()
                .map_or(Millis(0), |audit_entry| audit_entry.at);
            let change = sql(ROLE).bind(player).bind(role.as_str());
            let changed = permitted(db, change.bind(before.as_str()).bind(at), audit_entry).await?;
            if changed == ChangeResult::Done {
                db.execute(sql(END_ALL).bind(player)).await?;
            }
            Ok(changed)
        }
        Change::Delete { player, tried, at } => leaving::delete(db, player, tried, at).await,
        Change::LeaveGame { player, game } => leaving::leave_game(db, player, game).await,
        Change::LeaveRest { player } => leaving::leave_rest(db, player).await,
        Change::Return { player } => done(db, sql(leaving::LEAVE_AGAIN).bind(player)).await,
        Change::Left { player, at } => leaving::left(db, player, at).await,
    }
}

/// Carries out a statement that changes one row, and none if what it relies on is not so any more.
pub(super) async fn done(db: &mut Db, statement: Statement) -> Result<ChangeResult, Failed> {
    Ok(if db.execute(statement).await? > 0 {
        ChangeResult::Done
    } else {
        ChangeResult::Stale
    })
}

/// Carries out a statement whose last two values are those of [`ranks::of`], and adds the entry to the audit log.
pub(super) async fn permitted(
    db: &mut Db,
    statement: Statement,
    audit_entry: Option<AuditEntry>,
) -> Result<ChangeResult, Failed> {
    let (by, least) = ranks::of(audit_entry.as_ref());
    match done(db, statement.bind(by).bind(least)).await? {
        ChangeResult::Done => log(db, audit_entry).await,
        not_done => Ok(not_done),
    }
}

/// Adds the entry about what is done to the audit log.
pub(super) async fn log(
    db: &mut Db,
    audit_entry: Option<AuditEntry>,
) -> Result<ChangeResult, Failed> {
    if let Some(audit_entry) = audit_entry {
        audit_log::add(db, audit_entry).await?;
    }
    Ok(ChangeResult::Done)
}

async fn register(db: &mut Db, new: Registration) -> Result<ChangeResult, Failed> {
    let player = new.player;
    let Some(taken) = names::take(db, player, new.keys).await? else {
        return Ok(ChangeResult::NameTaken);
    };
    let register = sql(if new.is_new { NEW_ACCOUNT } else { REGISTER })
        .bind(player)
        .bind(new.name)
        .bind(new.role.as_str())
        .bind(new.password.0)
        .bind(new.at);
    if db.execute(register).await? == 0 {
        names::give_back(db, player, taken).await?;
        return Ok(ChangeResult::Stale);
    }
    db.execute(sql(END_ALL).bind(player)).await?;
    if let Some(session) = new.session {
        sessions::insert(db, player, session).await?;
    }
    log(db, new.audit_entry).await
}
