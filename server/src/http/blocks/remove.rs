//! `DELETE /api/account/blocks/{player}`: takes a block back.

use axum::{extract::State, http::StatusCode};
use qiguan_protocol::error::ApiError;

use super::{check_account, told};
use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Known, Somebody},
    },
};

/// Takes a block back.
#[utoipa::path(
    delete, path = "/api/account/blocks/{player}", operation_id = "unblockPlayer", tag = "fair play", security(("token" = []), ("cookie" = [])),
    params(("player" = uuid::Uuid, Path, description = "the player")),
    responses(
        (status = 204, description = "the player is not blocked"),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "requires an account", body = ErrorBody),
        (status = 503, description = "not stored: try again", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Known(who): Known,
    Somebody(player): Somebody,
) -> Result<StatusCode, HttpError> {
    check_account(&who)?;
    let unblocked = app.services().store.unblock(who.id, player).await;
    unblocked.map_err(|_| HttpError(ApiError::not_stored()))?;
    told(&app, who.id).await?;
    Ok(StatusCode::NO_CONTENT)
}
