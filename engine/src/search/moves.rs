//! The moves of a position one after the other: which are searched, and how deep.

use std::sync::LazyLock;

use super::{
    Board, DECIDED, Repetition, Search, Step, WIN,
    alpha_beta::{Facts, Node},
    exchange::gains,
    ordering::{Before, MOST_HISTORY, Picked},
};

/// Up to this depth moves are left out that are not likely to matter.
const PRUNED_DEPTH: i32 = 8;
/// By how much a quiet move may improve what a position looks like, for each ply and besides.
const QUIET_GAIN: (i32, i32) = (80, 110);
/// What a move may lose in exchanges, for each ply: one that takes nothing, and one that does.
const MAY_LOSE: (i32, i32) = (30, 100);

/// By how many plies later moves are searched less deep at first: by depth and by the move's number.
static REDUCTIONS: LazyLock<[[i8; 64]; 64]> = LazyLock::new(|| {
    let less = |depth: usize, number: usize| {
        let (depth, number) = (depth.max(1) as f64, number.max(1) as f64);
        (0.4 + depth.ln() * number.ln() / 1.9) as i8
    };
    std::array::from_fn(|depth| std::array::from_fn(|number| less(depth, number)))
});

/// The best move of a position; none if there is no move, which loses.
pub(super) struct NodeResult {
    pub(super) score: i32,
    pub(super) step: Option<Step>,
}

/// A move that is about to be searched.
#[derive(Clone, Copy)]
struct Candidate {
    step: Step,
    picked: Picked,
    captured: bool,
    /// Whether it checks.
    checks: bool,
    /// Its place among the legal moves that are searched, from 1.
    number: usize,
}

