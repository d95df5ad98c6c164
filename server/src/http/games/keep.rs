//! What `set_up` and `note` have in common: a draft goes to its room.

use axum::http::StatusCode;
use qiguan_game::seat_drafts::DraftKind;
use qiguan_protocol::{
    error::ApiError,
    ids::{GameId, PlayerId},
};

use crate::{
    app::App,
    http::error::HttpError,
    room::message::{Keep, Reply, RoomMessage},
};

/// Has a room keep a draft, and waits for the answer.
///
/// # Errors
/// What the room says; `restarting`.
pub(super) async fn keep(
    app: &App,
    game: GameId,
    player: PlayerId,
    kind: DraftKind,
    text: String,
) -> Result<StatusCode, HttpError> {
    if app.services().is_draining() {
        return Err(HttpError(ApiError::restarting()));
    }
    let (reply, answer) = Reply::to_call();
    let keep = Keep {
        player,
        kind,
        text,
        peer: None,
        reply,
    };
    app.hub.send(game, RoomMessage::Keep(Box::new(keep))).await;
    answer
        .await
        .map_err(|_| HttpError(ApiError::internal()))??;
    Ok(StatusCode::NO_CONTENT)
}
