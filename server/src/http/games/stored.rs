//! Games that are over, read from the record itself: no room is opened for them.

use qiguan_game::{
    audience::{
        self, Eyes,
        whole::{self, Whole},
    },
    event::Event,
    state::{Damaged, State},
};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::GameId,
    view::PositionAtPly,
};
use qiguan_store::store::StoreError;

use crate::{app::App, http::error::HttpError};

/// The record can't be read.
pub(super) fn unreadable(error: &StoreError) -> HttpError {
    tracing::warn!(%error, "could not read stored games");
    HttpError(ApiError::from(error))
}

/// What a game that is over consists of.
///
/// # Errors
/// `not_found`, `game_running`, `parked` for a record that makes no sense, `internal`.
pub(super) async fn events(app: &App, game: GameId) -> Result<Vec<Event>, HttpError> {
    let record = match app.services().store.game(game).await {
        Ok(record) => record.ok_or_else(|| HttpError(ApiError::no_such_game()))?,
        Err(StoreError::Corrupt { .. }) => return Err(HttpError(ApiError::parked())),
        Err(error) => return Err(unreadable(&error)),
    };
    Ok(record.events)
}

/// The spectators' view of a finished game.
///
/// # Errors
/// As [`events`].
pub(super) async fn whole<T: Send + 'static>(
    app: &App,
    game: GameId,
    make: impl FnOnce(Whole) -> T + Send + 'static,
) -> Result<T, HttpError> {
    // The record is read in turn, too: whole games take room.
    let turn = app.reads.turn().await;
    let events = events(app, game).await?;
    let made = turn.run(move || {
        let state = State::fold(game, events)?;
        Ok::<_, Damaged>(whole::whole(&state)?.map(make))
    });
    let made = made.await.ok_or_else(|| HttpError(ApiError::internal()))?;
    let made = made.map_err(|_| HttpError(ApiError::parked()))?;
    made.ok_or_else(|| HttpError(running()))
}

/// The rule set of a game that is over, and its positions as somebody knew them.
///
/// # Errors
/// As [`events`].
pub(super) async fn positions(
    app: &App,
    game: GameId,
    eyes: Eyes,
) -> Result<(String, Vec<PositionAtPly>), HttpError> {
    let turn = app.reads.turn().await;
    let events = events(app, game).await?;
    let folded = turn.run(move || {
        let state = State::fold(game, events)?;
        let positions = audience::positions_through(&state, eyes)?;
        Ok::<_, Damaged>((state.created.ruleset, positions))
    });
    let folded = folded
        .await
        .ok_or_else(|| HttpError(ApiError::internal()))?;
    let (ruleset, positions) = folded.map_err(|_| HttpError(ApiError::parked()))?;
    let positions = positions.ok_or_else(|| HttpError(running()))?;
    Ok((ruleset, positions.positions))
}

/// The game still goes on.
pub(super) fn running() -> ApiError {
    let message = "the game is still going on; this is only possible for finished games";
    ApiError::new(ErrorCode::GameRunning, message).field("game")
}
