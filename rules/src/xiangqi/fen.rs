//! Positions as text (rules, first paragraph).

use crate::{
    fen::{Fields, PositionError, read_board, seat_of, write_board},
    seat::Seat,
    xiangqi::{
        board::{self, ADVISOR_POINTS, ELEPHANT_POINTS, FILES, PALACE, RANKS, SOLDIER_POINTS, bit},
        moves::in_check,
        piece::Piece,
        position::{OFF, Position},
    },
};

/// The position at the beginning of a game.
pub(super) const START: &str =
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

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
        let point = board::index(square)
            .filter(|point| can_stand(seat, piece, *point))
            .ok_or(PositionError::Misplaced { letter, square })?;
        if position.put(seat, piece, point) {
            Ok(())
        } else {
            Err(PositionError::TooMany(letter))
        }
    })?;
    for seat in Seat::ALL {
        if position.general(seat) == OFF {
            return Err(PositionError::NoGeneral(letter(seat, Piece::General)));
        }
    }
    let [one, other] = Seat::ALL.map(|seat| position.general(seat));
    let way = crate::xiangqi::attacks::between(one / FILES, other / FILES);
    if one % FILES == other % FILES && position.files[usize::from(one % FILES)] & way == 0 {
        return Err(PositionError::GeneralsFace);
    }
    if in_check(&position, fields.turn.other()) {
        return Err(PositionError::CheckOutOfTurn);
    }
    Ok(Start {
        position,
        quiet_plies: fields.quiet_plies,
        full_move: fields.full_move,
    })
}

/// Whether a piece can ever stand on a point.
const fn can_stand(seat: Seat, piece: Piece, point: u8) -> bool {
    let points = match piece {
        Piece::General => PALACE[seat.index()],
        Piece::Advisor => ADVISOR_POINTS[seat.index()],
        Piece::Elephant => ELEPHANT_POINTS[seat.index()],
        Piece::Soldier => SOLDIER_POINTS[seat.index()],
        Piece::Horse | Piece::Chariot | Piece::Cannon => board::ALL,
    };
    points & bit(point) != 0
}

/// Writes a position.
pub(super) fn write(position: &Position, quiet_plies: u32, full_move: u32) -> String {
    let mut text = String::with_capacity(96);
    write_board(&mut text, FILES, RANKS, |file, rank| {
        let (seat, piece) = position.at(rank * FILES + file)?;
        Some(letter(seat, piece))
    });
    Fields::write_tail(&mut text, position.turn(), quiet_plies, full_move);
    text
}

/// A piece's letter in the case of its owner.
pub(super) const fn letter(seat: Seat, piece: Piece) -> char {
    match seat {
        Seat::First => piece.letter(),
        Seat::Second => piece.letter().to_ascii_lowercase(),
    }
}
