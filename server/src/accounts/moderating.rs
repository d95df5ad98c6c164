//! What moderators and admins do with others' accounts, as far as they reach.

use qiguan_protocol::{
    account::{Ban, NewRole},
    error::{ApiError, ErrorCode},
    ids::PlayerId,
    limits,
    names::Role,
};

use crate::{
    accounts::{
        ending::{self, Which},
        keeping,
        permission::Permit,
        signing,
    },
    app::App,
    store::{
        account::{Account, Banned, Change, FOR_GOOD, Wanted},
        acts::Act,
    },
};

/// Bans a player. Sockets are closed at once.
///
/// # Errors
/// `forbidden`, `not_found`, `bad_value`, `restarting`, `not_stored`.
pub async fn ban(app: &App, permit: Permit, player: PlayerId, ban: Ban) -> Result<(), ApiError> {
    let account = below(app, permit, player).await?;
    limits::check_line("reason", &ban.reason, limits::REASON_CHARACTERS)?;
    let until = ban.until.unwrap_or(FOR_GOOD);
    if until <= app.services().clock.now() {
        let message = "a ban ends in the future";
        return Err(ApiError::new(ErrorCode::BadValue, message).field("until"));
    }
    let act = act(app, permit, player, ban.reason.clone());
    let banned = Banned {
        until,
        reason: ban.reason,
    };
    let change = Change::Ban {
        player: account.id,
        act: act.with(banned.told_until()),
        ban: Some(banned),
    };
    keeping::done(signing::change(app.services(), change).await?)?;
    ending::close_banned(app, player);
    Ok(())
}

/// Ends a ban.
///
/// # Errors
/// `forbidden`, `not_found`, `restarting`, `not_stored`.
pub async fn unban(
    app: &App,
    permit: Permit,
    player: PlayerId,
    reason: String,
) -> Result<(), ApiError> {
    let account = below(app, permit, player).await?;
    let change = Change::Ban {
        player: account.id,
        ban: None,
        act: act(app, permit, player, reason),
    };
    keeping::done(signing::change(app.services(), change).await?)
}

/// Gives an account another role. All its sessions end.
///
/// # Errors
/// `forbidden`, `not_found`, `bad_value`, `restarting`, `not_stored`.
pub async fn set_role(
    app: &App,
    permit: Permit,
    player: PlayerId,
    asked: NewRole,
) -> Result<(), ApiError> {
    let account = below(app, permit, player).await?;
    if account.role == Role::Guest || asked.role == Role::Guest {
        let message = "only an account has a role, and it is none of a guest";
        return Err(ApiError::new(ErrorCode::BadValue, message).field("role"));
    }
    limits::check_reason(&asked.reason)?;
    let change = Change::Role {
        player,
        before: account.role,
        role: asked.role,
        act: Some(
            act(app, permit, player, asked.reason).with(told_roles(account.role, asked.role)),
        ),
    };
    keeping::done(signing::change(app.services(), change).await?)?;
    ending::close(app, player, Which::All);
    Ok(())
}

/// The entry of the audit log of what is done to a player now.
fn act(app: &App, permit: Permit, player: PlayerId, reason: String) -> Act {
    let services = app.services();
    let act = permit.act(services.dice.act_id(), services.clock.now(), reason);
    act.to_player(player)
}

/// The role before and after, as the audit log tells it.
pub fn told_roles(before: Role, after: Role) -> String {
    format!("{} to {}", before.as_str(), after.as_str())
}

/// An account of a lower rank than the caller's.
async fn below(app: &App, permit: Permit, player: PlayerId) -> Result<Account, ApiError> {
    let found = signing::account(app.services(), Wanted::Player(player)).await?;
    let account = found
        .filter(|account| account.deleted_at.is_none())
        .ok_or_else(|| ApiError::new(ErrorCode::NotFound, "no such player"))?;
    permit.reaches(account.role)?;
    Ok(account)
}
