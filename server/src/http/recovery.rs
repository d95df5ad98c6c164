//! Recovery codes: getting them, and using one.

use axum::{
    Json,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use qiguan_protocol::account::{
    AskRecoveryCodes, Recover, RecoveryCodes, RecoveryCodesLeft, SignedIn,
};

use crate::{
    accounts::recovery,
    app::App,
    http::{
        error::{Answered, HttpError, json},
        extract::{Body, Caller, OwnPage, Owner},
        sign_in::with_cookies,
    },
};

/// Shows how many unused recovery codes the caller has.
#[utoipa::path(
    get, path = "/api/account/recovery_codes", operation_id = "countRecoveryCodes", tag = "accounts", security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "how many", body = RecoveryCodesLeft))
)]
pub async fn left(State(app): State<App>, Owner(who): Owner) -> Answered<RecoveryCodesLeft> {
    json(recovery::left(&app.accounts, &who).await)
}

/// Makes new recovery codes, which are shown this once. Earlier ones are invalid from then on.
#[utoipa::path(
    post, path = "/api/account/recovery_codes", operation_id = "makeRecoveryCodes", tag = "accounts", security(("token" = []), ("cookie" = [])),
    request_body = AskRecoveryCodes,
    responses(
        (status = 201, description = "the codes", body = RecoveryCodes),
        (status = 401, description = "an identity is required, or the password is wrong"),
    )
)]
pub async fn issue(
    State(app): State<App>,
    Caller(from): Caller,
    Owner(who): Owner,
    Body(asked): Body<AskRecoveryCodes>,
) -> Result<(StatusCode, Json<RecoveryCodes>), HttpError> {
    let codes = recovery::issue(&app.accounts, &who, asked.password, from).await?;
    Ok((StatusCode::CREATED, Json(codes)))
}

/// Sets a new password with a recovery code, which is used up, and signs in. All sessions and API tokens of the account end.
#[utoipa::path(
    post, path = "/api/recover", operation_id = "recoverAccount", tag = "accounts",
    request_body = Recover,
    responses(
        (status = 200, description = "signed in; browsers also get a cookie", body = SignedIn),
        (status = 401, description = "incorrect name or recovery code"),
        (status = 403, description = "a page of another origin sent the request, or the account is closed"),
    )
)]
pub async fn recover(
    State(app): State<App>,
    _: OwnPage,
    Caller(from): Caller,
    Body(asked): Body<Recover>,
) -> Result<Response, HttpError> {
    let admitted = recovery::recover(&app.accounts, asked, from).await?;
    let token = admitted.answer.token.clone();
    let response = Json(admitted.answer).into_response();
    Ok(with_cookies(&app, &token, Some(&admitted.marks), response))
}
