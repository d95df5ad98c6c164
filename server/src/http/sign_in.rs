//! Opening an identity, signing in and out.

use axum::{
    Json,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use qiguan_protocol::{
    account::{Credentials, Me, SignedIn},
    answer::Guest,
    ids::Token,
};

use crate::{
    accounts::{device_marks::Marks, guests, sign_in},
    app::App,
    http::{
        cookie,
        error::{Answered, HttpError},
        extract::{Body, Caller, Identified, OwnPage, Visitor},
    },
    services::budgets,
};

/// Shows who the server takes the caller for, and what the token may be used for.
#[utoipa::path(
    get, path = "/api/me", operation_id = "getMe", tag = "accounts", security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "the caller", body = Me))
)]
pub async fn me(Identified(who): Identified) -> Answered<Me> {
    Ok(Json(Me {
        id: who.id,
        name: who.name.clone(),
        role: who.role,
        guest: who.is_guest(),
        scopes: who.scopes.list(),
    }))
}

/// Opens an identity as a guest. The token is shown this once; browsers also get it as a cookie.
#[utoipa::path(
    post, path = "/api/guest", operation_id = "createGuest", tag = "accounts",
    responses(
        (status = 201, description = "a new identity", body = Guest),
        (status = 403, description = "a page of another origin sent the request"),
    )
)]
pub async fn guest(
    State(app): State<App>,
    _: OwnPage,
    Caller(from): Caller,
) -> Result<Response, HttpError> {
    budgets::guest(&app.services, from.address).await?;
    let (_, guest) = guests::open(&app.services).await?;
    let token = guest.token.clone();
    let response = (StatusCode::CREATED, Json(guest)).into_response();
    Ok(with_cookies(&app, &token, None, response))
}

/// Opens an account. A guest who asks becomes a player and keeps id and games; what proved the guest is void from then on.
#[utoipa::path(
    post, path = "/api/register", operation_id = "register", tag = "accounts", security((), ("token" = []), ("cookie" = [])),
    request_body = Credentials,
    responses(
        (status = 201, description = "signed in; browsers also get a cookie", body = SignedIn),
        (status = 409, description = "the name is taken, or the caller has an account"),
    )
)]
pub async fn register(
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
    let token = admitted.answer.token.clone();
    let response = (StatusCode::CREATED, Json(admitted.answer)).into_response();
    Ok(with_cookies(&app, &token, Some(&admitted.marks), response))
}

/// Signs in by name and password. Each time a new session begins, whatever the request brought.
#[utoipa::path(
    post, path = "/api/login", operation_id = "login", tag = "accounts",
    request_body = Credentials,
    responses(
        (status = 200, description = "signed in; browsers also get a cookie", body = SignedIn),
        (status = 401, description = "incorrect name or password"),
        (status = 403, description = "a page of another origin sent the request, or the account is closed"),
    )
)]
pub async fn login(
    State(app): State<App>,
    _: OwnPage,
    Caller(from): Caller,
    Body(asked): Body<Credentials>,
) -> Result<Response, HttpError> {
    let admitted = sign_in::login(&app.accounts, asked, from).await?;
    let token = admitted.answer.token.clone();
    let response = Json(admitted.answer).into_response();
    Ok(with_cookies(&app, &token, Some(&admitted.marks), response))
}

/// Ends the session that asks; its sockets are closed. Without one nothing happens. A guest can't come back after it.
#[utoipa::path(
    post, path = "/api/logout", operation_id = "logout", tag = "accounts", security((), ("token" = []), ("cookie" = [])),
    responses((status = 204, description = "signed out; the cookie is taken away"))
)]
pub async fn logout(
    State(app): State<App>,
    _: OwnPage,
    Visitor(who): Visitor,
) -> Result<Response, HttpError> {
    if let Some(who) = who {
        who.may_manage()?;
        sign_in::logout(&app.accounts, &who).await?;
    }
    Ok(signed_out(&app))
}

/// Adds the cookies of a new session to an answer.
pub(super) fn with_cookies(
    app: &App,
    token: &Token,
    marks: Option<&Marks>,
    mut response: Response,
) -> Response {
    let secure = app.origins.is_secure();
    let marks = marks.map(|marks| cookie::set_marks(marks, secure));
    let cookies = [Some(cookie::set(token, secure)), marks];
    for cookie in cookies.into_iter().flatten().flatten() {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// The session has ended.
pub(super) fn signed_out(app: &App) -> Response {
    let cookie = cookie::clear(app.origins.is_secure());
    (StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response()
}
