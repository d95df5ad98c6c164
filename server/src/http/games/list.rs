//! `GET /api/games`: lists of games.

use axum::{Json, extract::State};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::{GameId, Millis, PlayerId},
    limits,
    names::Status,
    view::GamePage,
};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

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

/// Which games, the newest first. All conditions hold together.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct Which {
    /// Games in this state.
    status: Option<Status>,
    /// Games of this player.
    player: Option<PlayerId>,
    /// Games of this rule set.
    ruleset: Option<String>,
    /// Games that ended so.
    result: Option<Outcome>,
    /// Games with this kind of clock.
    clock: Option<Clock>,
    /// Games opened at or after this server time.
    from: Option<Millis>,
    /// Games opened before this server time.
    until: Option<Millis>,
    /// Games older than this one: the `before` of the last page.
    before: Option<GameId>,
    /// How many, 1 to 100; absent: 50.
    limit: Option<u32>,
}

/// How a game ended.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    First,
    Second,
    Draw,
    Aborted,
}

/// A kind of clock.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Clock {
    Fischer,
    Byoyomi,
    PerMove,
    None,
}

/// Lists games. Games by link appear to their players alone.
#[utoipa::path(
    get, path = "/api/games", tag = "games", security((), ("token" = []), ("cookie" = [])),
    params(Which),
    responses(
        (status = 200, description = "a page of games", body = GamePage),
        (status = 400, description = "a field is not as it should be", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Checked(which): Checked<Which>,
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
            Outcome::First => ResultFilter::First,
            Outcome::Second => ResultFilter::Second,
            Outcome::Draw => ResultFilter::Draw,
            Outcome::Aborted => ResultFilter::Aborted,
        }),
        clock: which.clock.map(|clock| match clock {
            Clock::Fischer => ClockKind::Fischer,
            Clock::Byoyomi => ClockKind::Byoyomi,
            Clock::PerMove => ClockKind::PerMove,
            Clock::None => ClockKind::None,
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
