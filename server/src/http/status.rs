//! The state of the server for everybody: health, readiness, announcements, and the catalog of games.

use axum::{
    Json,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use qiguan_game::{audience, people};
use qiguan_protocol::{
    announcement::Announcements,
    catalog::Catalog,
    computer::{Computer, Computers},
};

use crate::app::App;

/// The process is alive.
#[utoipa::path(get, path = "/api/health", operation_id = "getHealth", tag = "operations", responses((status = 200, description = "alive", body = String)))]
pub async fn alive() -> &'static str {
    "alive"
}

/// The server takes new connections, and its records can be written.
#[utoipa::path(
    get, path = "/api/ready", operation_id = "getReadiness", tag = "operations",
    responses(
        (status = 200, description = "ready", body = String),
        (status = 503, description = "restarting, or the records can't be written", body = String),
    )
)]
pub async fn ready(State(app): State<App>) -> Response {
    let unready = if app.services.is_leaving() {
        "restarting"
    } else if !app.services.store.healthy().await {
        "the records can't be written"
    } else {
        return "ready".into_response();
    };
    (StatusCode::SERVICE_UNAVAILABLE, unready).into_response()
}

/// Shows whether new games can be opened, and the notice that is up.
#[utoipa::path(
    get, path = "/api/announcements", operation_id = "getAnnouncements", tag = "server",
    responses((status = 200, description = "what is announced", body = Announcements))
)]
pub async fn announcements(State(app): State<App>) -> Json<Announcements> {
    Json(app.services.announced.active())
}

/// The computer players: games against them begin at once, without an account, and are not rated.
#[utoipa::path(
    get, path = "/api/computers", operation_id = "listComputers", tag = "games",
    responses((status = 200, description = "the computer players", body = Computers))
)]
pub async fn computers(State(app): State<App>) -> Json<Computers> {
    let all = people::computer::Computer::all();
    let computers = all.filter(|_| app.services.computers.are_playing());
    Json(Computers {
        computers: computers
            .filter_map(|computer| {
                Some(Computer {
                    player: audience::player(&computer.player()),
                    game: computer.game().to_owned(),
                    level: computer.level(),
                    rating: crate::computers::rating(computer)?,
                })
            })
            .collect(),
    })
}

/// The games, rule sets, options, boards and pieces, with what a client needs to draw them.
#[utoipa::path(
    get, path = "/api/catalog", operation_id = "getCatalog", tag = "games",
    responses((status = 200, description = "the catalog", body = Catalog))
)]
pub async fn catalog() -> Json<Catalog> {
    Json(Catalog::of_rules())
}
