//! One connection: who is there, what they watch, what waits for them.

pub mod connection;
pub mod failure;
pub mod lobby_requests;
pub mod outbox;
pub mod peer;
pub mod requests;
pub mod sockets;
pub mod upgrade;
