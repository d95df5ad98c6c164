//! `GET /api/games/{id}/fens`: the position after each ply, one on a line.

use axum::extract::State;
use qiguan_protocol::query::PositionsQuery;

use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Checked, Game, Visitor},
        games::positions::positions,
    },
};

/// The position after each ply as plain text, one on a line, the start first.
#[utoipa::path(
    get, path = "/api/games/{id}/fens", tag = "games", security((), ("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the game"), PositionsQuery),
    responses(
        (status = 200, description = "a position on each line", body = String, content_type = "text/plain"),
        (status = 400, description = "nobody is called so", body = ErrorBody),
        (status = 404, description = "no such game", body = ErrorBody),
        (status = 409, description = "the game still goes on", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Game(game): Game,
    Checked(which): Checked<PositionsQuery>,
    Visitor(player): Visitor,
) -> Result<String, HttpError> {
    let player = player.map(|player| player.id);
    let positions = positions(&app, game, player, which.through).await?;
    let lines = positions
        .positions
        .into_iter()
        .map(|position| position.fen + "\n");
    Ok(lines.collect())
}
