//! `POST /api/register`: a guest becomes a player, or somebody new opens an account.

use axum::{extract::State, http::StatusCode, response::Response};
use qiguan_protocol::account::{Credentials, SignedIn};

use crate::{
    accounts::sign_in,
    app::App,
    http::{
        accounts::answer,
        error::{ErrorBody, HttpError},
        extract::{Body, Caller, OwnPage, Visitor},
    },
};

/// Opens an account. A guest who asks becomes a player and keeps id and games; what proved the guest is void from then on.
#[utoipa::path(
    post, path = "/api/register", operation_id = "register", tag = "accounts", security((), ("token" = []), ("cookie" = [])),
    request_body = Credentials,
    responses(
        (status = 201, description = "signed in; browsers also get a cookie", body = SignedIn),
        (status = 400, description = "the name or the password is not allowed", body = ErrorBody),
        (status = 403, description = "a page of another origin sent the request, or the token is an API token", body = ErrorBody),
        (status = 409, description = "the name is taken, or the caller has an account", body = ErrorBody),
        (status = 429, description = "too many accounts from this address", body = ErrorBody),
        (status = 503, description = "busy, not stored, or the server is restarting: try again", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    _: OwnPage,
    Caller(from): Caller,
    Visitor(who): Visitor,
    Body(asked): Body<Credentials>,
) -> Result<Response, HttpError> {
    if let Some(who) = &who {
        who.may_manage()?;
    }
    let admitted = sign_in::register(&app.accounts, who.as_deref(), asked, from).await?;
    Ok(answer::signed_in(&app, StatusCode::CREATED, admitted))
}
