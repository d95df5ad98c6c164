//! `PUT /api/players/{id}/role`: what a player may do here.

use axum::{extract::State, http::StatusCode};
use qiguan_protocol::{account::NewRole, ids::PlayerId};

use crate::{
    accounts::moderating,
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Body, Id},
        staff::Permitted,
    },
};

/// Gives an account another role; for admins, and accounts whose role is below. All its sessions and tokens end.
#[utoipa::path(
    put, path = "/api/players/{id}/role", security(("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the player")),
    request_body = NewRole,
    responses(
        (status = 204, description = "the account has the role"),
        (status = 400, description = "a field is not as it should be", body = ErrorBody),
        (status = 401, description = "an identity is needed", body = ErrorBody),
        (status = 403, description = "the caller may not", body = ErrorBody),
        (status = 404, description = "no such player", body = ErrorBody),
        (status = 503, description = "not stored, or restarting: try again", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Permitted(permit): Permitted,
    Id(id): Id,
    Body(asked): Body<NewRole>,
) -> Result<StatusCode, HttpError> {
    moderating::set_role(&app, permit, PlayerId(id), asked).await?;
    Ok(StatusCode::NO_CONTENT)
}
