//! Fair play: pauses for players who leave games early, blocks, and moderators.

pub mod company;
