//! What players tell the moderators of others.

pub mod close;
pub mod create;
pub mod list;
