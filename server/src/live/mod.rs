//! Games that can be watched: a list in memory that the rooms keep, and of each kind the one that is featured.

pub mod featured;
pub mod list;
