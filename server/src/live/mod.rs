//! Games that can be watched: a list in memory that the rooms keep, of each kind the one that is featured, and both as
//! streams for clients without a socket, as is what a player receives.

pub mod course;
pub mod form;
pub mod own_games;
pub mod stream;
pub mod watcher;
