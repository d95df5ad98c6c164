#![doc = include_str!("../README.md")]
//!
//! # How it is laid out
//!
//! Reading [`client`] and [`command`] (what clients send), [`event`] (what everybody sees happening), [`view`] (a game as one viewer
//! sees it), [`answer`] and [`error`] is reading the protocol `qiguan.v1`; `docs/protocol.md` tells it as a story.
//!
//! **Invariant:** nothing here knows the server, and no type here can hold what its receiver may not know: a game's
//! secrets are removed before a value of this crate is made (the server's `room::audience`).
#![warn(missing_docs, clippy::wildcard_enum_match_arm)]

pub mod account;
pub mod analysis;
pub mod announcement;
pub mod answer;
pub mod audit;
pub mod catalog;
pub mod client;
pub mod command;
pub mod computer;
pub mod delay;
pub mod echo;
pub mod ending;
mod envelope;
pub mod error;
pub mod event;
pub mod exported;
pub mod following;
pub mod hint;
pub mod ids;
pub mod judging;
pub mod limits;
pub mod live;
pub mod live_text;
pub mod lobby;
pub mod moderation;
pub mod move_text;
pub mod names;
pub mod object;
pub mod opening;
pub mod operation;
pub mod option;
pub mod overseeing;
pub mod own_game;
pub mod profile;
pub mod push;
pub mod puzzle;
pub mod query;
pub mod report;
pub mod review;
pub mod saved_setup;
pub mod settings;
pub mod setup;
pub mod time_control;
pub mod view;
mod words;

/// The WebSocket subprotocol, and with it the version of everything in this crate.
pub const SUBPROTOCOL: &str = "qiguan.v1";
