//! `POST /api/login`: signs in.

use axum::{extract::State, http::StatusCode, response::Response};
use qiguan_protocol::account::{Credentials, SignedIn};

use crate::{
    accounts::sign_in,
    app::App,
    http::{
        accounts::answer,
        error::{ErrorBody, HttpError},
        extract::{Body, Caller, OwnPage},
    },
};

/// Signs in by name and password. Each time a new session begins, whatever the request brought.
#[utoipa::path(
    post, path = "/api/login", operation_id = "login", tag = "accounts",
    request_body = Credentials,
    responses(
        (status = 200, description = "signed in; browsers also get a cookie", body = SignedIn),
        (status = 400, description = "a field is invalid", body = ErrorBody),
        (status = 401, description = "incorrect name or password", body = ErrorBody),
        (status = 403, description = "a page of another origin sent the request, or the account is closed", body = ErrorBody),
        (status = 429, description = "too many attempts", body = ErrorBody),
        (status = 503, description = "busy, not stored, or the server is restarting: try again", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    _: OwnPage,
    Caller(from): Caller,
    Body(asked): Body<Credentials>,
) -> Result<Response, HttpError> {
    let admitted = sign_in::login(&app.accounts, asked, from).await?;
    Ok(answer::signed_in(&app, StatusCode::OK, admitted))
}
