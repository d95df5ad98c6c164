//! One game as values: events, the state that they fold to, the referee, the clock, and what each audience may know.
//!
//! **Boundary:** pure. Nothing here reads a clock, draws a random number, waits, or knows a database or a network: time and randomness are
//! arguments.

pub mod absence;
pub mod adjudication;
pub mod analyses;
pub mod audience;
pub mod audit_entry;
pub mod calendar;
pub mod chunks;
pub mod clock;
pub mod commitments;
pub mod connection_log;
pub mod delay;
pub mod event;
pub mod given_start;
pub mod judging;
pub mod opening;
pub mod pauses;
pub mod people;
pub mod position_key;
pub mod ratings;
pub mod record;
pub mod referee;
#[cfg(test)]
mod referee_tests;
pub mod refusal;
pub mod repeating;
pub mod rulesets;
pub mod seat_drafts;
pub mod setups;
pub mod slot;
pub mod spectator_line;
pub mod state;
#[cfg(test)]
mod takeback_tests;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod text;
pub mod validate;
