//! Properties that hold for every input, each a function of bytes that panics where its property does not hold.
//!
//! [`TARGETS`] lists them. Two things look for an input that breaks one: [`explore`] changes seeds at random, in the tests of
//! this crate, and `coverage/` hands the same functions to libFuzzer (`make fuzz`). Inputs that once broke a property lie in
//! `found/` and are tried first.

pub mod explore;
pub mod json;
pub mod targets;

pub use targets::{TARGETS, Target};
