//! Xiangqi, Chinese chess (rules, "Xiangqi").

mod attacks;
pub mod board;
mod danger;
mod fen;
pub mod moves;
pub mod notation;
pub mod piece;
mod play;
pub mod position;
pub mod repetition;
pub mod ruleset;
mod zobrist;

pub use moves::Laws;
pub use piece::Piece;
pub use play::Play;
pub use position::Position;
pub use ruleset::Options;
