//! A list that grows at its end, of which copies share what they have in common.
//!
//! A reader of a game takes a copy of its list of events, and the game goes on: a copy costs a pointer for each `LENGTH` entries, however
//! long it is kept.

use std::{ops::Index, sync::Arc};

/// How many entries are shared together.
const LENGTH: usize = 64;

/// The list.
#[derive(Debug)]
pub struct Chunks<T> {
    /// Of [`LENGTH`] entries each.
    full: Vec<Arc<[T]>>,
    /// Fewer.
    last: Vec<T>,
}

impl<T> Chunks<T> {
    /// How many entries there are.
    pub const fn len(&self) -> usize {
        self.full.len() * LENGTH + self.last.len()
    }

    /// Whether it has no chunk.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entry at a place, from 0.
    pub fn get(&self, at: usize) -> Option<&T> {
        match self.full.get(at / LENGTH) {
            Some(chunk) => chunk.get(at % LENGTH),
            None => self.last.get(at.checked_sub(self.full.len() * LENGTH)?),
        }
    }

    /// The last entry.
    pub fn last(&self) -> Option<&T> {
        self.last
            .last()
            .or_else(|| self.full.last().and_then(|chunk| chunk.last()))
    }

    /// All entries in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + Clone {
        let full = self.full.iter().flat_map(|chunk| chunk.iter());
        full.chain(&self.last)
    }

    /// Adds an entry.
    pub fn push(&mut self, entry: T) {
        self.last.push(entry);
        if self.last.len() == LENGTH {
            self.full.push(std::mem::take(&mut self.last).into());
        }
    }
}

impl<T: Clone> Chunks<T> {
    /// Keeps the first entries alone. Copies keep them all.
    pub fn truncate(&mut self, length: usize) {
        while self.full.len() * LENGTH > length {
            self.last = self
                .full
                .pop()
                .map_or_else(Vec::new, |chunk| chunk.to_vec());
        }
        self.last.truncate(length - self.full.len() * LENGTH);
    }
}

impl<T: Clone> Clone for Chunks<T> {
    fn clone(&self) -> Self {
        Self {
            full: self.full.clone(),
            last: self.last.clone(),
        }
    }
}

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Self {
            full: Vec::new(),
            last: Vec::new(),
        }
    }
}

impl<T> FromIterator<T> for Chunks<T> {
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Self {
        let mut chunks = Self::default();
        for entry in entries {
            chunks.push(entry);
        }
        chunks
    }
}

impl<T> Index<usize> for Chunks<T> {
    type Output = T;

    #[expect(clippy::expect_used, reason = "an index is checked by who uses it")]
    fn index(&self, at: usize) -> &T {
        self.get(at).expect("there is no such entry")
    }
}

impl<T: PartialEq> PartialEq for Chunks<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_stay_as_they_were_and_all_entries_are_there() {
        let mut chunks = Chunks::default();
        let mut copies = Vec::new();
        for entry in 0..300 {
            copies.push(chunks.clone());
            chunks.push(entry);
        }
        for (copy, length) in copies.iter().zip(0..) {
            assert_eq!(copy.len(), length);
            assert!(copy.iter().copied().eq(0..length));
            assert_eq!(copy.last().copied(), length.checked_sub(1));
            assert_eq!(copy.get(length), None);
        }
        assert!((0..300).all(|at| chunks[at] == at));
        assert!(chunks.iter().rev().copied().eq((0..300).rev()));
        assert_eq!(chunks, (0..300).collect());
        for length in [299, 257, 256, 64, 63, 1, 0] {
            chunks.truncate(length);
            assert_eq!(chunks, (0..length).collect());
        }
    }
}
