//! Who one is: guests and accounts, their sessions and tokens, and what moderators do with them.

mod answer;
pub mod ban;
pub mod bot;
pub mod delete;
pub mod guest;
pub mod limit;
pub mod login;
pub mod logout;
pub mod me;
pub mod mute;
pub mod password;
pub mod register;
pub mod rename;
pub mod role;
pub mod sessions;
pub mod tokens;
