//! Positions as text (rules, first paragraph).

use crate::{
    fen::{Fields, PositionError, read_board, seat_of, write_board},
    luzhanqi::{
        board::{self, ALL, FILES, HEADQUARTERS, Points, RANKS, REAR, bit},
        piece::Piece,
        position::Position,
    },
    seat::Seat,
};

/// How a piece is written that the reader may not know.
pub(super) const UNKNOWN: char = 'U';
/// How many pieces a side has.
pub(super) const PIECES: u32 = 25;

/// Whose identities a text shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identities {
    /// Everybody's: for the record, the referee, and once the game has ended.
    All,
    /// One side's alone.
    Of(Seat),
    /// Nobody's.
    None,
}

/// A position with the two counts that its text carries.
#[derive(Clone, Copy)]
pub(super) struct Start {
    pub(super) position: Position,
    pub(super) quiet_plies: u32,
    pub(super) full_move: u32,
}

/// Reads a position, every identity in it.
///
/// # Errors
/// What of it can't be, or can't come about.
pub(super) fn read(text: &str) -> Result<Start, PositionError> {
    let fields = Fields::parse(text)?;
    let mut position = Position::empty(fields.turn);
    read_board(fields.board, FILES, RANKS, |shown, square| {
        let seat = seat_of(shown);
        let piece =
            Piece::from_letter(shown.to_ascii_uppercase()).ok_or(PositionError::Letter(shown))?;
        let point = board::index(square)
            .filter(|point| can_stand(seat, piece) & bit(*point) != 0)
            .ok_or(PositionError::Misplaced {
                letter: shown,
                square,
            })?;
        if position.count(seat, piece) == piece.count() {
            return Err(PositionError::TooMany(shown));
        }
        position.put(seat, piece, point);
        Ok(())
    })?;
    if Seat::ALL
        .into_iter()
        .all(|seat| position.flag(seat).is_none())
    {
        return Err(PositionError::BothFlags);
    }
    Ok(Start {
        position,
        quiet_plies: fields.quiet_plies,
        full_move: fields.full_move,
    })
}

/// A position as a spectator sees it at its poorest: which side's pieces stand where, and what none of them is. Takes the position as
/// anybody knows it.
///
/// # Errors
/// When the text is no board of this game.
pub(crate) fn cover(text: &str) -> Result<String, PositionError> {
    let fields = Fields::parse(text)?;
    let mut occupied: [Points; 2] = [0; 2];
    read_board(fields.board, FILES, RANKS, |shown, square| {
        let seat = seat_of(shown);
        let upper = shown.to_ascii_uppercase();
        let point = board::index(square)
            .filter(|_| upper == UNKNOWN || Piece::from_letter(upper).is_some())
            .ok_or(PositionError::Letter(shown))?;
        if occupied[seat.index()].count_ones() == PIECES {
            return Err(PositionError::TooMany(cased(seat, UNKNOWN)));
        }
        occupied[seat.index()] |= bit(point);
        Ok(())
    })?;
    let mut covered = String::with_capacity(96);
    write_board(&mut covered, FILES, RANKS, |file, rank| {
        let point = bit(rank * FILES + file);
        let seat = Seat::ALL
            .into_iter()
            .find(|seat| occupied[seat.index()] & point != 0);
        seat.map(|seat| cased(seat, UNKNOWN))
    });
    Fields::write_tail(
        &mut covered,
        fields.turn,
        fields.quiet_plies,
        fields.full_move,
    );
    Ok(covered)
}

/// Where a piece can ever stand.
pub(super) const fn can_stand(seat: Seat, piece: Piece) -> Points {
    match piece {
        Piece::Flag => HEADQUARTERS[seat.index()],
        Piece::Landmine => REAR[seat.index()],
        Piece::Marshal
        | Piece::General
        | Piece::MajorGeneral
        | Piece::Brigadier
        | Piece::Colonel
        | Piece::Major
        | Piece::Captain
        | Piece::Lieutenant
        | Piece::Engineer
        | Piece::Grenade => ALL,
    }
}

/// Writes a position with those identities, and the Flags that everybody may see.
pub(super) fn write(
    position: &Position,
    identities: Identities,
    flags_shown: [bool; 2],
    quiet_plies: u32,
    full_move: u32,
) -> String {
    let mut text = String::with_capacity(96);
    write_board(&mut text, FILES, RANKS, |file, rank| {
        let (seat, piece) = position.at(rank * FILES + file)?;
        let known = match identities {
            Identities::All => true,
            Identities::Of(own) => seat == own,
            Identities::None => false,
        } || (flags_shown[seat.index()] && piece == Piece::Flag);
        Some(if known {
            letter(seat, piece)
        } else {
            cased(seat, UNKNOWN)
        })
    });
    Fields::write_tail(&mut text, position.turn(), quiet_plies, full_move);
    text
}

/// A piece's letter in the case of its owner.
pub(super) const fn letter(seat: Seat, piece: Piece) -> char {
    cased(seat, piece.letter())
}

pub(super) const fn cased(seat: Seat, letter: char) -> char {
    match seat {
        Seat::First => letter,
        Seat::Second => letter.to_ascii_lowercase(),
    }
}
