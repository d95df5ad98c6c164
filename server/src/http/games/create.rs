//! `POST /api/games`: opens a game.

use axum::{Json, extract::State, http::StatusCode};
use qiguan_protocol::{answer::Answer, client::CreateGame};

use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Body, Caller, Known},
    },
    lobby,
};

/// Opens a game and sits down. The same command id opens no second one.
#[utoipa::path(
    post, path = "/api/games", operation_id = "createGame", tag = "games", security(("token" = []), ("cookie" = [])),
    request_body = CreateGame,
    responses(
        (status = 201, description = "the game is stored", body = ref("#/components/schemas/AnswerCreated")),
        (status = 400, description = "a field is invalid", body = ErrorBody),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 404, description = "no account has the name in `to`", body = ErrorBody),
        (status = 409, description = "the command id was used with other content", body = ErrorBody),
        (status = 429, description = "too many games at once, or in an hour; too many challenges", body = ErrorBody),
        (status = 503, description = "not stored, or the server is restarting: try again with the same command id", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Caller(from): Caller,
    Known(who): Known,
    Body(asked): Body<CreateGame>,
) -> Result<(StatusCode, Json<Answer>), HttpError> {
    let game = lobby::create::create(app.services(), &who, from.address, asked).await?;
    Ok((StatusCode::CREATED, Json(Answer::Created { game })))
}
