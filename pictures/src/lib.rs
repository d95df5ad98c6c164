//! Pictures of positions and animations of games.

pub mod animation;
pub mod diagram;
mod ground;
mod layout;
mod looks;
mod marks;
pub mod pieces;
