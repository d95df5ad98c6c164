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
    params(("name" = String, Path, description = "what the caller calls it")),
    responses(
        (status = 204, description = "it is gone"),
        (status = 400, description = "no setup can have this name", body = ErrorBody),
        (status = 401, description = "an identity is needed", body = ErrorBody),
        (status = 403, description = "a page of another origin asks", body = ErrorBody),
        (status = 404, description = "the caller has none of this name", body = ErrorBody),
        (status = 503, description = "not stored, or restarting: try again", body = ErrorBody),
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
