//! `GET /api/games`: lists of games.

use axum::{Json, extract::State};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    limits,
    query::{ClockWord, GamesQuery, ResultWord},
    view::GamePage,
};

use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Checked, Visitor},
    },
    lobby::shown,
    room::knock,
    store::store::{ClockKind, GameFilter, ResultFilter},
};

/// Lists games. Games by link appear to their players alone.
#[utoipa::path(
    get, path = "/api/games", tag = "games", security((), ("token" = []), ("cookie" = [])),
    params(GamesQuery),
    responses(
        (status = 200, description = "a page of games", body = GamePage),
        (status = 400, description = "a field is not as it should be", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Checked(which): Checked<GamesQuery>,
    Visitor(player): Visitor,
) -> Result<Json<GamePage>, HttpError> {
    let limit = which.limit.unwrap_or(50);
    if !(1..=limits::PAGE_GAMES).contains(&limit) {
        let message = format!("limit is {limit}; allowed is 1 to {}", limits::PAGE_GAMES);
        return Err(HttpError(
            ApiError::new(ErrorCode::BadValue, message).field("limit"),
        ));
    }
    let filter = GameFilter {
        viewer: player.map(|player| player.id),
        status: which.status,
        player: which.player,
        ruleset: which.ruleset,
        result: which.result.map(|result| match result {
            ResultWord::First => ResultFilter::First,
            ResultWord::Second => ResultFilter::Second,
            ResultWord::Draw => ResultFilter::Draw,
            ResultWord::Aborted => ResultFilter::Aborted,
        }),
        clock: which.clock.map(|clock| match clock {
            ClockWord::Fischer => ClockKind::Fischer,
            ClockWord::Byoyomi => ClockKind::Byoyomi,
            ClockWord::PerMove => ClockKind::PerMove,
            ClockWord::None => ClockKind::None,
        }),
        created_from: which.from,
        created_until: which.until,
        before: which.before,
        limit,
    };
    let games = app.services().store.games(&filter).await.map_err(|error| {
        tracing::warn!(%error, "a list of games could not be read");
        HttpError(knock::internal())
    })?;
    let full = games.len() == limit as usize;
    let before = games.last().map(|last| last.game).filter(|_| full);
    Ok(Json(GamePage {
        games: games.iter().map(shown::game).collect(),
        before,
    }))
}
