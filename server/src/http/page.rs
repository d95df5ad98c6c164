//! `GET /`: what this is and how to play, until there is a web client.

use axum::{
    http::header,
    response::{Html, IntoResponse},
};

/// The page.
pub async fn handler() -> impl IntoResponse {
    let policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    (
        [
            (header::CONTENT_SECURITY_POLICY, policy),
            (header::CACHE_CONTROL, "no-cache"),
        ],
        Html(include_str!("page.html")),
    )
}
