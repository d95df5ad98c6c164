//! `PUT /api/players/{id}/name`: another name for an account whose own can't stay.

use axum::{Json, extract::State};
use qiguan_protocol::{
    ids::PlayerId,
    moderation::{Rename, Renamed},
};

use crate::{
    accounts::moderating,
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Body, Id},
        staff::Permitted,
    },
};

/// Gives an account whose role is below the caller's another name: this one, or one that is drawn. All its sessions and tokens end,
/// and all its games show the new name soon. Nobody else gets the old one, and its owner may still sign in with it.
#[utoipa::path(
    put, path = "/api/players/{id}/name", operation_id = "renamePlayer", security(("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the player")),
    request_body = Rename,
    responses(
        (status = 200, description = "the name", body = Renamed),
        (status = 400, description = "a field is invalid", body = ErrorBody),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "the caller has no permission", body = ErrorBody),
        (status = 404, description = "no such player", body = ErrorBody),
        (status = 409, description = "this name, or one that looks like it, is taken", body = ErrorBody),
        (status = 503, description = "not stored, or the server is restarting: try again", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Permitted(permit): Permitted,
    Id(id): Id,
    Body(asked): Body<Rename>,
) -> Result<Json<Renamed>, HttpError> {
    let renamed = moderating::rename(&app.accounts, permit, PlayerId(id), asked).await?;
    Ok(Json(renamed))
}
