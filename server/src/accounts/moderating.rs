//! Changes that moderators and admins make to others' accounts, within their rank.

use std::sync::Arc;

use qiguan_game::{audit_entry::AuditEntry, people::permission::Permit};
use qiguan_protocol::{
    account::{Ban, NewRole},
    error::{ApiError, ErrorCode},
    ids::{Millis, PlayerId},
    limits,
    moderation::{Mute, PlayerStanding, Rename, Renamed, Sanction},
    names::Role,
};
use qiguan_store::accounts::{
    Account, AccountLookup, Change, ChangeResult, FOR_GOOD, StoredSanction,
};

use crate::{
    accounts::{
        Accounts, renaming,
        revoke_sessions::{self, SessionSelector},
        sign_in,
    },
    admission::ranks,
    peer::elsewhere::ForOthers,
};

/// A decision about a player, by the holder of a permit.
pub struct Decision {
    /// Where it is carried out.
    pub accounts: Arc<Accounts>,
    /// Who decides, and what they may do.
    pub permit: Permit,
    /// About whom.
    pub player: PlayerId,
}

impl Decision {
    /// Bans the player. Sockets are closed at once.
    ///
    /// # Errors
    /// `forbidden`, `not_found`, `bad_value`, `restarting`, `not_stored`.
    pub async fn ban(&self, asked: Ban) -> Result<(), ApiError> {
        self.impose(asked.until, asked.reason, banned).await?;
        revoke_sessions::close(&self.accounts, self.player, &SessionSelector::Banned).await;
        Ok(())
    }

    /// Ends a ban.
    ///
    /// # Errors
    /// `forbidden`, `not_found`, `restarting`, `not_stored`.
    pub async fn unban(&self, reason: String) -> Result<(), ApiError> {
        self.lift(reason, banned).await
    }

    /// Mutes the player in games and spectator chat.
    ///
    /// # Errors
    /// `forbidden`, `not_found`, `bad_value`, `restarting`, `not_stored`.
    pub async fn mute(&self, asked: Mute) -> Result<(), ApiError> {
        self.impose(asked.until, asked.reason, muted).await
    }

    /// Lifts the mute of the player.
    ///
    /// # Errors
    /// `forbidden`, `not_found`, `restarting`, `not_stored`.
    pub async fn unmute(&self, reason: String) -> Result<(), ApiError> {
        self.lift(reason, muted).await
    }

    /// Shadowbans the player, or lifts the shadowban: the player's open seeks move to the board of shadowbanned players, or back
    /// to the one that everybody sees.
    ///
    /// # Errors
    /// `forbidden`, `not_found`, `bad_value`, `restarting`, `not_stored`.
    pub async fn limit(&self, limited: bool, reason: String) -> Result<(), ApiError> {
        self.account_below().await?;
        let audit_entry = self.audit_entry(reason);
        let change = Change::Limit {
            player: self.player,
            since: limited.then_some(audit_entry.at),
            audit_entry,
        };
        self.carry_out(change).await?;
        self.accounts.lobby.dismiss(self.player);
        let others = &self.accounts.services.sockets.elsewhere;
        others.say(ForOthers::Dismissed(self.player));
        Ok(())
    }

    /// Gives the account another name. All its sessions end; its owner signs in with either name.
    ///
    /// # Errors
    /// `forbidden`, `not_found`, `bad_value`, `name_taken`, `restarting`, `not_stored`.
    pub async fn rename(&self, asked: Rename) -> Result<Renamed, ApiError> {
        let account = self.account_below().await?;
        if account.role == Role::Guest {
            let message = "guest names can't be changed";
            return Err(ApiError::new(ErrorCode::BadValue, message));
        }
        limits::check_line("reason", &asked.reason, limits::REASON_CHARACTERS)?;
        let audit_entry = self.audit_entry(asked.reason);
        let services = &self.accounts.services;
        let renamed =
            renaming::rename(services, &account, asked.name.as_deref(), audit_entry).await?;
        let Some(name) = renamed else {
            return Err(self.why_not().await);
        };
        let closed = revoke_sessions::close(&self.accounts, self.player, &SessionSelector::All);
        renaming::begin(self.accounts.hub.clone(), self.player);
        closed.await;
        Ok(Renamed { name })
    }

    /// What moderators have decided about the player.
    ///
    /// # Errors
    /// `forbidden`, `not_found`; `busy` when the record can't be read.
    pub async fn standing(&self) -> Result<PlayerStanding, ApiError> {
        let services = &self.accounts.services;
        let account = services.account(AccountLookup::Player(self.player)).await?;
        let account = account.ok_or_else(ApiError::no_such_player)?;
        self.permit.may_look_at(account.id, account.role)?;
        Ok(standing_of(account, services.clock.now()))
    }

