//! Captures are played out before a position is valued.

use super::{
    Board, INFINITE, MOST_PLIES, Search, WIN,
    exchange::gains,
    ordering::Picked,
    table::{Bound, Entry},
};

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
        let first = alpha;
        let key = board.key() ^ self.path.quiet_key();
        let known = self.table.get(key, ply as i32);
        if let Some(score) = known.and_then(|known| known.settles(alpha, beta, 0)) {
            return score;
        }
        let answers = self.path.in_check() && deep < CHECKED_PLIES;
        let looks = if answers {
            None
        } else {
            let looks = known.and_then(|known| known.looks);
            Some(looks.unwrap_or_else(|| board.evaluate(&self.laws)))
        };
        let stands = looks.map_or(-INFINITE, |looks| self.path.faded(looks));
        let mut best = if answers { -(WIN - ply as i32) } else { stands };
        if best >= beta || self.stopped {
            return best;
        }
        alpha = alpha.max(best);
        let mut list = self.list_of(ply);
        match (answers, deep) {
            (true, _) => board.moves(&self.laws, &mut list.steps),
            (false, 0) => {
                board.captures(&self.laws, &mut list.steps);
                board.quiet_checks(&self.laws, &mut list.steps);
            }
            (false, _) => board.captures(&self.laws, &mut list.steps),
        }
        let before = self.path.before();
        self.ordering
            .rank(board, &mut list, step_of(known), before, ply);
        let mut good = None;
        while let Some((step, picked)) = list.next(board, &self.laws) {
            let is_check = !answers && board.kind_at(step.to).is_none() && !board.wins(step);
            if !(answers || board.wins(step)) {
                let most = stands + board.worth_at(step.to) + Self::margin(MARGIN);
                if most <= alpha && !is_check {
                    best = best.max(most);
                    continue;
                }
                if picked != Picked::Capture && !gains(board, &self.laws, step, 0) {
                    continue;
                }
            }
            let mut child = *board;
            let captured = child.play(step);
            let checks = child.in_check();
            if is_check && !checks {
                continue;
            }
            self.path.push(board, &child, step, captured, checks);
            let score = -self.quiet_score(&child, -beta, -alpha, ply + 1, deep + 1);
            self.path.pop();
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    good = Some(step);
                }
                if alpha >= beta {
                    break;
                }
            }
        }
        self.keep_list(ply, list);
        let found = Entry {
            step: good.or(step_of(known)),
            score: best,
            depth: 0,
            bound: match best {
                best if best >= beta => Bound::Lower,
                best if best <= first => Bound::Upper,
                _ => Bound::Exact,
            },
            looks,
        };
        if !self.stopped {
            self.table.put(key, ply as i32, found);
        }
        best
    }
}

fn step_of(known: Option<Entry>) -> Option<super::Step> {
    known?.step
}
