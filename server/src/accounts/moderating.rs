//! What moderators and admins do with others' accounts, as far as they reach.

use qiguan_game::{audit_entry::Act, people::permission::Permit};
use qiguan_protocol::{
    account::{Ban, NewRole},
    error::{ApiError, ErrorCode},
    ids::{Millis, PlayerId},
    limits,
    moderation::{Mute, PlayerStanding, Rename, Renamed, Sanction},
    names::Role,
};
use qiguan_store::account::{Account, Banned, Change, Changed, FOR_GOOD, Wanted};

use crate::{
    accounts::{
        Accounts, renaming,
        revoke_sessions::{self, SessionSelector},
        sign_in,
    },
    admission::ranks,
};

/// Bans a player. Sockets are closed at once.
///
/// # Errors
/// `forbidden`, `not_found`, `bad_value`, `restarting`, `not_stored`.
pub async fn ban(
    accounts: &Accounts,
    permit: Permit,
    player: PlayerId,
    ban: Ban,
) -> Result<(), ApiError> {
    let Ban { until, reason } = ban;
    impose(accounts, permit, player, (until, reason), banned).await?;
    revoke_sessions::close_banned(accounts, player);
    Ok(())
}

/// Ends a ban.
///
/// # Errors
/// `forbidden`, `not_found`, `restarting`, `not_stored`.
pub async fn unban(
    accounts: &Accounts,
    permit: Permit,
    player: PlayerId,
    reason: String,
) -> Result<(), ApiError> {
    lift(accounts, permit, player, reason, banned).await
}

/// Mutes a player in games and spectator chat.
///
/// # Errors
/// `forbidden`, `not_found`, `bad_value`, `restarting`, `not_stored`.
pub async fn mute(
    accounts: &Accounts,
    permit: Permit,
    player: PlayerId,
    asked: Mute,
) -> Result<(), ApiError> {
    let Mute { until, reason } = asked;
    impose(accounts, permit, player, (until, reason), muted).await
}

/// Lifts the mute of a player.
///
/// # Errors
/// `forbidden`, `not_found`, `restarting`, `not_stored`.
pub async fn unmute(
    accounts: &Accounts,
    permit: Permit,
    player: PlayerId,
    reason: String,
) -> Result<(), ApiError> {
    lift(accounts, permit, player, reason, muted).await
}

/// Has a player meet only others who are limited, and be heard by nobody; or ends that. What the player looks for in the lobby
/// is put away, so that it is not seen by others, or comes back where everybody sees it.
///
/// # Errors
/// `forbidden`, `not_found`, `bad_value`, `restarting`, `not_stored`.
pub async fn limit(
    accounts: &Accounts,
    permit: Permit,
    player: PlayerId,
    limited: bool,
    reason: String,
) -> Result<(), ApiError> {
    let account = below(accounts, permit, player).await?;
    let act = act(accounts, permit, player, reason);
    let change = Change::Limit {
        player: account.id,
        since: limited.then_some(act.at),
        act,
    };
    carry_out(accounts, permit, player, change).await?;
    accounts.lobby.dismiss(player);
    Ok(())
}

/// Gives an account another name. All its sessions end; its owner signs in with either name.
///
/// # Errors
/// `forbidden`, `not_found`, `bad_value`, `name_taken`, `restarting`, `not_stored`.
pub async fn rename(
    accounts: &Accounts,
    permit: Permit,
    player: PlayerId,
    asked: Rename,
) -> Result<Renamed, ApiError> {
    let account = below(accounts, permit, player).await?;
    if account.role == Role::Guest {
        let message = "guest names can't be changed";
        return Err(ApiError::new(ErrorCode::BadValue, message));
    }
    limits::check_line("reason", &asked.reason, limits::REASON_CHARACTERS)?;
    let act = act(accounts, permit, player, asked.reason);
    let services = accounts.services();
    let renamed = renaming::rename(services, &account, asked.name.as_deref(), act).await?;
    let Some(name) = renamed else {
        return Err(why_not(accounts, permit, player).await);
    };
    revoke_sessions::close(accounts, player, SessionSelector::All);
    renaming::begin(accounts.hub.clone(), player);
    Ok(Renamed { name })
}

/// What moderators have decided of a player.
///
/// # Errors
/// `forbidden`, `not_found`; `busy` when the record can't be read.
pub async fn standing(
    accounts: &Accounts,
    permit: Permit,
    player: PlayerId,
) -> Result<PlayerStanding, ApiError> {
    let found = sign_in::account(accounts.services(), Wanted::Player(player)).await?;
    let account = found.ok_or_else(no_such_player)?;
    permit.may_look_at(account.id, account.role)?;
    Ok(standing_of(account, accounts.services().clock.now()))
}

