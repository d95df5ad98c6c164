//! How strong players are: Glicko-2 for each rule set, one game after another.
//!
//! **Invariant:** ratings are a function of results and of whole numbers: everybody who computes a list of results
//! again gets the very same ratings.

pub mod change;
pub mod glicko;
pub mod recompute;
