//! `GET /metrics`: what Prometheus reads.

use axum::{
    extract::{Extension, State},
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response},
};

use crate::{
    app::App,
    http::{error::HttpError, extract::Peer},
    process_meter,
};

/// The text format that Prometheus reads.
const TEXT_FORMAT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// What is gathered, and what is measured whenever somebody asks.
fn render(app: &App) -> Response {
    let services = &app.services;
    let mut running = 0_u32;
    services.presence.each_here(|_| running += 1);
    metrics::gauge!("qiguan_games_running").set(f64::from(running));
    let players = services.sockets.players_here();
    metrics::gauge!("qiguan_players_online").set(players as f64);
    services.store.measure_connections();
    process_meter::measure();
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static(TEXT_FORMAT))];
    (kind, app.metrics.render()).into_response()
}

/// What the listener for everybody answers.
///
/// # Errors
/// `forbidden`, `unauthenticated`, `bad_token`.
pub async fn first_listener(
    State(app): State<App>,
    Extension(Peer(peer)): Extension<Peer>,
    headers: HeaderMap,
) -> Result<Response, HttpError> {
    app.scrape_access.check(peer, &headers)?;
    Ok(render(&app))
}

/// What the listener for metrics answers.
///
/// # Errors
/// `unauthenticated`, `bad_token`.
pub async fn own_listener(
    State(app): State<App>,
    headers: HeaderMap,
) -> Result<Response, HttpError> {
    app.scrape_access.check_token(&headers)?;
    Ok(render(&app))
}
