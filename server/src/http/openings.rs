//! What was played in a position, and how the games ended.

use axum::{Json, extract::State};
use qiguan_game::position_key::{PLIES, PositionKey};
use qiguan_protocol::{
    error::ApiError,
    limits,
    opening::{Opening, OpeningMove, OpeningResults},
    query::OpeningQuery,
};
use qiguan_rules::{BySeat, Game, Move, RuleSet, Seat, Viewer, luzhanqi::Setup};
use qiguan_store::openings::Results;

use crate::{
    app::App,
    http::{error::Answered, extract::Checked, players::check_ruleset},
    lobby::shown,
    store_errors::FromRecords,
};

/// So many of the newest games are shown.
const NEWEST: u32 = 5;

/// The games that reached a position: how they ended, and what was played next.
#[utoipa::path(
    get, path = "/api/openings", operation_id = "getOpening", tag = "games", params(OpeningQuery),
    responses((status = 200, description = "the counts; all 0 for a position that no game reached", body = Opening))
)]
pub async fn get(
    State(app): State<App>,
    Checked(which): Checked<OpeningQuery>,
) -> Answered<Opening> {
    let (fen, moves) = (which.fen.as_deref(), which.moves.as_deref());
    limits::check_length("fen", fen.unwrap_or_default(), limits::POSITION_CHARACTERS)?;
    limits::check_length("moves", moves.unwrap_or_default(), limits::MOVES_CHARACTERS)?;
    let (ruleset, fen) = position(&which.ruleset, fen, moves)?;
    let bad = |error: qiguan_rules::PositionError| ApiError::bad_value("fen", error.to_string());
    let placement = ruleset.placement(&fen).map_err(bad)?;
    let key = PositionKey::of(&ruleset, &fen).map_err(bad)?;
    let opening = app.services.store.opening(key, NEWEST).await;
    let opening = opening.or_unreadable("an opening")?;
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

/// The position that a text is, or that moves from the start lead to; without either the start.
///
/// # Errors
/// `unknown_ruleset`; `bad_value` for an invalid position, and for moves that lead to none.
pub(super) fn position(
    ruleset: &str,
    fen: Option<&str>,
    moves: Option<&str>,
) -> Result<(RuleSet, String), ApiError> {
    let ruleset = check_ruleset(ruleset)?;
    let fen = match (fen, moves) {
        (Some(_), Some(_)) => {
            let message = "give the position by fen or by moves, not both";
            return Err(ApiError::bad_value("moves", message));
        }
        (Some(fen), None) => fen.to_owned(),
        (None, None) => start(&ruleset),
        (None, Some(moves)) => played(&ruleset, moves)?,
    };
    Ok((ruleset, fen))
}

/// Where games begin; in Luzhanqi as everybody sees it.
fn start(ruleset: &RuleSet) -> String {
    // From outside every setup looks the same.
    let some = |seat| Setup::random(seat, |_| 0);
    let setups = BySeat {
        first: some(Seat::First),
        second: some(Seat::Second),
    };
    let game = Game::set_up(ruleset, &setups).unwrap_or_else(|| Game::start(ruleset));
    game.view(Viewer::Spectator).fen
}

fn played(ruleset: &RuleSet, moves: &str) -> Result<String, ApiError> {
    let refused = |message: String| ApiError::bad_value("moves", message);
    let mut game = Game::start(ruleset);
    if !game.hides_nothing() {
        let message = "moves don't determine the position when pieces are hidden; give it as fen";
        return Err(refused(message.to_owned()));
    }
    for (text, ply) in moves.split(',').filter(|text| !text.is_empty()).zip(1..) {
        if ply > PLIES {
            return Err(refused(format!(
                "positions are only counted up to ply {PLIES}"
            )));
        }
        let mv: Move = text.parse().map_err(|_| {
            refused(format!(
                "move {ply} is {text:?}; expected squares such as a3a4, with commas between moves"
            ))
        })?;
        game.play(mv)
            .map_err(|error| refused(format!("move {ply}, {mv}: {error}")))?;
    }
    Ok(game.fen())
}
