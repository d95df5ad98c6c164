//! Which moves are tried first.

use super::{
    MOST_PLIES,
    board::{Board, KINDS, SQUARES, Step},
    exchange::gains,
};

/// Good captures stand before everything but the table's move.
const CAPTURE: i32 = 1 << 20;
/// No history grows beyond.
pub(super) const MOST_HISTORY: i32 = 1 << 14;
/// Ways in which a piece of one side can have moved.
const MOVED: usize = KINDS * SQUARES;

/// What has proved good so far.
pub(super) struct Ordering {
    /// The last two quiet moves that refuted something, by ply.
    killers: [[Option<Step>; 2]; MOST_PLIES + 2],
    /// The quiet move that refuted each move, by seat and its squares.
    counters: Vec<Option<Step>>,
    /// How well each quiet move has done, by seat and its squares.
    quiet: Vec<i16>,
    /// How well each capture has done, by seat, piece, square and what was taken.
    captures: Vec<i16>,
    /// How well each quiet move has done after the move before it, and after the one before that.
    after: [Vec<i16>; 2],
}

impl Default for Ordering {
    fn default() -> Self {
        Self {
            killers: [[None; 2]; MOST_PLIES + 2],
            counters: vec![None; 2 * SQUARES * SQUARES],
            quiet: vec![0; 2 * SQUARES * SQUARES],
            captures: vec![0; 2 * MOVED * KINDS],
            after: [vec![0; 2 * MOVED * MOVED], vec![0; 2 * MOVED * MOVED]],
        }
    }
}

/// A piece's kind and where it went, with its seat: where the histories of what follows begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moved(u16);

impl Moved {
    pub(super) fn of<B: Board>(board: &B, step: Step) -> Self {
        Self((board.turn().index() * MOVED + moved(board, step)) as u16)
    }
}

/// What was played before a position.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Before {
    /// The last move.
    pub(super) step: Option<Step>,
    /// The last move and the one before it.
    pub(super) moved: [Option<Moved>; 2],
}

/// The moves of a position, picked one after the other.
#[derive(Default)]
pub(super) struct MoveList {
    pub(super) steps: Vec<Step>,
    scores: Vec<i32>,
    at: usize,
}

/// What kind of move was picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Picked {
    /// The table's move, or one that wins.
    Known,
    /// A capture that loses nothing.
    Capture,
    /// A move that takes nothing.
    Quiet,
    /// A capture that loses material.
    BadCapture,
}

impl MoveList {
    pub(super) fn clear(&mut self) {
        self.steps.clear();
        self.scores.clear();
        self.at = 0;
    }

    /// The best of the moves that are left.
    pub(super) fn next<B: Board>(&mut self, board: &B, laws: &B::Laws) -> Option<(Step, Picked)> {
        loop {
            let at = self.at;
            let left = self.scores.get(at..)?;
            let mut best = 0;
            let mut most = *left.first()?;
            for (place, score) in left.iter().enumerate().skip(1) {
                if *score > most {
                    (best, most) = (place, *score);
                }
            }
            self.scores.swap(at, at + best);
            self.steps.swap(at, at + best);
            let step = self.steps[at];
            if most >= CAPTURE * 4 {
                self.at += 1;
                return Some((step, Picked::Known));
            }
            if most >= CAPTURE {
                // Whether it loses material is found out only now that it is wanted.
                if !gains(board, laws, step, 0) {
                    self.scores[at] = most - 4 * CAPTURE;
                    continue;
                }
                self.at += 1;
                return Some((step, Picked::Capture));
            }
            self.at += 1;
            let picked = if most < -CAPTURE {
                Picked::BadCapture
            } else {
                Picked::Quiet
            };
            return Some((step, picked));
        }
    }
}

const fn place(seat: usize, step: Step) -> usize {
    (seat * SQUARES + step.from as usize) * SQUARES + step.to as usize
}

fn moved<B: Board>(board: &B, step: Step) -> usize {
    board.kind_at(step.from).unwrap_or(0) * SQUARES + step.to as usize
}

