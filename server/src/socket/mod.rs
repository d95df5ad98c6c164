//! One connection: who is there, what they watch, what waits for them.

pub mod connection;
pub mod failure;
pub mod lobby_requests;
pub mod requests;
pub mod upgrade;
