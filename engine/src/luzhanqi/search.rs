//! A search over what the seat knows: every meeting is a matter of chance, and the enemy attacks only with pieces that win by it.
//!
//! The enemy knows what its pieces are, so of an attack by an unknown piece only the ends that it would want count; otherwise it does
//! the best else that it can. What one's own pieces are it is taken to know too: that makes the player careful, not wrong.

use std::sync::atomic::{AtomicBool, Ordering};

use qiguan_rules::luzhanqi::{Piece, board::POINTS};

use crate::luzhanqi::{
    board::{Left, Node, Odds, SearchContext, Step},
    evaluation::{WIN, value},
};

/// How far attacks are played out after the last full ply.
const QUIET_DEPTH: u32 = 3;
/// How many moves to empty points are looked at inside the search, the most promising first.
const OTHERS: usize = 12;
/// An end that is less likely than this is not looked at.
const UNLIKELY: f32 = 0.004;

/// A search under way.
pub(super) struct Search<'a> {
    pub(super) known: &'a SearchContext,
    pub(super) nodes: u64,
    limit: u64,
    stop: &'a AtomicBool,
    stopped: bool,
}

impl<'a> Search<'a> {
    pub(super) const fn new(known: &'a SearchContext, limit: u64, stop: &'a AtomicBool) -> Self {
        Self {
            known,
            nodes: 0,
            limit,
            stop,
            stopped: false,
        }
    }

    /// Whether it has run out of nodes or was stopped. What it answers from then on means nothing.
    pub(super) const fn is_over(&self) -> bool {
        self.stopped
    }

    fn count(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.limit
            || (self.nodes.is_multiple_of(256) && self.stop.load(Ordering::Relaxed))
        {
            self.stopped = true;
        }
    }

    /// What a move of the seat is worth, searched so many plies after it.
    pub(super) fn after_own(
        &mut self,
        node: &Node,
        step: Step,
        depth: u32,
        ply: u32,
        window: (f32, f32),
    ) -> f32 {
        let Some(own) = node.own_at(step.from) else {
            return -WIN;
        };
        let Some(enemy) = node.enemy_at(step.to) else {
            let after = self.known.own_moved(node, step);
            return self.enemy_node(&after, depth, QUIET_DEPTH, ply + 1, window);
        };
        self.meeting(node, step, (own, enemy), depth, QUIET_DEPTH, ply)
    }

    fn meeting(
        &mut self,
        node: &Node,
        step: Step,
        (own, enemy): (usize, usize),
        depth: u32,
        quiet: u32,
        ply: u32,
    ) -> f32 {
        let odds = self.known.odds(node, own, enemy, true);
        let mut worth = odds.flag * (WIN - ply as f32);
        for (chance, left, kinds) in ends(&odds) {
            if chance < UNLIKELY {
                // Its share counts as nothing gained or lost.
                worth += chance * node.score;
                continue;
            }
            let after = self
                .known
                .met(node, own, enemy, (step.from, step.to), left, kinds);
            let open = (f32::NEG_INFINITY, f32::INFINITY);
            worth += chance * self.enemy_node(&after, depth, quiet, ply + 1, open);
        }
        worth
    }

    /// The enemy is to move.
    fn enemy_node(
        &mut self,
        node: &Node,
        depth: u32,
        quiet: u32,
        ply: u32,
        (alpha, mut beta): (f32, f32),
    ) -> f32 {
        self.count();
        if self.stopped {
            return node.score;
        }
        let mut steps = Vec::with_capacity(if depth > 0 { 64 } else { 8 });
        self.known.enemy_steps(node, depth == 0, &mut steps);
        let (attacks, mut others): (Vec<Step>, Vec<Step>) = steps
            .iter()
            .partition(|step| node.own_at(step.to).is_some());
        let mut otherwise = node.score;
        if depth > 0 && !others.is_empty() {
            let threats = self.threats_to_enemy(node);
            for step in &mut others {
                step.order += threats[usize::from(step.from)];
            }
            others.sort_by(|one, other| other.order.total_cmp(&one.order));
            others.truncate(OTHERS);
            otherwise = f32::INFINITY;
            for step in others {
                let Some(enemy) = node.enemy_at(step.from) else {
                    continue;
                };
                let after = self.known.enemy_moved(node, enemy, step);
                let worth = self.own_node(&after, depth - 1, quiet, ply + 1, (alpha, beta));
                otherwise = otherwise.min(worth);
                beta = beta.min(worth);
                if otherwise <= alpha || self.stopped {
                    return otherwise;
                }
            }
        }
        let mut least = otherwise;
        for step in attacks {
            let (Some(own), Some(enemy)) = (node.own_at(step.to), node.enemy_at(step.from)) else {
                continue;
            };
            let worth = self.attacked(node, step, (own, enemy), otherwise, depth, quiet, ply);
            least = least.min(worth);
            if least <= alpha || self.stopped {
                break;
            }
        }
        least
    }

