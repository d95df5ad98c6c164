//! `DELETE /api/lobby/seeks/{id}`: takes back an own seek.

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

/// Takes back an own seek, on the board or in a pool. Doing so again changes nothing.
#[utoipa::path(
    delete, path = "/api/lobby/seeks/{id}", operation_id = "cancelSeek", tag = "lobby", security(("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the seek")),
    responses(
        (status = 200, description = "the seek's status", body = ref("#/components/schemas/AnswerSeek")),
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
    let answer = ask(&app, |reply| Call::Cancel {
        player,
        seek,
        reply,
    });
    Ok(Json(answer.await?))
}
