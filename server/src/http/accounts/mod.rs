//! Who one is.

pub mod guest;
pub mod me;
