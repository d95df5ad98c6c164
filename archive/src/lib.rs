//! Games as JSON lines, out of a record and into another, and the check of a whole record.
//!
//! **Boundary:** this knows the records by `Store` alone, so that it works from any database into any other. What a line
//! looks like is described in `docs/archive.md`.

pub mod exporting;
pub mod importing;
pub mod line;
mod pages;
pub mod resuming;
pub mod texts;
pub mod verifying;
