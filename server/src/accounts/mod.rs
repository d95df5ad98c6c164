//! People: for now guests, who are let in at once with a funny name and a token; and what is theirs beyond a game.

pub mod funny_names;
pub mod guests;
pub mod identity;
pub mod setups;
