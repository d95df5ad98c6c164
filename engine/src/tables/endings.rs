//! The tables of the named rule sets.

use std::sync::OnceLock;

use qiguan_rules::{RuleSet, doushouqi::Options as DouShouQi, ruleset::Options};

use super::probe::Tables;

/// The tables of all named rule sets of Dou Shou Qi. Nothing is made before it is asked for.
#[derive(Debug)]
pub struct Endings {
    of: [OnceLock<Tables>; 3],
    mebibytes: usize,
}

impl Endings {
    /// The rule sets that have tables.
    pub const RULE_SETS: [&'static str; 3] = [
        "doushouqi/ancientchess",
        "doushouqi/booklet",
        "doushouqi/tierschach",
    ];

    /// Tables of which nothing is known yet, with room for so many MiB of values in use for each rule set.
    pub const fn new(mebibytes: usize) -> Self {
        Self {
            of: [const { OnceLock::new() }; 3],
            mebibytes,
        }
    }

    /// The tables for a game with these options; none unless they are those of a named rule set.
    pub fn of(&self, options: &DouShouQi) -> Option<&Tables> {
        let named = Self::RULE_SETS.into_iter().zip(&self.of);
        let (_, tables) = named.into_iter().find(|(id, _)| {
            RuleSet::named(id)
                .is_ok_and(|ruleset| *ruleset.options() == Options::DouShouQi(*options))
        })?;
        Some(tables.get_or_init(|| Tables::new(options, self.mebibytes)))
    }

    /// The tables of a rule set; none for other games, and if an option was changed.
    pub fn of_ruleset(&self, ruleset: &RuleSet) -> Option<&Tables> {
        match ruleset.options() {
            Options::DouShouQi(options) => self.of(options),
            Options::Luzhanqi(_) | Options::Xiangqi(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use qiguan_rules::option::RawValue;

    use super::*;

    #[test]
    fn named_rule_sets_have_tables_and_changed_ones_have_none() {
        let endings = Endings::new(1);
        for id in Endings::RULE_SETS {
            let mut ruleset = RuleSet::named(id).unwrap();
            assert!(endings.of_ruleset(&ruleset).is_some(), "{id}");
            ruleset.set("quiet_limit", RawValue::Number(119)).unwrap();
            assert!(endings.of_ruleset(&ruleset).is_none(), "{id}");
        }
        let xiangqi = RuleSet::named("xiangqi/standard").unwrap();
        assert!(endings.of_ruleset(&xiangqi).is_none());
    }
}
