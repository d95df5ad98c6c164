//! `PUT /api/setups/{name}`: saves a setup.

use axum::{extract::State, http::StatusCode};
use qiguan_protocol::saved_setup::SaveSetup;

use crate::{
    accounts::setups,
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Body, Known, SetupName},
    },
};

/// Saves a setup, in place of the caller's one of this name if there is one.
#[utoipa::path(
    put, path = "/api/setups/{name}", operation_id = "saveSetup", tag = "setups", security(("token" = []), ("cookie" = [])),
    params(("name" = String, Path, description = "the setup's name: 1 to 40 characters")),
    request_body = SaveSetup,
    responses(
        (status = 204, description = "the setup is stored"),
        (status = 400, description = "the name or the setup is invalid", body = ErrorBody),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "a page of another origin sent the request", body = ErrorBody),
        (status = 429, description = "the caller has too many setups", body = ErrorBody),
        (status = 503, description = "not stored, or the server is restarting: try again", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Known(player): Known,
    SetupName(name): SetupName,
    Body(SaveSetup { setup }): Body<SaveSetup>,
) -> Result<StatusCode, HttpError> {
    setups::save(app.services(), player.id, name, &setup).await?;
    Ok(StatusCode::NO_CONTENT)
}
