//! What keeps company pleasant: pauses for those who leave their opponents sitting, blocks, and who keeps order.

pub mod company;
pub mod pauses;
