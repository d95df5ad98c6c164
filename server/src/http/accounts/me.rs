//! `GET /api/me`: whom the server takes one for.

use axum::Json;
use qiguan_protocol::account::Me;

use crate::http::{
    error::{ErrorBody, HttpError},
    extract::Known,
};

/// Tells whom the server takes the caller for, and what the token may be used for.
#[utoipa::path(
    get, path = "/api/me", operation_id = "getMe", tag = "accounts", security(("token" = []), ("cookie" = [])),
    responses(
        (status = 200, description = "the caller", body = Me),
        (status = 401, description = "no identity, or an unknown one", body = ErrorBody),
        (status = 403, description = "the account is closed", body = ErrorBody),
    )
)]
pub async fn handler(Known(who): Known) -> Result<Json<Me>, HttpError> {
    Ok(Json(Me {
        id: who.id,
        name: who.name.clone(),
        role: who.role,
        guest: who.is_guest(),
        scopes: who.scopes.list(),
    }))
}
