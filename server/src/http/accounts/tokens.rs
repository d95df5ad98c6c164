//! `/api/account/tokens`: tokens for programs.

use axum::{Json, extract::State, http::StatusCode};
use qiguan_protocol::{
    account::{IssuedToken, NewToken, TokenList},
    ids::SessionId,
};

use crate::{
    accounts::settings,
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Body, Id, Owner},
    },
};

/// Makes a token for a program. The secret is shown this once.
#[utoipa::path(
    post, path = "/api/account/tokens", operation_id = "issueToken", tag = "accounts", security(("token" = []), ("cookie" = [])),
    request_body = NewToken,
    responses(
        (status = 201, description = "the token", body = IssuedToken),
        (status = 400, description = "a field is invalid", body = ErrorBody),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "a signed-in account is required, for the scope bot a bot account", body = ErrorBody),
        (status = 429, description = "the account has too many", body = ErrorBody),
        (status = 503, description = "not stored, or the server is restarting: try again", body = ErrorBody),
    )
)]
pub async fn issue(
    State(app): State<App>,
    Owner(who): Owner,
    Body(asked): Body<NewToken>,
) -> Result<(StatusCode, Json<IssuedToken>), HttpError> {
    let issued = settings::issue(&app.accounts, &who, asked).await?;
    Ok((StatusCode::CREATED, Json(issued)))
}

/// The caller's tokens for programs, the newest first, without the secrets.
#[utoipa::path(
    get, path = "/api/account/tokens", operation_id = "listTokens", tag = "accounts", security(("token" = []), ("cookie" = [])),
    responses(
        (status = 200, description = "all tokens", body = TokenList),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "a signed-in account is required", body = ErrorBody),
    )
)]
pub async fn list(State(app): State<App>, Owner(who): Owner) -> Result<Json<TokenList>, HttpError> {
    Ok(Json(settings::tokens(&app.accounts, &who).await?))
}

/// Revokes a token; its sockets are closed.
#[utoipa::path(
    delete, path = "/api/account/tokens/{id}", operation_id = "revokeToken", tag = "accounts", security(("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the token's id")),
    responses(
        (status = 204, description = "the token is revoked"),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "a signed-in account is required", body = ErrorBody),
        (status = 404, description = "no such token", body = ErrorBody),
        (status = 503, description = "not stored, or the server is restarting: try again", body = ErrorBody),
    )
)]
pub async fn revoke(
    State(app): State<App>,
    Owner(who): Owner,
    Id(id): Id,
) -> Result<StatusCode, HttpError> {
    settings::end(&app.accounts, &who, SessionId(id), true).await?;
    Ok(StatusCode::NO_CONTENT)
}
