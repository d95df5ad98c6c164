//! `GET /api/catalog`: games, rule sets, options, boards and pieces, for clients to draw from.

use axum::Json;
use qiguan_protocol::catalog::Catalog;

/// What can be played here, and what a client needs to draw it.
#[utoipa::path(
    get, path = "/api/catalog", operation_id = "getCatalog", tag = "games",
    responses((status = 200, description = "the catalog", body = Catalog))
)]
pub async fn handler() -> Json<Catalog> {
    Json(Catalog::of_rules())
}
