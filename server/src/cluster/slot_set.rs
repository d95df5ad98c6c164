//! Some of the slots, as programs tell each other which ones they speak for.

use qiguan_game::slot::{SLOTS, Slot};
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

    /// Those that are not in the other one.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        let others = other.0.iter().copied().chain(std::iter::repeat(0));
        Self::of(self.0.iter().zip(others).map(|(one, other)| one & !other))
    }

    /// Whether a slot is in it.
    pub fn has(&self, slot: Slot) -> bool {
        let (word, bit) = place_of(slot);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Whether no slot is in it.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// The slots in it, by number.
    pub fn slots(&self) -> impl Iterator<Item = Slot> {
        let words = (0..).zip(&self.0).filter(|(_, word)| **word != 0);
        let bits = words.flat_map(|(at, word)| {
            let bits = (0..WORD as u16).filter(move |bit| word >> bit & 1 != 0);
            bits.map(move |bit| at * WORD as u16 + bit)
        });
        bits.filter_map(Slot::new)
    }

    /// Adds a slot.
    pub fn insert(&mut self, slot: Slot) {
        let (word, bit) = place_of(slot);
        self.0.resize(self.0.len().max(word + 1), 0);
        if let Some(word) = self.0.get_mut(word) {
            *word |= bit;
        }
    }

    /// Takes a slot out.
    pub fn remove(&mut self, slot: Slot) {
        let (word, bit) = place_of(slot);
        if let Some(word) = self.0.get_mut(word) {
            *word &= !bit;
        }
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

impl FromIterator<Slot> for SlotSet {
    fn from_iter<T: IntoIterator<Item = Slot>>(slots: T) -> Self {
        // All words are there, so that sets of the same slots are equal.
        let mut set = Self(vec![0; WORDS]);
        for slot in slots {
            set.insert(slot);
        }
        set
    }
}

/// The word of a slot, and its bit in there.
pub(super) const fn place_of(slot: Slot) -> (usize, u64) {
    let number = slot.number() as usize;
    (number / WORD, 1 << (number % WORD))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_the_slots_that_were_put_into_it() {
        let numbers = [0, 63, 64, 4_095];
        let slots = numbers.map(|number| Slot::new(number).unwrap());
        let mut set: SlotSet = slots.into_iter().collect();
        assert_eq!(set.slots().collect::<Vec<_>>(), slots);
        assert!(slots.iter().all(|slot| set.has(*slot)));
        assert!(!set.has(Slot::new(1).unwrap()) && !set.is_empty());
        assert_eq!(set.without(&SlotSet::default()), set);
        assert!(set.without(&set).is_empty());
        set.remove(slots[3]);
        assert_eq!(set.slots().collect::<Vec<_>>(), slots[..3]);
        assert!(SlotSet::default().is_empty() && !SlotSet::default().has(slots[0]));
    }

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
