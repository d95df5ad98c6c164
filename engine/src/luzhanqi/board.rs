//! A position inside a search: where the pieces stand, and what the enemy's can still be.

use qiguan_rules::luzhanqi::{
    Piece,
    board::{POINTS, Points, bit, each_point},
    piece::MEN,
};

use crate::luzhanqi::{
    belief::Belief,
    evaluation::{Places, VALUES, share},
    kinds::{Ends, Kinds, Meetings, movable},
    map::{ALL_HEADQUARTERS, MAP, NOWHERE},
    seen::{ENEMY, NOBODY, OWN, Seen},
};

/// What stays the same during a search.
pub(super) struct SearchContext {
    pub(super) own: [Piece; MEN],
    pub(super) chances: [[f32; 12]; MEN],
    pub(super) meetings: Meetings,
    pub(super) places: Places,
    pub(super) movable: Kinds,
    /// Points that a piece never leaves.
    held: Points,
}

/// A position of the search. Small enough to be copied for every move.
#[derive(Clone, Copy)]
pub(super) struct Node {
    men: [u8; POINTS],
    points: [u8; 2 * MEN],
    /// What each enemy piece can still be.
    kinds: [Kinds; MEN],
    pub(super) sides: [Points; 2],
    /// How good it is for the seat, as it stands.
    pub(super) score: f32,
}

/// A move of the search.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) from: u8,
    pub(super) to: u8,
    /// How promising it looks, for the order.
    pub(super) order: f32,
}

/// Who is left after a meeting.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    Own,
    Enemy,
    Neither,
}

/// How a meeting ends, each with its chance, 0 to 1.
#[derive(Clone, Copy)]
pub(super) struct Odds {
    pub(super) flag: f32,
    pub(super) own: f32,
    pub(super) neither: f32,
    pub(super) enemy: f32,
    pub(super) ends: Ends,
}

impl SearchContext {
    pub(super) fn new(seen: &Seen, belief: &Belief) -> Self {
        let meetings = Meetings::new(seen.options().mines_survive);
        let places = Places::new(seen, belief, &meetings);
        Self {
            own: *seen.own(),
            chances: belief.chances,
            meetings,
            places,
            movable: movable(),
            held: if seen.options().headquarters_hold {
                ALL_HEADQUARTERS
            } else {
                0
            },
        }
    }

    /// The position that has been seen.
    pub(super) fn root(&self, seen: &Seen) -> Node {
        let mut node = Node {
            men: *seen.men(),
            points: *seen.places(),
            kinds: [Kinds::NONE; MEN],
            sides: seen.occupied(),
            score: 0.0,
        };
        for enemy in 0..MEN {
            node.kinds[enemy] = seen.possible(enemy);
        }
        // All kinds of the enemy's are known together, so only the removed ones are a matter of belief.
        let all: f32 = Piece::ALL
            .map(|piece| VALUES[piece.index()] * piece.count() as f32)
            .iter()
            .sum();
        node.score -= all;
        for man in 0..MEN {
            if node.points[man] != NOWHERE {
                node.score += VALUES[self.own[man].index()] + self.own_place(man, node.points[man]);
            }
            let point = node.points[MEN + man];
            if point == NOWHERE {
                node.score += self.expected_value(man, node.kinds[man]);
            } else {
                node.score -= self.enemy_place(&node, man, point);
            }
        }
        node
    }

    fn own_place(&self, man: usize, point: u8) -> f32 {
        self.places.own[self.own[man].index()][usize::from(point)]
    }

    fn enemy_place(&self, node: &Node, enemy: usize, point: u8) -> f32 {
        self.places.enemy[usize::from(point)] * self.chance(node, enemy, self.movable)
    }

    /// How likely an enemy piece is one of these kinds, given what it can still be.
    pub(super) fn chance(&self, node: &Node, enemy: usize, kinds: Kinds) -> f32 {
        let row = &self.chances[enemy];
        let all = share(row, node.kinds[enemy]);
        if all <= 0.0 {
            return 0.0;
        }
        share(row, node.kinds[enemy].and(kinds)) / all
    }

    fn expected_value(&self, enemy: usize, kinds: Kinds) -> f32 {
        let row = &self.chances[enemy];
        let (mut sum, mut all) = (0.0, 0.0);
        for place in kinds.places() {
            sum += row[place] * VALUES[place];
            all += row[place];
        }
        if all > 0.0 { sum / all } else { 0.0 }
    }

    /// How a meeting of one's own piece with an enemy piece ends; `attacks`: one's own is the attacker.
    pub(super) fn odds(&self, node: &Node, own: usize, enemy: usize, attacks: bool) -> Odds {
        let kind = self.own[own].index();
        let ends = if attacks {
            self.meetings.attacking[kind]
        } else {
            self.meetings.attacked[kind]
        };
        let flag = if attacks {
            self.chance(node, enemy, Kinds::only(Piece::Flag))
        } else {
            0.0
        };
        Odds {
            flag,
            own: self.chance(node, enemy, ends.wins),
            neither: self.chance(node, enemy, ends.both),
            enemy: self.chance(node, enemy, ends.loses),
            ends,
        }
    }

