//! Squares (points) by file and rank, as written: `a1` to `i12`.

use std::{fmt, str::FromStr};

/// A square of any of the boards. Files count from `a` at the first seat's left, ranks from 1 nearest to it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square {
    file: u8,
    rank: u8,
}

impl Square {
    /// The most files that a board has.
    pub const FILES: u8 = 9;
    /// The most ranks that a board has.
    pub const RANKS: u8 = 12;

    /// The square on a file and a rank, both from 0; none beyond the largest boards.
    pub const fn new(file: u8, rank: u8) -> Option<Self> {
        if file < Self::FILES && rank < Self::RANKS {
            Some(Self { file, rank })
        } else {
            None
        }
    }

    /// The file, from 0.
    pub const fn file(self) -> u8 {
        self.file
    }

    /// The rank, from 0.
    pub const fn rank(self) -> u8 {
        self.rank
    }

    /// The square as it is written.
    pub const fn name(self) -> &'static str {
        NAMES[self.file as usize][self.rank as usize]
    }
}

/// Every square's name, by file and rank: lists of moves are made for every move that is played.
const NAMES: [[&str; Square::RANKS as usize]; Square::FILES as usize] = [
    [
        "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "a10", "a11", "a12",
    ],
    [
        "b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9", "b10", "b11", "b12",
    ],
    [
        "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10", "c11", "c12",
    ],
    [
        "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8", "d9", "d10", "d11", "d12",
    ],
    [
        "e1", "e2", "e3", "e4", "e5", "e6", "e7", "e8", "e9", "e10", "e11", "e12",
    ],
    [
        "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12",
    ],
    [
        "g1", "g2", "g3", "g4", "g5", "g6", "g7", "g8", "g9", "g10", "g11", "g12",
    ],
    [
        "h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8", "h9", "h10", "h11", "h12",
    ],
    [
        "i1", "i2", "i3", "i4", "i5", "i6", "i7", "i8", "i9", "i10", "i11", "i12",
    ],
];

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text names no square of any board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseSquareError;

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a file from a to i and a rank from 1 to 12")
    }
}

impl std::error::Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Reads `a1` to `i12`: no capitals, no leading zero, nothing around.
    fn from_str(text: &str) -> Result<Self, ParseSquareError> {
        let (file, rank) = match *text.as_bytes() {
            [file @ b'a'..=b'i', rank @ b'1'..=b'9'] => (file - b'a', rank - b'1'),
            [file @ b'a'..=b'i', b'1', rank @ b'0'..=b'2'] => (file - b'a', rank - b'0' + 9),
            _ => return Err(ParseSquareError),
        };
        Self::new(file, rank).ok_or(ParseSquareError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_reads_back_as_it_is_written() {
        for file in 0..Square::FILES {
            for rank in 0..Square::RANKS {
                let square = Square::new(file, rank).unwrap();
                assert_eq!(square.to_string().parse(), Ok(square));
            }
        }
    }

    #[test]
    fn what_is_no_square_is_refused() {
        for text in [
            "", "a", "1", "a0", "a13", "j1", "A1", "a01", " a1", "a1 ", "aa1", "a10 ", "ä1",
            "a1\n", "a111",
        ] {
            assert_eq!(text.parse::<Square>(), Err(ParseSquareError), "{text:?}");
        }
    }
}
