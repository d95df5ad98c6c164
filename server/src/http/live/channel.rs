//! `GET /api/tv/{kind}`: the featured games of a kind, as a stream.

use axum::{
    extract::{Path, State},
    response::Response,
};
use qiguan_protocol::error::{ApiError, ErrorCode};

use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        live::opening::{self, Opening},
    },
    live::stream::Stream,
};

/// The featured games of a kind, one after the other, as `GET /api/games/{id}/stream` tells each. Before each comes a line that
/// says which it is, or that there is no game right now.
#[utoipa::path(
    get, path = "/api/tv/{kind}", operation_id = "streamTv", tag = "watching",
    params(("kind" = String, Path, description = "the kind of game, such as `xiangqi`")),
    responses(
        (status = 200, description = "a message on each line, or server-sent events", content((String = "application/x-ndjson"), (String = "text/event-stream"))),
        (status = 404, description = "there is no such kind of game", body = ErrorBody),
        (status = 503, description = "restarting, or too many connections from this address", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Path(kind): Path<String>,
    Opening { wire, .. }: Opening,
) -> Result<Response, HttpError> {
    let form = wire.form;
    let stream = Stream::of_channel(app.hub.clone(), kind, wire).ok_or_else(|| {
        let message = "unknown kind of game; GET /api/tv lists them";
        HttpError(ApiError::new(ErrorCode::NotFound, message).field("kind"))
    })?;
    Ok(opening::answer(stream, form))
}
