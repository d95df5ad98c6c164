//! `GET /api/games/{id}/fens`: the position after each ply, one on a line.

use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use qiguan_protocol::query::PositionsQuery;

use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Checked, Game, Visitor},
        games::positions::{Form, page},
    },
};

/// The position after each ply as plain text, one on a line, the start first. A long game has several pages: the header `Link`
/// names the next one (`rel="next"`).
#[utoipa::path(
    get, path = "/api/games/{id}/fens", operation_id = "listFens", tag = "games", security((), ("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the game"), PositionsQuery),
    responses(
        (status = 200, description = "a position on each line", body = String, content_type = "text/plain"),
        (status = 400, description = "unknown player, or an invalid number", body = ErrorBody),
        (status = 404, description = "no such game", body = ErrorBody),
        (status = 409, description = "the game is still going on", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Game(game): Game,
    Checked(which): Checked<PositionsQuery>,
    Visitor(player): Visitor,
) -> Result<Response, HttpError> {
    let player = player.map(|player| player.id);
    let asked = which;
    let (body, next) = page(&app, game, player, which, Form::Lines).await?;
    let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    let Some(from) = next else {
        return Ok((kind, body).into_response());
    };
    let query = PositionsQuery {
        from: Some(from),
        ..asked
    };
    let query = serde_urlencoded::to_string(query).unwrap_or_default();
    let link = format!("</api/games/{game}/fens?{query}>; rel=\"next\"");
    Ok((kind, [(header::LINK, link)], body).into_response())
}
