//! The board: 7 files × 9 ranks, two dens, six traps, two lakes.
//!
//! Squares are numbered from `a1` = 0 along the ranks to `g9` = 62; a set of squares is a `u64` with one bit for each.

use crate::{seat::Seat, square::Square};

/// Files on the board.
pub const FILES: u8 = 7;
/// Ranks on the board.
pub const RANKS: u8 = 9;
/// Squares on the board.
pub const SQUARES: usize = 63;

/// A set of squares.
pub type Squares = u64;

/// All squares.
pub const ALL: Squares = (1 << SQUARES) - 1;
/// The two lakes: on ranks 4 to 6, the files b and c, and e and f.
pub const RIVER: Squares = squares(&[
    b"b4", b"c4", b"e4", b"f4", b"b5", b"c5", b"e5", b"f5", b"b6", b"c6", b"e6", b"f6",
]);
/// All dry squares.
pub const LAND: Squares = ALL & !RIVER;
/// The dens, by seat.
pub const DEN: [Squares; 2] = [squares(&[b"d1"]), squares(&[b"d9"])];
/// The traps, by the seat whose den they guard.
pub const TRAPS: [Squares; 2] = [
    squares(&[b"c1", b"e1", b"d2"]),
    squares(&[b"c9", b"e9", b"d8"]),
];

/// The number of a square; none if it is off this board.
pub const fn index(square: Square) -> Option<u8> {
    if square.file() < FILES && square.rank() < RANKS {
        Some(square.rank() * FILES + square.file())
    } else {
        None
    }
}

/// The square of a number below 63.
pub fn square(index: u8) -> Square {
    // Every file and rank of this board lies within those of the largest.
    Square::new(index % FILES, index / FILES)
        .unwrap_or_else(|| unreachable!("{index} is no square"))
}

/// The set of one square.
#[inline]
pub const fn bit(index: u8) -> Squares {
    1 << index
}

/// One step along a file or rank, from each square.
pub const STEPS: [Squares; SQUARES] = steps();

/// A way straight across a lake.
#[derive(Clone, Copy, Debug)]
pub struct Jump {
    /// Where it lands.
    pub to: u8,
    /// The water that is jumped over: no Rat may swim there.
    pub over: Squares,
    /// Along a file (4 ranks) rather than along a rank (3 files).
    pub lengthwise: bool,
}

/// The jumps from each square: two at most (from file d, to both sides).
pub const JUMPS: [[Option<Jump>; 2]; SQUARES] = jumps();

/// The square opposite, after turning the board by 180°.
pub const fn turned(index: u8) -> u8 {
    SQUARES as u8 - 1 - index
}

/// The den that a seat attacks.
#[inline]
pub const fn enemy_den(seat: Seat) -> Squares {
    DEN[seat.other().index()]
}

const fn squares(names: &[&[u8; 2]]) -> Squares {
    let mut set = 0;
    let mut i = 0;
    while i < names.len() {
        set |= bit((names[i][1] - b'1') * FILES + names[i][0] - b'a');
        i += 1;
    }
    set
}

const fn at(file: i8, rank: i8) -> Option<u8> {
    if file < 0 || rank < 0 || file >= FILES as i8 || rank >= RANKS as i8 {
        None
    } else {
        Some(rank as u8 * FILES + file as u8)
    }
}

const DIRECTIONS: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

const fn steps() -> [Squares; SQUARES] {
    let mut table = [0; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let (file, rank) = ((from as u8 % FILES) as i8, (from as u8 / FILES) as i8);
        let mut d = 0;
        while d < 4 {
            if let Some(to) = at(file + DIRECTIONS[d].0, rank + DIRECTIONS[d].1) {
                table[from] |= bit(to);
            }
            d += 1;
        }
        from += 1;
    }
    table
}

const fn jumps() -> [[Option<Jump>; 2]; SQUARES] {
    let mut table = [[None; 2]; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let mut found = 0;
        let mut d = 0;
        while d < 4 && LAND & bit(from as u8) != 0 {
            let (by_file, by_rank) = DIRECTIONS[d];
            let (mut file, mut rank) = (
                (from as u8 % FILES) as i8 + by_file,
                (from as u8 / FILES) as i8 + by_rank,
            );
            let mut over = 0;
            while let Some(next) = at(file, rank) {
                if RIVER & bit(next) == 0 {
                    if over != 0 {
                        table[from][found] = Some(Jump {
                            to: next,
                            over,
                            lengthwise: by_rank != 0,
                        });
                        found += 1;
                    }
                    break;
                }
                over |= bit(next);
                file += by_file;
                rank += by_rank;
            }
            d += 1;
        }
        from += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(name: &str) -> u8 {
        index(name.parse().unwrap()).unwrap()
    }

    fn jumps_from(name: &str) -> Vec<String> {
        let mut to: Vec<_> = JUMPS[usize::from(number(name))]
            .iter()
            .flatten()
            .map(|jump| square(jump.to).to_string())
            .collect();
        to.sort();
        to
    }

    #[test]
    fn jumps_cross_a_lake_straight_to_the_first_dry_square() {
        assert_eq!(jumps_from("b3"), ["b7"]);
        assert_eq!(jumps_from("f7"), ["f3"]);
        assert_eq!(jumps_from("a4"), ["d4"]);
        assert_eq!(jumps_from("d5"), ["a5", "g5"]);
        assert_eq!(jumps_from("g6"), ["d6"]);
        for none in ["a3", "d3", "d7", "b4", "d1", "g7"] {
            assert!(jumps_from(none).is_empty(), "{none}");
        }
    }

    #[test]
    fn every_square_has_its_two_to_four_neighbours() {
        let counts: Vec<_> = STEPS.iter().map(|set| set.count_ones()).collect();
        assert_eq!(counts.iter().filter(|count| **count == 2).count(), 4);
        assert_eq!(counts.iter().filter(|count| **count == 3).count(), 24);
        assert_eq!(counts.iter().filter(|count| **count == 4).count(), 35);
    }
}
