//! How players come to sit at a game.

pub mod admission;
pub mod create;
pub mod hall;
pub mod limits;
pub mod pairing;
pub mod pools;
pub mod seating;
