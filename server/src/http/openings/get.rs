//! `GET /api/openings`: what was played in a position, and what came of it.

use axum::{Json, extract::State};
use qiguan_game::position_key::PositionKey;
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    limits,
    opening::{Opening, OpeningMove, OpeningResults},
    query::OpeningQuery,
};
use qiguan_store::openings::Results;

use super::position;
use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::Checked,
    },
    lobby::shown,
};

/// So many of the newest games are shown.
const NEWEST: u32 = 5;

/// What games have made of a position: how they ended, and what was played next.
#[utoipa::path(
    get, path = "/api/openings", operation_id = "getOpening", tag = "games", params(OpeningQuery),
    responses(
        (status = 200, description = "the counts; all 0 for a position that no game reached", body = Opening),
        (status = 400, description = "there is no such rule set or position", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Checked(which): Checked<OpeningQuery>,
) -> Result<Json<Opening>, HttpError> {
    let (fen, moves) = (which.fen.as_deref(), which.moves.as_deref());
    limits::check_length("fen", fen.unwrap_or_default(), limits::POSITION_CHARACTERS)?;
    limits::check_length("moves", moves.unwrap_or_default(), limits::MOVES_CHARACTERS)?;
    let (ruleset, fen) = position(&which.ruleset, fen, moves)?;
    let bad = |error: qiguan_rules::PositionError| {
        HttpError(ApiError::new(ErrorCode::BadValue, error.to_string()).field("fen"))
    };
    let placement = ruleset.placement(&fen).map_err(bad)?;
    let key = PositionKey::of(&ruleset, &fen).map_err(bad)?;
    let opening = app.services().store.opening(key, NEWEST).await;
    let opening = opening.map_err(|error| {
        tracing::warn!(%error, "could not read an opening");
        HttpError(ApiError::from(&error))
    })?;
    let all = opening.moves.iter().map(|played| played.results);
    let moves = opening.moves.iter().filter_map(|played| {
        Some(OpeningMove {
            text: played.mv?,
            results: results(played.results),
        })
    });
    Ok(Json(Opening {
        ruleset: which.ruleset,
        position: placement,
        results: results(all.fold(Results::default(), Results::and)),
        moves: moves.collect(),
        newest: opening.newest.iter().map(shown::game).collect(),
    }))
}

fn results(results: Results) -> OpeningResults {
    OpeningResults {
        games: results.games(),
        first: results.first,
        draws: results.drawn,
        second: results.second,
        mean_rating: results.mean_rating(),
    }
}
