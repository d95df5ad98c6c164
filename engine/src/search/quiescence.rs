//! Captures are played out before a position is valued.

use super::{Board, INFINITE, MOST_PLIES, Search, WIN};

/// So deep into the captures a side in check looks at every move.
const CHECKED_PLIES: i32 = 3;
/// A capture that leaves the side so far behind is not tried.
const MARGIN: i32 = 150;

impl<B: Board> Search<'_, B> {
    /// The score of a position once nothing is left to take; `deep` counts the plies of captures before it.
    pub(super) fn quiet_score(
        &mut self,
        board: &B,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        deep: i32,
    ) -> i32 {
        self.count();
        if board.is_lost() {
            return -(WIN - ply as i32);
        }
        // Before captures are played out, `score` has looked.
        if deep > 0
            && let Some(score) = self.ending_score(board, ply)
        {
            return score;
        }
        if ply >= MOST_PLIES {
            return self.path.faded(board.evaluate(&self.laws));
        }
        let answers = deep < CHECKED_PLIES && board.in_check();
        let (mut best, stands) = if answers {
            (-(WIN - ply as i32), -INFINITE)
        } else {
            let stands = self.path.faded(board.evaluate(&self.laws));
            (stands, stands)
        };
        if best >= beta || self.stopped {
            return best;
        }
        alpha = alpha.max(best);
        let mut steps = Vec::new();
        if answers {
            board.moves(&self.laws, &mut steps);
        } else {
            board.captures(&self.laws, &mut steps);
        }
        let mut steps = self
            .ordering
            .scored(board, &self.laws, &steps, None, None, ply);
        steps.sort_unstable_by_key(|(score, _)| -score);
        for (_, step) in steps {
            if !answers && let Some((taken, _)) = board.exchange(step) {
                let hopeless = stands + taken + MARGIN <= alpha;
                if hopeless || board.loses_material(&self.laws, step) {
                    continue;
                }
            }
            let mut child = *board;
            let captured = child.play(step);
            self.path.push(&child, step, captured);
            let score = -self.quiet_score(&child, -beta, -alpha, ply + 1, deep + 1);
            self.path.pop();
            if score > best {
                best = score;
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
        }
        best
    }
}
