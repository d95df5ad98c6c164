//! How players come to sit at a game.

pub mod admission;
pub mod create;
pub mod limits;
pub mod seating;
