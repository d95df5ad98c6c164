//! `PUT /api/games/{id}/notes`: keeps the caller's notes on a game, for clients without a socket.

use axum::{extract::State, http::StatusCode};
use qiguan_game::seat_drafts::DraftKind;
use qiguan_protocol::{limits, setup::PutNotes};

use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Body, Game, Known},
        games::keep,
    },
};

/// Keeps the caller's notes on a game with hidden pieces, in place of those before. Nobody else ever sees them.
#[utoipa::path(
    put, path = "/api/games/{id}/notes", operation_id = "putNotes", tag = "games", security(("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the game")),
    request_body = PutNotes,
    responses(
        (status = 204, description = "the notes are stored"),
        (status = 400, description = "too long, or the game has no hidden pieces", body = ErrorBody),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "the caller has no seat in this game", body = ErrorBody),
        (status = 404, description = "no such game", body = ErrorBody),
        (status = 503, description = "not stored, or the server is restarting: try again", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Game(game): Game,
    Known(player): Known,
    Body(PutNotes { notes }): Body<PutNotes>,
) -> Result<StatusCode, HttpError> {
    limits::check_notes(&notes)?;
    keep::keep(&app, game, player.id, DraftKind::Notes, notes).await
}
