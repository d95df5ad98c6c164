//! The subcommands of the program that talk to a server, one file each.

pub mod password_prompt;
pub mod play;
pub mod seeks;
pub mod sign_in;
pub mod tv;
pub mod watch;
