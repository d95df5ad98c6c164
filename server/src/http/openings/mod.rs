//! How games begin.

pub mod get;
mod position;

pub(super) use position::position;
