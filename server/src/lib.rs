//! The running server.
//!
//! A request comes in by [`http`] or [`socket`]; a command for a game goes to its [`room`], which asks the referee,
//! appends to the record, and only then lets anybody know.

pub mod abroad;
pub mod accounts;
pub mod admission;
pub mod alarm;
pub mod app;
pub mod aside;
pub mod cluster;
pub mod computers;
pub mod config;
pub mod drawings;
pub mod fd_limit;
pub mod http;
pub mod jobs;
pub mod live;
pub mod lobby;
pub mod memory;
pub mod metric_names;
pub mod net;
pub mod packed_pages;
pub mod peer;
pub mod process_meter;
pub mod room;
pub mod router;
pub mod services;
pub mod socket;
pub mod store_errors;
pub mod traces;
