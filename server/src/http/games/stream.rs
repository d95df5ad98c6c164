//! `GET /api/games/{id}/stream`: a game as it goes on.

use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::Cursor,
    query::StreamQuery,
};

use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Checked, Game},
        live::opening::{self, Opening},
    },
    live::stream::Stream,
};

/// The game as spectators know it, and then what happens in it until it is over: a message on each line, or server-sent events
/// to clients that accept `text/event-stream`.
#[utoipa::path(
    get, path = "/api/games/{id}/stream", operation_id = "streamGame", tag = "watching",
    params(("id" = uuid::Uuid, Path, description = "the game"), StreamQuery),
    responses(
        (status = 200, description = "a message on each line, or server-sent events", content((String = "application/x-ndjson"), (String = "text/event-stream"))),
        (status = 204, description = "the game is over, and the reader has received every message"),
        (status = 400, description = "invalid cursor", body = ErrorBody),
        (status = 404, description = "no such game", body = ErrorBody),
        (status = 503, description = "restarting, or too many connections from this address", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Game(game): Game,
    Checked(which): Checked<StreamQuery>,
    Opening { wire, last }: Opening,
) -> Result<Response, HttpError> {
    let asked = which.since.as_deref().map(|text| {
        Cursor::read(text).ok_or_else(|| {
            let message = "expected EPOCH.SEQ, such as 1234.56";
            ApiError::new(ErrorCode::BadValue, message).field("since")
        })
    });
    let since = last.or(asked.transpose()?);
    let form = wire.form;
    let stream = Stream::of_game(app.hub.clone(), game, since, wire).await?;
    Ok(match stream {
        Some(stream) => opening::answer(stream, form),
        None => StatusCode::NO_CONTENT.into_response(),
    })
}
