//! What a position of Dou Shou Qi has, as features: how often each occurs for the first seat, less how often for the second.

use qiguan_rules::{
    Seat,
    doushouqi::{
        Laws, Piece, Position,
        board::{FILES, RANKS, bit},
        moves::trapped_squares,
    },
};

use super::ways::{WAYS, Ways};
use crate::evaluation::{Group, OPENING, Sink, start_of};

const ANIMALS: usize = Piece::ALL.len();
/// Ranks as the owner counts them, and files from the edge to the middle: both halves of the board are worth the same.
const PLACES: usize = RANKS as usize * HALF_FILES;
const HALF_FILES: usize = FILES as usize / 2 + 1;
/// Leads in a race from -6 to 6.
const RACE_LEADS: usize = 13;
/// Distances beyond this count as none.
const FARTHEST: usize = 12;
/// An enemy so many steps away is near.
const NEAR: usize = 5;

/// The groups of features, in their order.
pub(crate) const GROUPS: &[Group] = &[
    group("the move", 1, 1),
    group("an animal", ANIMALS, ANIMALS),
    group(
        "its place, by animal, rank and file from the edge",
        ANIMALS * PLACES,
        HALF_FILES,
    ),
    group(
        "an animal, by the enemies that can take it",
        ANIMALS * (ANIMALS + 1),
        ANIMALS + 1,
    ),
    group(
        "an animal, by the enemies that it can take",
        ANIMALS * (ANIMALS + 1),
        ANIMALS + 1,
    ),
    group(
        "the nearest enemy that it can take, by whose move it is, animal and steps",
        2 * ANIMALS * NEAR,
        NEAR,
    ),
    group(
        "the nearest animal to the enemy den, by whose move it is and steps",
        2 * (FARTHEST + 1),
        FARTHEST + 1,
    ),
    group(
        "by how much the enemy is later at its den, by whose move it is",
        2 * RACE_LEADS,
        RACE_LEADS,
    ),
    group("an animal in an enemy trap, by whose move it is", 2, 2),
    group(
        "odd steps to an enemy that it can take, with the move, by animal",
        ANIMALS,
        ANIMALS,
    ),
    group(
        "animals more than the enemy has",
        2 * ANIMALS + 1,
        2 * ANIMALS + 1,
    ),
];

const TEMPO: usize = start_of(GROUPS, 0);
/// What an animal is worth wherever it stands.
pub(super) const ANIMAL: usize = start_of(GROUPS, 1);
/// What it gains or loses by its place.
pub(super) const PLACE: usize = start_of(GROUPS, 2);
const CAPTORS: usize = start_of(GROUPS, 3);
const PREY: usize = start_of(GROUPS, 4);
const NEAR_PREY: usize = start_of(GROUPS, 5);
const NEAREST: usize = start_of(GROUPS, 6);
const RACE: usize = start_of(GROUPS, 7);
const IN_TRAP: usize = start_of(GROUPS, 8);
const PARITY: usize = start_of(GROUPS, 9);
const MORE: usize = start_of(GROUPS, 10);
/// How many features there are.
pub(super) const COUNT: usize = start_of(GROUPS, GROUPS.len());
/// How many animals, and how many places each has.
pub(super) const PLACED: (usize, usize) = (ANIMALS, PLACES);

const fn group(name: &'static str, length: usize, row: usize) -> Group {
    Group { name, length, row }
}

/// One side's animals.
struct Side {
    seat: Seat,
    /// 1 for the first seat, -1 for the second.
    sign: i32,
    /// Each animal with its square.
    animals: [(Piece, u8); ANIMALS],
    number: usize,
    /// Which animals there are, by the bits of their places in [`Piece::ALL`].
    set: u8,
}

impl Side {
    fn of(position: &Position, seat: Seat) -> Self {
        let mut side = Self {
            seat,
            sign: match seat {
                Seat::First => 1,
                Seat::Second => -1,
            },
            animals: [(Piece::Cat, 0); ANIMALS],
            number: 0,
            set: 0,
        };
        for piece in Piece::ALL {
            if let Some(square) = position.square_of(seat, piece) {
                side.animals[side.number] = (piece, square);
                side.number += 1;
                side.set |= 1 << piece.index();
            }
        }
        side
    }

