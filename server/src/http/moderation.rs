//! Moderation of players: what moderators and admins decide, and what holds at the moment.

use qiguan_protocol::{
    account::{Ban, NewRole},
    audit::Why,
    limits,
    moderation::{Limit, Mute, PlayerStanding, Rename, Renamed},
};

use crate::{
    accounts::moderating::Decision,
    http::{
        error::{Answered, Done, done, json},
        extract::{Body, Reason},
    },
};

/// Bans a player whose role is below the caller's, who is a moderator or an admin. Sockets are closed at once.
#[utoipa::path(
    post, path = "/api/players/{id}/ban", operation_id = "banPlayer", security(("token" = []), ("cookie" = [])),
    request_body = Ban, responses((status = 204, description = "the player is banned"))
)]
pub async fn ban(decision: Decision, Body(asked): Body<Ban>) -> Done {
    done(decision.ban(asked).await)
}

/// Ends a ban.
#[utoipa::path(
    delete, path = "/api/players/{id}/ban", operation_id = "unbanPlayer", security(("token" = []), ("cookie" = [])),
    request_body = Why, responses((status = 204, description = "the player is not banned"))
)]
pub async fn unban(decision: Decision, Reason(reason): Reason) -> Done {
    done(decision.unban(reason).await)
}

/// Mutes a player with a role below the caller's, in games and spectator chat. The player sees
/// until when, and why.
#[utoipa::path(
    post, path = "/api/players/{id}/mute", operation_id = "mutePlayer", security(("token" = []), ("cookie" = [])),
    request_body = Mute, responses((status = 204, description = "the player can't chat"))
)]
pub async fn mute(decision: Decision, Body(asked): Body<Mute>) -> Done {
    done(decision.mute(asked).await)
}

/// Lifts the mute of a player.
#[utoipa::path(
    delete, path = "/api/players/{id}/mute", operation_id = "unmutePlayer", security(("token" = []), ("cookie" = [])),
    request_body = Why, responses((status = 204, description = "the player can chat"))
)]
pub async fn unmute(decision: Decision, Reason(reason): Reason) -> Done {
    done(decision.unmute(reason).await)
}

/// Shadowbans a player whose role is below the caller's, without notifying them: they are only matched with other shadowbanned
/// players, and their chat is shown to nobody else.
#[utoipa::path(
    post, path = "/api/players/{id}/limit", operation_id = "limitPlayer", security(("token" = []), ("cookie" = [])),
    request_body = Limit, responses((status = 204, description = "the player is shadowbanned"))
)]
pub async fn limit(decision: Decision, Body(Limit { reason }): Body<Limit>) -> Done {
    limits::check_line("reason", &reason, limits::REASON_CHARACTERS)?;
    done(decision.limit(true, reason).await)
}

/// Lifts the shadowban of a player.
#[utoipa::path(
    delete, path = "/api/players/{id}/limit", operation_id = "unlimitPlayer", security(("token" = []), ("cookie" = [])),
    request_body = Why, responses((status = 204, description = "the shadowban is lifted"))
)]
pub async fn unlimit(decision: Decision, Reason(reason): Reason) -> Done {
    done(decision.limit(false, reason).await)
}

/// Changes the role of an account; for admins, and accounts with a lower role. All its sessions and tokens end.
#[utoipa::path(
    put, path = "/api/players/{id}/role", operation_id = "changeRole", security(("token" = []), ("cookie" = [])),
    request_body = NewRole, responses((status = 204, description = "the account has the role"))
)]
pub async fn change_role(decision: Decision, Body(asked): Body<NewRole>) -> Done {
    done(decision.set_role(asked).await)
}

/// Gives an account whose role is below the caller's another name: this one, or one that is drawn. All its sessions and tokens end,
/// and all its games show the new name soon. Nobody else gets the old one, and its owner may still sign in with it.
#[utoipa::path(
    put, path = "/api/players/{id}/name", operation_id = "renamePlayer", security(("token" = []), ("cookie" = [])),
    request_body = Rename,
    responses(
        (status = 200, description = "the name", body = Renamed),
        (status = 409, description = "this name, or one that looks like it, is taken"),
    )
)]
pub async fn rename(decision: Decision, Body(asked): Body<Rename>) -> Answered<Renamed> {
    json(decision.rename(asked).await)
}

/// Shows whether a player is banned, muted or limited. Not for the caller or a player with a higher role.
#[utoipa::path(
    get, path = "/api/admin/players/{id}", operation_id = "getPlayerStanding", security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "the player's role, bans, mutes and limits", body = PlayerStanding))
)]
pub async fn standing(decision: Decision) -> Answered<PlayerStanding> {
    json(decision.standing().await)
}
