//! What the preview of a puzzle shows.

use qiguan_pictures::{
    card::{Card, Words},
    diagram::Shown,
};
use qiguan_puzzles::Aim;
use qiguan_rules::Seat;

use super::texts::Locale;
use crate::http::{
    players,
    puzzles::{self, KnownPuzzle},
};

/// The picture of a puzzle: the position that is to be solved, from the solver's side.
pub fn card((ruleset_id, _, puzzle): KnownPuzzle) -> Option<Card> {
    let ruleset = players::check_ruleset(ruleset_id).ok()?;
    let first = puzzle.moves.get(..1)?;
    let game = puzzles::play(&ruleset, puzzle, first).ok()?;
    let judgement = puzzles::judgement(&game);
    let english = Locale::En;
    let title = match puzzle.aim {
        Aim::Win => "Find the move that wins",
        Aim::Save => "Find the move that saves the game",
    };
    Some(Card {
        ruleset: ruleset_id.to_owned(),
        fen: judgement.fen,
        shown: Shown {
            last_move: first.first().copied(),
            check: judgement.check.then(|| game.turn()),
            turned: game.turn() == Seat::Second,
            ..Shown::default()
        },
        words: Words::Heading {
            heading: title.to_owned(),
            lines: vec![english.ruleset_title(ruleset_id), "Qiguan".to_owned()],
        },
    })
}