    fn animals(&self) -> impl Iterator<Item = (Piece, u8)> {
        self.animals.into_iter().take(self.number)
    }
}

/// Describes a position; how many parts of the opening are left.
pub(super) fn describe<S: Sink>(position: &Position, laws: &Laws, sink: &mut S) -> i32 {
    let [first, second] = Seat::ALL.map(|seat| Side::of(position, seat));
    let ways = &WAYS;
    let arrivals = [&first, &second].map(|side| nearest(side, side.seat.other(), laws, ways));
    let defences = [&first, &second].map(|side| nearest(side, side.seat, laws, ways));
    for (own, enemy) in [(&first, &second), (&second, &first)] {
        let moves = usize::from(position.turn() == own.seat);
        animals(own, enemy, moves, laws, ways, sink);
        let arrives = arrivals[own.seat.index()];
        sink.add(
            NEAREST + moves * (FARTHEST + 1) + arrives.min(FARTHEST),
            own.sign,
        );
        let lead = (defences[enemy.seat.index()] as i32 - arrives as i32).clamp(-6, 6) + 6;
        sink.add(RACE + moves * RACE_LEADS + lead as usize, own.sign);
        sink.add(MORE + ANIMALS + own.number - enemy.number, own.sign);
    }
    let sign = match position.turn() {
        Seat::First => 1,
        Seat::Second => -1,
    };
    sink.add(TEMPO, sign);
    (first.number + second.number) as i32 * OPENING / 16
}

/// How many moves the nearest animal of a side needs to the den of a seat.
fn nearest(side: &Side, den_of: Seat, laws: &Laws, ways: &Ways) -> usize {
    let ways = side
        .animals()
        .map(|(piece, square)| ways.to_den(laws.jumps_of(piece), piece, den_of, square));
    ways.min().unwrap_or(FARTHEST)
}

/// The place of a square as its seat sees it.
const fn place(seat: Seat, square: u8) -> usize {
    let (rank, file) = ((square / FILES) as usize, (square % FILES) as usize);
    let rank = match seat {
        Seat::First => rank,
        Seat::Second => RANKS as usize - 1 - rank,
    };
    let file = if file < HALF_FILES {
        file
    } else {
        FILES as usize - 1 - file
    };
    rank * HALF_FILES + file
}

/// Describes a side's animals.
fn animals<S: Sink>(
    own: &Side,
    enemy: &Side,
    moves: usize,
    laws: &Laws,
    ways: &Ways,
    sink: &mut S,
) {
    let sign = own.sign;
    let traps = trapped_squares(laws, own.seat);
    for (piece, square) in own.animals() {
        let animal = piece.index();
        sink.add_piece(
            ANIMAL + animal,
            PLACE + animal * PLACES + place(own.seat, square),
            sign,
        );
        let captors = laws.captors_of(piece) & enemy.set;
        sink.add(
            CAPTORS + animal * (ANIMALS + 1) + captors.count_ones() as usize,
            sign,
        );
        let prey = laws.prey_of(piece) & enemy.set;
        sink.add(
            PREY + animal * (ANIMALS + 1) + prey.count_ones() as usize,
            sign,
        );
        if traps & bit(square) != 0 {
            sink.add(IN_TRAP + moves, sign);
        }
        let mut near = usize::MAX;
        let mut odd = 0;
        for (other, at) in enemy.animals() {
            if prey & 1 << other.index() != 0 {
                let steps = ways.steps(square, at);
                near = near.min(steps);
                odd += steps & 1;
            }
        }
        if near <= NEAR {
            sink.add(
                NEAR_PREY + (moves * ANIMALS + animal) * NEAR + near - 1,
                sign,
            );
        }
        if moves == 1 && odd > 0 {
            sink.add(PARITY + animal, sign * odd as i32);
        }
    }
}
