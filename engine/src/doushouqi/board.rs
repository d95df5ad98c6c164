//! A position of Dou Shou Qi in the search.

use qiguan_rules::{
    Seat,
    doushouqi::{
        Laws, Position,
        board::{bit, enemy_den},
        moves::each_square,
    },
    xiangqi::repetition,
};

use super::evaluation;
use crate::{
    search::{Board, Repetition, Step},
    tables::{Tables, Value},
};

/// With so few animals whose turn it is decides races, and passing would mislead.
const ENDING: u32 = 8;

impl Board for Position {
    type Laws = Laws;

    fn key(&self) -> u64 {
        Self::key(self)
    }

    fn turn(&self) -> Seat {
        Self::turn(self)
    }

    fn is_lost(&self) -> bool {
        self.won()
            .is_some_and(|(winner, _)| winner != Self::turn(self))
    }

    fn in_check(&self) -> bool {
        false
    }

    fn moves(&self, laws: &Laws, moves: &mut Vec<Step>) {
        add(self, laws, !0, moves);
    }

    fn captures(&self, laws: &Laws, moves: &mut Vec<Step>) {
        let seat = Self::turn(self);
        add(self, laws, self.of(seat.other()) | enemy_den(seat), moves);
    }

    fn exchange(&self, step: Step) -> Option<(i32, i32)> {
        if self.of(Self::turn(self).other()) & bit(step.to) == 0 {
            return None;
        }
        let worth = |square| self.at(square).map(|(_, piece)| evaluation::worth(piece));
        Some((worth(step.to)?, worth(step.from)?))
    }

    fn loses_material(&self, laws: &Laws, step: Step) -> bool {
        let Some((taken, taker)) = self.exchange(step) else {
            return false;
        };
        if taken + 10 >= taker {
            return false;
        }
        let mut after = *self;
        Board::play(&mut after, step);
        let mut retaken = false;
        laws.for_each(&after, |_, targets| retaken |= targets & bit(step.to) != 0);
        retaken
    }

    fn play(&mut self, step: Step) -> bool {
        self.at(step.from)
            .is_some_and(|(_, piece)| self.play_unchecked(piece, step.to).is_some())
    }

    fn passed(&self) -> Option<Self> {
        let animals = (self.of(Seat::First) | self.of(Seat::Second)).count_ones();
        (animals > ENDING).then(|| Self::passed(self))
    }

    fn evaluate(&self, laws: &Laws) -> i32 {
        evaluation::evaluate(self, laws)
    }

    fn ending(&self, tables: &Tables) -> Option<Value> {
        tables.probe(self)
    }

    fn judges_cycles(_: &Laws) -> bool {
        false
    }

    fn judge_cycle(&self, _: &Laws, _: &[repetition::Step]) -> Repetition {
        Repetition::None
    }
}

/// Adds the moves to some squares.
fn add(position: &Position, laws: &Laws, to: u64, moves: &mut Vec<Step>) {
    let seat = position.turn();
    laws.for_each(position, |piece, targets| {
        if let Some(from) = position.square_of(seat, piece) {
            moves.extend(each_square(targets & to).map(|to| Step { from, to }));
        }
    });
}
