//! Pictures of positions, cards that show games where their addresses are pasted, and animations of games.

pub mod animation;
pub mod card;
pub mod diagram;
mod ground;
mod layout;
mod looks;
mod marks;
mod palette;
pub mod pieces;
mod raster;
