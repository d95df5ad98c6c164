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

use crate::{
    accounts::{device_marks::Marks, sign_in::Admitted},
    app::App,
    http::cookie,
};

/// Somebody has signed in.
pub(super) fn signed_in(app: &App, status: StatusCode, admitted: Admitted<SignedIn>) -> Response {
    let Admitted { answer, marks } = admitted;
    let token = answer.token.clone();
    let response = (status, Json(answer)).into_response();
    with_cookies(app, &token, &marks, response)
}

/// Somebody has a new password, and with it a new session.
pub(super) fn password_changed(app: &App, changed: Admitted<PasswordChanged>) -> Response {
    let Admitted { answer, marks } = changed;
    let token = answer.token.clone();
    with_cookies(app, &token, &marks, Json(answer).into_response())
}

fn with_cookies(app: &App, token: &Token, marks: &Marks, mut response: Response) -> Response {
    let secure = app.origins.is_secure();
    let cookies = [cookie::set(token, secure), cookie::set_marks(marks, secure)];
    for cookie in cookies.into_iter().flatten() {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// The session has ended.
pub(super) fn signed_out(app: &App) -> Response {
    let cookie = cookie::clear(app.origins.is_secure());
    (StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response()
}
