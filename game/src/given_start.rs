//! Games that begin with a given position in place of the usual one. Pure.

use qiguan_protocol::error::ApiError;
use qiguan_rules::{Game, PositionError, RuleSet};

/// Why a game can't begin with a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GivenStartError {
    /// The players set up in secret.
    #[error("games of Luzhanqi begin with secret setups, not with a given position")]
    Hidden,
    /// It is no position that can come about.
    #[error("{0}")]
    Impossible(PositionError),
    /// Nobody could move.
    #[error("the game is over in this position")]
    Over,
}

impl From<GivenStartError> for ApiError {
    fn from(error: GivenStartError) -> Self {
        Self::bad_value("start", error.to_string())
    }
}

/// A position that a game of this rule set can begin with, as it is recorded: nothing is counted yet. None for the usual one.
///
/// # Errors
/// What is wrong with it.
pub fn recorded(ruleset: &RuleSet, fen: &str) -> Result<Option<String>, GivenStartError> {
    let usual = Game::start(ruleset);
    if !usual.hides_nothing() {
        return Err(GivenStartError::Hidden);
    }
    let placement = ruleset
        .placement(fen)
        .map_err(GivenStartError::Impossible)?;
    let fen = format!("{placement} - - 0 1");
    let game = Game::from_fen(ruleset, &fen).map_err(GivenStartError::Impossible)?;
    if game.outcome().is_some() {
        return Err(GivenStartError::Over);
    }
    Ok((game.fen() != usual.fen()).then_some(fen))
}

/// The game before its first move: from the position that is recorded, or as usual.
///
/// # Errors
/// When what is recorded is no position of this rule set.
pub fn begin(ruleset: &RuleSet, start: Option<&str>) -> Result<Game, PositionError> {
    start.map_or_else(
        || Ok(Game::start(ruleset)),
        |fen| Game::from_fen(ruleset, fen),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ruleset: &str, fen: &str) -> Result<Option<String>, GivenStartError> {
        recorded(&RuleSet::named(ruleset).unwrap(), fen)
    }

    #[test]
    fn a_position_is_recorded_without_what_was_counted_before() {
        let fen = "4k4/9/9/9/9/9/9/1R7/R8/3K5 b - - 31 40";
        let recorded = Ok(Some("4k4/9/9/9/9/9/9/1R7/R8/3K5 b - - 0 1".to_owned()));
        assert_eq!(of("xiangqi/standard", fen), recorded);
        // A text that breaks off after the side to move is a whole one.
        assert_eq!(of("xiangqi/standard", &fen[..fen.len() - 10]), recorded);
    }

    #[test]
    fn the_usual_position_is_no_given_one() {
        for id in ["xiangqi/standard", "doushouqi/booklet"] {
            let usual = Game::start(&RuleSet::named(id).unwrap()).fen();
            assert_eq!(of(id, &usual), Ok(None));
            let turned = usual.replace(" w ", " b ");
            assert!(matches!(of(id, &turned), Ok(Some(_))), "{id}");
        }
    }

    #[test]
    fn what_is_hidden_impossible_or_over_is_refused() {
        let booklet = "doushouqi/booklet";
        assert_eq!(
            of("luzhanqi/referee", "5/5 w - - 0 1"),
            Err(GivenStartError::Hidden)
        );
        assert_eq!(
            of(booklet, "7/3C3/7/7/7/7/7/7/7 w - - 0 1"),
            Err(GivenStartError::Over)
        );
        assert!(matches!(
            of(booklet, "7/7 w - - 0 1"),
            Err(GivenStartError::Impossible(PositionError::Ranks))
        ));
        // Red is in check, and it is Black's move.
        assert!(matches!(
            of("xiangqi/standard", "4k4/4R4/9/9/9/9/9/9/9/3K5 w - - 0 1"),
            Err(GivenStartError::Impossible(_))
        ));
    }
}
