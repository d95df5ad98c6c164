//! `POST /api/games/{id}/adjudicate`: a moderator ends a game.

use axum::{Json, extract::State};
use qiguan_game::{adjudication::Adjudication, referee::Command};
use qiguan_protocol::{answer::Answer, error::ApiError, limits, moderation::Adjudicate};

use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Body, Game, Known, Received},
        staff::Permitted,
    },
    room::message::{CommandRequest, Reply, RoomMessage},
};

/// Ends a game that goes on: with a result, or without one (`aborted`). It counts neither for ratings nor in what players have
/// made of each other. A game that waits for its second player can only be broken off.
#[utoipa::path(
    post, path = "/api/games/{id}/adjudicate", operation_id = "adjudicateGame", security(("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the game")),
    request_body = Adjudicate,
    responses(
        (status = 200, description = "its events are stored", body = ref("#/components/schemas/AnswerDone")),
        (status = 400, description = "a field is invalid", body = ErrorBody),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "requires the moderator role, and games of players with lower roles", body = ErrorBody),
        (status = 404, description = "no such game", body = ErrorBody),
        (status = 409, description = "the game is over, or has not begun", body = ErrorBody),
        (status = 503, description = "not stored, or the server is restarting: try again with the same command id", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Received(received): Received,
    Game(game): Game,
    Permitted(permit): Permitted,
    Known(who): Known,
    Body(asked): Body<Adjudicate>,
) -> Result<Json<Answer>, HttpError> {
    let services = app.services();
    if services.is_draining() {
        return Err(HttpError(ApiError::restarting()));
    }
    limits::check_line("reason", &asked.reason, limits::REASON_CHARACTERS)?;
    let told = (services.random.act_id(), received);
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
    app.hub
        .send(game, RoomMessage::Command(Box::new(asked)))
        .await;
    let answer = answer.await.map_err(|_| HttpError(ApiError::internal()))?;
    Ok(Json(answer?))
}
