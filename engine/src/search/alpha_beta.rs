//! A position's score to a depth.

use super::{
    Board, DECIDED, MOST_PLIES, Repetition, Search, Step, WIN,
    path::NOWHERE,
    table::{Bound, Entry},
};

/// Up to this depth a position that is far too good is taken for what it looks like.
const STATIC_DEPTH: i32 = 3;
/// How far, for each ply.
const STATIC_MARGIN: i32 = 110;

impl<B: Board> Search<'_, B> {
    /// The score of a position for the side to move, at least `alpha` and at most `beta` where it is known more exactly.
    pub(super) fn score(
        &mut self,
        board: &B,
        alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
        may_pass: bool,
    ) -> i32 {
        if board.is_lost() {
            self.count();
            return -(WIN - ply as i32);
        }
        if self.path.is_quiet_limit() {
            self.count();
            return self.at_quiet_limit(board, ply);
        }
        if let Some(score) = self.ending_score(board, ply) {
            self.count();
            return score;
        }
        let in_check = board.in_check();
        let depth = depth + i32::from(in_check);
        if depth <= 0 || ply >= MOST_PLIES {
            return self.quiet_score(board, alpha, beta, ply, 0);
        }
        self.count();
        if self.stopped {
            return 0;
        }
        // No line is better than winning on the next ply, or worse than having lost on this one.
        let alpha = alpha.max(-(WIN - ply as i32));
        let beta = beta.min(WIN - ply as i32 - 1);
        if alpha >= beta {
            return alpha;
        }
        let key = board.key() ^ self.path.quiet_key();
        let known = self.table.get(key, ply as i32);
        if let Some(score) = known.and_then(|known| settled(&known, alpha, beta, depth)) {
            return score;
        }
        let is_main = beta - alpha > 1;
        let looks = if in_check || is_main {
            None
        } else {
            Some(self.path.faded(board.evaluate(&self.laws)))
        };
        if let Some(looks) = looks.filter(|_| beta.abs() < DECIDED) {
            if depth <= STATIC_DEPTH && looks - STATIC_MARGIN * depth >= beta {
                return looks;
            }
            if may_pass
                && depth >= 3
                && looks >= beta
                && self.passing_is_enough(board, beta, depth, ply)
            {
                return beta;
            }
        }
        let outer = std::mem::replace(&mut self.depends_on, NOWHERE);
        let found = self.best_of(
            board,
            alpha,
            beta,
            depth,
            ply,
            known.and_then(|known| known.step),
        );
        // A score that depends on positions before this one is not this position's own.
        let own = self.depends_on >= self.path.place();
        if !self.stopped {
            let bound = match found.score {
                _ if !own => Bound::Nothing,
                score if score >= beta => Bound::Lower,
                score if score <= alpha => Bound::Upper,
                _ => Bound::Exact,
            };
            let entry = Entry {
                step: found.step.or(known.and_then(|known| known.step)),
                score: found.score,
                depth: if own { depth } else { 0 },
                bound,
            };
            self.table.put(key, ply as i32, entry);
        }
        self.depends_on = if own {
            outer
        } else {
            outer.min(self.depends_on)
        };
        found.score
    }

    /// At the quiet limit the game is drawn, unless the side to move has no move.
    fn at_quiet_limit(&mut self, board: &B, ply: usize) -> i32 {
        self.depends_on = 0;
        let mut steps = Vec::new();
        board.moves(&self.laws, &mut steps);
        let can_move = steps.into_iter().any(|step| {
            let mut child = *board;
            let captured = child.play(step);
            let (becomes, _) = self.path.repetition(&self.laws, &child, step, captured);
            becomes != Repetition::Banned
        });
        if can_move { 0 } else { -(WIN - ply as i32) }
    }

    /// Whether the position is so good that not even moving would spoil it.
    fn passing_is_enough(&mut self, board: &B, beta: i32, depth: i32, ply: usize) -> bool {
        let Some(passed) = board.passed() else {
            return false;
        };
        let outer = std::mem::replace(&mut self.depends_on, NOWHERE);
        self.path.push_pass(&passed);
        let less = 3 + depth / 4;
        let score = -self.score(&passed, -beta, 1 - beta, depth - less, ply + 1, false);
        self.path.pop();
        self.depends_on = outer;
        !self.stopped && score >= beta && score < DECIDED
    }

    fn best_of(
        &mut self,
        board: &B,
        mut alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
        known: Option<Step>,
    ) -> NodeResult {
        let mut steps = Vec::with_capacity(64);
        board.moves(&self.laws, &mut steps);
        let last = self.path.last_step();
        let mut steps = self
            .ordering
            .scored(board, &self.laws, &steps, known, last, ply);
        let mut found = NodeResult {
            score: -(WIN - ply as i32),
            step: None,
        };
        let in_check = board.in_check();
        let mut tried: Vec<Step> = Vec::new();
        let mut legal = 0;
        for at in 0..steps.len() {
            let best = (at..steps.len())
                .max_by_key(|other| steps[*other].0)
                .unwrap_or(at);
            steps.swap(at, best);
            let (_, step) = steps[at];
            let mut child = *board;
            let captured = child.play(step);
            let (becomes, depends_on) = self.path.repetition(&self.laws, &child, step, captured);
            self.depends_on = self.depends_on.min(depends_on);
            if becomes == Repetition::Banned {
                continue;
            }
            legal += 1;
            let score = if becomes == Repetition::Draw {
                0
            } else {
                self.path.push(&child, step, captured);
                let calm = !captured && !in_check && !child.in_check();
                let less = if calm {
                    self.reduction(board, step, depth, legal)
                } else {
                    0
                };
                let score = self.child_score(&child, alpha, beta, depth, ply, legal == 1, less);
                self.path.pop();
                score
            };
            if self.stopped {
                return found;
            }
            if score > found.score || found.step.is_none() {
                found = NodeResult {
                    score: score.max(found.score),
                    step: Some(step),
                };
            }
            if score > alpha {
                alpha = score;
            }
            if alpha >= beta {
                if !captured {
                    self.ordering.refuted(board, step, &tried, last, ply, depth);
                }
                break;
            }
            if !captured {
                tried.push(step);
            }
        }
        found
    }

    /// Later moves are searched less deep at first.
    fn reduction(&self, board: &B, step: Step, depth: i32, number: i32) -> i32 {
        if depth < 3 || number < 4 {
            return 0;
        }
        let mut less = 1 + i32::from(number > 8) + i32::from(depth > 6 && number > 16);
        if self.ordering.history_of(board, step) > 2_000 {
            less -= 1;
        }
        less.clamp(0, depth - 2)
    }

    /// The first move with the whole window; the others have to show that they are better.
    #[expect(clippy::too_many_arguments, reason = "what a node hands to its child")]
    fn child_score(
        &mut self,
        child: &B,
        alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
        is_first: bool,
        less: i32,
    ) -> i32 {
        if is_first {
            return -self.score(child, -beta, -alpha, depth - 1, ply + 1, true);
        }
        let mut score = -self.score(child, -alpha - 1, -alpha, depth - 1 - less, ply + 1, true);
        if score > alpha && less > 0 {
            score = -self.score(child, -alpha - 1, -alpha, depth - 1, ply + 1, true);
        }
        if score > alpha && score < beta {
            score = -self.score(child, -beta, -alpha, depth - 1, ply + 1, true);
        }
        score
    }
}

/// The best move of a position; none if there is no move, which loses.
struct NodeResult {
    score: i32,
    step: Option<Step>,
}

/// The score that the table knows, if it settles the matter.
fn settled(known: &Entry, alpha: i32, beta: i32, depth: i32) -> Option<i32> {
    if known.depth < depth || beta - alpha > 1 {
        return None;
    }
    let settles = match known.bound {
        Bound::Nothing => false,
        Bound::Lower => known.score >= beta,
        Bound::Upper => known.score <= alpha,
        Bound::Exact => true,
    };
    settles.then_some(known.score)
}
