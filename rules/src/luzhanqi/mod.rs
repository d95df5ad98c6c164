//! Luzhanqi, Land Battle Chess (rules, "Luzhanqi"): a game of hidden identities.
//!
//! **Invariant:** what a piece is leaves this folder through [`Play::fen`] with [`fen::Identities`] alone, and through [`Covered::fen`], which knows no
//! more than what it was made from. No type that holds
//! identities can be serialised, and none prints them for debugging.

pub mod attack;
pub mod board;
pub mod covered;
pub mod fen;
pub mod moves;
pub mod piece;
mod play;
pub mod position;
pub mod ruleset;
pub mod setup;
mod zobrist;

pub use covered::{Covered, CoveredError};
pub use moves::Laws;
pub use piece::Piece;
pub use play::Play;
pub use position::Position;
pub use ruleset::Options;
pub use setup::Setup;
