//! How players come to sit at a game: they open one, or look for each other in the lobby.
//!
//! [`state`], [`pairing`] and [`pools`] are values and functions; [`task`] has the time, the record and the sockets.

pub mod challenging;
pub mod create;
pub mod earlier_pairing;
pub mod handle;
pub mod pairing;
pub mod pools;
pub mod refusing;
pub mod requests;
pub mod seeking;
pub mod shown;
pub mod starting;
pub mod state;
pub mod task;
pub mod visiting;
