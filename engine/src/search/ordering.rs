//! Which moves are tried first.

use super::{
    MOST_PLIES,
    board::{Board, Step},
};

/// Squares of the largest board.
const SQUARES: usize = 90;
/// Good captures stand before everything but the table's move.
const CAPTURE: i32 = 1 << 20;
/// No history grows beyond.
const MOST_HISTORY: i32 = 1 << 14;

/// What has proved good so far.
pub(super) struct Ordering {
    /// The last two quiet moves that refuted something, by ply.
    killers: [[Option<Step>; 2]; MOST_PLIES + 2],
    /// How well each quiet move has done, by seat and its squares.
    history: Vec<i32>,
    /// The quiet move that refuted each move, by seat and its squares.
    counters: Vec<Option<Step>>,
}

impl Default for Ordering {
    fn default() -> Self {
        Self {
            killers: [[None; 2]; MOST_PLIES + 2],
            history: vec![0; 2 * SQUARES * SQUARES],
            counters: vec![None; 2 * SQUARES * SQUARES],
        }
    }
}

const fn place(seat: usize, step: Step) -> usize {
    (seat * SQUARES + step.from as usize) * SQUARES + step.to as usize
}

impl Ordering {
    /// Each move with what speaks for it.
    pub(super) fn scored<B: Board>(
        &self,
        board: &B,
        laws: &B::Laws,
        steps: &[Step],
        known: Option<Step>,
        last: Option<Step>,
        ply: usize,
    ) -> Vec<(i32, Step)> {
        let seat = board.turn().index();
        let killers = self.killers.get(ply).copied().unwrap_or_default();
        let counter =
            last.and_then(|last| self.counters.get(place(1 - seat, last)).copied().flatten());
        let score = |step: Step| {
            if Some(step) == known {
                return CAPTURE * 8;
            }
            if let Some((taken, taker)) = board.exchange(step) {
                let base = if board.loses_material(laws, step) {
                    -CAPTURE
                } else {
                    CAPTURE
                };
                return base + taken * 16 - taker;
            }
            if killers[0] == Some(step) {
                CAPTURE / 2
            } else if killers[1] == Some(step) {
                CAPTURE / 4
            } else if counter == Some(step) {
                CAPTURE / 8
            } else {
                self.history.get(place(seat, step)).copied().unwrap_or(0)
            }
        };
        steps.iter().map(|step| (score(*step), *step)).collect()
    }

    /// How well a quiet move has done so far.
    pub(super) fn history_of<B: Board>(&self, board: &B, step: Step) -> i32 {
        let at = place(board.turn().index(), step);
        self.history.get(at).copied().unwrap_or(0)
    }

    /// A quiet move has refuted what came before, and those tried earlier have not.
    pub(super) fn refuted<B: Board>(
        &mut self,
        board: &B,
        step: Step,
        tried: &[Step],
        last: Option<Step>,
        ply: usize,
        depth: i32,
    ) {
        let seat = board.turn().index();
        if let Some(killers) = self.killers.get_mut(ply)
            && killers[0] != Some(step)
        {
            *killers = [Some(step), killers[0]];
        }
        if let Some(last) = last
            && let Some(counter) = self.counters.get_mut(place(1 - seat, last))
        {
            *counter = Some(step);
        }
        let bonus = (depth * depth * 16).min(1_600);
        self.credit(seat, step, bonus);
        for other in tried {
            self.credit(seat, *other, -bonus);
        }
    }

    fn credit(&mut self, seat: usize, step: Step, bonus: i32) {
        if let Some(history) = self.history.get_mut(place(seat, step)) {
            *history += bonus - *history * bonus.abs() / MOST_HISTORY;
        }
    }
}
