//! `GET /api/games/{id}/spectator_chat`: what spectators have said.

use axum::{Json, extract::State};
use qiguan_game::audience;
use qiguan_protocol::{error::ApiError, query::SpectatorChatQuery, view::SpectatorChatPage};
use tokio::sync::oneshot;

use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Checked, Game, Visitor},
        games::searched,
    },
    room::message::{Read, RoomMessage},
};

/// What spectators have said at a game, a page at a time, the latest page first. Its players may read it when the game is over.
#[utoipa::path(
    get, path = "/api/games/{id}/spectator_chat", operation_id = "listSpectatorChat", tag = "watching", security((), ("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the game"), SpectatorChatQuery),
    responses(
        (status = 200, description = "the lines, the oldest first", body = SpectatorChatPage),
        (status = 400, description = "a field is invalid", body = ErrorBody),
        (status = 404, description = "no such game", body = ErrorBody),
        (status = 409, description = "the caller is playing in this game", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Game(game): Game,
    Checked(which): Checked<SpectatorChatQuery>,
    Visitor(visitor): Visitor,
) -> Result<Json<SpectatorChatPage>, HttpError> {
    let limit = searched::page_of(which.limit)?;
    let visitor = visitor.map(|who| who.id);
    let (reply, allowed) = oneshot::channel();
    let read = RoomMessage::Read {
        player: visitor,
        read: Read::SpectatorChat(reply),
    };
    app.hub.send(game, read).await;
    allowed
        .await
        .map_err(|_| HttpError(ApiError::internal()))??;
    let before = which.before.unwrap_or(u32::MAX);
    let store = &app.services().store;
    let lines = store.spectator_lines(game, before, limit).await;
    let lines = lines.map_err(|error| {
        tracing::warn!(%game, %error, "could not read spectator chat");
        HttpError(ApiError::from(&error))
    })?;
    let is_full = lines.len() == limit as usize;
    let oldest = lines.last().map(|said| said.line.number);
    let heard = lines.iter().rev();
    let heard = heard.filter(|said| said.line.is_heard_by(visitor));
    Ok(Json(SpectatorChatPage {
        lines: heard.map(audience::spectator_line).collect(),
        before: oldest.filter(|number| is_full && *number > 1),
    }))
}
