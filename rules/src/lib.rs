#![doc = include_str!("../README.md")]
//!
//! # How it is laid out
//!
//! Pure values and functions, without I/O, clock, randomness or a wire format. Start with [`Game`]: one closed enum over the games with one small interface. Each game has a folder with the same
//! files: `board` (squares and geometry), `piece`, `ruleset` (options and named sets), `position` (state and play),
//! `moves` (generation), `fen`. What they share lies beside them: [`history`] (occurrences and bans), [`option`], [`fen`].
//!
//! **Invariant:** nothing here reads a clock, draws a number or knows who plays. The specification is `docs/rules.md`.
#![warn(missing_docs, clippy::wildcard_enum_match_arm)]

pub mod catalog;
pub mod doushouqi;
pub mod fen;
pub mod game;
pub mod history;
pub mod luzhanqi;
pub mod moves;
pub mod option;
pub mod outcome;
pub mod perft;
pub mod ruleset;
pub mod seat;
pub mod square;
pub mod xiangqi;
mod zobrist;

pub use fen::PositionError;
pub use game::{Game, PlayError, Played, View, Viewer};
pub use history::{BanReason, BannedMove};
pub use moves::Move;
pub use option::{OptionError, OptionKind, OptionValue};
pub use outcome::{EndReason, Outcome};
pub use ruleset::{RuleSet, UnknownRuleSet};
pub use seat::{BySeat, Seat};
pub use square::Square;
