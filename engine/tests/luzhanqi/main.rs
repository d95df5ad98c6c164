//! The computer player of Luzhanqi: what it believes, what it may not depend on, and how well it plays.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests")]

mod belief;
mod review;
mod strength;
mod table;
mod twins;
mod whole_games;
