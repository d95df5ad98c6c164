//! `POST /api/logout`: ends the session.

use axum::{extract::State, response::Response};

use crate::{
    accounts::sign_in,
    app::App,
    http::{
        accounts::answer,
        error::{ErrorBody, HttpError},
        extract::{OwnPage, Visitor},
    },
};

/// Ends the session that asks; its sockets are closed. Without one nothing happens. A guest can't come back after it.
#[utoipa::path(
    post, path = "/api/logout", operation_id = "logout", tag = "accounts", security((), ("token" = []), ("cookie" = [])),
    responses(
        (status = 204, description = "signed out; the cookie is taken away"),
        (status = 403, description = "a page of another origin sent the request, or the token is an API token", body = ErrorBody),
        (status = 503, description = "not stored, or the server is restarting: try again", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    _: OwnPage,
    Visitor(who): Visitor,
) -> Result<Response, HttpError> {
    if let Some(who) = who {
        who.may_manage()?;
        sign_in::logout(&app.accounts, &who).await?;
    }
    Ok(answer::signed_out(&app))
}
