//! How good a position of Dou Shou Qi looks: linear, in hundredths of about a cat.

use qiguan_rules::{
    Seat,
    doushouqi::{
        Laws, Piece, Position,
        board::{FILES, RANKS, RIVER, bit},
        moves::trapped_squares,
    },
};

/// The move is worth so much.
const TEMPO: i32 = 8;
/// For each step nearer to the enemy's den.
const STEP: i32 = 6;
/// The nearest animal that nothing stands before, for each step less than eight.
const RACE: i32 = 10;
/// An animal that nothing of the enemy's can take any more is worth so much more, in hundredths.
const UNTOUCHABLE: i32 = 25;
/// An animal on a trap of the enemy's, one step from winning.
const AT_THE_DOOR: i32 = 90;
/// An animal beside its den while an enemy is near.
const GUARD: i32 = 18;

/// What an animal is worth in an exchange.
pub(super) const fn worth(piece: Piece) -> i32 {
    match piece {
        Piece::Elephant => 700,
        Piece::Lion => 780,
        Piece::Tiger => 720,
        Piece::Leopard | Piece::Rat => 420,
        Piece::Wolf => 300,
        Piece::Dog => 280,
        Piece::Cat => 220,
    }
}

/// How good a position is for the side to move.
pub(super) fn evaluate(position: &Position, laws: &Laws) -> i32 {
    let [first, second] = Seat::ALL.map(|seat| side(position, laws, seat));
    let lead = match position.turn() {
        Seat::First => first - second,
        Seat::Second => second - first,
    };
    lead + TEMPO
}

fn side(position: &Position, laws: &Laws, seat: Seat) -> i32 {
    let enemy = seat.other();
    let den = den_of(enemy);
    let mut score = 0;
    let mut nearest = i32::MAX;
    let door = trapped_squares(laws, seat);
    let enemy_near = Piece::ALL
        .into_iter()
        .filter_map(|piece| position.square_of(enemy, piece))
        .map(|square| steps(square, den_of(seat)))
        .min()
        .unwrap_or(i32::MAX);
    for piece in Piece::ALL {
        let Some(square) = position.square_of(seat, piece) else {
            continue;
        };
        let mut value = worth(piece);
        if is_untouchable(position, laws, seat, piece) {
            value += value * UNTOUCHABLE / 100;
        }
        let way = steps(square, den);
        nearest = nearest.min(way);
        score += value + STEP * (12 - way);
        if door & bit(square) != 0 && way == 1 {
            score += AT_THE_DOOR;
        }
        if enemy_near <= 4 && steps(square, den_of(seat)) <= 2 {
            score += GUARD;
        }
    }
    score + RACE * (8 - nearest).max(0)
}

/// Whether no enemy that is left outranks an animal, traps left out.
fn is_untouchable(position: &Position, laws: &Laws, seat: Seat, piece: Piece) -> bool {
    let enemy = seat.other();
    !Piece::ALL
        .into_iter()
        .any(|other| position.square_of(enemy, other).is_some() && laws.outranks(other, piece))
}

/// The square of a side's den.
const fn den_of(seat: Seat) -> u8 {
    match seat {
        Seat::First => FILES / 2,
        Seat::Second => (RANKS - 1) * FILES + FILES / 2,
    }
}

/// Steps between two squares, the river taken for a detour on the middle ranks.
const fn steps(one: u8, other: u8) -> i32 {
    let (file, rank) = ((one % FILES) as i32, (one / FILES) as i32);
    let (to_file, to_rank) = ((other % FILES) as i32, (other / FILES) as i32);
    let straight = (file - to_file).abs() + (rank - to_rank).abs();
    if RIVER & bit(one) != 0 {
        straight + 1
    } else {
        straight
    }
}
