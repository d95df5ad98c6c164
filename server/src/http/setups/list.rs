//! `GET /api/setups`: all setups of the caller.

use axum::{Json, extract::State};
use qiguan_protocol::saved_setup::SavedSetups;

use crate::{
    accounts::setups,
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::Known,
        setups::sent,
    },
};

/// Lists the caller's setups, sorted by name.
#[utoipa::path(
    get, path = "/api/setups", operation_id = "listSetups", tag = "setups", security(("token" = []), ("cookie" = [])),
    responses(
        (status = 200, description = "all of them", body = SavedSetups),
        (status = 401, description = "an identity is required", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Known(player): Known,
) -> Result<Json<SavedSetups>, HttpError> {
    let setups = setups::list(app.services(), player.id).await?;
    let setups = setups.into_iter().map(sent).collect();
    Ok(Json(SavedSetups { setups }))
}
