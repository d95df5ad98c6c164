//! How well a computer plays.

use std::fmt;

use crate::search::Limits;

/// A computer's level, from 1 (a beginner) to 8 (as well as it can).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

/// A number that is no level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownLevel(pub u8);

impl fmt::Display for UnknownLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is no level: expected a number from 1 to 8", self.0)
    }
}

impl std::error::Error for UnknownLevel {}

impl Level {
    /// The weakest level's number.
    pub const LEAST: u8 = 1;
    /// The strongest level's number.
    pub const GREATEST: u8 = 8;

    /// Every level, the weakest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (Self::LEAST..=Self::GREATEST).map(Self)
    }

    /// The level's number, 1 to 8.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// How much a level searches for a move. It counts positions and not seconds, so that it plays the same on a busy machine.
    pub const fn limits(self) -> Limits {
        let (nodes, depth) = match self.0 {
            1 => (2_000, 1),
            2 => (5_000, 2),
            3 => (15_000, 2),
            4 => (30_000, 3),
            5 => (80_000, 4),
            6 => (150_000, 6),
            7 => (300_000, 64),
            _ => (1_000_000, 64),
        };
        Limits { nodes, depth }
    }

    /// How far from the best its moves may be: a move that is worse by so much of a whole win is played about a third as often. None: it
    /// always plays the best.
    pub(crate) const fn spread(self) -> Option<f64> {
        match self.0 {
            1 => Some(0.15),
            2 => Some(0.10),
            3 => Some(0.07),
            4 => Some(0.05),
            5 => Some(0.03),
            6 => Some(0.015),
            _ => None,
        }
    }
}

impl TryFrom<u8> for Level {
    type Error = UnknownLevel;

    fn try_from(number: u8) -> Result<Self, UnknownLevel> {
        if (Self::LEAST..=Self::GREATEST).contains(&number) {
            Ok(Self(number))
        } else {
            Err(UnknownLevel(number))
        }
    }
}
