//! What keeps company pleasant: pauses for those who leave their opponents sitting.

pub mod pauses;
