//! Games that are over, read from the record itself: no room is opened for them.

use std::sync::Arc;

use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use qiguan_game::{
    audience::{
        self, Perspective,
        whole::{self, Whole},
    },
    event::{Body, Event},
    state::{Damaged, State as GameState},
    text::{telling, writing},
    validate::telling::verify as replay,
};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    exported::Verification,
    ids::GameId,
    query::{NotationWord, TextQuery},
    view::PositionAtPly,
};
use qiguan_rules::{BySeat, xiangqi::notation::Notation};
use qiguan_store::store::StoreError;

use crate::{
    app::App,
    aside,
    http::{
        error::{Answered, HttpError, json},
        extract::{Checked, Id},
        games::pieces,
    },
    store_errors::FromRecords,
};

/// A game that is over as text, in the manner of PGN: tags, moves with their times, the result.
#[utoipa::path(
    get, path = "/api/games/{id}/text", operation_id = "getGameText", tag = "games",
    params(TextQuery),
    responses(
        (status = 200, description = "the game", body = String, content_type = "text/plain"),
        (status = 409, description = "the game is still going on, or its record is damaged"),
    )
)]
pub async fn text(
    State(app): State<App>,
    Id(game): Id<GameId>,
    Checked(which): Checked<TextQuery>,
) -> Result<Response, HttpError> {
    let site = app.settings.public_url.as_ref().map(ToString::to_string);
    let notation = match which.notation {
        None | Some(NotationWord::Squares) => Notation::Squares,
        Some(NotationWord::Iccs) => Notation::Iccs,
        Some(NotationWord::Wxf) => Notation::Wxf,
        Some(NotationWord::Chinese) => Notation::Chinese,
    };
    let text = whole(&app, game, move |whole| {
        let text = telling::tell(&whole.view, &whole.events, notation, site.as_deref());
        writing::write(&text)
    });
    let body = pieces::kept(&app, text.await?.into())?;
    let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    Ok((kind, body).into_response())
}

/// Plays a game that is over again, and judges each event of it as strictly as the referee did: the moves by the rules, the
/// clocks, the end, and in Luzhanqi the setups that both were committed to.
#[utoipa::path(
    get, path = "/api/games/{id}/verify", operation_id = "verifyGame", tag = "games",
    responses(
        (status = 200, description = "the result of the check", body = Verification),
        (status = 409, description = "the game is still going on, or its record can't be read"),
    )
)]
pub async fn verify(State(app): State<App>, Id(game): Id<GameId>) -> Answered<Verification> {
    let Ok(turn) = Arc::clone(&app.people.replays).try_acquire_owned() else {
        let message = "other games are being verified; try again in a moment";
        return Err(HttpError(ApiError::new(ErrorCode::Busy, message)));
    };
    let events = events(&app, game).await?;
    let ends = |event: &Event| matches!(event.body, Body::Ended { .. });
    if !events.iter().any(ends) {
        return Err(HttpError(running()));
    }
    let judged = aside::in_background(move || {
        let judged = replay(game, events);
        drop(turn);
        judged
    });
    json(judged.await.map_err(|_| ApiError::internal()))
}

/// What a game that is over consists of.
///
/// # Errors
/// `not_found`, `game_running`, `parked` for a record that makes no sense, `internal`.
async fn events(app: &App, game: GameId) -> Result<Vec<Event>, ApiError> {
    let record = app.services.store.game(game).await;
    if let Err(StoreError::Corrupt { .. }) = record {
        return Err(ApiError::parked());
    }
    let record = record.or_unreadable("a game")?;
    Ok(record.ok_or_else(ApiError::no_such_game)?.events)
}

/// The spectators' view of a finished game.
///
/// # Errors
/// As [`events`].
pub(super) async fn whole<T: Send + 'static>(
    app: &App,
    game: GameId,
    make: impl FnOnce(Whole) -> T + Send + 'static,
) -> Result<T, ApiError> {
    // The record is read in turn, too: whole games take room.
    let turn = app.reads.turn().await;
    let events = events(app, game).await?;
    let made = turn.run(move || {
        let state = GameState::fold(game, events)?;
        Ok::<_, Damaged>(whole::whole(&state).map(make))
    });
    let made = made.await.ok_or_else(ApiError::internal)?;
    let made = made.map_err(|_| ApiError::parked())?;
    made.ok_or_else(running)
}

/// A game that is over, position by position.
pub(super) struct Finished {
    pub(super) ruleset: String,
    /// The names of the players.
    pub(super) names: BySeat<String>,
    pub(super) positions: Vec<PositionAtPly>,
}

/// A game that is over, and its positions as somebody knew them.
///
/// # Errors
/// As [`events`].
pub(super) async fn positions(
    app: &App,
    game: GameId,
    perspective: Perspective,
) -> Result<Finished, ApiError> {
    let turn = app.reads.turn().await;
    let events = events(app, game).await?;
    let folded = turn.run(move || {
        let state = GameState::fold(game, events)?;
        let positions = audience::positions_seen(&state, perspective)?;
        let names = state.players;
        let names = names.map(|player| player.map_or_else(String::new, |player| player.name));
        Ok::<_, Damaged>((state.created.ruleset, names, positions))
    });
    let folded = folded.await.ok_or_else(ApiError::internal)?;
    let (ruleset, names, positions) = folded.map_err(|_| ApiError::parked())?;
    let positions = positions.ok_or_else(running)?;
    Ok(Finished {
        ruleset,
        names,
        positions: positions.positions,
    })
}

/// The game still goes on.
fn running() -> ApiError {
    let message = "the game is still going on; this is only possible for finished games";
    ApiError::new(ErrorCode::GameRunning, message).field("game")
}
