//! `POST /api/games/{id}/commands`: any command that changes a game, for clients without a socket.

use std::borrow::Cow;

use axum::{Json, extract::State};
use qiguan_protocol::{
    answer::Answer,
    command::GameCommand,
    error::{ApiError, ErrorCode},
};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Body, Caller, Game, Known, Received},
    },
    room::message::{self, CommandRequest, Reply, RoomMessage},
};

/// The body: as on the socket, without the request's id.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Command {
    #[serde(rename = "type")]
    kind: Cow<'static, str>,
    data: Box<RawValue>,
}

/// Carries out a command: `{"type": "move", "data": {"game": …, "command": …, "ply": 1, "move": "a3a4"}}`.
#[utoipa::path(
    post, path = "/api/games/{id}/commands", operation_id = "sendCommand", tag = "games", security(("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the game")),
    request_body = GameCommand,
    responses(
        (status = 200, description = "its events are stored", body = ref("#/components/schemas/AnswerDone")),
        (status = 400, description = "a field is invalid", body = ErrorBody),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "the caller has no seat in this game", body = ErrorBody),
        (status = 404, description = "no such game", body = ErrorBody),
        (status = 409, description = "not possible in the current state of the game", body = ErrorBody),
        (status = 429, description = "too many requests of this kind", body = ErrorBody),
        (status = 503, description = "not stored, or the server is restarting: try again with the same command id", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Received(received): Received,
    Game(game): Game,
    Caller(from): Caller,
    Known(who): Known,
    Body(body): Body<Command>,
) -> Result<Json<Answer>, HttpError> {
    let services = app.services();
    if services.is_draining() {
        return Err(HttpError(ApiError::restarting()));
    }
    let command = GameCommand::decode_alone(&body.kind, Some(&body.data))?;
    if command.game() != game {
        let message = "data.game must be the game in the path";
        return Err(HttpError(
            ApiError::new(ErrorCode::BadValue, message).field("data.game"),
        ));
    }
    let (cause, id) = (command.type_name(), command.command());
    let command = message::command_of(command, services.random);
    let (reply, answer) = Reply::to_call();
    let asked = CommandRequest {
        cause,
        id,
        command,
        who,
        received,
        peer: None,
        from: Some(from.address),
        reply,
    };
    app.hub
        .send(game, RoomMessage::Command(Box::new(asked)))
        .await;
    let answer = answer.await.map_err(|_| HttpError(ApiError::internal()))?;
    Ok(Json(answer?))
}
