//! The computer players: they sit in games as people do, see what their seat may know, and send commands to its room.

mod accounts;
pub mod hints;
pub mod playing;
pub mod pool;
mod position;
pub mod reviews;
pub mod tables;
mod thinking;

pub use self::accounts::add_missing;
