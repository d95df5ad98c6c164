//! `GET /api/tv`: the featured games.

use axum::{Json, extract::State};
use qiguan_protocol::live::Tv;

use crate::app::App;

/// The featured game of each kind.
#[utoipa::path(
    get, path = "/api/tv", operation_id = "getTv", tag = "watching",
    responses((status = 200, description = "the featured game of each kind", body = Tv))
)]
pub async fn handler(State(app): State<App>) -> Json<Tv> {
    Json(Tv {
        channels: app.services().live.featured(),
    })
}
