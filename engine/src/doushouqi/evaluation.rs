//! How good a position of Dou Shou Qi looks: linear in the values of its features, which are fitted by `tuning/`.

use qiguan_rules::{
    Seat,
    doushouqi::{Laws, Piece, Position},
};

use super::{
    features::{ANIMAL, COUNT, PLACE, PLACED, describe},
    parameters::any_rules,
};
use crate::evaluation::{Lead, Table, Trace, Value};

static TABLE: Table<COUNT> = Table::new(&any_rules::VALUES, ANIMAL, PLACE, PLACED.1, PLACED.0);

/// What an animal is worth in an exchange.
pub(super) const fn worth(piece: Piece) -> i32 {
    match piece {
        Piece::Elephant => 190,
        Piece::Lion => 210,
        Piece::Tiger => 195,
        Piece::Leopard | Piece::Rat => 113,
        Piece::Wolf => 80,
        Piece::Dog => 75,
        Piece::Cat => 60,
    }
}

/// The values of the features.
pub(crate) const fn values() -> &'static [Value] {
    &any_rules::VALUES
}

/// How good a position is for the side to move.
pub(super) fn evaluate(position: &Position, laws: &Laws) -> i32 {
    let mut lead = Lead::new(&TABLE);
    let opening = describe(position, laws, &mut lead);
    let lead = lead.at(opening);
    match position.turn() {
        Seat::First => lead,
        Seat::Second => -lead,
    }
}

/// What a position has.
pub(crate) fn trace(position: &Position, laws: &Laws) -> Trace {
    let mut trace = Trace::default();
    trace.opening = describe(position, laws, &mut trace);
    trace
}
