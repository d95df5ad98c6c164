//! The subcommands, one file each.

pub mod check;
pub mod perft;
pub mod serve;
