//! `GET /api/lobby/seeks/{id}`: what has become of an own seek.

use axum::{Json, extract::State};
use qiguan_protocol::answer::Answer;

use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Known, SeekInPath},
        lobby::ask,
    },
    lobby::handle::Call,
};

/// Tells what has become of an own seek, on the board or in a pool, and keeps it open for another minute.
#[utoipa::path(
    get, path = "/api/lobby/seeks/{id}", operation_id = "getSeek", tag = "lobby", security(("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the seek")),
    responses(
        (status = 200, description = "open, paired with the game, or gone", body = ref("#/components/schemas/AnswerSeek")),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 409, description = "this player has no such seek", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    SeekInPath(seek): SeekInPath,
    Known(who): Known,
) -> Result<Json<Answer>, HttpError> {
    let player = who.id;
    let answer = ask(&app, |reply| Call::Ask {
        player,
        seek,
        reply,
    });
    Ok(Json(answer.await?))
}
