//! The rules from outside: counts, properties, and the sentences of the specification, in one binary.
#![expect(clippy::expect_used, clippy::panic, reason = "a test fails loudly")]

mod covered;
mod length_limit;
mod notation;
mod perft;
mod positions;
mod properties;
mod secrecy;
mod sentences;
mod setups;
mod support;
mod xiangqi_corpora;
