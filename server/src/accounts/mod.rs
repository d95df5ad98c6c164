//! People: for now guests, who are let in at once with a funny name and a token.

pub mod funny_names;
pub mod guests;
