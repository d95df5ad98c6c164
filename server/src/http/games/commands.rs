//! Commands that change a game, for clients without a socket, and moderators' decisions about one.

use std::borrow::Cow;

use axum::{Json, extract::State, http::StatusCode};
use qiguan_game::{adjudication::Adjudication, referee::Command};
use qiguan_protocol::{
    answer::Answer, client::CreateGame, command::GameCommand, error::ApiError, ids::GameId, limits,
    moderation::Adjudicate,
};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    app::App,
    http::{
        error::{Answered, HttpError, json},
        extract::{Body, Caller, Id, Identified, Received},
        permission::Permitted,
    },
    lobby,
    room::message::{self, CommandRequest, Reply, RoomMessage, answered},
};

/// Opens a game and sits down. The same command id opens no second one.
#[utoipa::path(
    post, path = "/api/games", operation_id = "createGame", tag = "games", security(("token" = []), ("cookie" = [])),
    request_body = CreateGame,
    responses(
        (status = 201, description = "the game is stored", body = ref("#/components/schemas/AnswerCreated")),
        (status = 404, description = "no account has the name in `to`"),
        (status = 409, description = "the command id was used with other content"),
        (status = 429, description = "too many games at once, or in an hour; too many challenges"),
    )
)]
pub async fn create(
    State(app): State<App>,
    Caller(from): Caller,
    Identified(who): Identified,
    Body(asked): Body<CreateGame>,
) -> Result<(StatusCode, Json<Answer>), HttpError> {
    let game = lobby::create::create(&app.services, &who, from.address, asked).await?;
    Ok((StatusCode::CREATED, Json(Answer::Created { game })))
}

/// The body: as on the socket, without the request's id.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommandBody {
    #[serde(rename = "type")]
    kind: Cow<'static, str>,
    data: Box<RawValue>,
}

/// Carries out a command: `{"type": "move", "data": {"game": …, "command": …, "ply": 1, "move": "a3a4"}}`.
#[utoipa::path(
    post, path = "/api/games/{id}/commands", operation_id = "sendCommand", tag = "games", security(("token" = []), ("cookie" = [])),
    request_body = GameCommand,
    responses(
        (status = 200, description = "its events are stored", body = ref("#/components/schemas/AnswerDone")),
        (status = 403, description = "the caller has no seat in this game"),
        (status = 409, description = "not possible in the current state of the game"),
    )
)]
pub async fn send(
    State(app): State<App>,
    Received(received): Received,
    Id(game): Id<GameId>,
    Caller(from): Caller,
    Identified(who): Identified,
    Body(body): Body<CommandBody>,
) -> Answered<Answer> {
    app.services.check_serving()?;
    let command = GameCommand::decode_alone(&body.kind, Some(&body.data))?;
    if command.game() != game {
        let message = "data.game must be the game in the path";
        return Err(HttpError(ApiError::bad_value("data.game", message)));
    }
    let (cause, id) = (command.type_name(), command.command());
    let command = message::command_of(command, app.services.random, app.services.clock.now());
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
    let asked = RoomMessage::Command(Box::new(asked));
    app.hub.send(game, asked).await;
    json(answered(answer).await)
}

/// Ends a game that goes on: with a result, or without one (`aborted`). It counts neither for ratings nor in what players have
/// made of each other. A game that waits for its second player can only be aborted. The players must have lower roles.
#[utoipa::path(
    post, path = "/api/games/{id}/adjudicate", operation_id = "adjudicateGame", security(("token" = []), ("cookie" = [])),
    request_body = Adjudicate,
    responses(
        (status = 200, description = "its events are stored", body = ref("#/components/schemas/AnswerDone")),
        (status = 409, description = "the game is over, or has not begun"),
    )
)]
pub async fn adjudicate(
    State(app): State<App>,
    Received(received): Received,
    Id(game): Id<GameId>,
    Permitted(permit): Permitted,
    Identified(who): Identified,
    Body(asked): Body<Adjudicate>,
) -> Answered<Answer> {
    app.services.check_serving()?;
    limits::check_line("reason", &asked.reason, limits::REASON_CHARACTERS)?;
    let told = (app.services.random.audit_id(), received);
    let adjudication = Adjudication::new(permit, game, asked.result, asked.reason, told);
    let (reply, answer) = Reply::to_call();
    let asked = CommandRequest {
        command: Command::Adjudicate(Box::new(adjudication)),
        cause: "adjudicate",
        id: asked.command,
        who,
        received,
        peer: None,
        from: None,
        reply,
    };
    let asked = RoomMessage::Command(Box::new(asked));
    app.hub.send(game, asked).await;
    json(answered(answer).await)
}
