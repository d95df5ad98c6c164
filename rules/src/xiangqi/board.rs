//! The board: 9 files × 10 ranks of points, two palaces, the river between ranks 5 and 6.
//!
//! Points are numbered from `a1` = 0 along the ranks to `i10` = 89; a set of points is a `u128` with one bit for each.

use crate::{seat::Seat, square::Square};

/// Files on the board.
pub const FILES: u8 = 9;
/// Ranks on the board.
pub const RANKS: u8 = 10;
/// Points on the board.
pub const POINTS: usize = 90;

/// A set of points.
pub type Points = u128;

/// All points.
pub const ALL: Points = (1 << POINTS) - 1;
/// The palaces, by seat: files d to f on the three ranks nearest to it.
pub const PALACE: [Points; 2] = [box_of(3, 5, 0, 2), box_of(3, 5, 7, 9)];
/// Each seat's side of the river.
pub const HALF: [Points; 2] = [box_of(0, 8, 0, 4), box_of(0, 8, 5, 9)];
/// The points on either bank of the river: ranks 5 and 6.
pub const BANKS: Points = box_of(0, 8, 4, 5);

/// Where an Advisor can stand, by seat: the corners and the middle of its palace.
pub const ADVISOR_POINTS: [Points; 2] = [
    points(&[(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)]),
    points(&[(3, 9), (5, 9), (4, 8), (3, 7), (5, 7)]),
];
/// Where an Elephant can stand, by seat.
pub const ELEPHANT_POINTS: [Points; 2] = [
    points(&[(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)]),
    points(&[(2, 9), (6, 9), (0, 7), (4, 7), (8, 7), (2, 5), (6, 5)]),
];
/// Where a Soldier can stand, by seat: anywhere beyond the river, and on its own side the two points before each start.
pub const SOLDIER_POINTS: [Points; 2] = [
    HALF[1] | soldier_starts(3) | soldier_starts(4),
    HALF[0] | soldier_starts(6) | soldier_starts(5),
];

/// The number of a point; none if it is off this board.
pub const fn index(square: Square) -> Option<u8> {
    if square.file() < FILES && square.rank() < RANKS {
        Some(square.rank() * FILES + square.file())
    } else {
        None
    }
}

/// The point of a number below 90.
pub fn square(index: u8) -> Square {
    // Every file and rank of this board lies within those of the largest.
    Square::new(index % FILES, index / FILES).unwrap_or_else(|| unreachable!("{index} is no point"))
}

/// The set of one point.
#[inline]
pub const fn bit(index: u8) -> Points {
    1 << index
}

/// The point opposite, after turning the board by 180°.
pub const fn turned(index: u8) -> u8 {
    POINTS as u8 - 1 - index
}

/// Whether a Soldier of a seat on this point has crossed the river.
#[inline]
pub const fn has_crossed(seat: Seat, index: u8) -> bool {
    HALF[seat.index()] & bit(index) == 0
}

/// The points of a set, in order.
#[inline]
pub fn each_point(mut set: Points) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let point = set.trailing_zeros() as u8;
        set &= set - 1;
        Some(point)
    })
}

/// The point on a file and a rank, both from 0; none beyond the board.
pub(super) const fn at(file: i8, rank: i8) -> Option<u8> {
    if file < 0 || rank < 0 || file >= FILES as i8 || rank >= RANKS as i8 {
        None
    } else {
        Some(rank as u8 * FILES + file as u8)
    }
}

const fn points(places: &[(u8, u8)]) -> Points {
    let mut set = 0;
    let mut i = 0;
    while i < places.len() {
        set |= bit(places[i].1 * FILES + places[i].0);
        i += 1;
    }
    set
}

const fn soldier_starts(rank: u8) -> Points {
    points(&[(0, rank), (2, rank), (4, rank), (6, rank), (8, rank)])
}

const fn box_of(left: u8, right: u8, low: u8, high: u8) -> Points {
    let mut set = 0;
    let mut rank = low;
    while rank <= high {
        let mut file = left;
        while file <= right {
            set |= bit(rank * FILES + file);
            file += 1;
        }
        rank += 1;
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_has_one_number_and_the_river_halves_the_board() {
        for number in 0..POINTS as u8 {
            assert_eq!(index(square(number)), Some(number));
        }
        assert_eq!(HALF[0] | HALF[1], ALL);
        assert_eq!(HALF[0].count_ones(), 45);
    }

    #[test]
    fn each_piece_has_the_points_that_it_can_reach() {
        for seat in Seat::ALL {
            assert_eq!(PALACE[seat.index()].count_ones(), 9);
            assert_eq!(ADVISOR_POINTS[seat.index()].count_ones(), 5);
            assert_eq!(ELEPHANT_POINTS[seat.index()].count_ones(), 7);
            assert_eq!(SOLDIER_POINTS[seat.index()].count_ones(), 55);
        }
    }
}
