//! `GET /api/setups/{name}`: one setup of the caller.

use axum::{Json, extract::State};
use qiguan_protocol::saved_setup::SavedSetup;

use crate::{
    accounts::setups,
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Known, SetupName},
        setups::sent,
    },
};

/// Shows a setup of the caller.
#[utoipa::path(
    get, path = "/api/setups/{name}", operation_id = "getSetup", tag = "setups", security(("token" = []), ("cookie" = [])),
    params(("name" = String, Path, description = "the setup's name")),
    responses(
        (status = 200, description = "the setup", body = SavedSetup),
        (status = 400, description = "invalid setup name", body = ErrorBody),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 404, description = "the caller has no setup with this name", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Known(player): Known,
    SetupName(name): SetupName,
) -> Result<Json<SavedSetup>, HttpError> {
    let setup = setups::get(app.services(), player.id, &name).await?;
    Ok(Json(sent(setup)))
}
