//! The computer player of Luzhanqi. It knows what its seat knows.
//!
//! [`Seen`] takes in what a seat receives of a game, and is all that [`choose`] chooses from. **Invariant:** nothing here takes a whole
//! game, so two games that look alike from a seat get the same move after the same number of nodes.
//!
//! `belief` draws worlds that contradict nothing that was seen, `search` looks ahead over what they have in common, `evaluation` says what
//! a position is worth, `setup` sets up. `opponents` are players to measure against.

mod belief;
mod board;
mod choice;
mod evaluation;
mod kinds;
mod map;
mod opponents;
mod review;
mod search;
mod seen;
mod setup;

pub use choice::{Chosen, choose};
pub use kinds::Kinds;
pub use opponents::Opponent;
pub use review::judge;
pub use seen::{Seen, SeenError};
pub use setup::setup;
