//! The terminal client: it speaks the public protocol alone, as any other client does.
//!
//! **Boundary:** nothing of the server and nothing of the records is used here.

pub mod address;
pub mod board;
pub mod channel;
pub mod commands;
pub mod commitment_check;
pub mod connection;
pub mod delay;
pub mod formation;
pub mod guesses;
pub mod identity;
pub mod lines;
pub mod link;
pub mod notation;
pub mod onlooker;
mod retry;
pub mod rules;
pub mod runtime;
pub mod screen;
pub mod server;
pub mod table;
pub mod text;
pub mod time_control;
pub mod tls;
pub mod unencrypted;
