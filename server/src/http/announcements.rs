//! `GET /api/announcements`: what those who run the server tell everybody.

use axum::{Json, extract::State};
use qiguan_protocol::announcement::Announcements;

use crate::app::App;

/// Tells whether new games can be opened, and what there is to read.
#[utoipa::path(
    get, path = "/api/announcements", operation_id = "getAnnouncements", tag = "server",
    responses((status = 200, description = "what stands", body = Announcements))
)]
pub async fn handler(State(app): State<App>) -> Json<Announcements> {
    Json(app.services().announced.standing())
}
