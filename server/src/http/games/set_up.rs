//! `PUT /api/games/{id}/setup`: changes the caller's own setup, for clients without a socket.

use axum::{extract::State, http::StatusCode};
use qiguan_game::seat_drafts::DraftKind;
use qiguan_protocol::setup::PutSetup;

use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Body, Game, Known},
        games::keep,
    },
};

/// Changes the caller's own setup while both set up. Nobody else is notified.
#[utoipa::path(
    put, path = "/api/games/{id}/setup", operation_id = "putSetup", tag = "games", security(("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the game")),
    request_body = PutSetup,
    responses(
        (status = 204, description = "the setup is stored"),
        (status = 400, description = "the setup is illegal; every violation is listed", body = ErrorBody),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "the caller has no seat in this game", body = ErrorBody),
        (status = 404, description = "no such game", body = ErrorBody),
        (status = 409, description = "nothing to set up, or the caller has said ready", body = ErrorBody),
        (status = 503, description = "not stored, or the server is restarting: try again", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Game(game): Game,
    Known(player): Known,
    Body(PutSetup { setup }): Body<PutSetup>,
) -> Result<StatusCode, HttpError> {
    keep::keep(&app, game, player.id, DraftKind::Setup, setup).await
}
