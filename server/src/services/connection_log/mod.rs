//! When the players of a game were connected: a record for moderators and admins. "Connected" is what presence says: a player's
//! first connection that watches the game, until the last one has gone.
//!
//! It stands beside the game and holds up nothing: rooms say what has changed, and a task of its own writes it, some at a time.
//! What a crash takes are the last moments, and the server's own absence is told apart from the players'.

pub mod tracker;
pub mod writer;
