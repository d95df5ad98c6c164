//! `/api/players/{id}/mute`: whether a player may chat.

use axum::{extract::State, http::StatusCode};
use qiguan_protocol::{audit::Why, ids::PlayerId, moderation::Mute};

use crate::{
    accounts::moderating,
    app::App,
    http::{
        error::HttpError,
        extract::{Body, Id, Reason},
        refusals,
        staff::Permitted,
    },
};

/// Mutes a player with a role below the caller's, in games and spectator chat. The player sees
/// until when, and why.
#[utoipa::path(
    post, path = "/api/players/{id}/mute", operation_id = "mutePlayer", security(("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the player")),
    request_body = Mute,
    responses(
        (status = 204, description = "the player can't chat"),
        refusals::OnPlayers,
    )
)]
pub async fn mute(
    State(app): State<App>,
    Permitted(permit): Permitted,
    Id(id): Id,
    Body(asked): Body<Mute>,
) -> Result<StatusCode, HttpError> {
    moderating::mute(&app.accounts, permit, PlayerId(id), asked).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lifts the mute of a player.
#[utoipa::path(
    delete, path = "/api/players/{id}/mute", operation_id = "unmutePlayer", security(("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the player")),
    request_body = Why,
    responses(
        (status = 204, description = "the player can chat"),
        refusals::OnPlayers,
    )
)]
pub async fn unmute(
    State(app): State<App>,
    Permitted(permit): Permitted,
    Id(id): Id,
    Reason(reason): Reason,
) -> Result<StatusCode, HttpError> {
    moderating::unmute(&app.accounts, permit, PlayerId(id), reason).await?;
    Ok(StatusCode::NO_CONTENT)
}
