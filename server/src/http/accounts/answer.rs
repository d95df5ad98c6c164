//! Answers that set a cookie, or take it away.

use axum::{
    Json,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use qiguan_protocol::account::SignedIn;

use crate::{app::App, http::cookie};

/// Somebody has signed in.
pub(super) fn signed_in(app: &App, status: StatusCode, signed_in: SignedIn) -> Response {
    let cookie = cookie::set(&signed_in.token, app.origins.is_secure());
    let mut response = (status, Json(signed_in)).into_response();
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
