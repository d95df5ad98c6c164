//! A position's score to a depth.

use super::{
    Board, DECIDED, MOST_PLIES, Repetition, Search, Step, WIN,
    path::NOWHERE,
    table::{Bound, Entry},
};

/// Up to this depth a position that is far too good is taken for what it looks like.
const STATIC_DEPTH: i32 = 8;
/// How far, for each ply.
const STATIC_MARGIN: i32 = 80;
/// From this depth on a move that may be the only good one is searched deeper.
const SINGULAR_DEPTH: i32 = 8;

/// What is asked of a position: a score, and how exactly.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// What the side to move has already.
    pub(super) alpha: i32,
    /// What the enemy would not let it have.
    pub(super) beta: i32,
    pub(super) depth: i32,
    pub(super) ply: usize,
    /// Whether the first good move is expected to be too good.
    pub(super) is_cut: bool,
    /// Whether the side may pass.
    pub(super) may_pass: bool,
    /// The move that is left out, to see whether the others are as good.
    pub(super) without: Option<Step>,
}

impl Node {
    /// Whether more is asked than on which side of a bound the score lies.
    pub(super) const fn is_main(&self) -> bool {
        self.beta - self.alpha > 1
    }
}

/// What is seen of a position before its moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub(super) in_check: bool,
    pub(super) known: Option<Entry>,
    /// How good it looks; none in check.
    pub(super) looks: Option<i32>,
    /// Whether it looks better than before the side's last move.
    pub(super) improves: bool,
}

