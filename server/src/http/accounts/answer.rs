//! Answers that set a cookie, or take it away.

use axum::{
    Json,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use qiguan_protocol::{
    account::{PasswordChanged, SignedIn},
    ids::Token,
};

use crate::{app::App, http::cookie};

/// Somebody has signed in.
pub(super) fn signed_in(app: &App, status: StatusCode, signed_in: SignedIn) -> Response {
    let token = signed_in.token.clone();
    with_cookie(app, &token, (status, Json(signed_in)).into_response())
}

/// Somebody has a new password, and with it a new session.
pub(super) fn password_changed(app: &App, changed: PasswordChanged) -> Response {
    let token = changed.token.clone();
    with_cookie(app, &token, Json(changed).into_response())
}

fn with_cookie(app: &App, token: &Token, mut response: Response) -> Response {
    let cookie = cookie::set(token, app.origins.is_secure());
    if let Some(cookie) = cookie {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// The session has ended.
pub(super) fn signed_out(app: &App) -> Response {
    let cookie = cookie::clear(app.origins.is_secure());
    (StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response()
}