impl<B: Board> Search<'_, B> {
    /// The best of a position's moves.
    pub(super) fn best_of(&mut self, board: &B, node: Node, facts: Facts) -> NodeResult {
        let mut alpha = node.alpha;
        let mut list = self.list_of(node.ply);
        board.moves(&self.laws, &mut list.steps);
        let before = self.path.before();
        let known = facts.known.and_then(|known| known.step);
        self.ordering
            .rank(board, &mut list, known, before, node.ply);
        let mut found = NodeResult {
            score: -(WIN - node.ply as i32),
            step: None,
        };
        let mut tried = std::mem::take(&mut self.tried[node.ply]);
        tried.clear();
        let mut number = 0;
        while let Some((step, picked)) = list.next(board, &self.laws) {
            if Some(step) == node.without {
                continue;
            }
            let is_settled = found.score > -DECIDED && !self.is_thorough;
            if is_settled && picked == Picked::Quiet && is_late(node, facts, number) {
                continue;
            }
            let mut child = *board;
            let captured = child.play(step);
            let (becomes, depends_on) = self.path.repetition(&self.laws, &child, step, captured);
            self.depends_on = self.depends_on.min(depends_on);
            if becomes == Repetition::Banned {
                continue;
            }
            number += 1;
            let candidate = Candidate {
                step,
                picked,
                captured,
                checks: child.in_check(),
                number,
            };
            if is_settled && self.is_hopeless(board, node, facts, candidate, before) {
                continue;
            }
            let score = if becomes == Repetition::Draw {
                0
            } else {
                let further = i32::from(
                    Some(step) == known
                        && Self::may_be_singular(node, facts)
                        && facts
                            .known
                            .is_some_and(|known| self.is_singular(board, node, &known)),
                );
                let less = self.reduction(board, node, facts, candidate, before);
                self.path
                    .push(board, &child, step, captured, candidate.checks);
                let node = Node { alpha, ..node };
                let score = self.child_score(&child, node, number == 1, further, less);
                self.path.pop();
                score
            };
            if self.stopped {
                break;
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
            if alpha >= node.beta {
                self.ordering
                    .refuted(board, step, &tried, before, node.ply, node.depth);
                break;
            }
            tried.push(step);
        }
        self.keep_list(node.ply, list);
        self.tried[node.ply] = tried;
        if found.step.is_none() && node.without.is_some() {
            found.score = node.alpha;
        }
        found
    }

    /// Whether a move is not likely to matter so near to the end of a line.
    fn is_hopeless(
        &self,
        board: &B,
        node: Node,
        facts: Facts,
        candidate: Candidate,
        before: Before,
    ) -> bool {
        let step = candidate.step;
        if node.is_main()
            || facts.in_check
            || candidate.checks
            || node.depth > PRUNED_DEPTH
            || candidate.picked == Picked::Known
        {
            return false;
        }
        if candidate.captured {
            return candidate.picked == Picked::BadCapture
                && !gains(
                    board,
                    &self.laws,
                    step,
                    -Self::margin(MAY_LOSE.1 * node.depth),
                );
        }
        let less = reduced(node.depth, candidate.number);
        let depth = (node.depth - less).max(0);
        let history = self.ordering.history(board, step, before);
        if depth <= 3 && history < -4_000 * depth - 2_000 {
            return true;
        }
        let looks_bad = facts.looks.is_some_and(|looks| {
            looks + Self::margin(QUIET_GAIN.0 * depth + QUIET_GAIN.1) <= node.alpha
        });
        depth <= 6 && looks_bad
            || !gains(
                board,
                &self.laws,
                step,
                -Self::margin(MAY_LOSE.0 * depth * (1 + depth)),
            )
    }

    /// By how much less deep a move is searched at first.
    fn reduction(
        &self,
        board: &B,
        node: Node,
        facts: Facts,
        candidate: Candidate,
        before: Before,
    ) -> i32 {
        let is_calm =
            !candidate.captured || candidate.picked == Picked::BadCapture && candidate.number > 3;
        if node.depth < 3
            || candidate.number < 2 + usize::from(node.is_main()) * 2
            || !is_calm
            || facts.in_check
        {
            return 0;
        }
        let mut less = reduced(node.depth, candidate.number);
        less += i32::from(!facts.improves) + i32::from(node.is_cut);
        less -= i32::from(node.is_main()) + i32::from(candidate.checks);
        if !candidate.captured {
            less -= self.ordering.history(board, candidate.step, before) / MOST_HISTORY;
        }
        less.clamp(0, node.depth - 2)
    }

    /// The first move with the whole window; the others have to show that they are better.
    pub(super) fn child_score(
        &mut self,
        child: &B,
        node: Node,
        is_first: bool,
        further: i32,
        less: i32,
    ) -> i32 {
        let depth = node.depth - 1 + further;
        let whole = Node {
            alpha: -node.beta,
            beta: -node.alpha,
            depth,
            ply: node.ply + 1,
            is_cut: !node.is_main() && !node.is_cut,
            may_pass: true,
            without: None,
        };
        if is_first {
            return -self.score(child, whole);
        }
        let narrow = Node {
            alpha: -node.alpha - 1,
            is_cut: true,
            ..whole
        };
        let mut score = -self.score(
            child,
            Node {
                depth: depth - less,
                ..narrow
            },
        );
        if score > node.alpha && less > 0 {
            let is_cut = !node.is_cut;
            score = -self.score(child, Node { is_cut, ..narrow });
        }
        if score > node.alpha && score < node.beta {
            score = -self.score(child, whole);
        }
        score
    }
}

/// Whether enough quiet moves have been tried so near to the end of a line.
fn is_late(node: Node, facts: Facts, tried: usize) -> bool {
    let most = (4 + node.depth * node.depth) / (2 - i32::from(facts.improves));
    !node.is_main() && !facts.in_check && node.depth <= PRUNED_DEPTH && tried as i32 >= most
}

/// See [`REDUCTIONS`].
pub(super) fn reduced(depth: i32, number: usize) -> i32 {
    REDUCTIONS[depth.clamp(0, 63) as usize][number.min(63)].into()
}
