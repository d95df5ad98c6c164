//! A position of Dou Shou Qi in the search.

use qiguan_rules::{
    Seat,
    doushouqi::{
        Laws, Position,
        board::{TRAPS, bit, enemy_den},
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
    const UNIT: i32 = 27;
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

    /// An enemy beside the den wins with its next move, unless it is taken.
    fn in_check(&self) -> bool {
        let seat = Self::turn(self);
        self.of(seat.other()) & TRAPS[seat.index()] != 0
    }

    fn moves(&self, laws: &Laws, moves: &mut Vec<Step>) {
        add(self, laws, !0, moves);
    }

    fn captures(&self, laws: &Laws, moves: &mut Vec<Step>) {
        let seat = Self::turn(self);
        add(self, laws, self.of(seat.other()) | enemy_den(seat), moves);
    }

    fn wins(&self, step: Step) -> bool {
        bit(step.to) & enemy_den(Self::turn(self)) != 0
    }

    fn kind_at(&self, square: u8) -> Option<usize> {
        self.at(square).map(|(_, piece)| piece.index())
    }

    fn worth_at(&self, square: u8) -> i32 {
        self.at(square)
            .map_or(0, |(_, piece)| evaluation::worth(piece))
    }

    fn cheapest_taker(&self, laws: &Laws, square: u8) -> Option<Step> {
        let seat = Self::turn(self);
        let mut least = i32::MAX;
        let mut cheapest = None;
        laws.for_each(self, |piece, targets| {
            let worth = evaluation::worth(piece);
            if worth < least && targets & bit(square) != 0 {
                least = worth;
                cheapest = self.square_of(seat, piece);
            }
        });
        cheapest.map(|from| Step { from, to: square })
    }

    fn play(&mut self, step: Step) -> bool {
        self.at(step.from)
            .is_some_and(|(_, piece)| self.play_unchecked(piece, step.to).is_some())
    }

    fn passed(&self) -> Option<Self> {
        let animals = (self.of(Seat::First) | self.of(Seat::Second)).count_ones();
        (animals > ENDING && !self.in_check()).then(|| Self::passed(self))
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
