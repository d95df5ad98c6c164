//! `GET /api/me`: whom the server takes one for.

use axum::Json;
use qiguan_protocol::names::Player;

use crate::{
    http::{
        error::{ErrorBody, HttpError},
        extract::Known,
    },
    room::audience,
};

/// Tells whom the server takes the caller for.
#[utoipa::path(
    get, path = "/api/me", tag = "accounts", security(("token" = []), ("cookie" = [])),
    responses(
        (status = 200, description = "the caller", body = Player),
        (status = 401, description = "nobody that is known here", body = ErrorBody),
    )
)]
pub async fn handler(Known(who): Known) -> Result<Json<Player>, HttpError> {
    Ok(Json(audience::player(&who.player())))
}
