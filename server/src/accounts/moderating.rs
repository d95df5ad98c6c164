//! What moderators and admins do with others' accounts, and how far each may go.

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
        identity::Identity,
        keeping, signing,
    },
    app::App,
    store::account::{Account, Banned, Change, FOR_GOOD, Wanted},
};

/// Bans a player, or ends a ban. Sockets are closed at once.
///
/// # Errors
/// `forbidden`, `not_found`, `bad_value`, `restarting`, `not_stored`.
pub async fn ban(
    app: &App,
    who: &Identity,
    player: PlayerId,
    ban: Option<Ban>,
) -> Result<(), ApiError> {
    allowed(who, Role::Moderator)?;
    let account = below(app, who, player).await?;
    let ban = match ban {
        None => None,
        Some(ban) => {
            limits::check_line("reason", &ban.reason, limits::REASON_CHARACTERS)?;
            let until = ban.until.unwrap_or(FOR_GOOD);
            if until <= app.services().clock.now() {
                let message = "a ban ends in the future";
                return Err(ApiError::new(ErrorCode::BadValue, message).field("until"));
            }
            let reason = ban.reason;
            Some(Banned { until, reason })
        }
    };
    let is_ban = ban.is_some();
    let change = Change::Ban {
        player: account.id,
        ban,
    };
    keeping::done(signing::change(app.services(), change).await?)?;
    tracing::info!(by = %who.id, %player, is_ban, "a ban was changed");
    if is_ban {
        ending::close_banned(app, player);
    }
    Ok(())
}

/// Gives an account another role. All its sessions end.
///
/// # Errors
/// `forbidden`, `not_found`, `bad_value`, `restarting`, `not_stored`.
pub async fn set_role(
    app: &App,
    who: &Identity,
    player: PlayerId,
    asked: NewRole,
) -> Result<(), ApiError> {
    allowed(who, Role::Admin)?;
    let account = below(app, who, player).await?;
    if account.role == Role::Guest || asked.role == Role::Guest {
        let message = "only an account has a role, and it is none of a guest";
        return Err(ApiError::new(ErrorCode::BadValue, message).field("role"));
    }
    let change = Change::Role {
        player,
        before: account.role,
        role: asked.role,
    };
    keeping::done(signing::change(app.services(), change).await?)?;
    tracing::info!(by = %who.id, %player, role = asked.role.as_str(), "a role was changed");
    ending::close(app, player, Which::All);
    Ok(())
}

/// How far a role goes. Programs go no further than players.
const fn rank(role: Role) -> u8 {
    match role {
        Role::Guest => 0,
        Role::Player | Role::Bot => 1,
        Role::Moderator => 2,
        Role::Admin => 3,
    }
}

fn allowed(who: &Identity, least: Role) -> Result<(), ApiError> {
    if rank(who.role) < rank(least) {
        let message = format!("this takes the role {}", least.as_str());
        return Err(ApiError::new(ErrorCode::Forbidden, message));
    }
    Ok(())
}

/// An account of a lower rank than the caller's.
async fn below(app: &App, who: &Identity, player: PlayerId) -> Result<Account, ApiError> {
    let found = signing::account(app.services(), Wanted::Player(player)).await?;
    let account = found
        .filter(|account| account.deleted_at.is_none())
        .ok_or_else(|| ApiError::new(ErrorCode::NotFound, "no such player"))?;
    if rank(account.role) >= rank(who.role) {
        let message = "this player's role is not below yours";
        return Err(ApiError::new(ErrorCode::Forbidden, message));
    }
    Ok(account)
}
