//! How far a review is, and what is told of it.

use qiguan_engine::review::accuracy;
use qiguan_protocol::{
    hint::Verdict,
    ids::{GameId, Ply},
    names::{BySeat, Seat},
    review::{MoveReview, Review, ReviewedMove, SideReview},
};
use qiguan_rules::{Game, Move};

use super::work::PositionReview;

/// A review under way.
#[derive(Clone, Debug)]
pub(super) struct Progress {
    game: GameId,
    /// The side that begins.
    first: Seat,
    moves: Vec<Move>,
    /// The chance in the earliest position that was looked at.
    chance: Option<u32>,
    /// What was found of the moves after that, the last first.
    found: Vec<ReviewedMove>,
    /// How many positions were looked at.
    positions: usize,
    /// Whether all is done.
    pub(super) is_complete: bool,
}

impl Progress {
    pub(super) const fn new(game: GameId, first: Seat, moves: Vec<Move>) -> Self {
        Self {
            game,
            first,
            moves,
            chance: None,
            found: Vec::new(),
            positions: 0,
            is_complete: false,
        }
    }

    /// How many moves are reviewed.
    pub(super) const fn reviewed(&self) -> usize {
        self.found.len()
    }

    /// Adds what was found of the position before those so far.
    pub(super) fn add(&mut self, position: PositionReview) {
        let after = std::mem::replace(&mut self.chance, position.chance);
        self.positions += 1;
        // The last position has no move.
        let Some(at) = self
            .moves
            .len()
            .checked_add(1)
            .and_then(|all| all.checked_sub(self.positions))
        else {
            return;
        };
        let Some(mv) = self.moves.get(at) else {
            return;
        };
        self.found.push(ReviewedMove {
            ply: Ply(at as u32 + 1),
            text: (*mv).into(),
            chance: after,
            judged: position.judged,
            open: position.open,
        });
    }

    /// What is told of it.
    pub(super) fn review(&self) -> Review {
        let is_at_start = self.positions > self.moves.len();
        Review {
            game: self.game,
            plies: Ply(self.moves.len() as u32),
            reviewed: self.found.len() as u32,
            complete: self.is_complete,
            start: self.chance.filter(|_| is_at_start),
            sides: sides(self.first, &self.found),
            moves: self.found.iter().rev().cloned().collect(),
        }
    }
}

/// Leaves out what is known of positions that stand in running games, and what leads there.
pub(super) fn withhold(
    review: &mut Review,
    mut game: Game,
    moves: &[Move],
    mut is_running: impl FnMut(&Game) -> bool,
) {
    let begins = game.turn().into();
    let first = review.plies.0.saturating_sub(review.reviewed) as usize;
    let mut before = is_running(&game);
    if before {
        review.start = None;
    }
    for (ply, mv) in moves.iter().enumerate() {
        let reviewed = ply
            .checked_sub(first)
            .and_then(|at| review.moves.get_mut(at));
        let leads_there = reviewed.as_ref().is_some_and(|reviewed| {
            let found = [&reviewed.judged, &reviewed.open];
            let mut found = found.into_iter().flatten();
            found.any(|found| leads_there(&game, found, &mut is_running))
        });
        let after = game.play_unchecked(*mv).is_some() && is_running(&game);
        if let Some(reviewed) = reviewed {
            if after {
                reviewed.chance = None;
            }
            if before || after || leads_there {
                (reviewed.judged, reviewed.open) = (None, None);
            }
        }
        before = after;
    }
    review.sides = sides(begins, &review.moves);
}

/// Whether what would have been better comes through such a position.
fn leads_there(
    before: &Game,
    found: &MoveReview,
    mut is_running: impl FnMut(&Game) -> bool,
) -> bool {
    let mut game = before.clone();
    let best = std::slice::from_ref(&found.best);
    let line = if found.line.is_empty() {
        best
    } else {
        &found.line
    };
    line.iter().any(|text| {
        let mv = text.as_str().parse().ok();
        mv.and_then(|mv| game.play_unchecked(mv)).is_some() && is_running(&game)
    })
}

/// How each side played: the one that begins has the odd plies.
fn sides(begins: Seat, moves: &[ReviewedMove]) -> BySeat<SideReview> {
    let of = |seat: Seat| {
        let odd = u32::from(seat == begins);
        let own = moves.iter().filter(|reviewed| reviewed.ply.0 % 2 == odd);
        let judged: Vec<_> = own
            .filter_map(|reviewed| Some((reviewed, reviewed.judged.as_ref()?)))
            .collect();
        let losses = judged
            .iter()
            .map(|(_, judged)| f64::from(judged.loss) / 1_000.0);
        let losses: Vec<f64> = losses.collect();
        let count = |holds: &dyn Fn(&ReviewedMove, &MoveReview) -> bool| {
            let such = judged
                .iter()
                .filter(|(reviewed, judged)| holds(reviewed, judged));
            such.count() as u32
        };
        let with = |verdict| count(&|_, judged| judged.verdict == verdict);
        let all: f64 = losses.iter().sum();
        SideReview {
            judged: judged.len() as u32,
            best: count(&|reviewed, judged| judged.best == reviewed.text),
            accuracy: accuracy(&losses).map(|share| (share * 1_000.0).round() as u32),
            average_loss: (!losses.is_empty())
                .then(|| (all * 1_000.0 / losses.len() as f64).round() as u32),
            inaccuracies: with(Verdict::Inaccuracy),
            mistakes: with(Verdict::Mistake),
            blunders: with(Verdict::Blunder),
        }
    };
    BySeat {
        first: of(Seat::First),
        second: of(Seat::Second),
    }
}
