//! How owners change their accounts: password, sessions, API tokens, bots, and deletion.

use axum::{
    Json,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use qiguan_protocol::{
    account::{
        IssuedToken, NewPassword, NewToken, PasswordChanged, SessionList, TokenList, Withdrawal,
    },
    ids::SessionId,
};

use crate::{
    accounts::{delete_account, settings},
    app::App,
    http::{
        error::{Answered, Done, HttpError, done, json},
        extract::{Body, Caller, Id, Owner},
        sign_in::{signed_out, with_cookies},
    },
};

/// Changes the password. All sign-ins end, also the one that asks: the answer begins a new one. So do tokens for programs,
/// unless `revoke_tokens` is false.
#[utoipa::path(
    post, path = "/api/account/password", operation_id = "changePassword", tag = "accounts", security(("token" = []), ("cookie" = [])),
    request_body = NewPassword,
    responses(
        (status = 200, description = "signed in again; browsers also get a cookie", body = PasswordChanged),
        (status = 401, description = "an identity is required, or the old password is wrong"),
    )
)]
pub async fn change_password(
    State(app): State<App>,
    Caller(from): Caller,
    Owner(who): Owner,
    Body(asked): Body<NewPassword>,
) -> Result<Response, HttpError> {
    let changed = settings::change_password(&app.accounts, &who, asked, from).await?;
    let token = changed.answer.token.clone();
    let response = Json(changed.answer).into_response();
    Ok(with_cookies(&app, &token, Some(&changed.marks), response))
}

/// Where the caller is signed in, the newest first.
#[utoipa::path(
    get, path = "/api/account/sessions", operation_id = "listSessions", tag = "accounts", security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "all sessions", body = SessionList))
)]
pub async fn list_sessions(State(app): State<App>, Owner(who): Owner) -> Answered<SessionList> {
    json(settings::sessions(&app.accounts, &who).await)
}

/// Ends one of the caller's sessions; its sockets are closed.
#[utoipa::path(
    delete, path = "/api/account/sessions/{id}", operation_id = "endSession", tag = "accounts", security(("token" = []), ("cookie" = [])),
    responses((status = 204, description = "it has ended"))
)]
pub async fn end_session(
    State(app): State<App>,
    Owner(who): Owner,
    Id(session): Id<SessionId>,
) -> Done {
    done(settings::end(&app.accounts, &who, session, false).await)
}

/// Ends all of the caller's sessions but the one that asks.
#[utoipa::path(
    delete, path = "/api/account/sessions", operation_id = "endOtherSessions", tag = "accounts", security(("token" = []), ("cookie" = [])),
    responses((status = 204, description = "they have ended"))
)]
pub async fn end_other_sessions(State(app): State<App>, Owner(who): Owner) -> Done {
    done(settings::end_others(&app.accounts, &who).await)
}

/// Makes a token for a program. The secret is shown this once.
#[utoipa::path(
    post, path = "/api/account/tokens", operation_id = "issueToken", tag = "accounts", security(("token" = []), ("cookie" = [])),
    request_body = NewToken,
    responses(
        (status = 201, description = "the token", body = IssuedToken),
        (status = 403, description = "a signed-in account is required, for the scope bot a bot account"),
        (status = 429, description = "the account has too many"),
    )
)]
pub async fn issue_token(
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
    responses((status = 200, description = "all tokens", body = TokenList))
)]
pub async fn list_tokens(State(app): State<App>, Owner(who): Owner) -> Answered<TokenList> {
    json(settings::tokens(&app.accounts, &who).await)
}

/// Revokes a token; its sockets are closed.
#[utoipa::path(
    delete, path = "/api/account/tokens/{id}", operation_id = "revokeToken", tag = "accounts", security(("token" = []), ("cookie" = [])),
    responses((status = 204, description = "the token is revoked"))
)]
pub async fn revoke_token(
    State(app): State<App>,
    Owner(who): Owner,
    Id(token): Id<SessionId>,
) -> Done {
    done(settings::end(&app.accounts, &who, token, true).await)
}

/// Makes the caller's account that of a bot, for good. It must not have played. All its sessions and tokens end.
#[utoipa::path(
    post, path = "/api/account/bot", operation_id = "becomeBot", tag = "accounts", security(("token" = []), ("cookie" = [])),
    responses(
        (status = 204, description = "the account is a bot account; sign in again"),
        (status = 409, description = "the account has games"),
    )
)]
pub async fn become_bot(State(app): State<App>, Owner(who): Owner) -> Result<Response, HttpError> {
    settings::become_bot(&app.accounts, &who).await?;
    Ok(signed_out(&app))
}

/// Deletes the caller's account. Its games stay, without the name; those that go on are given up. Nobody else gets the name.
#[utoipa::path(
    post, path = "/api/account/delete", operation_id = "deleteAccount", tag = "accounts", security(("token" = []), ("cookie" = [])),
    request_body = Withdrawal,
    responses(
        (status = 204, description = "deleted; the name is removed from its games"),
        (status = 401, description = "an identity is required, or the password is wrong"),
    )
)]
pub async fn delete(
    State(app): State<App>,
    Caller(from): Caller,
    Owner(who): Owner,
    Body(asked): Body<Withdrawal>,
) -> Result<Response, HttpError> {
    delete_account::delete(&app.accounts, &who, asked.password, from).await?;
    Ok(signed_out(&app))
}
