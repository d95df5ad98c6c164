//! The terminal client: it speaks the public protocol alone, as any other client does.

pub mod address;
pub mod answer;
pub mod board;
pub mod channel;
pub mod connection;
pub mod delay;
pub mod formation;
pub mod guesses;
pub mod identity;
pub mod link;
pub mod notation;
pub mod onlooker;
mod retry;
mod roads;
pub mod rules;
pub mod screen;
pub mod server;
pub mod table;
pub mod text;
pub mod time_control;
pub mod tls;
pub mod unencrypted;
pub mod witness;
