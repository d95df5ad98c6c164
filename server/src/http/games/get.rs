//! `GET /api/games/{id}`: a game as it stands.

use axum::{Json, extract::State};
use qiguan_protocol::view::GameView;
use tokio::sync::oneshot;

use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Game, Visitor},
    },
    room::knock::{self, Knock, Read},
};

/// A game as it stands, as the caller may know it.
#[utoipa::path(
    get, path = "/api/games/{id}", tag = "games", security((), ("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the game")),
    responses(
        (status = 200, description = "the game", body = GameView),
        (status = 404, description = "no such game", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Game(game): Game,
    Visitor(player): Visitor,
) -> Result<Json<GameView>, HttpError> {
    let (reply, view) = oneshot::channel();
    let player = player.map(|player| player.id);
    app.hub
        .knock(
            game,
            Knock::Read {
                player,
                read: Read::View(reply),
            },
        )
        .await;
    let view = view.await.map_err(|_| HttpError(knock::internal()))?;
    Ok(Json(view?))
}