fn capture_place<B: Board>(board: &B, step: Step, taken: usize) -> usize {
    (board.turn().index() * MOVED + moved(board, step)) * KINDS + taken
}

impl Ordering {
    /// Says of each move of the list what speaks for it.
    pub(super) fn rank<B: Board>(
        &self,
        board: &B,
        list: &mut MoveList,
        known: Option<Step>,
        before: Before,
        ply: usize,
    ) {
        let seat = board.turn().index();
        let killers = self.killers.get(ply).copied().unwrap_or_default();
        let counter = before
            .step
            .and_then(|last| self.counters.get(place(1 - seat, last)).copied().flatten());
        let score = |step: Step| {
            if Some(step) == known || board.wins(step) {
                return CAPTURE * 8;
            }
            if let Some(taken) = board.kind_at(step.to) {
                let worth = board.worth_at(step.to) * 16 - board.worth_at(step.from) / 4;
                return CAPTURE * 2 + worth + self.capture_history(board, step, taken) / 4;
            }
            if killers[0] == Some(step) {
                CAPTURE / 2
            } else if killers[1] == Some(step) {
                CAPTURE / 4
            } else if counter == Some(step) {
                CAPTURE / 8
            } else {
                self.history(board, step, before)
            }
        };
        list.scores.clear();
        list.scores
            .extend(list.steps.iter().map(|step| score(*step)));
    }

    fn capture_history<B: Board>(&self, board: &B, step: Step, taken: usize) -> i32 {
        let at = capture_place(board, step, taken);
        self.captures.get(at).copied().unwrap_or(0).into()
    }

    /// How well a quiet move has done so far, everywhere and after what was played before.
    pub(super) fn history<B: Board>(&self, board: &B, step: Step, before: Before) -> i32 {
        let at = place(board.turn().index(), step);
        let everywhere = i32::from(self.quiet.get(at).copied().unwrap_or(0));
        let moved = moved(board, step);
        let after = before.moved.iter().zip(&self.after).map(|(last, table)| {
            let place = last.map(|last| usize::from(last.0) * MOVED + moved);
            i32::from(
                place
                    .and_then(|place| table.get(place))
                    .copied()
                    .unwrap_or(0),
            )
        });
        everywhere + after.sum::<i32>()
    }

    /// A move has refuted what came before, and those tried earlier have not.
    pub(super) fn refuted<B: Board>(
        &mut self,
        board: &B,
        step: Step,
        tried: &[Step],
        before: Before,
        ply: usize,
        depth: i32,
    ) {
        let seat = board.turn().index();
        let bonus = (depth * depth * 16 + depth * 32).min(1_600);
        let is_quiet = board.kind_at(step.to).is_none();
        if is_quiet {
            if let Some(killers) = self.killers.get_mut(ply)
                && killers[0] != Some(step)
            {
                *killers = [Some(step), killers[0]];
            }
            if let Some(last) = before.step
                && let Some(counter) = self.counters.get_mut(place(1 - seat, last))
            {
                *counter = Some(step);
            }
        }
        self.credit(board, step, before, bonus);
        for other in tried {
            // Against a capture that refutes, quiet moves that did not are nothing to go by.
            if is_quiet || board.kind_at(other.to).is_some() {
                self.credit(board, *other, before, -bonus);
            }
        }
    }

    fn credit<B: Board>(&mut self, board: &B, step: Step, before: Before, bonus: i32) {
        if let Some(taken) = board.kind_at(step.to) {
            let at = capture_place(board, step, taken);
            grow(self.captures.get_mut(at), bonus);
            return;
        }
        let at = place(board.turn().index(), step);
        grow(self.quiet.get_mut(at), bonus);
        let moved = moved(board, step);
        for (last, table) in before.moved.iter().zip(&mut self.after) {
            if let Some(last) = last {
                grow(table.get_mut(usize::from(last.0) * MOVED + moved), bonus);
            }
        }
    }
}

/// Adds to a history, the less the further it has gone already.
fn grow(history: Option<&mut i16>, bonus: i32) {
    if let Some(history) = history {
        let now = i32::from(*history);
        *history = (now + bonus - now * bonus.abs() / MOST_HISTORY) as i16;
    }
}