    /// What an attack wins at once, on average; the Flag counts `flag`.
    pub(super) fn gain(&self, node: &Node, own: usize, enemy: usize, flag: f32) -> f32 {
        let odds = self.odds(node, own, enemy, true);
        let kinds = node.kinds[enemy];
        let mine = VALUES[self.own[own].index()];
        odds.flag * flag
            + odds.own * self.expected_value(enemy, kinds.and(odds.ends.wins))
            + odds.neither * (self.expected_value(enemy, kinds.and(odds.ends.both)) - mine)
            - odds.enemy * mine
    }

    /// The moves of the seat. With `attacks_only`, the attacks.
    pub(super) fn own_steps(&self, node: &Node, attacks_only: bool, steps: &mut Vec<Step>) {
        steps.clear();
        for from in each_point(node.sides[OWN] & !self.held) {
            let man = usize::from(node.men[usize::from(from)]);
            let piece = self.own[man];
            if !piece.moves() {
                continue;
            }
            let [own, enemy] = node.sides;
            let mut reach = MAP.reach(own, enemy, from, piece == Piece::Engineer);
            if attacks_only {
                reach &= enemy;
            }
            let places = &self.places.own[piece.index()];
            for to in each_point(reach) {
                let order = match node.enemy_at(to) {
                    Some(other) => 20.0 + self.gain(node, man, other, 1_000.0),
                    None => places[usize::from(to)] - places[usize::from(from)],
                };
                steps.push(Step { from, to, order });
            }
        }
    }

    /// The enemy's moves that its pieces can probably make. With `attacks_only`, the attacks, in no order.
    pub(super) fn enemy_steps(&self, node: &Node, attacks_only: bool, steps: &mut Vec<Step>) {
        steps.clear();
        for from in each_point(node.sides[ENEMY] & !self.held) {
            let Some(enemy) = node.enemy_at(from) else {
                continue;
            };
            let [own, other] = node.sides;
            let engineer = node.kinds[enemy].has(Piece::Engineer)
                && self.chance(node, enemy, Kinds::only(Piece::Engineer)) > 0.5;
            let mut reach = MAP.reach(other, own, from, engineer);
            if attacks_only {
                reach &= own;
            }
            if reach == 0 {
                continue;
            }
            let mobile = self.chance(node, enemy, self.movable);
            if mobile < 0.02 {
                continue;
            }
            for to in each_point(reach) {
                if own & bit(to) == 0 && mobile < 0.4 {
                    continue;
                }
                let places = &self.places.enemy;
                let order = places[usize::from(to)] - places[usize::from(from)];
                steps.push(Step { from, to, order });
            }
        }
    }

    /// The position after a move of the seat to an empty point.
    pub(super) fn own_moved(&self, node: &Node, step: Step) -> Node {
        let mut after = *node;
        let man = node.men[usize::from(step.from)];
        after.lift(step.from);
        after.put(man, step.to, OWN);
        let places = &self.places.own[self.own[usize::from(man)].index()];
        after.score += places[usize::from(step.to)] - places[usize::from(step.from)];
        after
    }

    /// The position after a move of the enemy to an empty point.
    pub(super) fn enemy_moved(&self, node: &Node, enemy: usize, step: Step) -> Node {
        let mut after = *node;
        after.score += self.enemy_place(node, enemy, step.from);
        after.kinds[enemy] = node.kinds[enemy].and(self.movable);
        after.lift(step.from);
        after.put((MEN + enemy) as u8, step.to, ENEMY);
        after.score -= self.enemy_place(&after, enemy, step.to);
        after
    }

    /// The position after a meeting on `at` with that end, to which these kinds of the enemy's lead. The attacker came from `from`.
    pub(super) fn met(
        &self,
        node: &Node,
        own: usize,
        enemy: usize,
        (from, at): (u8, u8),
        left: Left,
        kinds: Kinds,
    ) -> Node {
        let mut after = *node;
        let (own_point, enemy_point) = (node.points[own], node.points[MEN + enemy]);
        after.score -= self.own_place(own, own_point);
        after.score += self.enemy_place(node, enemy, enemy_point);
        after.lift(from);
        after.lift(at);
        after.points[own] = NOWHERE;
        after.points[MEN + enemy] = NOWHERE;
        after.kinds[enemy] = node.kinds[enemy].and(kinds);
        if left == Left::Own {
            after.put(own as u8, at, OWN);
            after.score += self.own_place(own, at);
        } else {
            after.score -= VALUES[self.own[own].index()];
        }
        if left == Left::Enemy {
            after.put((MEN + enemy) as u8, at, ENEMY);
            after.score -= self.enemy_place(&after, enemy, at);
        } else {
            after.score += self.expected_value(enemy, after.kinds[enemy]);
        }
        after
    }
}

impl Node {
    /// The piece of the seat on a point.
    pub(super) fn own_at(&self, point: u8) -> Option<usize> {
        let man = usize::from(self.men[usize::from(point)]);
        (man < MEN).then_some(man)
    }

    /// The enemy's piece on a point.
    pub(super) fn enemy_at(&self, point: u8) -> Option<usize> {
        let man = usize::from(self.men[usize::from(point)]);
        man.checked_sub(MEN).filter(|enemy| *enemy < MEN)
    }

    const fn lift(&mut self, point: u8) {
        self.men[point as usize] = NOBODY;
        self.sides[OWN] &= !bit(point);
        self.sides[ENEMY] &= !bit(point);
    }

    const fn put(&mut self, man: u8, point: u8, side: usize) {
        self.men[point as usize] = man;
        self.points[man as usize] = point;
        self.sides[side] |= bit(point);
    }
}
