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
    pub(super) const fn new(game: GameId, moves: Vec<Move>) -> Self {
        Self {
            game,
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
            sides: sides(&self.found),
            moves: self.found.iter().rev().cloned().collect(),
        }
    }
}

/// Leaves out what is known of positions that stand in running games.
pub(super) fn withhold(
    review: &mut Review,
    mut game: Game,
    moves: &[Move],
    is_running: impl Fn(&Game) -> bool,
) {
    let first = review.plies.0.saturating_sub(review.reviewed) as usize;
    let mut running = Vec::with_capacity(moves.len() + 1);
    running.push(is_running(&game));
    for mv in moves {
        running.push(game.play_recorded(*mv).is_ok() && is_running(&game));
    }
    if !running.contains(&true) {
        return;
    }
    let is_running = |plies: usize| running.get(plies).copied().unwrap_or(false);
    for (number, reviewed) in review.moves.iter_mut().enumerate() {
        let before = first + number;
        if is_running(before + 1) {
            reviewed.chance = None;
        }
        if is_running(before) || is_running(before + 1) {
            (reviewed.judged, reviewed.open) = (None, None);
        }
    }
    if is_running(0) {
        review.start = None;
    }
    review.sides = sides(&review.moves);
}

/// How each side played: the first seat has the odd plies.
fn sides(moves: &[ReviewedMove]) -> BySeat<SideReview> {
    let of = |seat: Seat| {
        let odd = u32::from(seat == Seat::First);
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
