//! Games that can be watched: a list in memory that the rooms keep, of each kind the one that is featured, and both as
//! streams for clients without a socket.

pub mod course;
pub mod form;
pub mod stream;
