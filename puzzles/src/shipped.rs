//! The puzzles in the program: `qiguan puzzles` has found them in games of the computer players.

use std::sync::OnceLock;

use qiguan_rules::RuleSet;

use crate::{
    file::{Entry, EntryError},
    puzzle::Puzzle,
};

/// How many positions are looked at for a move where puzzles are found, and a tenth of what confirms them.
pub const NODES: u64 = 10_000;

/// The puzzles of a rule set.
#[derive(Clone, Copy, Debug)]
pub struct Shipped {
    /// The rule set's id.
    pub ruleset: &'static str,
    /// A line for each.
    pub text: &'static str,
}

/// Every file of puzzles.
pub const ALL: [Shipped; 3] = [
    Shipped {
        ruleset: "xiangqi/standard",
        text: include_str!("../shipped/xiangqi-standard.txt"),
    },
    Shipped {
        ruleset: "doushouqi/booklet",
        text: include_str!("../shipped/doushouqi-booklet.txt"),
    },
    Shipped {
        ruleset: "xiangqi/grunfeld",
        text: include_str!("../shipped/xiangqi-grunfeld.txt"),
    },
];

impl Shipped {
    /// Reads and judges every line.
    ///
    /// # Errors
    /// The number of the first line that is wrong, from 1, and what is wrong with it.
    pub fn entries(&self) -> Result<Vec<Entry>, (usize, EntryError)> {
        // An unknown rule set has no puzzles; a test names those that are known.
        let Ok(ruleset) = RuleSet::named(self.ruleset) else {
            return Ok(Vec::new());
        };
        let lines = self.text.lines().enumerate();
        lines
            .map(|(index, line)| Entry::read(&ruleset, line).map_err(|error| (index + 1, error)))
            .collect()
    }
}

/// The puzzles of a rule set in the order of its file, with their ids; none if it has no file.
pub fn of(ruleset: &str) -> &'static [(String, Puzzle)] {
    static READ: [OnceLock<Vec<(String, Puzzle)>>; ALL.len()] = [const { OnceLock::new() }; 3];
    let Some((file, read)) = ALL
        .iter()
        .zip(&READ)
        .find(|(file, _)| file.ruleset == ruleset)
    else {
        return &[];
    };
    read.get_or_init(|| {
        // A test reads every line; one that could not be read would not be offered.
        let entries = file.entries().unwrap_or_default().into_iter();
        entries
            .map(|entry| (entry.puzzle.id(file.ruleset), entry.puzzle))
            .collect()
    })
}

/// A puzzle by its id: the id of its rule set, its own, and the puzzle.
pub fn find(id: &str) -> Option<(&'static str, &'static str, &'static Puzzle)> {
    ALL.iter().find_map(|file| {
        let (id, puzzle) = of(file.ruleset).iter().find(|(known, _)| known == id)?;
        Some((file.ruleset, id.as_str(), puzzle))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use qiguan_rules::Game;

    use super::*;
    use crate::{Miner, collection::Collection};

    /// So many of each file are searched again here; `qiguan puzzles --check` searches all.
    const SAMPLE: usize = 3;

    fn file(shipped: &Shipped) -> (RuleSet, Vec<Entry>) {
        let ruleset = RuleSet::named(shipped.ruleset).unwrap();
        (ruleset, shipped.entries().unwrap())
    }

    #[test]
    fn every_puzzle_follows_the_rules_and_is_there_once() {
        let mut ids = HashSet::new();
        for shipped in &ALL {
            let (ruleset, entries) = file(shipped);
            let mut collection = Collection::new(ruleset, entries.len());
            for entry in &entries {
                let puzzle = &entry.puzzle;
                assert!(collection.takes_position(puzzle), "{}", entry.write());
                assert!(ids.insert(puzzle.id(shipped.ruleset)));
                assert_eq!(entry.write(), entry.write().trim(), "as it is written");
            }
            let games = entries.iter().map(|entry| entry.game);
            assert!(games.is_sorted(), "{}", shipped.ruleset);
        }
    }

    #[test]
    fn what_ends_a_game_wins_it() {
        for shipped in &ALL {
            let (ruleset, entries) = file(shipped);
            for Entry { puzzle, .. } in entries {
                let mut game = Game::from_fen(&ruleset, &puzzle.start).unwrap();
                let solver = game.turn().other();
                for mv in &puzzle.moves {
                    game.play(*mv).unwrap();
                }
                if let Some(outcome) = game.outcome() {
                    assert_eq!(outcome.winner, Some(solver), "{}", puzzle.write());
                }
            }
        }
    }

    #[test]
    fn a_sample_that_changes_with_the_file_has_one_solution_at_ten_times_the_positions() {
        let miner = Miner::new(NODES);
        for shipped in &ALL {
            let (ruleset, entries) = file(shipped);
            let first = shipped.text.len() % entries.len().max(1);
            let step = (entries.len() / SAMPLE).max(1);
            let sample = entries.iter().cycle().skip(first).step_by(step);
            for entry in sample.take(SAMPLE.min(entries.len())) {
                let confirms = miner.confirms(&ruleset, &entry.puzzle);
                assert!(confirms, "{}: {}", shipped.ruleset, entry.write());
            }
        }
    }

    #[test]
    fn a_puzzle_is_found_by_its_id() {
        for shipped in &ALL {
            let (id, puzzle) = of(shipped.ruleset).first().unwrap();
            assert_eq!(find(id), Some((shipped.ruleset, id.as_str(), puzzle)));
        }
        assert_eq!(find("nothing"), None);
        assert!(of("luzhanqi/standard").is_empty());
    }
}
