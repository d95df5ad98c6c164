//! The subcommands, one file each, and what several of them share: which records are meant, and how far they are.

pub mod admin;
mod asking;
pub mod audit;
pub mod backup;
pub mod check;
pub mod client;
pub mod export;
pub mod import;
pub mod migrate;
pub mod perft;
pub mod play;
pub mod progress;
pub mod records;
pub mod reindex;
pub mod replay;
pub mod restore;
pub mod seeks;
pub mod serve;
pub mod sign_in;
pub mod tv;
pub mod verify;
pub mod watch;
