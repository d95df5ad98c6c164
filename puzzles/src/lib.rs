//! Puzzles: positions in which one line wins or saves the game, and no other move does.
//!
//! [`Miner`] finds them in games, those of [`self_play`] among others; [`Puzzle`] is one, as a line of a file and as moves that the rules
//! have judged.
//!
//! **Invariant:** nothing here reads a file, a clock or a random number: the same game and limits give the same puzzles.
//! **Boundary:** of the house it knows `engine` and `rules` alone. Luzhanqi has no puzzles: nobody knows a whole position of it.
#![warn(missing_docs, clippy::wildcard_enum_match_arm)]

mod collection;
pub mod drills;
mod file;
mod judging;
mod mining;
mod puzzle;
pub mod self_play;
pub mod shipped;

pub use collection::Collection;
pub use file::{Entry, EntryError};
pub use mining::Miner;
pub use puzzle::{Aim, Puzzle, PuzzleError};
