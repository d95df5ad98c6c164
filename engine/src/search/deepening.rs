//! Deeper and deeper: the moves of the position that was asked about.

use super::{
    Board, DECIDED, INFINITE, Line, MOST_PLIES, Search, Step, Teller, WIN, moves::reduced,
};

/// From this depth on a score is looked for near to that of the depth before.
const NEAR_DEPTH: u32 = 5;
/// How near at first.
const NEAR: i32 = 25;
/// Beyond this it is looked for everywhere.
const FAR: i32 = 500;

impl<B: Board> Search<'_, B> {
    /// The best moves among these legal ones, deeper and deeper; `each` receives every line that is searched to its end, with its number
    /// from 0 for the best. None if there is no move.
    ///
    /// At least the first depth is always searched to its end, so that there is a move if there is a legal one.
    pub(crate) fn best(
        &mut self,
        board: &B,
        legal: &[Step],
        wanted: usize,
        each: &mut Teller<'_, Line>,
    ) -> Vec<Line> {
        let mut order: Vec<(Step, i32)> = legal.iter().map(|step| (*step, 0)).collect();
        let wanted = wanted.min(order.len());
        let mut best: Vec<Line> = Vec::new();
        // The threads beside the first begin deeper by turns, so that they are not all at the same.
        for depth in 1 + self.thread as u32 % 2..=self.limits.depth.min(MOST_PLIES as u32) {
            self.depth = depth as usize;
            let mut lines = Vec::with_capacity(wanted);
            for number in 0..wanted {
                let before = best
                    .get(number)
                    .filter(|_| depth >= NEAR_DEPTH)
                    .map(|line| line.score);
                let left = order.get_mut(number..).unwrap_or_default();
                let Some(line) = self.within_window(board, left, depth, before) else {
                    break;
                };
                lines.push(line);
            }
            if lines.len() < wanted {
                // The best line of a depth counts even if those behind it are not known.
                if let Some(line) = lines.into_iter().next() {
                    best.retain(|other| other.moves.first() != line.moves.first());
                    best.insert(0, line);
                    best.truncate(wanted);
                }
                break;
            }
            // A later line may turn out better than one before it.
            lines.sort_by_key(|line| -line.score);
            best = lines;
            for (number, line) in best.iter().enumerate() {
                each(number, line, self.nodes());
            }
            let decided = best.first().is_none_or(|line| {
                line.score.abs() > DECIDED && WIN - line.score.abs() <= depth as i32
            });
            if decided && wanted < 2 || order.len() == 1 && depth > 4 {
                break;
            }
        }
        best
    }

    /// The best line of a depth; looked for near to the score of the depth before, and further away only if it is not there.
    fn within_window(
        &mut self,
        board: &B,
        order: &mut [(Step, i32)],
        depth: u32,
        before: Option<i32>,
    ) -> Option<Line> {
        let mut width = Self::margin(NEAR).max(1);
        let (mut alpha, mut beta) = before.map_or((-INFINITE, INFINITE), |score| {
            (score - width, score + width)
        });
        loop {
            let line = self.root(board, order, depth, alpha, beta)?;
            let (low, high) = (line.score <= alpha, line.score >= beta);
            if !(low || high) {
                return Some(line);
            }
            width *= 2;
            (alpha, beta) = if width > Self::margin(FAR) {
                (-INFINITE, INFINITE)
            } else if low {
                (line.score - width, beta)
            } else {
                (alpha, line.score + width)
            };
        }
    }

    /// Searches the legal moves; none if it was stopped, or no move is legal.
    fn root(
        &mut self,
        board: &B,
        order: &mut [(Step, i32)],
        depth: u32,
        mut alpha: i32,
        beta: i32,
    ) -> Option<Line> {
        let mut best: Option<(Step, i32)> = None;
        for (number, place) in order.iter_mut().enumerate() {
            let step = place.0;
            let full = number == 0;
            let unstoppable = depth == 1;
            let mut score = if full {
                self.after(board, step, depth, alpha, beta, unstoppable)?
            } else {
                let less = self.root_reduction(board, step, depth, number);
                let first = depth - less;
                let mut score = self.after(board, step, first, alpha, alpha + 1, unstoppable)?;
                if score > alpha && less > 0 {
                    score = self.after(board, step, depth, alpha, alpha + 1, unstoppable)?;
                }
                score
            };
            if !full && score > alpha && score < beta {
                score = self.after(board, step, depth, alpha, beta, unstoppable)?;
            }
            // What only failed to be better keeps its place behind what was tried before.
            place.1 = if full || score > alpha {
                score
            } else {
                -INFINITE
            };
            if best.is_none_or(|(_, best)| score > best) {
                best = Some((step, score));
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        let (step, score) = best?;
        if let Some(at) = order.iter().position(|(other, _)| *other == step) {
            order[..=at].rotate_right(1);
        }
        Some(Line {
            depth,
            score,
            moves: self.expected(board, step),
        })
    }

    /// By how much less deep a later move is searched at first.
    fn root_reduction(&self, board: &B, step: Step, depth: u32, number: usize) -> u32 {
        let is_calm = board.kind_at(step.to).is_none() && !self.path.in_check();
        if depth < 3 || number < 4 || !is_calm {
            return 0;
        }
        (reduced(depth as i32, number) - 1).clamp(0, depth as i32 - 2) as u32
    }

    /// The line that the table expects, from this move on.
    fn expected(&mut self, board: &B, first: Step) -> Vec<Step> {
        let mut line = vec![first];
        let mut at = *board;
        at.play(first);
        let mut seen = vec![board.key(), at.key()];
        let mut moves = Vec::new();
        while line.len() < 20 && !at.is_lost() {
            let Some(step) = self.table.step(at.key()) else {
                break;
            };
            moves.clear();
            at.moves(&self.laws, &mut moves);
            if !moves.contains(&step) {
                break;
            }
            at.play(step);
            if seen.contains(&at.key()) {
                break;
            }
            seen.push(at.key());
            line.push(step);
        }
        line
    }
}
