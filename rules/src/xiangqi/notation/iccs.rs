//! ICCS: `H2-E2`, files A to I from Red's left, ranks 0 to 9 from Red's side.
//!
//! UCI engines that count ranks from 0 write the same in lower case and without the dash.

use crate::{
    moves::Move,
    square::Square,
    xiangqi::notation::{ReadError, one_of},
};

/// Writes a move.
pub(super) fn write(mv: Move) -> String {
    let square = |square: Square| {
        let file = char::from(b'A' + square.file());
        format!("{file}{}", square.rank())
    };
    format!("{}-{}", square(mv.from), square(mv.to))
}

/// Reads a move, in either case, with the dash or without.
pub(super) fn read(moves: &[Move], text: &str) -> Result<Move, ReadError> {
    one_of(moves, parse(text).ok_or(ReadError::NotOfTheForm)?)
}

fn parse(text: &str) -> Option<Move> {
    let (from, to) = match *text.as_bytes() {
        [from_file, from_rank, b'-', to_file, to_rank]
        | [from_file, from_rank, to_file, to_rank] => ([from_file, from_rank], [to_file, to_rank]),
        _ => return None,
    };
    Some(Move {
        from: square(from)?,
        to: square(to)?,
    })
}

fn square([file, rank]: [u8; 2]) -> Option<Square> {
    let file = file.to_ascii_lowercase().checked_sub(b'a')?;
    let rank = rank.checked_sub(b'0').filter(|rank| *rank <= 9)?;
    Square::new(file, rank)
}
