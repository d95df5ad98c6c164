//! `POST /api/games/{id}/spectator_chat`: says something to the other spectators, for clients without a socket.

use axum::{extract::State, http::StatusCode};
use qiguan_protocol::{client::SayToSpectators, error::ApiError, limits};

use crate::{
    admission::sanctions,
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Body, Caller, Game, Known},
    },
    room::{
        message::{Reply, RoomMessage},
        spectator_chat_writer::Say,
    },
};

/// Says something to the other spectators of a game. Its players see it when the game is over.
#[utoipa::path(
    post, path = "/api/games/{id}/spectator_chat", operation_id = "sayToSpectators", tag = "watching", security(("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the game")),
    request_body = SayToSpectators,
    responses(
        (status = 204, description = "it is stored"),
        (status = 400, description = "a field is invalid", body = ErrorBody),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "the caller can't chat", body = ErrorBody),
        (status = 404, description = "no such game", body = ErrorBody),
        (status = 409, description = "the caller has a seat in this game, or used the command id with other content", body = ErrorBody),
        (status = 429, description = "too many requests of this kind", body = ErrorBody),
        (status = 503, description = "not stored, or the server is restarting: try again with the same command id", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Game(game): Game,
    Known(who): Known,
    Caller(from): Caller,
    Body(SayToSpectators { command, text }): Body<SayToSpectators>,
) -> Result<StatusCode, HttpError> {
    if app.services().is_draining() {
        return Err(HttpError(ApiError::restarting()));
    }
    limits::check_chat(&text)?;
    let reach = sanctions::may_speak(app.services(), who.id).await?;
    let (reply, answer) = Reply::to_call();
    let say = Say {
        who,
        address: from.address,
        command,
        text,
        reach,
        reply,
    };
    app.hub.send(game, RoomMessage::Say(Box::new(say))).await;
    answer
        .await
        .map_err(|_| HttpError(ApiError::internal()))??;
    Ok(StatusCode::NO_CONTENT)
}
