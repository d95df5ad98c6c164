//! What a world is about: some moments in which programs can do wrong are rare, and there are worlds that have many of them.

use qiguan_environment::planted::Fault;
use qiguan_tests::random::Random;

use crate::{
    player::{Habits, Role, Terms},
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
    /// All clients seek, and leave in the middle of it. In half of these worlds programs end and start again, so that the lobby often changes
    /// its program.
    Lobby,
    /// Programs stand still until others have taken over, and spectators look again and again meanwhile.
    StandsStill,
    /// The owner of a game that waits for its second player can't reach the database until others have taken over. The second player joins
    /// meanwhile, and spectators look again and again.
    CutOff,
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
/// How most clients behave.
const HABITS: Habits = Habits {
    goes_in: 20_000,
    joins_within: 1,
    is_late: false,
    looks_again: false,
    seeks_for: 500,
};
const LUZHANQI: Terms = Terms {
    ruleset: "luzhanqi/referee",
    initial_ms: 180_000,
    increment_ms: 0,
    plies: 30,
};

impl Kind {
    /// The kind of world in which a planted fault is looked for; none if in all.
    pub(crate) const fn finding(fault: Fault) -> Option<Self> {
        match fault {
            Fault::NoFence => Some(Self::CutOff),
            Fault::LongLease => Some(Self::StandsStill),
            Fault::LobbyTwice => Some(Self::Lobby),
            Fault::WatermarkIgnored => Some(Self::Flags),
            Fault::GapIgnored
            | Fault::DuplicateApplied
            | Fault::ClockNotCorrected
            | Fault::SecretInFrame => None,
        }
    }

    /// The kind of the world of a seed.
    pub(crate) fn of_seed(seed: u64) -> Self {
        Self::of(&mut Random::of(seed))
    }

    /// Three of eight worlds are mixed.
    pub(crate) fn of(random: &mut Random) -> Self {
        match random.below(8) {
            0..=2 => Self::Mixed,
            3 => Self::TakenOver,
            4 => Self::Flags,
            5 => Self::Lobby,
            6 => Self::StandsStill,
            _ => Self::CutOff,
        }
    }

    /// What clients are there for.
    pub(crate) fn roles(self) -> Vec<Role> {
        let seekers = match self {
            Self::Lobby => return vec![Role::Seeks; 8],
            Self::StandsStill | Self::CutOff => 0,
            _ => 3,
        };
        let tables =
            [0, 1].map(|table| [Role::Opens(table), Role::Joins(table), Role::Watches(table)]);
        let mut roles = tables.concat();
        roles.extend(vec![Role::Seeks; seekers]);
        roles
    }

    /// How many of the first clients that seek have a second window.
    pub(crate) fn second_windows(self, random: &mut Random) -> usize {
        match self {
            Self::Lobby => 2 * random.below(2) as usize,
            _ => 0,
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
            Self::TakenOver | Self::Lobby | Self::StandsStill => 8_000,
            Self::CutOff => 6_500,
            Self::Flags => 5_000,
        }
    }

    /// What is played at the two tables.
    pub(crate) fn terms(self, random: &mut Random) -> [Terms; 2] {
        match self {
            Self::Mixed => {
                [[LONG, SHORT], [SHORT, LUZHANQI], [LUZHANQI, LONG]][random.below(3) as usize]
            }
            Self::TakenOver | Self::StandsStill | Self::CutOff | Self::Lobby => [
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
            Self::Mixed => HABITS,
            Self::Lobby => Habits {
                seeks_for: 150,
                ..HABITS
            },
            Self::TakenOver => Habits {
                goes_in: 1_500,
                joins_within: 2_000,
                ..HABITS
            },
            Self::Flags => Habits {
                goes_in: 30_000,
                is_late: true,
                ..HABITS
            },
            Self::StandsStill => Habits {
                goes_in: 1_500,
                looks_again: true,
                ..HABITS
            },
            Self::CutOff => Habits {
                joins_within: 1_600,
                looks_again: true,
                ..HABITS
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
            Self::StandsStill => [20, 50, 100, 100][drawn],
            Self::Flags | Self::Lobby => [1, 1, 3, 10][drawn],
            Self::CutOff => [3, 10, 20, 40][drawn],
        }
    }

    /// How many other things go wrong.
    pub(crate) fn troubles(self, random: &mut Random) -> u64 {
        match self {
            Self::Mixed => 1 + random.below(5),
            Self::TakenOver => random.below(2),
            Self::Flags => random.below(5) / 4,
            Self::Lobby | Self::StandsStill | Self::CutOff => 0,
        }
    }
}
