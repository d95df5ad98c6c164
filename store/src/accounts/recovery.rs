//! Recovery codes: what is kept of them, and how one sets a new password.

use qiguan_game::audit_entry::AuditEntry;
use qiguan_protocol::ids::{Millis, PlayerId};

use crate::{
    accounts::{
        PasswordHash, StoredSession,
        changes::{ChangeResult, END_ALL, HOLD, PASSWORD, STILL, log},
        sessions,
    },
    db::{Db, Failed, sql},
    store::{Store, StoreError, TokenHash},
};

const ADD: &str = "insert into recovery_codes (player_id, code_hash, made_at) values ($1, $2, $3)";
const USE: &str = "delete from recovery_codes where player_id = $1 and code_hash = $2";
pub(super) const DELETE_ALL: &str = "delete from recovery_codes where player_id = $1";
const HAS: &str = "select 1 from recovery_codes where player_id = $1 and code_hash = $2";
const LEFT: &str = "select count(*) from recovery_codes where player_id = $1";

/// A new password for somebody who has a recovery code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovery {
    /// Whose account.
    pub player: PlayerId,
    /// The code, which is used up by it.
    pub code: TokenHash,
    /// What is kept of the new password.
    pub password: PasswordHash,
    /// The session from now on: all others, and all tokens for programs, end.
    pub session: StoredSession,
    /// The entry of the audit log, written with it.
    pub audit_entry: AuditEntry,
}

impl Store {
    /// Whether this is an unused recovery code of a player.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn has_recovery_code(
        &self,
        player: PlayerId,
        code: TokenHash,
    ) -> Result<bool, StoreError> {
        let found: Option<(i32,)> = self.row(sql(HAS).bind(player).bind(code)).await?;
        Ok(found.is_some())
    }

    /// How many unused recovery codes a player has.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn recovery_codes(&self, player: PlayerId) -> Result<u32, StoreError> {
        let left: Option<(i64,)> = self.row(sql(LEFT).bind(player)).await?;
        Ok(left.map_or(0, |(left,)| u32::try_from(left).unwrap_or(u32::MAX)))
    }
}

/// Gives an account these codes in place of all earlier ones.
pub(super) async fn replace(
    db: &mut Db,
    player: PlayerId,
    tried: PasswordHash,
    codes: Vec<TokenHash>,
    at: Millis,
) -> Result<ChangeResult, Failed> {
    if db.execute(sql(STILL).bind(player).bind(tried.0)).await? == 0 {
        return Ok(ChangeResult::Stale);
    }
    db.execute(sql(DELETE_ALL).bind(player)).await?;
    for code in codes {
        db.execute(sql(ADD).bind(player).bind(code).bind(at))
            .await?;
    }
    Ok(ChangeResult::Done)
}

/// Uses a code up for a new password.
pub(super) async fn recover(db: &mut Db, recovery: Recovery) -> Result<ChangeResult, Failed> {
    let player = recovery.player;
    // Of two who use a code at once, the second finds it gone.
    if db.execute(sql(HOLD).bind(player)).await? == 0
        || db
            .execute(sql(USE).bind(player).bind(recovery.code))
            .await?
            == 0
    {
        return Ok(ChangeResult::Stale);
    }
    db.execute(sql(PASSWORD).bind(player).bind(recovery.password.0))
        .await?;
    db.execute(sql(END_ALL).bind(player)).await?;
    sessions::insert(db, player, recovery.session).await?;
    log(db, Some(recovery.audit_entry)).await
}
