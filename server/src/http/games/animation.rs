//! `GET /api/games/{id}/animation.gif`: a game, move by move.

use axum::{
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use qiguan_pictures::animation::{self, Position, RenderOptions};
use qiguan_protocol::{
    error::ApiError,
    ids::{GameId, Millis},
    limits,
    query::{AnimationQuery, Perspective},
};
use qiguan_rules::catalog;

use crate::{
    app::App,
    aside,
    drawings::{AnimationRequest, PictureRequest, Turn, Waits},
    http::{
        error::HttpError,
        extract::{Caller, Checked, Id},
        games::{
            finished,
            positions::{self, to_move},
        },
    },
};

/// So many plies are shown at most.
const PLIES: u32 = 400;
/// How long each position may stand, in milliseconds, and how long it does if nothing is said.
const SPEED: std::ops::RangeInclusive<u32> =
    limits::ANIMATION_SPEED_LEAST..=limits::ANIMATION_SPEED;
const DEFAULT_SPEED: u32 = 1_000;
/// What is drawn, and how: part of each picture's tag.
const VERSION: u32 = 4;

/// A game that is over as an animated picture.
#[utoipa::path(
    get, path = "/api/games/{id}/animation.gif", operation_id = "getGameAnimation", tag = "games",
    params(AnimationQuery),
    responses(
        (status = 200, description = "the picture", body = Vec<u8>, content_type = "image/gif"),
        (status = 304, description = "not modified"),
        (status = 409, description = "the game is still going on"),
        (status = 429, description = "too many pictures for this address"),
    )
)]
pub async fn game(
    State(app): State<App>,
    Id(game): Id<GameId>,
    Checked(which): Checked<AnimationQuery>,
    Caller(from): Caller,
    headers: HeaderMap,
) -> Result<Response, HttpError> {
    let speed = which.speed.unwrap_or(DEFAULT_SPEED);
    if !SPEED.contains(&speed) {
        let (least, most) = (SPEED.start(), SPEED.end());
        let message = format!("expected {least} to {most} ms for each position");
        return Err(HttpError(ApiError::bad_value("speed", message)));
    }
    let perspective = which.perspective.unwrap_or(Perspective::Referee);
    let wanted = AnimationRequest {
        game,
        from: which.from.map(|ply| ply.0),
        to: which.to.map(|ply| ply.0),
        speed,
        turned: which.turned.unwrap_or_default(),
        perspective,
    };
    // What is over does not change: neither does its picture.
    let tag = tag(&wanted);
    let kept = [
        (header::ETAG, tag.clone()),
        (header::CACHE_CONTROL, "public, max-age=86400".to_owned()),
    ];
    let has = headers.get_all(header::IF_NONE_MATCH).iter();
    let mut has = has.filter_map(|tags| tags.to_str().ok());
    if has.any(|tags| tags.contains(&tag)) {
        return Ok((StatusCode::NOT_MODIFIED, kept).into_response());
    }
    let kind = [(header::CONTENT_TYPE, "image/gif")];
    let drawings = &app.people.drawings;
    let request = PictureRequest::Animation(wanted.clone());
    let missing = match drawings.kept(&request).await {
        Ok(picture) => return Ok((kept, kind, picture).into_response()),
        Err(missing) => missing,
    };
    let turn = drawings
        .turn(from.address, app.services.clock.now())
        .await?;
    let picture = Bytes::from(draw(&app, &wanted, turn).await?);
    // If there is no room for it, it is drawn again for the next.
    let _ = missing.insert(picture.clone());
    Ok((kept, kind, picture).into_response())
}

/// The tag of a picture.
fn tag(wanted: &AnimationRequest) -> String {
    let ply = |ply: Option<u32>| ply.map_or_else(String::new, |ply| ply.to_string());
    let AnimationRequest {
        game,
        from,
        to,
        speed,
        turned,
        perspective,
    } = wanted;
    let (from, to) = (ply(*from), ply(*to));
    format!("\"{VERSION}-{game}-{from}-{to}-{speed}-{turned}-{perspective:?}\"")
}

/// Reads a game and draws it. Going away while that lasts ends it.
async fn draw(app: &App, wanted: &AnimationRequest, turn: Turn) -> Result<Vec<u8>, ApiError> {
    let game = wanted.game;
    let finished = finished::positions(app, game, positions::viewed(wanted.perspective)).await?;
    let (ruleset, positions) = (finished.ruleset, finished.positions);
    let last = u32::try_from(positions.len().saturating_sub(1)).unwrap_or(u32::MAX);
    let from = wanted.from.unwrap_or(0);
    let to = wanted.to.unwrap_or(last);
    if from > last {
        return Err(ApiError::bad_value(
            "from",
            format!("the game has {last} plies"),
        ));
    }
    if to > last || to < from {
        let message = format!("the game has {last} plies; to can't be before from");
        return Err(ApiError::bad_value("to", message));
    }
    if to - from > PLIES {
        let message = format!("at most {PLIES} plies can be shown at once");
        return Err(ApiError::bad_value("to", message));
    }
    let positions: Vec<_> = positions
        .into_iter()
        .map(|position| Position {
            last_move: position.text.and_then(|text| text.parse().ok()),
            check: position.check.then(|| to_move(&position.fen)),
            fen: position.fen,
        })
        .skip(from as usize)
        .take((to - from) as usize + 1)
        .collect();
    let look = RenderOptions {
        names: finished.names,
        each: Millis(i64::from(wanted.speed)),
        turned: wanted.turned,
    };
    let (waits, goes_on) = Waits::new();
    let drawn = aside::in_background(move || {
        // The turn ends when the drawing does, not when somebody goes away.
        let _turn = turn;
        let games = catalog::games();
        let kind = ruleset.split('/').next();
        let entry = games.iter().find(|game| Some(game.id) == kind);
        entry.map(|entry| animation::gif(entry, &ruleset, &positions, &look, goes_on))
    });
    let drawn = drawn.await;
    drop(waits);
    match drawn {
        Ok(Some(Ok(drawn))) => Ok(drawn),
        Ok(Some(Err(error))) => {
            tracing::error!(%game, %error, "could not draw a game");
            Err(ApiError::internal())
        }
        Ok(None) | Err(_) => Err(ApiError::internal()),
    }
}
