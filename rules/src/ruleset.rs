//! Rule sets: named values of options. A private game may change options; the name then tells what it was made from.

use std::fmt;

use crate::{doushouqi, luzhanqi, xiangqi};

/// The options of one of the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Options {
    /// Dou Shou Qi's.
    DouShouQi(doushouqi::Options),
    /// Luzhanqi's.
    Luzhanqi(luzhanqi::Options),
    /// Xiangqi's.
    Xiangqi(xiangqi::Options),
}

/// A named set of options, or one made from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleSet {
    id: &'static str,
    options: Options,
}

/// There is no rule set of this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownRuleSet;

impl fmt::Display for UnknownRuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "unknown rule set; known: {}",
            RuleSet::ALL.map(|ruleset| ruleset.id).join(", ")
        )
    }
}

impl std::error::Error for UnknownRuleSet {}

impl RuleSet {
    /// Every named rule set.
    pub const ALL: [Self; 9] = [
        Self {
            id: "doushouqi/ancientchess",
            options: Options::DouShouQi(doushouqi::Options::ANCIENTCHESS),
        },
        Self {
            id: "doushouqi/booklet",
            options: Options::DouShouQi(doushouqi::Options::BOOKLET),
        },
        Self {
            id: "doushouqi/tierschach",
            options: Options::DouShouQi(doushouqi::Options::TIERSCHACH),
        },
        Self {
            id: "luzhanqi/modern",
            options: Options::Luzhanqi(luzhanqi::Options::MODERN),
        },
        Self {
            id: "luzhanqi/northern",
            options: Options::Luzhanqi(luzhanqi::Options::NORTHERN),
        },
        Self {
            id: "luzhanqi/referee",
            options: Options::Luzhanqi(luzhanqi::Options::REFEREE),
        },
        Self {
            id: "luzhanqi/showdown",
            options: Options::Luzhanqi(luzhanqi::Options::SHOWDOWN),
        },
        Self {
            id: "xiangqi/grunfeld",
            options: Options::Xiangqi(xiangqi::Options::GRUNFELD),
        },
        Self {
            id: "xiangqi/standard",
            options: Options::Xiangqi(xiangqi::Options::STANDARD),
        },
    ];

    /// The rule set of this name.
    ///
    /// # Errors
    /// When no rule set has this name.
    pub fn named(id: &str) -> Result<Self, UnknownRuleSet> {
        Self::ALL
            .into_iter()
            .find(|ruleset| ruleset.id == id)
            .ok_or(UnknownRuleSet)
    }

    /// The name of the set that it is, or was made from.
    pub const fn id(&self) -> &'static str {
        self.id
    }

    /// The options.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    pub(crate) const fn options_mut(&mut self) -> &mut Options {
        &mut self.options
    }
}
