//! `POST /api/account/password`: changes the password.

use axum::{extract::State, response::Response};
use qiguan_protocol::account::{NewPassword, PasswordChanged};

use crate::{
    accounts::settings,
    app::App,
    http::{
        accounts::answer,
        error::{ErrorBody, HttpError},
        extract::{Body, Caller, Owner},
    },
};

/// Changes the password. All sign-ins end, also the one that asks: the answer begins a new one. So do tokens for programs,
/// unless `revoke_tokens` is false.
#[utoipa::path(
    post, path = "/api/account/password", operation_id = "changePassword", tag = "accounts", security(("token" = []), ("cookie" = [])),
    request_body = NewPassword,
    responses(
        (status = 200, description = "signed in again; browsers also get a cookie", body = PasswordChanged),
        (status = 400, description = "the new password is not allowed", body = ErrorBody),
        (status = 401, description = "an identity is required, or the old password is wrong", body = ErrorBody),
        (status = 403, description = "a signed-in account is required", body = ErrorBody),
        (status = 429, description = "too many attempts", body = ErrorBody),
        (status = 503, description = "busy, not stored, or the server is restarting: try again", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Caller(from): Caller,
    Owner(who): Owner,
    Body(asked): Body<NewPassword>,
) -> Result<Response, HttpError> {
    let changed = settings::change_password(&app.accounts, &who, asked, from).await?;
    Ok(answer::password_changed(&app, changed))
}
