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

/// Has a player whose role is below the caller's say nothing more: neither at games nor among spectators. The player is told
/// until when, and why.
#[utoipa::path(
    post, path = "/api/players/{id}/mute", operation_id = "mutePlayer", security(("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the player")),
    request_body = Mute,
    responses(
        (status = 204, description = "the player may not chat"),
        refusals::OnPlayers,
    )
)]
pub async fn mute(
    State(app): State<App>,
    Permitted(permit): Permitted,
    Id(id): Id,
    Body(asked): Body<Mute>,
) -> Result<StatusCode, HttpError> {
    moderating::mute(&app, permit, PlayerId(id), asked).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lets a player chat again.
#[utoipa::path(
    delete, path = "/api/players/{id}/mute", operation_id = "unmutePlayer", security(("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the player")),
    request_body = Why,
    responses(
        (status = 204, description = "the player may chat"),
        refusals::OnPlayers,
    )
)]
pub async fn unmute(
    State(app): State<App>,
    Permitted(permit): Permitted,
    Id(id): Id,
    Reason(reason): Reason,
) -> Result<StatusCode, HttpError> {
    moderating::unmute(&app, permit, PlayerId(id), reason).await?;
    Ok(StatusCode::NO_CONTENT)
}
