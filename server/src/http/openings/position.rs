//! A position that is asked for, checked.

use qiguan_game::position_key::PLIES;
use qiguan_protocol::error::{ApiError, ErrorCode};
use qiguan_rules::{BySeat, Game, Move, RuleSet, Seat, Viewer, luzhanqi::Setup};

/// The position that a text is, or that moves from the start lead to; without either the start.
///
/// # Errors
/// `unknown_ruleset`, or `bad_value` for what is no position, or no way to one.
pub(in crate::http) fn position(
    ruleset: &str,
    fen: Option<&str>,
    moves: Option<&str>,
) -> Result<(RuleSet, String), ApiError> {
    let ruleset = RuleSet::named(ruleset).map_err(|_| {
        let message = "unknown rule set; GET /api/catalog lists them";
        ApiError::new(ErrorCode::UnknownRuleset, message).field("ruleset")
    })?;
    let fen = match (fen, moves) {
        (Some(_), Some(_)) => {
            let message = "give the position by fen or by moves, not both";
            return Err(ApiError::new(ErrorCode::BadValue, message).field("moves"));
        }
        (Some(fen), None) => fen.to_owned(),
        (None, None) => start(&ruleset),
        (None, Some(moves)) => played(&ruleset, moves)?,
    };
    Ok((ruleset, fen))
}

/// Where games begin; in Luzhanqi as everybody sees it.
fn start(ruleset: &RuleSet) -> String {
    // Whatever is set up, from outside it looks the same.
    let some = |seat| Setup::random(seat, |_| 0);
    let setups = BySeat {
        first: some(Seat::First),
        second: some(Seat::Second),
    };
    let game = Game::set_up(ruleset, &setups).unwrap_or_else(|| Game::start(ruleset));
    game.view(Viewer::Spectator).fen
}

fn played(ruleset: &RuleSet, moves: &str) -> Result<String, ApiError> {
    let refused = |message: String| ApiError::new(ErrorCode::BadValue, message).field("moves");
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
