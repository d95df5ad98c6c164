//! What a world is about: some moments in which programs can do wrong are rare, and there are worlds that have many of them.

use qiguan_tests::random::Random;

use crate::{
    player::{Habits, Terms},
    wire::Quality,
};

/// See the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Everything that can go wrong does now and then.
    Mixed,
    /// Programs stand still or can't reach the database for as long as it takes others to take over from them. Clients are at both sides, and
    /// games wait for their second players meanwhile.
    TakenOver,
    /// Moves are made just before the time is over, and frames are lost.
    Flags,
}

/// A game of Dou Shou Qi with much time.
const LONG: Terms = Terms {
    ruleset: "doushouqi/ancientchess",
    initial_ms: 180_000,
    increment_ms: 0,
    plies: 30,
};
/// The same with little time.
const SHORT: Terms = Terms {
    ruleset: "doushouqi/booklet",
    initial_ms: 1_000,
    increment_ms: 200,
    plies: 60,
};
const LUZHANQI: Terms = Terms {
    ruleset: "luzhanqi/referee",
    initial_ms: 180_000,
    increment_ms: 0,
    plies: 30,
};

impl Kind {
    /// Half of the worlds are mixed.
    pub(crate) fn of(random: &mut Random) -> Self {
        match random.below(4) {
            0 | 1 => Self::Mixed,
            2 => Self::TakenOver,
            _ => Self::Flags,
        }
    }

    /// How many programs there are.
    pub(crate) fn machines(self, random: &mut Random) -> usize {
        let several = 2 + random.below(2) as usize;
        match self {
            // One in eight has one program, which is alone.
            Self::Mixed if random.below(8) == 0 => 1,
            _ => several,
        }
    }

    /// For how long things go wrong, in milliseconds.
    pub(crate) fn troubled(self, random: &mut Random) -> u64 {
        match self {
            Self::Mixed => 4_000 + random.below(5_000),
            Self::TakenOver => 8_000,
            Self::Flags => 5_000,
        }
    }

    /// What is played at the two tables.
    pub(crate) fn terms(self, random: &mut Random) -> [Terms; 2] {
        match self {
            Self::Mixed => {
                [[LONG, SHORT], [SHORT, LUZHANQI], [LUZHANQI, LONG]][random.below(3) as usize]
            }
            Self::TakenOver => [
                Terms { plies: 4, ..LONG },
                Terms {
                    plies: 6,
                    ..LUZHANQI
                },
            ],
            Self::Flags => {
                [Terms {
                    initial_ms: 1_200,
                    increment_ms: 500,
                    ..SHORT
                }; 2]
            }
        }
    }

    /// How clients behave.
    pub(crate) const fn habits(self) -> Habits {
        match self {
            Self::Mixed => Habits {
                goes_in: 20_000,
                joins_within: 1,
                is_late: false,
            },
            Self::TakenOver => Habits {
                goes_in: 1_500,
                joins_within: 2_000,
                is_late: false,
            },
            Self::Flags => Habits {
                goes_in: 30_000,
                joins_within: 1,
                is_late: true,
            },
        }
    }

    /// How well frames travel.
    pub(crate) fn quality(self, random: &mut Random) -> Quality {
        if self == Self::Flags {
            return Quality {
                delay: (1, 20),
                lost: 100,
                lost_for: 300,
                twice: 50,
            };
        }
        match random.below(4) {
            0 => Quality::GOOD,
            1 => Quality {
                delay: (150, 155),
                lost: 0,
                lost_for: 0,
                twice: 0,
            },
            2 => Quality {
                delay: (1, 40),
                lost: 0,
                lost_for: 0,
                twice: 100,
            },
            _ => Quality {
                delay: (0, 15),
                lost: 60,
                lost_for: 0,
                twice: 60,
            },
        }
    }

    /// How long the way to the database takes at most, in milliseconds.
    pub(crate) fn slowest(self, random: &mut Random) -> u64 {
        let drawn = random.below(4) as usize;
        match self {
            Self::Mixed => [1, 3, 20, 100][drawn],
            Self::TakenOver => [3, 20, 100, 200][drawn],
            Self::Flags => [1, 1, 3, 10][drawn],
        }
    }

    /// How many other things go wrong.
    pub(crate) fn troubles(self, random: &mut Random) -> u64 {
        match self {
            Self::Mixed => 1 + random.below(5),
            Self::TakenOver => random.below(2),
            Self::Flags => random.below(5) / 4,
        }
    }
}
