//! People: guests, who are let in at once with a funny name and a token; accounts with a name of their own; and what is theirs
//! beyond a game.

pub mod delete_account;
pub mod device_marks;
pub mod funny_names;
pub mod guests;
pub mod moderating;
pub mod passwords;
pub mod ranks;
pub mod renaming;
pub mod revoke_sessions;
pub mod sanctions;
pub mod session;
pub mod settings;
pub mod setups;
pub mod sign_in;
