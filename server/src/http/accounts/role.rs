//! `PUT /api/players/{id}/role`: what a player may do here.

use axum::{extract::State, http::StatusCode};
use qiguan_protocol::{account::NewRole, ids::PlayerId};

use crate::{
    accounts::moderating,
    app::App,
    http::{
        error::HttpError,
        extract::{Body, Id},
        refusals,
        staff::Permitted,
    },
};

/// Gives an account another role; for admins, and accounts whose role is below. All its sessions and tokens end.
#[utoipa::path(
    put, path = "/api/players/{id}/role", operation_id = "changeRole", security(("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the player")),
    request_body = NewRole,
    responses(
        (status = 204, description = "the account has the role"),
        refusals::OnPlayers,
    )
)]
pub async fn handler(
    State(app): State<App>,
    Permitted(permit): Permitted,
    Id(id): Id,
    Body(asked): Body<NewRole>,
) -> Result<StatusCode, HttpError> {
    moderating::set_role(&app.accounts, permit, PlayerId(id), asked).await?;
    Ok(StatusCode::NO_CONTENT)
}
