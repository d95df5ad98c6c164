//! Plain squares: `h3e3`, ranks 1 to 10, as everywhere in this project and as UCI engines write that count from 1.
//!
//! Other engines count from 0; a list of moves mostly tells which, since only one of them has a rank 0, and only the other
//! a rank 10 ([`ranks`]).

use crate::{
    moves::Move,
    xiangqi::notation::{ReadError, one_of},
};

/// Reads a move.
pub(super) fn read(moves: &[Move], text: &str) -> Result<Move, ReadError> {
    one_of(moves, text.parse().map_err(|_| ReadError::NotOfTheForm)?)
}

/// How ranks are counted in texts of two squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ranks {
    From0,
    From1,
    /// Nothing tells.
    Either,
}

/// How a text of two squares counts its ranks; none if it is no such text.
pub(super) fn ranks(text: &str) -> Option<Ranks> {
    let mut rest = text;
    let from = square(&mut rest)?;
    rest = rest.strip_prefix('-').unwrap_or(rest);
    let to = square(&mut rest)?;
    if !rest.is_empty() {
        return None;
    }
    Some(if from == 0 || to == 0 {
        Ranks::From0
    } else if from == 10 || to == 10 {
        Ranks::From1
    } else {
        Ranks::Either
    })
}

/// Takes a square off the front and tells its rank as it is written, 0 to 10.
fn square(text: &mut &str) -> Option<u8> {
    let file = text.as_bytes().first()?.to_ascii_lowercase();
    if !(b'a'..=b'i').contains(&file) {
        return None;
    }
    let digits = &text[1..];
    let end = digits
        .find(|sign: char| !sign.is_ascii_digit())
        .unwrap_or(digits.len());
    let (rank, rest) = digits.split_at(end);
    *text = rest;
    rank.parse().ok().filter(|rank| *rank <= 10)
}
