//! A position of Xiangqi in the search.

use qiguan_rules::{
    Seat,
    xiangqi::{
        Laws, Piece, Position,
        board::{bit, each_point},
        moves::in_check,
        repetition::{self, Verdict},
        ruleset::{Cannon, Repetition as Cycles},
    },
};

use super::evaluation;
use crate::search::{Board, Repetition, Step};

/// The rules of a game, and what its values depend on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub(crate) laws: Laws,
    pub(crate) cannon: Cannon,
    pub(crate) cycles: Cycles,
}

impl Board for Position {
    type Laws = Rules;

    fn key(&self) -> u64 {
        Self::key(self)
    }

    fn turn(&self) -> Seat {
        Self::turn(self)
    }

    fn is_lost(&self) -> bool {
        false
    }

    fn in_check(&self) -> bool {
        in_check(self, Self::turn(self))
    }

    fn moves(&self, rules: &Rules, moves: &mut Vec<Step>) {
        rules.laws.for_each(self, |from, targets| {
            moves.extend(each_point(targets).map(|to| Step { from, to }));
        });
    }

    fn captures(&self, rules: &Rules, moves: &mut Vec<Step>) {
        let enemies = self.of(Self::turn(self).other());
        rules.laws.for_each(self, |from, targets| {
            moves.extend(each_point(targets & enemies).map(|to| Step { from, to }));
        });
    }

    fn exchange(&self, step: Step) -> Option<(i32, i32)> {
        if self.all() & bit(step.to) == 0 {
            return None;
        }
        let worth = |point| self.at(point).map(|(_, piece)| worth(piece));
        Some((worth(step.to)?, worth(step.from)?))
    }

    fn loses_material(&self, rules: &Rules, step: Step) -> bool {
        self.exchange(step).is_some_and(|(taken, taker)| {
            let mut after = *self;
            taken + 20 < taker && {
                after.play_unchecked(step.from, step.to);
                rules.laws.reaches(&after, Self::turn(&after), step.to)
            }
        })
    }

    fn play(&mut self, step: Step) -> bool {
        self.play_unchecked(step.from, step.to).is_some()
    }

    fn passed(&self) -> Option<Self> {
        // With nothing but the General and its guards, a move can be worse than none.
        let strong = |piece| matches!(piece, Piece::Chariot | Piece::Horse | Piece::Cannon);
        let mut has_strong = false;
        self.each_piece(Self::turn(self), |piece, _| has_strong |= strong(piece));
        has_strong.then(|| Self::passed(self))
    }

    fn evaluate(&self, rules: &Rules) -> i32 {
        evaluation::evaluate(self, *rules)
    }

    fn judges_cycles(rules: &Rules) -> bool {
        matches!(rules.cycles, Cycles::Asian)
    }

    fn judge_cycle(&self, rules: &Rules, cycle: &[repetition::Step]) -> Repetition {
        match repetition::judge(rules.laws, self, cycle) {
            Verdict::Banned(_) => Repetition::Banned,
            Verdict::GoesOn => Repetition::None,
            Verdict::Drawn => Repetition::Draw,
        }
    }
}

/// What a piece is worth in an exchange.
pub(super) const fn worth(piece: Piece) -> i32 {
    match piece {
        Piece::General => 5_000,
        Piece::Chariot => 500,
        Piece::Cannon => 250,
        Piece::Horse => 230,
        Piece::Elephant | Piece::Advisor => 110,
        Piece::Soldier => 55,
    }
}
