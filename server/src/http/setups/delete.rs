//! `DELETE /api/setups/{name}`: deletes a setup.

use axum::{extract::State, http::StatusCode};

use crate::{
    accounts::setups,
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Known, SetupName},
    },
};

/// Deletes a setup of the caller.
#[utoipa::path(
    delete, path = "/api/setups/{name}", operation_id = "deleteSetup", tag = "setups", security(("token" = []), ("cookie" = [])),
    params(("name" = String, Path, description = "the setup's name")),
    responses(
        (status = 204, description = "deleted"),
        (status = 400, description = "invalid setup name", body = ErrorBody),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "a page of another origin sent the request", body = ErrorBody),
        (status = 404, description = "the caller has no setup with this name", body = ErrorBody),
        (status = 503, description = "not stored, or the server is restarting: try again", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Known(player): Known,
    SetupName(name): SetupName,
) -> Result<StatusCode, HttpError> {
    setups::delete(app.services(), player.id, name).await?;
    Ok(StatusCode::NO_CONTENT)
}
