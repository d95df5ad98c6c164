//! The jobs that the server runs by itself, again and again.

pub mod announcements;
mod leisure;
pub mod membership;
pub mod openings;
pub mod packing;
pub mod retention;
pub mod running;