/// The same of an account, at a time.
pub fn standing_of(account: Account, now: Millis) -> PlayerStanding {
    let held = |sanction: Option<Banned>| {
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

/// Changes the role of an account. All its sessions end.
///
/// # Errors
/// `forbidden`, `not_found`, `bad_value`, `restarting`, `not_stored`.
pub async fn set_role(
    accounts: &Accounts,
    permit: Permit,
    player: PlayerId,
    asked: NewRole,
) -> Result<(), ApiError> {
    let account = below(accounts, permit, player).await?;
    if account.role == Role::Guest || asked.role == Role::Guest {
        let message = "guests can't have a role";
        return Err(ApiError::new(ErrorCode::BadValue, message).field("role"));
    }
    limits::check_reason(&asked.reason)?;
    check_promotion(&account, asked.role, accounts.services().clock.now())?;
    let change = Change::Role {
        player,
        before: account.role,
        role: asked.role,
        act: Some(
            act(accounts, permit, player, asked.reason).with(told_roles(account.role, asked.role)),
        ),
    };
    carry_out(accounts, permit, player, change).await?;
    revoke_sessions::close(accounts, player, SessionSelector::All);
    Ok(())
}

/// Refuses a role above players to somebody whom moderators hold down: they could not lift it from an admin any more.
///
/// # Errors
/// `conflict`.
pub fn check_promotion(account: &Account, role: Role, now: Millis) -> Result<(), ApiError> {
    let holds = |sanction: &Option<Banned>| sanction.as_ref().is_some_and(|it| it.holds(now));
    let held = holds(&account.ban) || holds(&account.mute) || account.limited_at.is_some();
    if held && matches!(role, Role::Moderator | Role::Admin) {
        let message =
            "this player is banned, muted or limited: lift that before you give them this role";
        return Err(ApiError::new(ErrorCode::Conflict, message).field("role"));
    }
    Ok(())
}

/// What of an account is changed: a sanction, or none any more.
type Sanctioned = fn(PlayerId, Option<Banned>, Act) -> Change;

const fn banned(player: PlayerId, ban: Option<Banned>, act: Act) -> Change {
    Change::Ban { player, ban, act }
}

const fn muted(player: PlayerId, mute: Option<Banned>, act: Act) -> Change {
    Change::Mute { player, mute, act }
}

async fn impose(
    accounts: &Accounts,
    permit: Permit,
    player: PlayerId,
    (until, reason): (Option<Millis>, String),
    sanctioned: Sanctioned,
) -> Result<(), ApiError> {
    let account = below(accounts, permit, player).await?;
    let sanction = sanction(accounts, until, reason)?;
    let act = act(accounts, permit, player, sanction.reason.clone());
    let act = act.with(sanction.told_until());
    let change = sanctioned(account.id, Some(sanction), act);
    carry_out(accounts, permit, player, change).await
}

async fn lift(
    accounts: &Accounts,
    permit: Permit,
    player: PlayerId,
    reason: String,
    sanctioned: Sanctioned,
) -> Result<(), ApiError> {
    let account = below(accounts, permit, player).await?;
    let change = sanctioned(account.id, None, act(accounts, permit, player, reason));
    carry_out(accounts, permit, player, change).await
}

/// Writes a change. What it relies on is judged once more by its statement: roles may have changed since it was allowed.
async fn carry_out(
    accounts: &Accounts,
    permit: Permit,
    player: PlayerId,
    change: Change,
) -> Result<(), ApiError> {
    match sign_in::change(accounts.services(), change).await? {
        Changed::Done => Ok(()),
        Changed::Stale | Changed::NameTaken | Changed::Full | Changed::More => {
            Err(why_not(accounts, permit, player).await)
        }
    }
}

/// Why nothing has come of what was allowed a moment ago.
async fn why_not(accounts: &Accounts, permit: Permit, player: PlayerId) -> ApiError {
    let judged = async {
        let permit = ranks::renewed(accounts.services(), permit).await?;
        below(accounts, permit, player).await
    };
    judged.await.err().unwrap_or_else(ApiError::not_stored)
}

/// The end and the reason of a ban or mute.
fn sanction(
    accounts: &Accounts,
    until: Option<Millis>,
    reason: String,
) -> Result<Banned, ApiError> {
    limits::check_line("reason", &reason, limits::REASON_CHARACTERS)?;
    let until = until.unwrap_or(FOR_GOOD);
    if until <= accounts.services().clock.now() {
        let message = "`until` must be in the future";
        return Err(ApiError::new(ErrorCode::BadValue, message).field("until"));
    }
    Ok(Banned { until, reason })
}

/// The entry of the audit log of what is done to a player now.
fn act(accounts: &Accounts, permit: Permit, player: PlayerId, reason: String) -> Act {
    let services = accounts.services();
    let act = permit.act(services.random.act_id(), services.clock.now(), reason);
    act.to_player(player)
}

/// The role before and after, as the audit log tells it.
pub fn told_roles(before: Role, after: Role) -> String {
    format!("{} to {}", before.as_str(), after.as_str())
}

/// An account of a lower rank than the caller's.
async fn below(accounts: &Accounts, permit: Permit, player: PlayerId) -> Result<Account, ApiError> {
    let found = sign_in::account(accounts.services(), Wanted::Player(player)).await?;
    let account = found
        .filter(|account| account.deleted_at.is_none())
        .ok_or_else(no_such_player)?;
    permit.reaches(account.role)?;
    Ok(account)
}

fn no_such_player() -> ApiError {
    ApiError::new(ErrorCode::NotFound, "no such player")
}
