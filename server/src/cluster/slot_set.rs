//! Some of the slots, as programs tell each other which ones they speak for.

use qiguan_game::slot::SLOTS;
use serde::{Deserialize, Serialize};

/// So many slots share a word.
pub(super) const WORD: usize = 64;
/// So many words all slots have.
pub(super) const WORDS: usize = SLOTS as usize / WORD;

/// A set of slots: a bit for each, 64 in a word.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotSet(Vec<u64>);

impl SlotSet {
    pub(super) fn of(words: impl Iterator<Item = u64>) -> Self {
        Self(words.collect())
    }

    /// Those that are in both.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let both = self.0.iter().zip(&other.0);
        Self::of(both.map(|(one, other)| one & other))
    }

    /// Adds those of another set.
    pub fn add(&mut self, other: &Self) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }

    /// Whether every slot is in it.
    pub fn is_all(&self) -> bool {
        self.0.len() == WORDS && self.0.iter().all(|word| *word == u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_all_slots_are_all() {
        let odd = SlotSet::of([0xaaaa_aaaa_aaaa_aaaa; WORDS].into_iter());
        let even = SlotSet::of([0x5555_5555_5555_5555; WORDS].into_iter());
        assert_eq!(odd.and(&even), SlotSet::of([0; WORDS].into_iter()));
        let mut both = SlotSet::default();
        assert!(!both.is_all());
        both.add(&odd);
        assert!(!both.is_all());
        both.add(&even);
        assert!(both.is_all());
        both.add(&SlotSet(vec![0; WORDS + 1]));
        assert!(!both.is_all());
    }
}
