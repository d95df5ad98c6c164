//! The subcommands, one file each.

pub mod check;
pub mod client;
pub mod perft;
pub mod play;
pub mod replay;
pub mod serve;
pub mod watch;
