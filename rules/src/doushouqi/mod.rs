//! Dou Shou Qi, also called Jungle (rules, "Dou Shou Qi").

pub mod board;
mod fen;
pub mod moves;
pub mod piece;
mod play;
pub mod position;
pub mod ruleset;
mod zobrist;

pub use moves::Laws;
pub use piece::Piece;
pub use play::Play;
pub use position::Position;
pub use ruleset::Options;
