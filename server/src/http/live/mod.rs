//! What can be watched just now.

pub mod list;
pub mod tv;
