//! `POST /api/account/bot`: makes an account that of a program.

use axum::{extract::State, response::Response};

use crate::{
    accounts::settings,
    app::App,
    http::{
        accounts::answer,
        error::{ErrorBody, HttpError},
        extract::Owner,
    },
};

/// Makes the caller's account that of a bot, for good. It must not have played. All its sessions and tokens end.
#[utoipa::path(
    post, path = "/api/account/bot", operation_id = "becomeBot", tag = "accounts", security(("token" = []), ("cookie" = [])),
    responses(
        (status = 204, description = "the account is a bot account; sign in again"),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "a signed-in account is required", body = ErrorBody),
        (status = 409, description = "the account has games", body = ErrorBody),
        (status = 503, description = "not stored, or the server is restarting: try again", body = ErrorBody),
    )
)]
pub async fn handler(State(app): State<App>, Owner(who): Owner) -> Result<Response, HttpError> {
    settings::become_bot(&app.accounts, &who).await?;
    Ok(answer::signed_out(&app))
}
