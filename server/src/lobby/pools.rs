//! The pools of quick pairing: every rule set with the few time controls that suit its game, rated and casual.

use std::collections::BTreeMap;

use qiguan_game::setups::has_setups;
use qiguan_protocol::{
    ids::Millis,
    time_control::{Clock, TimeControl},
};
use qiguan_rules::{RuleSet, ruleset::Options};

/// The time controls of the pools, by minutes and seconds of increment: this is the only list of them.
pub const TIMES: [(&str, i64, i64); 4] = [
    ("3+2", 3, 2),
    ("5+3", 5, 3),
    ("10+5", 10, 5),
    ("15+10", 15, 10),
];

/// The times of a rule set's pools, as in [`TIMES`]. Three paces are enough for everybody to find one that suits, and few enough
/// for players to meet; games of Dou Shou Qi take half as many moves as the others.
pub const fn paces(ruleset: &RuleSet) -> [&'static str; 3] {
    match ruleset.options() {
        Options::DouShouQi(_) => ["3+2", "5+3", "10+5"],
        Options::Luzhanqi(_) | Options::Xiangqi(_) => ["5+3", "10+5", "15+10"],
    }
}

/// The time controls by name, defaults filled in.
pub fn times() -> BTreeMap<String, TimeControl> {
    let named = TIMES.into_iter().map(|(name, minutes, seconds)| {
        let plain = fischer(minutes, seconds);
        (name.to_owned(), plain.checked().unwrap_or(plain))
    });
    named.collect()
}

const fn fischer(minutes: i64, seconds: i64) -> TimeControl {
    TimeControl {
        clock: Clock::Fischer {
            initial_ms: Millis(minutes * 60_000),
            increment_ms: Millis(seconds * 1_000),
        },
        absence_ms: None,
        setup_ms: None,
    }
}

/// One pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PoolKey {
    /// The rule set's id.
    pub ruleset: &'static str,
    /// The time control, as in [`TIMES`].
    pub time: &'static str,
    /// Whether the results count.
    pub rated: bool,
}

impl PoolKey {
    /// The pool of a rule set and a time control, if there is one.
    pub fn named(ruleset: &str, time: &str, rated: bool) -> Option<Self> {
        let ruleset = RuleSet::named(ruleset).ok()?;
        let time = paces(&ruleset).into_iter().find(|pace| *pace == time)?;
        Some(Self {
            ruleset: ruleset.id(),
            time,
            rated,
        })
    }

    /// Every pool, in the order of the catalog.
    pub fn all() -> impl Iterator<Item = Self> {
        RuleSet::ALL.iter().flat_map(|ruleset| {
            paces(ruleset).into_iter().flat_map(move |time| {
                [true, false].map(|rated| Self {
                    ruleset: ruleset.id(),
                    time,
                    rated,
                })
            })
        })
    }

    /// The time control of its games, defaults filled in.
    pub fn time_control(&self) -> TimeControl {
        let (_, minutes, seconds) = TIMES
            .into_iter()
            .find(|(name, _, _)| *name == self.time)
            .unwrap_or(TIMES[0]);
        let plain = fischer(minutes, seconds);
        let sets_up = RuleSet::named(self.ruleset).is_ok_and(|ruleset| has_setups(&ruleset));
        let checked = plain.checked();
        checked
            .and_then(|checked| checked.with_setups(sets_up))
            .unwrap_or(plain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pool_is_found_by_its_name_and_its_time_control_is_complete() {
        let all: Vec<PoolKey> = PoolKey::all().collect();
        assert_eq!(all.len(), RuleSet::ALL.len() * 3 * 2);
        for pool in all {
            assert_eq!(
                PoolKey::named(pool.ruleset, pool.time, pool.rated).as_ref(),
                Some(&pool)
            );
            let time = pool.time_control();
            assert!(time.absence_ms.is_some(), "{pool:?}");
            assert_eq!(Ok(time), time.checked(), "{pool:?}");
            assert_eq!(
                time.setup_ms.is_some(),
                pool.ruleset.starts_with("luzhanqi")
            );
        }
    }

    #[test]
    fn there_is_no_pool_of_another_rule_set_or_time() {
        assert_eq!(PoolKey::named("chess/standard", "5+3", true), None);
        assert_eq!(PoolKey::named("xiangqi/standard", "5+4", true), None);
        assert_eq!(PoolKey::named("luzhanqi/modern", "3+2", false), None);
    }
}
