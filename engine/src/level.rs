//! How well a computer plays.

use std::fmt;

use qiguan_rules::{Game, RuleSet, ruleset::Options};

use crate::search::Limits;

/// A computer's level, from 1 (a beginner) to 8.
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

/// What a level of each game is made of: the most positions, the most plies, and how far from the best its moves may be. A ply counts for
/// little in Xiangqi, where who errs less wins; in Dou Shou Qi it takes some to get anywhere. A level that never erred would be out of reach
/// of all that do, however little it searched: even the strongest errs.
type Strengths = [(u64, u32, f64); Level::GREATEST as usize];

/// The levels of Xiangqi.
const XIANGQI: Strengths = [
    (2_000, 1, 0.13),
    (3_000, 1, 0.092),
    (10_000, 2, 0.075),
    (60_000, 3, 0.063),
    (60_000, 3, 0.052),
    (60_000, 3, 0.04),
    (200_000, 4, 0.04),
    (200_000, 4, 0.036),
];
/// The levels of Dou Shou Qi.
const DOU_SHOU_QI: Strengths = [
    (2_000, 1, 0.2),
    (5_000, 2, 0.1),
    (15_000, 3, 0.07),
    (40_000, 4, 0.045),
    (100_000, 6, 0.035),
    (200_000, 8, 0.025),
    (200_000, 8, 0.012),
    (200_000, 8, 0.004),
];

/// Ratings of the levels of a game.
type Ratings = [u16; Level::GREATEST as usize];

const XIANGQI_RATINGS: Ratings = [800, 1095, 1405, 1695, 1845, 2100, 2240, 2365];
const DOU_SHOU_QI_RATINGS: Ratings = [800, 945, 1090, 1255, 1465, 1640, 1810, 2030];
const LUZHANQI_RATINGS: Ratings = [800, 935, 1145, 1290, 1410, 1545, 1630, 1785];

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

    /// How much a level searches for a move of a game. It counts positions and not seconds, so that it plays the same on a busy machine.
    pub fn limits(self, game: &Game) -> Limits {
        let (nodes, depth, _) = self.strength(game);
        Limits { nodes, depth }
    }

    /// How far from the best its moves may be: a move that is worse by so much of a whole win is played about a third as often.
    pub(crate) const fn spread(self, game: &Game) -> f64 {
        self.strength(game).2
    }

    /// How strong it is, in Elo points: what matches between neighbours say (docs/strength.md), where level 1 of each game has 800. It
    /// compares levels of a game, neither games nor levels and people.
    pub const fn rating(self, ruleset: &RuleSet) -> u16 {
        let ratings = match ruleset.options() {
            Options::Xiangqi(_) => XIANGQI_RATINGS,
            Options::DouShouQi(_) => DOU_SHOU_QI_RATINGS,
            Options::Luzhanqi(_) => LUZHANQI_RATINGS,
        };
        ratings[self.0 as usize - 1]
    }

    const fn strength(self, game: &Game) -> (u64, u32, f64) {
        let strengths = match game {
            Game::Xiangqi(_) => &XIANGQI,
            // Luzhanqi has its own (`luzhanqi/choice.rs`).
            Game::DouShouQi(_) | Game::Luzhanqi(_) => &DOU_SHOU_QI,
        };
        strengths[self.0 as usize - 1]
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
