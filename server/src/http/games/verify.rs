//! `GET /api/games/{id}/verify`: a game, played again.

use axum::{Json, extract::State};
use qiguan_game::{event::Body, validate::telling::verify};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    exported::Verification,
};

use crate::{
    app::App,
    aside,
    http::{
        error::{ErrorBody, HttpError},
        extract::Game,
        games::stored,
    },
};

/// Plays a game that is over again, and judges each event of it as strictly as the referee did: the moves by the rules, the
/// clocks, the end, and in Luzhanqi the setups that both were committed to.
#[utoipa::path(
    get, path = "/api/games/{id}/verify", operation_id = "verifyGame", tag = "games",
    params(("id" = uuid::Uuid, Path, description = "the game")),
    responses(
        (status = 200, description = "the result of the check", body = Verification),
        (status = 404, description = "no such game", body = ErrorBody),
        (status = 409, description = "the game is still going on, or its record can't be read", body = ErrorBody),
        (status = 503, description = "too many games are being verified; try again", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Game(game): Game,
) -> Result<Json<Verification>, HttpError> {
    let Ok(turn) = std::sync::Arc::clone(&app.people.replays).try_acquire_owned() else {
        let message = "other games are being verified; try again in a moment";
        return Err(HttpError(ApiError::new(ErrorCode::Busy, message)));
    };
    let events = stored::events(&app, game).await?;
    if !events
        .iter()
        .any(|event| matches!(event.body, Body::Ended { .. }))
    {
        return Err(HttpError(stored::running()));
    }
    let judged = aside::in_background(move || {
        let judged = verify(game, events);
        drop(turn);
        judged
    });
    let judged = judged.await.map_err(|_| HttpError(ApiError::internal()))?;
    Ok(Json(judged))
}
