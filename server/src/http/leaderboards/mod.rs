//! Who leads.

pub mod get;
