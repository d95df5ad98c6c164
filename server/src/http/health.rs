//! For operators: is it alive, is it ready, what does it do.

use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};

use crate::app::App;

/// `GET /api/health`: the process is alive.
#[utoipa::path(get, path = "/api/health", operation_id = "getHealth", tag = "operations", responses((status = 200, description = "alive", body = String)))]
pub async fn alive() -> &'static str {
    "alive"
}

/// `GET /api/ready`: the server takes new connections, and its records can be written.
#[utoipa::path(
    get, path = "/api/ready", operation_id = "getReadiness", tag = "operations",
    responses(
        (status = 200, description = "ready", body = String),
        (status = 503, description = "restarting, or the records can't be written", body = String),
    )
)]
pub async fn ready(State(app): State<App>) -> Response {
    if app.services().is_draining() {
        return (StatusCode::SERVICE_UNAVAILABLE, "restarting").into_response();
    }
    if !app.services().store.healthy().await {
        return (
            StatusCode::SERVICE_UNAVAILABLE,
            "the records can't be written",
        )
            .into_response();
    }
    "ready".into_response()
}

/// `GET /metrics`: counters and gauges for Prometheus.
pub async fn metrics(State(app): State<App>) -> String {
    app.metrics.render()
}