    /// Changes the role of the account. All its sessions end.
    ///
    /// # Errors
    /// `forbidden`, `not_found`, `bad_value`, `restarting`, `not_stored`.
    pub async fn set_role(&self, asked: NewRole) -> Result<(), ApiError> {
        let account = self.account_below().await?;
        if account.role == Role::Guest || asked.role == Role::Guest {
            return Err(ApiError::bad_value("role", "guests can't have a role"));
        }
        limits::check_reason(&asked.reason)?;
        let now = self.accounts.services.clock.now();
        check_promotion(&account, asked.role, now)?;
        let audit_entry = self.audit_entry(asked.reason);
        let change = Change::Role {
            player: self.player,
            before: account.role,
            role: asked.role,
            audit_entry: Some(audit_entry.with(told_roles(account.role, asked.role))),
        };
        self.carry_out(change).await?;
        revoke_sessions::close(&self.accounts, self.player, &SessionSelector::All).await;
        Ok(())
    }

    async fn impose(
        &self,
        until: Option<Millis>,
        reason: String,
        sanctioned: Sanctioned,
    ) -> Result<(), ApiError> {
        self.account_below().await?;
        limits::check_line("reason", &reason, limits::REASON_CHARACTERS)?;
        let until = until.unwrap_or(FOR_GOOD);
        if until <= self.accounts.services.clock.now() {
            let message = "`until` must be in the future";
            return Err(ApiError::bad_value("until", message));
        }
        let sanction = StoredSanction { until, reason };
        let audit_entry = self.audit_entry(sanction.reason.clone());
        let audit_entry = audit_entry.with(sanction.told_until());
        self.carry_out(sanctioned(self.player, Some(sanction), audit_entry))
            .await
    }

    async fn lift(&self, reason: String, sanctioned: Sanctioned) -> Result<(), ApiError> {
        self.account_below().await?;
        self.carry_out(sanctioned(self.player, None, self.audit_entry(reason)))
            .await
    }

    /// Writes a change. What it relies on is judged once more by its statement: roles may have changed since it was allowed.
    async fn carry_out(&self, change: Change) -> Result<(), ApiError> {
        match sign_in::change(&self.accounts.services, change).await? {
            ChangeResult::Done => Ok(()),
            ChangeResult::Stale
            | ChangeResult::NameTaken
            | ChangeResult::Full
            | ChangeResult::More => Err(self.why_not().await),
        }
    }

    /// Why the record refused what was allowed a moment ago.
    async fn why_not(&self) -> ApiError {
        let judged = async {
            let permit = ranks::renewed(&self.accounts.services, self.permit).await?;
            below(&self.accounts, permit, self.player).await
        };
        judged.await.err().unwrap_or_else(ApiError::not_stored)
    }

    /// The entry of the audit log of what is done to the player now.
    fn audit_entry(&self, reason: String) -> AuditEntry {
        let services = &self.accounts.services;
        let (id, now) = (services.random.audit_id(), services.clock.now());
        self.permit
            .audit_entry(id, now, reason)
            .to_player(self.player)
    }

    /// The player's account, if its rank is below the caller's.
    async fn account_below(&self) -> Result<Account, ApiError> {
        below(&self.accounts, self.permit, self.player).await
    }
}

/// The same of an account, at a time.
pub fn standing_of(account: Account, now: Millis) -> PlayerStanding {
    let held = |sanction: Option<StoredSanction>| {
        let held = sanction.filter(|sanction| sanction.holds(now));
        held.map(|held| Sanction {
            until: (held.until != FOR_GOOD).then_some(held.until),
            reason: held.reason,
        })
    };
    PlayerStanding {
        player: account.id,
        name: account.name,
        role: account.role,
        since: account.registered_at,
        deleted_at: account.deleted_at,
        ban: held(account.ban),
        mute: held(account.mute),
        limited_at: account.limited_at,
    }
}

/// Refuses a role above players to somebody whom moderators hold down: they could not lift it from an admin any more.
///
/// # Errors
/// `conflict`.
pub fn check_promotion(account: &Account, role: Role, now: Millis) -> Result<(), ApiError> {
    let holds =
        |sanction: &Option<StoredSanction>| sanction.as_ref().is_some_and(|it| it.holds(now));
    let held = holds(&account.ban) || holds(&account.mute) || account.limited_at.is_some();
    if held && matches!(role, Role::Moderator | Role::Admin) {
        let message =
            "this player is banned, muted or limited: lift that before you give them this role";
        return Err(ApiError::new(ErrorCode::Conflict, message).field("role"));
    }
    Ok(())
}

/// What of an account is changed: a sanction, or none any more.
type Sanctioned = fn(PlayerId, Option<StoredSanction>, AuditEntry) -> Change;

const fn banned(player: PlayerId, ban: Option<StoredSanction>, audit_entry: AuditEntry) -> Change {
    Change::Ban {
        player,
        ban,
        audit_entry,
    }
}

const fn muted(player: PlayerId, mute: Option<StoredSanction>, audit_entry: AuditEntry) -> Change {
    Change::Mute {
        player,
        mute,
        audit_entry,
    }
}

/// The role before and after, as the audit log tells it.
pub fn told_roles(before: Role, after: Role) -> String {
    format!("{} to {}", before.as_str(), after.as_str())
}

/// An account of a lower rank than the caller's.
async fn below(accounts: &Accounts, permit: Permit, player: PlayerId) -> Result<Account, ApiError> {
    let found = accounts
        .services
        .account(AccountLookup::Player(player))
        .await?;
    let account = found
        .filter(|account| account.deleted_at.is_none())
        .ok_or_else(ApiError::no_such_player)?;
    permit.reaches(account.role)?;
    Ok(account)
}
