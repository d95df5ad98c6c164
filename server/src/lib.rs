//! The program `qiguan`: the only place where the rules and the protocol meet.
//!
//! A request comes in by [`http`] or [`socket`]; a command for a game goes to its [`room`], which asks the referee,
//! appends to the record in [`store`], and only then lets anybody know.

pub mod accounts;
pub mod alarm;
pub mod animation;
pub mod announcing;
pub mod app;
pub mod archive;
pub mod aside;
pub mod attendance;
pub mod calendar;
pub mod chunks;
pub mod cli;
pub mod config;
pub mod diagram;
pub mod drawings;
pub mod environment;
pub mod failpoints;
pub mod fairness;
pub mod fairplay;
pub mod fd_limit;
pub mod game_text;
pub mod http;
pub mod live;
pub mod lobby;
pub mod memory;
pub mod metric_names;
pub mod net;
pub mod openings;
pub mod ratings;
pub mod retention;
pub mod room;
pub mod socket;
pub mod storage;
pub mod store;
