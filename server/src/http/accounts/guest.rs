//! `POST /api/guest`: opens an identity.

use axum::{
    Json,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use qiguan_protocol::answer::Guest;

use crate::{
    accounts::guests,
    app::App,
    http::{
        cookie,
        error::{ErrorBody, HttpError},
        extract::{Caller, OwnPage},
    },
};

/// Opens an identity as a guest. The token is shown this once; browsers also get it as a cookie.
#[utoipa::path(
    post, path = "/api/guest", operation_id = "createGuest", tag = "accounts",
    responses(
        (status = 201, description = "a new identity", body = Guest),
        (status = 403, description = "a page of another origin sent the request", body = ErrorBody),
        (status = 429, description = "too many from this address", body = ErrorBody),
        (status = 503, description = "the record can't be written", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    _: OwnPage,
    Caller(from): Caller,
) -> Result<Response, HttpError> {
    let now = app.services().clock.now();
    app.accounts.sign_in_limits.guest(from.address, now)?;
    let (_, guest) = guests::open(app.services()).await?;
    let cookie = cookie::set(&guest.token, app.origins.is_secure());
    let mut response = (StatusCode::CREATED, Json(guest)).into_response();
    if let Some(cookie) = cookie {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(response)
}
