//! What admins look at and do, beyond what moderators do to players, games and reports.

pub mod audit;
pub mod games;
pub mod maintenance;
pub mod notice;
pub mod player;
