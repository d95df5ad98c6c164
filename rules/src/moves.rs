//! Moves as they are written: from and to, `a3a4`, `b10c8`.

use std::{cmp::Ordering, fmt, str::FromStr};

use crate::square::{ParseSquareError, Square};

/// A move. Jumps and rides name only their two ends. Moves are in order of `from`, then `to`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl Move {
    /// One number in place of four: the legal moves are sorted after each move that is played.
    const fn place_in_order(self) -> u32 {
        let Self { from, to } = self;
        u32::from_be_bytes([from.file(), from.rank(), to.file(), to.rank()])
    }
}

impl Ord for Move {
    fn cmp(&self, other: &Self) -> Ordering {
        self.place_in_order().cmp(&other.place_in_order())
    }
}

impl PartialOrd for Move {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.from.fmt(f)?;
        self.to.fmt(f)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not of the form of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseMoveError;

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected two squares with nothing between them, such as a3a4")
    }
}

impl std::error::Error for ParseMoveError {}

impl From<ParseSquareError> for ParseMoveError {
    fn from(_: ParseSquareError) -> Self {
        Self
    }
}

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        // The second square begins at the second letter.
        let second = text
            .bytes()
            .skip(1)
            .position(|byte| byte.is_ascii_alphabetic())
            .ok_or(ParseMoveError)?
            + 1;
        let (from, to) = text.split_at_checked(second).ok_or(ParseMoveError)?;
        Ok(Self {
            from: from.parse()?,
            to: to.parse()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_read_back_as_they_are_written() {
        for text in ["a3a4", "b10c8", "a1i12", "i12a10", "d1d1"] {
            assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_move_is_refused() {
        for text in [
            "", "a", "a1", "a1a", "a1 a2", "a1-a2", "a1xa2", "0000", "a1a2q", "A1a2", "a1a2\n",
            "ä1a2", "a01a2", "null",
        ] {
            assert_eq!(text.parse::<Move>(), Err(ParseMoveError), "{text:?}");
        }
    }
}
