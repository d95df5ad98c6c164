//! `/api/players/{id}/ban`: closes an account to its owner, or opens it again.

use axum::{extract::State, http::StatusCode};
use qiguan_protocol::{account::Ban, audit::Why, ids::PlayerId};

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

/// Bans a player whose role is below the caller's, who is a moderator or an admin. Sockets are closed at once.
#[utoipa::path(
    post, path = "/api/players/{id}/ban", operation_id = "banPlayer", security(("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the player")),
    request_body = Ban,
    responses(
        (status = 204, description = "the player is banned"),
        refusals::OnPlayers,
    )
)]
pub async fn ban(
    State(app): State<App>,
    Permitted(permit): Permitted,
    Id(id): Id,
    Body(asked): Body<Ban>,
) -> Result<StatusCode, HttpError> {
    moderating::ban(&app.accounts, permit, PlayerId(id), asked).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ends a ban.
#[utoipa::path(
    delete, path = "/api/players/{id}/ban", operation_id = "unbanPlayer", security(("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the player")),
    request_body = Why,
    responses(
        (status = 204, description = "the player is not banned"),
        refusals::OnPlayers,
    )
)]
pub async fn unban(
    State(app): State<App>,
    Permitted(permit): Permitted,
    Id(id): Id,
    Reason(reason): Reason,
) -> Result<StatusCode, HttpError> {
    moderating::unban(&app.accounts, permit, PlayerId(id), reason).await?;
    Ok(StatusCode::NO_CONTENT)
}
