//! People: guests, who are let in at once with a funny name and a token; accounts with a name of their own; and what is theirs
//! beyond a game.

pub mod budgets;
pub mod funny_names;
pub mod guests;
pub mod identity;
pub mod name;
pub mod name_keys;
pub mod setups;
