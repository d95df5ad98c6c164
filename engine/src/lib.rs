//! Computer players: which move to play.
//!
//! [`Player`] searches a game of Xiangqi or Dou Shou Qi, with any options; [`tables`] know the endings of Dou Shou Qi; [`uci`] lets other programs ask it. [`luzhanqi`] plays Luzhanqi
//! from what a seat may know.
//!
//! **Invariant:** nothing here reads a clock or draws a number. The caller hands in limits, a seed, and a flag that ends the search: the
//! same game, limits and seed give the same move as long as nobody sets the flag. **Boundary:** of the house it knows `rules` alone.
#![warn(missing_docs, clippy::wildcard_enum_match_arm)]

mod doushouqi;
mod draws;
mod evaluation;
mod level;
pub mod luzhanqi;
mod pace;
pub mod parameters;
mod player;
pub mod review;
mod search;
pub mod tables;
pub mod uci;
mod xiangqi;

pub use draws::Draws;
pub use evaluation::{Group, Trace};
pub use level::{Level, UnknownLevel};
pub use pace::Pace;
pub use player::{Player, Score, SearchResult};
pub use search::{Effort, Limits};
