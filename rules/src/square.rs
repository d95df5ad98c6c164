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
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file), self.rank + 1)
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
        f.write_str("a square is a file a to i and a rank 1 to 12")
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
