//! What the server does by itself, again and again.

pub mod announcements;
pub mod openings;
pub mod retention;
