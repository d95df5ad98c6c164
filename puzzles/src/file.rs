//! A file of puzzles: a line for each, with the number of the game that it was found in.

use qiguan_rules::RuleSet;

use crate::puzzle::{Puzzle, PuzzleError};

/// A puzzle in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The number of the game that it was found in.
    pub game: u64,
    /// The puzzle.
    pub puzzle: Puzzle,
}

/// What is wrong with a line of a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    /// There is no number of a game.
    #[error("expected the number of a game and a tab")]
    Game,
    /// What follows is no puzzle.
    #[error(transparent)]
    Puzzle(#[from] PuzzleError),
}

impl Entry {
    /// Reads a line, and judges its moves.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn read(ruleset: &RuleSet, line: &str) -> Result<Self, EntryError> {
        let (game, puzzle) = line.split_once('\t').ok_or(EntryError::Game)?;
        Ok(Self {
            game: game.parse().map_err(|_| EntryError::Game)?,
            puzzle: Puzzle::read(ruleset, puzzle)?,
        })
    }

    /// The line, without its end.
    pub fn write(&self) -> String {
        format!("{}\t{}", self.game, self.puzzle.write())
    }
}
