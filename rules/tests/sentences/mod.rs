//! The sentences of the rules, each with a position that shows it.

mod doushouqi;