impl<B: Board> Search<'_, B> {
    /// The score of a position for the side to move, at least `alpha` and at most `beta` where it is known more exactly.
    pub(super) fn score(&mut self, board: &B, node: Node) -> i32 {
        let ply = node.ply;
        if let Some(score) = self.ended(board, ply) {
            self.count();
            return score;
        }
        let in_check = self.path.in_check();
        let mut node = node;
        node.depth += i32::from(in_check && node.without.is_none() && ply < 2 * self.depth);
        if node.depth <= 0 || ply >= MOST_PLIES {
            return self.quiet_score(board, node.alpha, node.beta, ply, 0);
        }
        self.count();
        if self.stopped {
            return 0;
        }
        // No line is better than winning on the next ply, or worse than having lost on this one.
        node.alpha = node.alpha.max(-(WIN - ply as i32));
        node.beta = node.beta.min(WIN - ply as i32 - 1);
        if node.alpha >= node.beta {
            return node.alpha;
        }
        let key = board.key() ^ self.path.quiet_key();
        let known = if node.without.is_some() {
            None
        } else {
            self.table.get(key, ply as i32)
        };
        let settled = known.and_then(|known| known.settles(node.alpha, node.beta, node.depth));
        if let Some(score) = settled {
            return score;
        }
        let own_looks = match known.and_then(|known| known.looks) {
            _ if in_check || node.without.is_some() => None,
            Some(looks) => Some(looks),
            None => Some(board.evaluate(&self.laws)),
        };
        let facts = if node.without.is_some() {
            Facts {
                in_check,
                known,
                looks: self.path.looks(),
                improves: true,
            }
        } else {
            let looks = own_looks.map(|looks| self.path.faded(looks));
            Facts {
                in_check,
                known,
                looks,
                improves: self.path.set_looks(looks),
            }
        };
        if let Some(score) = self.settled_by_looks(board, node, facts) {
            return score;
        }
        // Without a move to begin with, it is better to find one first.
        if node.depth >= 4
            && (node.is_main() || node.is_cut)
            && known.and_then(|known| known.step).is_none()
            && node.without.is_none()
        {
            node.depth -= 1;
        }
        let outer = std::mem::replace(&mut self.depends_on, NOWHERE);
        let found = self.best_of(board, node, facts);
        // A score that depends on positions before this one is not this position's own.
        let own = self.depends_on >= self.path.place();
        if !self.stopped && node.without.is_none() {
            let bound = match found.score {
                _ if !own => Bound::Nothing,
                score if score >= node.beta => Bound::Lower,
                score if score <= node.alpha => Bound::Upper,
                _ => Bound::Exact,
            };
            let entry = Entry {
                step: found.step.or(known.and_then(|known| known.step)),
                score: found.score,
                depth: if own { node.depth } else { 0 },
                bound,
                looks: own_looks,
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

    /// The score of a position in which the game has ended, or whose ending is known.
    fn ended(&mut self, board: &B, ply: usize) -> Option<i32> {
        if board.is_lost() {
            return Some(-(WIN - ply as i32));
        }
        if self.path.is_quiet_limit() {
            return Some(self.at_quiet_limit(board, ply));
        }
        self.ending_score(board, ply)
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

    /// The score of a position that looks so good or so bad that its moves need not be tried.
    fn settled_by_looks(&mut self, board: &B, node: Node, facts: Facts) -> Option<i32> {
        let looks = facts.looks?;
        let (beta, depth) = (node.beta, node.depth);
        if node.is_main() || node.without.is_some() || beta.abs() >= DECIDED {
            return None;
        }
        let better = facts
            .known
            .and_then(|known| known.corrects(looks))
            .unwrap_or(looks);
        if depth <= STATIC_DEPTH
            && better < DECIDED
            && !self.is_thorough
            && better - Self::margin(STATIC_MARGIN * (depth - i32::from(facts.improves))) >= beta
        {
            return Some(better);
        }
        if node.may_pass
            && depth >= 2
            && better >= beta
            && looks >= beta - Self::margin(30 * depth - 60)
        {
            return self.passing_is_enough(board, node, better);
        }
        None
    }

    /// The score of a position that is so good that not even moving would spoil it.
    fn passing_is_enough(&mut self, board: &B, node: Node, better: i32) -> Option<i32> {
        let passed = board.passed()?;
        let outer = std::mem::replace(&mut self.depends_on, NOWHERE);
        self.path.push_pass(&passed);
        let less = 3 + node.depth / 4 + ((better - node.beta) / Self::margin(200)).min(3);
        let score = -self.score(
            &passed,
            Node {
                alpha: -node.beta,
                beta: 1 - node.beta,
                depth: node.depth - less,
                ply: node.ply + 1,
                is_cut: !node.is_cut,
                may_pass: false,
                without: None,
            },
        );
        self.path.pop();
        self.depends_on = outer;
        if self.stopped || score < node.beta {
            return None;
        }
        // A win after passing proves no win.
        let score = if score >= DECIDED { node.beta } else { score };
        if node.depth < 10 {
            return Some(score);
        }
        // Far from the end of a line the threat of having to move is looked at.
        let checked = self.score(
            board,
            Node {
                depth: node.depth - less,
                may_pass: false,
                ..node
            },
        );
        (checked >= node.beta).then_some(score)
    }

    /// Whether every other move than the one that is known to be good is worse by far.
    pub(super) fn is_singular(&mut self, board: &B, node: Node, known: &Entry) -> bool {
        let least = known.score - Self::margin(2 * node.depth);
        let looks = self.path.looks();
        let outer = self.depends_on;
        let others = self.score(
            board,
            Node {
                alpha: least - 1,
                beta: least,
                depth: (node.depth - 1) / 2,
                may_pass: false,
                without: known.step,
                ..node
            },
        );
        self.path.set_looks(looks);
        self.depends_on = outer;
        !self.stopped && others < least
    }

    /// Whether it is worth to look whether the known move is the only good one.
    pub(super) fn may_be_singular(node: Node, facts: Facts) -> bool {
        node.depth >= SINGULAR_DEPTH
            && node.without.is_none()
            && facts.known.is_some_and(|known| {
                known.step.is_some()
                    && matches!(known.bound, Bound::Lower | Bound::Exact)
                    && known.depth >= node.depth - 3
                    && known.score.abs() < DECIDED
            })
    }
}
