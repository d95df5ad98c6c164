//! `POST /api/lobby/seeks/{id}/accept`: accepts a seek.

use axum::{Json, extract::State};
use qiguan_protocol::{answer::Answer, lobby::Accept};

use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Body, Caller, Known, SeekInPath},
        lobby::answered,
    },
    lobby::requests::{self, Requester},
    room::message::Reply,
};

/// Accepts a seek. The answer comes when the game is stored and has begun. The same command id opens no second one.
#[utoipa::path(
    post, path = "/api/lobby/seeks/{id}/accept", operation_id = "acceptSeek", tag = "lobby", security(("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the seek")),
    request_body = Accept,
    responses(
        (status = 200, description = "the game", body = ref("#/components/schemas/AnswerPaired")),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "the seek is not for this player", body = ErrorBody),
        (status = 409, description = "the seek is no longer open", body = ErrorBody),
        (status = 429, description = "too many games", body = ErrorBody),
        (status = 503, description = "not stored, or the server is restarting: try again with the same command id", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    SeekInPath(seek): SeekInPath,
    Caller(from): Caller,
    Known(who): Known,
    Body(asked): Body<Accept>,
) -> Result<Json<Answer>, HttpError> {
    let requester = Requester {
        who,
        address: from.address,
        peer: None,
    };
    let (reply, answer) = Reply::to_call();
    requests::accept(&app.lobby, requester, seek, asked.command, reply).await;
    Ok(Json(answered(answer).await?))
}
