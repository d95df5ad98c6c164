//! The work of a review: a position after the other, from the last to the first.

use std::sync::{Arc, atomic::AtomicBool};

use qiguan_engine::{
    review::{Judged, Reviewer},
    tables::Endings,
};
use qiguan_game::state::State;
use qiguan_protocol::{hint::Verdict, move_text::MoveText, review::MoveReview};
use qiguan_rules::{Game, Move, Seat};

use super::hidden::HiddenReviewer;
use crate::computers::hints::thousandths;

/// So many moves of a better line are told.
const LINE: usize = 8;

/// What is left to do of a review.
pub(super) enum ReviewWork {
    /// A game in which nothing is hidden.
    Open(Box<Reviewer>),
    /// A game of Luzhanqi.
    Hidden(Box<HiddenReviewer>),
}

/// What was found of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PositionReview {
    /// The first seat's chance to win, in thousandths.
    pub(super) chance: Option<u32>,
    /// How good the move was that was played in it, by what its player could know.
    pub(super) judged: Option<MoveReview>,
    /// The same with open pieces, where pieces are hidden.
    pub(super) open: Option<MoveReview>,
}

impl ReviewWork {
    /// All of a game that is over; none for one whose setups are not open.
    pub(super) fn of(state: &State, endings: Arc<Endings>) -> Option<Self> {
        if !state.game.hides_nothing() {
            return HiddenReviewer::of(state).map(|reviewer| Self::Hidden(Box::new(reviewer)));
        }
        let reviewer = Reviewer::new(state.beginning(), moves_of(state), endings);
        Some(Self::Open(Box::new(reviewer)))
    }

    /// How many positions are still to be looked at.
    pub(super) const fn left(&self) -> usize {
        match self {
            Self::Open(reviewer) => reviewer.left(),
            Self::Hidden(reviewer) => reviewer.left(),
        }
    }

    /// Looks at the next position, unless it stands in a running game. None if it can't be reached.
    pub(super) fn look(&mut self, is_running: impl Fn(&Game) -> bool) -> Option<PositionReview> {
        let game = match self {
            Self::Open(reviewer) => reviewer.position(),
            Self::Hidden(reviewer) => reviewer.position(),
        }?;
        let is_running = is_running(&game);
        // A position takes a moment, and what is stored is to be the same on every machine.
        let go_on = AtomicBool::new(false);
        match self {
            Self::Open(reviewer) if is_running => reviewer.skip(),
            Self::Hidden(reviewer) if is_running => reviewer.skip(),
            Self::Open(reviewer) => {
                let found = reviewer.look(&game, &go_on)?;
                return Some(PositionReview {
                    chance: Some(of_first(game.turn(), found.chance)),
                    judged: found.judged.map(told),
                    open: None,
                });
            }
            Self::Hidden(reviewer) => return reviewer.look(&game, &go_on),
        }
        Some(PositionReview::default())
    }
}

/// The moves of a game.
pub(super) fn moves_of(state: &State) -> Vec<Move> {
    state.moves.iter().map(|played| played.mv).collect()
}

/// The first seat's chance, from that of the side to move.
pub(super) fn of_first(turn: Seat, chance: f64) -> u32 {
    thousandths(match turn {
        Seat::First => chance,
        Seat::Second => 1.0 - chance,
    })
}

/// What is told of a move.
pub(super) fn told(judged: Judged) -> MoveReview {
    let chance = thousandths(judged.chance);
    let loss = thousandths(judged.best_chance).saturating_sub(chance);
    let verdict = Verdict::of_loss(loss);
    let line: Vec<MoveText> = match verdict {
        Verdict::Good => Vec::new(),
        Verdict::Inaccuracy | Verdict::Mistake | Verdict::Blunder => {
            judged.line.into_iter().take(LINE).map(Into::into).collect()
        }
    };
    MoveReview {
        chance,
        loss,
        verdict,
        best: judged.best.into(),
        line,
    }
}
