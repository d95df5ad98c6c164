//! How people and programs write moves of Xiangqi: WXF, Chinese, ICCS, and plain squares (docs/notation.md).
//!
//! A move is written and read against the position that it is played in. A reader takes the moves that can be played
//! there and yields one of them; which may be played is not judged here, so a banned move can be read too.
//!
//! **Invariant:** what [`Notation::write`] writes of a legal move, [`Notation::read`] reads as that move.

mod chinese;
mod file_move;
pub mod foreign_fen;
mod iccs;
pub mod record;
mod squares;
mod wxf;

use std::fmt;

use crate::{moves::Move, xiangqi::Position};

/// A way to write moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// From and to with ranks 1 to 10, `h3e3`: this project's own, and that of UCI engines.
    Squares,
    /// From and to with ranks 0 to 9, `H2-E2`.
    Iccs,
    /// The World Xiangqi Federation's, `C2=5`.
    Wxf,
    /// 炮二平五.
    Chinese,
}

impl Notation {
    /// Every notation.
    pub const ALL: [Self; 4] = [Self::Squares, Self::Iccs, Self::Wxf, Self::Chinese];

    /// The notation's word in options.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Squares => "squares",
            Self::Iccs => "iccs",
            Self::Wxf => "wxf",
            Self::Chinese => "chinese",
        }
    }

    /// The notation of this word.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|notation| notation.as_str() == name)
    }

    /// Writes a move of the side to move; none if none of its men stands there or the target is off the board.
    pub fn write(self, position: &Position, mv: Move) -> Option<String> {
        match self {
            Self::Squares => Some(mv.to_string()),
            Self::Iccs => Some(iccs::write(mv)),
            Self::Wxf => wxf::write(position, mv),
            Self::Chinese => chinese::write(position, mv),
        }
    }

    /// Reads one of the moves that the side to move can play.
    ///
    /// # Errors
    /// When the text is not of this notation, or means none of the moves, or several of them.
    pub fn read(self, position: &Position, moves: &[Move], text: &str) -> Result<Move, ReadError> {
        match self {
            Self::Squares => squares::read(moves, text),
            Self::Iccs => iccs::read(moves, text),
            Self::Wxf => wxf::read(position, moves, text),
            Self::Chinese => chinese::read(position, moves, text),
        }
    }
}

/// Why a text is read as no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// The text is not of the form of this notation, or of any.
    NotOfTheForm,
    /// No move that can be played is meant.
    NoSuchMove,
    /// Several moves could be meant.
    Ambiguous,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotOfTheForm => "not a valid move in this notation",
            Self::NoSuchMove => "no piece can make this move",
            Self::Ambiguous => "ambiguous: more than one piece can make this move",
        })
    }
}

impl std::error::Error for ReadError {}

/// The move if it is one of those that can be played.
fn one_of(moves: &[Move], mv: Move) -> Result<Move, ReadError> {
    if moves.contains(&mv) {
        Ok(mv)
    } else {
        Err(ReadError::NoSuchMove)
    }
}
