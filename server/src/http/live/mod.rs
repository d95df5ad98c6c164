//! What can be watched just now.

pub mod channel;
pub mod list;
pub mod opening;
pub mod tv;
