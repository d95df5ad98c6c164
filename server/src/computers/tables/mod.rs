//! Tables of endings in files, and how a server comes by them.

pub mod files;
pub mod making;
