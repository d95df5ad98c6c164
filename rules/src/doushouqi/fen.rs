//! Positions as text (rules, first paragraph).

use crate::{
    doushouqi::{
        board::{self, FILES, RANKS, bit},
        piece::Piece,
        position::Position,
    },
    fen::{Fields, PositionError, read_board, seat_of, write_board},
    seat::Seat,
};

/// The position at the beginning of a game.
pub(super) const START: &str = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w - - 0 1";

/// A position with the two counts that its text carries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    pub(super) position: Position,
    pub(super) quiet_plies: u32,
    pub(super) full_move: u32,
}

/// Reads a position.
///
/// # Errors
/// What of it can't be, or can't come about.
pub(super) fn read(text: &str) -> Result<Start, PositionError> {
    let fields = Fields::parse(text)?;
    let mut position = Position::empty(fields.turn);
    read_board(fields.board, FILES, RANKS, |letter, square| {
        let seat = seat_of(letter);
        let piece =
            Piece::from_letter(letter.to_ascii_uppercase()).ok_or(PositionError::Letter(letter))?;
        let index = board::index(square).ok_or(PositionError::Misplaced { letter, square })?;
        if position.square_of(seat, piece).is_some() {
            return Err(PositionError::TooMany(letter));
        }
        let drowned = piece != Piece::Rat && bit(index) & board::RIVER != 0;
        if drowned || bit(index) & board::DEN[seat.index()] != 0 {
            return Err(PositionError::Misplaced { letter, square });
        }
        position.put(seat, piece, index);
        Ok(())
    })?;
    if position.occupied == [0, 0] {
        return Err(PositionError::Empty);
    }
    if Seat::ALL
        .into_iter()
        .all(|seat| position.occupied[seat.index()] & board::enemy_den(seat) != 0)
    {
        return Err(PositionError::BothDens);
    }
    Ok(Start {
        position,
        quiet_plies: fields.quiet_plies,
        full_move: fields.full_move,
    })
}

/// Writes a position.
pub(super) fn write(position: &Position, quiet_plies: u32, full_move: u32) -> String {
    let mut letters = [None; board::SQUARES];
    for seat in Seat::ALL {
        for piece in Piece::ALL {
            if let Some(square) = position.square_of(seat, piece) {
                letters[usize::from(square)] = Some(letter(seat, piece));
            }
        }
    }
    let mut text = String::with_capacity(64);
    write_board(&mut text, FILES, RANKS, |file, rank| {
        letters[usize::from(rank * FILES + file)]
    });
    Fields::write_tail(&mut text, position.turn(), quiet_plies, full_move);
    text
}

/// An animal's letter in the case of its owner.
pub(super) const fn letter(seat: Seat, piece: Piece) -> char {
    match seat {
        Seat::First => piece.letter(),
        Seat::Second => piece.letter().to_ascii_lowercase(),
    }
}
