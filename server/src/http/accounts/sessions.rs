//! `/api/account/sessions`: where one is signed in, and how that ends.

use axum::{Json, extract::State, http::StatusCode};
use qiguan_protocol::{account::SessionList, ids::SessionId};

use crate::{
    accounts::settings,
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Id, Owner},
    },
};

/// Where the caller is signed in, the newest first.
#[utoipa::path(
    get, path = "/api/account/sessions", operation_id = "listSessions", tag = "accounts", security(("token" = []), ("cookie" = [])),
    responses(
        (status = 200, description = "all sessions", body = SessionList),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "a signed-in account is required", body = ErrorBody),
    )
)]
pub async fn list(
    State(app): State<App>,
    Owner(who): Owner,
) -> Result<Json<SessionList>, HttpError> {
    Ok(Json(settings::sessions(&app.accounts, &who).await?))
}

/// Ends one of the caller's sessions; its sockets are closed.
#[utoipa::path(
    delete, path = "/api/account/sessions/{id}", operation_id = "endSession", tag = "accounts", security(("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the session")),
    responses(
        (status = 204, description = "it has ended"),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "a signed-in account is required", body = ErrorBody),
        (status = 404, description = "no such session", body = ErrorBody),
        (status = 503, description = "not stored, or the server is restarting: try again", body = ErrorBody),
    )
)]
pub async fn end(
    State(app): State<App>,
    Owner(who): Owner,
    Id(id): Id,
) -> Result<StatusCode, HttpError> {
    settings::end(&app.accounts, &who, SessionId(id), false).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ends all of the caller's sessions but the one that asks.
#[utoipa::path(
    delete, path = "/api/account/sessions", operation_id = "endOtherSessions", tag = "accounts", security(("token" = []), ("cookie" = [])),
    responses(
        (status = 204, description = "they have ended"),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "a signed-in account is required", body = ErrorBody),
        (status = 503, description = "not stored, or the server is restarting: try again", body = ErrorBody),
    )
)]
pub async fn end_others(
    State(app): State<App>,
    Owner(who): Owner,
) -> Result<StatusCode, HttpError> {
    settings::end_others(&app.accounts, &who).await?;
    Ok(StatusCode::NO_CONTENT)
}
