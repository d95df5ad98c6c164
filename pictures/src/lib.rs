//! Pictures of positions and moving pictures of games.

pub mod animation;
pub mod diagram;
