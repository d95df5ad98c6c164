//! `GET /api/games/{id}/position.svg`: a position as a picture.

use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::{GameId, PlayerId},
    query::{FacesWord, PictureQuery},
    view::GameView,
};
use qiguan_rules::catalog;
use tokio::sync::oneshot;

use crate::{
    app::App,
    diagram::{self, Faces},
    http::{
        error::{ErrorBody, HttpError},
        extract::{Checked, Game, Visitor},
        games::positions::positions,
    },
    room::knock::{self, Knock, Read},
};

/// A position of a game as a picture, the first seat at the bottom.
#[utoipa::path(
    get, path = "/api/games/{id}/position.svg", tag = "games", security((), ("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the game"), PictureQuery),
    responses(
        (status = 200, description = "the picture", body = String, content_type = "image/svg+xml"),
        (status = 400, description = "the game has no such ply, or nobody is called so", body = ErrorBody),
        (status = 404, description = "no such game", body = ErrorBody),
        (status = 409, description = "the game still goes on", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Game(game): Game,
    Checked(which): Checked<PictureQuery>,
    Visitor(player): Visitor,
) -> Result<Response, HttpError> {
    let player = player.map(|player| player.id);
    let ruleset = view(&app, game, player).await?.ruleset;
    let positions = positions(&app, game, player, which.through)
        .await?
        .positions;
    let last = positions.len().saturating_sub(1);
    let ply = which.ply.map_or(last, |ply| ply.0 as usize);
    let Some(position) = positions.get(ply) else {
        let message = format!("the game has {last} plies");
        let error = ApiError::new(ErrorCode::BadValue, message).field("ply");
        return Err(HttpError(error));
    };
    let faces = match which.pieces {
        None | Some(FacesWord::Characters) => Faces::Characters,
        Some(FacesWord::Letters) => Faces::Letters,
    };
    let kind = ruleset.split('/').next();
    let drawn = catalog::games()
        .iter()
        .find(|game| Some(game.id) == kind)
        .and_then(|game| diagram::svg(game, &position.fen, faces));
    let Some(drawn) = drawn else {
        tracing::error!(%game, ply, "a position could not be drawn");
        return Err(HttpError(knock::internal()));
    };
    let headers = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        // Opened by itself, it is a page of this origin: it may do nothing.
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'"),
    ];
    Ok((headers, drawn).into_response())
}

async fn view(app: &App, game: GameId, player: Option<PlayerId>) -> Result<GameView, HttpError> {
    let (reply, view) = oneshot::channel();
    let read = Read::View(reply);
    app.hub.knock(game, Knock::Read { player, read }).await;
    let view = view.await.map_err(|_| HttpError(knock::internal()))?;
    Ok(view?)
}
