//! `POST /api/account/delete`: deletes the account.

use axum::{extract::State, response::Response};
use qiguan_protocol::account::Withdrawal;

use crate::{
    accounts::delete_account,
    app::App,
    http::{
        accounts::answer,
        error::{ErrorBody, HttpError},
        extract::{Body, Caller, Owner},
    },
};

/// Deletes the caller's account. Its games stay, without the name; those that go on are given up. Nobody else gets the name.
#[utoipa::path(
    post, path = "/api/account/delete", operation_id = "deleteAccount", tag = "accounts", security(("token" = []), ("cookie" = [])),
    request_body = Withdrawal,
    responses(
        (status = 204, description = "deleted; the name is removed from its games"),
        (status = 401, description = "an identity is required, or the password is wrong", body = ErrorBody),
        (status = 403, description = "a signed-in account is required", body = ErrorBody),
        (status = 429, description = "too many attempts", body = ErrorBody),
        (status = 503, description = "busy, not stored, or the server is restarting: try again", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Caller(from): Caller,
    Owner(who): Owner,
    Body(asked): Body<Withdrawal>,
) -> Result<Response, HttpError> {
    delete_account::delete(&app.accounts, &who, asked.password, from).await?;
    Ok(answer::signed_out(&app))
}
