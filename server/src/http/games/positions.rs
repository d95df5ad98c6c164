//! `GET /api/games/{id}/positions`: the position after each ply.

use axum::{Json, extract::State};
use qiguan_protocol::view::Positions;
use tokio::sync::oneshot;

use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Game, Visitor},
    },
    room::knock::{self, Knock, Read},
};

/// The position after each ply, as the caller may know it.
#[utoipa::path(
    get, path = "/api/games/{id}/positions", tag = "games", security((), ("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the game")),
    responses(
        (status = 200, description = "the positions, the start first", body = Positions),
        (status = 404, description = "no such game", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Game(game): Game,
    Visitor(player): Visitor,
) -> Result<Json<Positions>, HttpError> {
    let (reply, positions) = oneshot::channel();
    let player = player.map(|player| player.id);
    app.hub
        .knock(
            game,
            Knock::Read {
                player,
                read: Read::Positions(reply),
            },
        )
        .await;
    let positions = positions.await.map_err(|_| HttpError(knock::internal()))?;
    Ok(Json(positions?))
}
