//! People: guests, who are let in at once with a funny name and a token; accounts with a name of their own; and what is theirs
//! beyond a game.

pub mod device_marks;
pub mod ending;
pub mod funny_names;
pub mod guests;
pub mod identity;
pub mod keeping;
pub mod leaving;
pub mod moderated;
pub mod moderating;
pub mod name;
pub mod name_keys;
pub mod passwords;
pub mod permission;
pub mod ranks;
pub mod renaming;
pub mod setups;
pub mod signing;
