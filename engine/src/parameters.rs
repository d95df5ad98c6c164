//! The parameters of the evaluations as the tuner sees them: which features a game's position has, and what each is worth.

use std::path::Path;

use qiguan_rules::{Game, xiangqi::ruleset::Cannon};

use crate::{
    doushouqi,
    evaluation::{Group, Trace},
    xiangqi,
};

/// Values that are fitted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterSet {
    /// Xiangqi, by how the Cannon moves.
    Xiangqi(Cannon),
    /// Dou Shou Qi under any rules.
    DouShouQi,
}

impl ParameterSet {
    /// The values with which a game's positions are evaluated; none for Luzhanqi.
    pub const fn of(game: &Game) -> Option<Self> {
        match game {
            Game::Xiangqi(play) => Some(Self::Xiangqi(play.options().cannon)),
            Game::DouShouQi(_) => Some(Self::DouShouQi),
            Game::Luzhanqi(_) => None,
        }
    }

    /// The groups of features, in their order.
    pub const fn groups(self) -> &'static [Group] {
        match self {
            Self::Xiangqi(_) => xiangqi::GROUPS,
            Self::DouShouQi => doushouqi::GROUPS,
        }
    }

    /// What each feature is worth in the opening and in the ending, in hundredths of a soldier or a cat.
    pub const fn values(self) -> &'static [[i16; 2]] {
        match self {
            Self::Xiangqi(cannon) => xiangqi::values(cannon),
            Self::DouShouQi => doushouqi::values(),
        }
    }

    /// The source file of the values, seen from the folder of this crate.
    pub fn source(self) -> &'static Path {
        Path::new(match self {
            Self::Xiangqi(Cannon::Standard) => "src/xiangqi/parameters/standard.rs",
            Self::Xiangqi(Cannon::AlwaysJumps) => "src/xiangqi/parameters/always_jumps.rs",
            Self::DouShouQi => "src/doushouqi/parameters/any_rules.rs",
        })
    }
}

/// What the position of a game has; none where no values are fitted for it.
pub fn trace(game: &Game) -> Option<Trace> {
    match game {
        Game::Xiangqi(play) => {
            let options = play.options();
            let rules = xiangqi::Rules {
                laws: *play.laws(),
                cannon: options.cannon,
                cycles: options.repetition,
            };
            xiangqi::trace(play.position(), rules)
        }
        Game::DouShouQi(play) => Some(doushouqi::trace(play.position(), play.laws())),
        Game::Luzhanqi(_) => None,
    }
}