    /// What it comes to that an enemy piece may attack, when the enemy has `otherwise` too.
    #[expect(
        clippy::too_many_arguments,
        reason = "they are the state of the recursion, each of another kind"
    )]
    fn attacked(
        &mut self,
        node: &Node,
        step: Step,
        (own, enemy): (usize, usize),
        otherwise: f32,
        depth: u32,
        quiet: u32,
        ply: u32,
    ) -> f32 {
        if self.known.own[own] == Piece::Flag {
            let moves = self.known.chance(node, enemy, self.known.movable);
            let lost = ply as f32 - WIN;
            return moves * lost + (1.0 - moves) * otherwise;
        }
        let odds = self.known.odds(node, own, enemy, false);
        let mut worth = otherwise;
        for (chance, left, kinds) in ends(&odds) {
            if chance < UNLIKELY || left == Left::Own {
                continue;
            }
            let after = self
                .known
                .met(node, own, enemy, (step.from, step.to), left, kinds);
            let open = (f32::NEG_INFINITY, f32::INFINITY);
            let then = if depth > 0 {
                self.own_node(&after, depth - 1, quiet, ply + 1, open)
            } else {
                self.own_node(&after, 0, quiet.saturating_sub(1), ply + 1, open)
            };
            worth += chance * (then - otherwise).min(0.0);
        }
        worth
    }

    /// What the seat's attacks win at once, by the attacked point.
    fn threats_to_enemy(&self, node: &Node) -> [f32; POINTS] {
        let mut threats = [0.0; POINTS];
        let mut steps = Vec::with_capacity(16);
        self.known.own_steps(node, true, &mut steps);
        for step in steps {
            let threat = &mut threats[usize::from(step.to)];
            *threat = f32::max(*threat, step.order - 20.0);
        }
        threats
    }

    /// What the enemy's attacks win at once, by the attacked point.
    fn threats_to_own(&self, node: &Node) -> [f32; POINTS] {
        let mut threats = [0.0; POINTS];
        let mut steps = Vec::with_capacity(16);
        self.known.enemy_steps(node, true, &mut steps);
        for step in steps {
            if let (Some(own), Some(enemy)) = (node.own_at(step.to), node.enemy_at(step.from)) {
                let odds = self.known.odds(node, own, enemy, false);
                let lost = odds.enemy * value(self.known.own[own]);
                let threat = &mut threats[usize::from(step.to)];
                *threat = f32::max(*threat, lost);
            }
        }
        threats
    }

    /// The seat is to move.
    fn own_node(
        &mut self,
        node: &Node,
        depth: u32,
        quiet: u32,
        ply: u32,
        (mut alpha, beta): (f32, f32),
    ) -> f32 {
        self.count();
        if self.stopped || (depth == 0 && quiet == 0) {
            return node.score;
        }
        let mut best = f32::NEG_INFINITY;
        if depth == 0 {
            best = node.score;
            alpha = alpha.max(best);
            if best >= beta {
                return best;
            }
        }
        let mut steps = Vec::with_capacity(if depth > 0 { 64 } else { 8 });
        self.known.own_steps(node, depth == 0, &mut steps);
        if depth == 0 {
            // Without a gain at once an attack is no better than to wait.
            steps.retain(|step| step.order > 20.0);
        } else {
            let threats = self.threats_to_own(node);
            for step in &mut steps {
                step.order += threats[usize::from(step.from)];
            }
        }
        steps.sort_by(|one, other| other.order.total_cmp(&one.order));
        let mut others = 0;
        for step in steps {
            if node.enemy_at(step.to).is_none() {
                others += 1;
                if others > OTHERS {
                    continue;
                }
            }
            let worth = if depth > 0 {
                self.after_own(node, step, depth - 1, ply, (alpha, beta))
            } else {
                match (node.own_at(step.from), node.enemy_at(step.to)) {
                    (Some(own), Some(enemy)) => {
                        self.meeting(node, step, (own, enemy), 0, quiet - 1, ply)
                    }
                    (Some(_) | None, _) => continue,
                }
            };
            best = best.max(worth);
            alpha = alpha.max(worth);
            if best >= beta || self.stopped {
                break;
            }
        }
        if best == f32::NEG_INFINITY {
            // Without a move the game is lost.
            return ply as f32 - WIN;
        }
        best
    }
}

/// The ends of a meeting, without the Flag's.
const fn ends(odds: &Odds) -> [(f32, Left, crate::luzhanqi::kinds::Kinds); 3] {
    [
        (odds.own, Left::Own, odds.ends.wins),
        (odds.neither, Left::Neither, odds.ends.both),
        (odds.enemy, Left::Enemy, odds.ends.loses),
    ]
}
