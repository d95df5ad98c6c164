//! Which puzzles go into a file: no two alike, easy ones and hard ones.

use std::collections::{HashMap, HashSet};

use qiguan_rules::RuleSet;

use crate::puzzle::Puzzle;

/// The easiest rating, and how far the ratings of a step reach.
const EASIEST: u16 = 700;
const STEP: u16 = 200;
/// No step has more than one in so many of the puzzles.
const SHARE: usize = 3;

/// The puzzles of a file.
#[derive(Clone, Debug)]
pub struct Collection {
    ruleset: RuleSet,
    wanted: usize,
    positions: HashSet<String>,
    steps: HashMap<u16, usize>,
}

impl Collection {
    /// A collection without puzzles, that is to have so many.
    pub fn new(ruleset: RuleSet, wanted: usize) -> Self {
        Self {
            ruleset,
            wanted,
            positions: HashSet::new(),
            steps: HashMap::new(),
        }
    }

    /// How many puzzles it has.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Whether it has all that it is to have.
    pub fn is_full(&self) -> bool {
        self.len() >= self.wanted
    }

    /// Takes a puzzle; not if its position is there, if there are enough that are as hard, or if there are enough.
    pub fn take(&mut self, puzzle: &Puzzle) -> bool {
        let step = puzzle.rating.saturating_sub(EASIEST) / STEP;
        let most = self.wanted.div_ceil(SHARE);
        if self.is_full() || self.steps.get(&step).is_some_and(|count| *count >= most) {
            return false;
        }
        let is_new = self.takes_position(puzzle);
        if is_new {
            *self.steps.entry(step).or_default() += 1;
        }
        is_new
    }

    /// Takes a puzzle whatever its rating is; not if its position is there.
    pub(crate) fn takes_position(&mut self, puzzle: &Puzzle) -> bool {
        self.position(puzzle)
            .is_some_and(|position| self.positions.insert(position))
    }

    /// The board that a solver sees and the side to move, without what is counted beside it.
    fn position(&self, puzzle: &Puzzle) -> Option<String> {
        let fen = puzzle.position(&self.ruleset)?;
        let fields: Vec<&str> = fen.split(' ').take(2).collect();
        Some(fields.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn puzzle(file: usize, rating: u16) -> Puzzle {
        // A position of its own for each file of the Soldier.
        let row = format!("{file}p{}", 8 - file).replace('0', "");
        let ruleset = RuleSet::named("xiangqi/standard").unwrap();
        let line = format!("win\t{rating}\t4k4/9/9/9/9/9/{row}/9/4A4/4K4 w - - 0 1\te1d1 e10f10");
        Puzzle::read(&ruleset, &line).unwrap()
    }

    fn collection(wanted: usize) -> Collection {
        Collection::new(RuleSet::named("xiangqi/standard").unwrap(), wanted)
    }

    #[test]
    fn no_position_comes_twice() {
        let mut collection = collection(10);
        assert!(collection.take(&puzzle(1, 700)));
        assert!(!collection.take(&puzzle(1, 900)));
        assert_eq!(collection.len(), 1);
    }

    #[test]
    fn no_more_than_a_third_are_equally_hard() {
        let mut collection = collection(6);
        assert!(collection.take(&puzzle(1, 700)));
        assert!(collection.take(&puzzle(2, 899)));
        assert!(!collection.take(&puzzle(3, 700)));
        assert!(collection.take(&puzzle(3, 900)));
    }

    #[test]
    fn a_full_one_takes_no_more() {
        let mut collection = collection(1);
        assert!(collection.take(&puzzle(1, 700)));
        assert!(collection.is_full());
        assert!(!collection.take(&puzzle(2, 900)));
    }
}
