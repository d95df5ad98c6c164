//! `GET /api/admin/players/{id}`: what moderators have decided of a player.

use axum::{Json, extract::State};
use qiguan_protocol::moderation::PlayerStanding;

use crate::{
    accounts::moderating,
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::Somebody,
        staff::Permitted,
    },
};

/// Tells whether a player is banned, muted or limited.
#[utoipa::path(
    get, path = "/api/admin/players/{id}", operation_id = "getPlayerStanding", security(("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the player")),
    responses(
        (status = 200, description = "the player's role, bans, mutes and limits", body = PlayerStanding),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "requires the moderator role; not for the caller or a player with a higher role", body = ErrorBody),
        (status = 404, description = "no such player", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Permitted(permit): Permitted,
    Somebody(player): Somebody,
) -> Result<Json<PlayerStanding>, HttpError> {
    Ok(Json(
        moderating::standing(&app.accounts, permit, player).await?,
    ))
}
