//! `GET /api/games/{id}/animation.gif`: a game, move by move.

use std::sync::Arc;

use axum::{
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::Millis,
    limits,
    query::{AnimationQuery, EyesWord},
};
use qiguan_rules::catalog;

use crate::{
    animation::{self, Look},
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Checked, Game},
        games::stored,
    },
    room::{
        audience::{Audience, Eyes},
        knock,
    },
};

/// So many plies are shown at most.
const PLIES: u32 = 400;
/// How long each position may stand, in milliseconds, and how long it does if nothing is said.
const SPEED: std::ops::RangeInclusive<u32> =
    limits::ANIMATION_SPEED_LEAST..=limits::ANIMATION_SPEED;
const DEFAULT_SPEED: u32 = 1_000;
/// What is drawn, and how: part of each picture's tag.
const VERSION: u32 = 1;

/// A game that is over as an animated picture.
#[utoipa::path(
    get, path = "/api/games/{id}/animation.gif", operation_id = "getGameAnimation", tag = "games",
    params(("id" = uuid::Uuid, Path, description = "the game"), AnimationQuery),
    responses(
        (status = 200, description = "the picture", body = Vec<u8>, content_type = "image/gif"),
        (status = 304, description = "the picture is the one that the client has"),
        (status = 400, description = "a field is not as it should be", body = ErrorBody),
        (status = 404, description = "no such game", body = ErrorBody),
        (status = 409, description = "the game still goes on", body = ErrorBody),
        (status = 503, description = "too many are being drawn; try again", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Game(game): Game,
    Checked(which): Checked<AnimationQuery>,
    headers: HeaderMap,
) -> Result<Response, HttpError> {
    let bad = |field: &'static str, message: String| {
        HttpError(ApiError::new(ErrorCode::BadValue, message).field(field))
    };
    let speed = which.speed.unwrap_or(DEFAULT_SPEED);
    if !SPEED.contains(&speed) {
        let (least, most) = (SPEED.start(), SPEED.end());
        return Err(bad(
            "speed",
            format!("a position stands {least} to {most} ms"),
        ));
    }
    let eyes = match which.through {
        Some(EyesWord::First) => Eyes::Of(Audience::Seat(qiguan_rules::Seat::First)),
        Some(EyesWord::Second) => Eyes::Of(Audience::Seat(qiguan_rules::Seat::Second)),
        Some(EyesWord::Spectators) => Eyes::Of(Audience::Spectators),
        None | Some(EyesWord::Referee) => Eyes::Referee,
    };
    let (ruleset, positions) = stored::positions(&app, game, eyes).await?;
    let last = u32::try_from(positions.len().saturating_sub(1)).unwrap_or(u32::MAX);
    let from = which.from.map_or(0, |ply| ply.0);
    let to = which.to.map_or(last, |ply| ply.0);
    if from > last {
        return Err(bad("from", format!("the game has {last} plies")));
    }
    if to > last || to < from {
        return Err(bad(
            "to",
            format!("the game has {last} plies; to is not before from"),
        ));
    }
    if to - from > PLIES {
        return Err(bad(
            "to",
            format!("at most {PLIES} plies are shown at once"),
        ));
    }
    let turned = which.turned.unwrap_or_default();
    // What is over does not change: neither does its picture.
    let through = which.through.unwrap_or(EyesWord::Referee);
    let tag = format!("\"{VERSION}-{game}-{from}-{to}-{speed}-{turned}-{through:?}\"");
    let kept = [
        (header::ETAG, tag.clone()),
        (header::CACHE_CONTROL, "public, max-age=86400".to_owned()),
    ];
    let has = headers.get_all(header::IF_NONE_MATCH).iter();
    let mut has = has.filter_map(|tags| tags.to_str().ok());
    if has.any(|tags| tags.contains(&tag)) {
        return Ok((StatusCode::NOT_MODIFIED, kept).into_response());
    }
    let Ok(turn) = Arc::clone(&app.people.drawings).try_acquire_owned() else {
        let message = "other games are being drawn; try again in a moment";
        return Err(HttpError(ApiError::new(ErrorCode::Busy, message)));
    };
    let kind = ruleset.split('/').next().map(str::to_owned);
    let fens: Vec<_> = positions
        .into_iter()
        .map(|position| position.fen)
        .skip(from as usize)
        .take((to - from) as usize + 1)
        .collect();
    let drawn = tokio::task::spawn_blocking(move || {
        let look = Look {
            each: Millis(i64::from(speed)),
            turned,
        };
        let games = catalog::games();
        let entry = games.iter().find(|game| Some(game.id) == kind.as_deref());
        let drawn = entry.map(|entry| animation::gif(entry, &fens, look));
        drop(turn);
        drawn
    });
    match drawn.await {
        Ok(Some(Ok(drawn))) => {
            let kind = [(header::CONTENT_TYPE, "image/gif")];
            Ok((kept, kind, drawn).into_response())
        }
        Ok(Some(Err(error))) => {
            tracing::error!(%game, %error, "a game could not be drawn");
            Err(HttpError(knock::internal()))
        }
        Ok(None) | Err(_) => Err(HttpError(knock::internal())),
    }
}
