//! What the notation of positions has in common in all games (rules, first paragraph).

use std::fmt;

use crate::{seat::Seat, square::Square};

/// Why a text is no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionError {
    /// Not six fields with single spaces between them.
    Fields,
    /// Not as many ranks as the board has.
    Ranks,
    /// A rank that is too long or too short.
    Width {
        /// The rank, from 1.
        rank: u8,
    },
    /// A 0, or two digits side by side.
    Digits {
        /// The rank, from 1.
        rank: u8,
    },
    /// A letter that is no piece of this game.
    Letter(char),
    /// More of a piece than a set has.
    TooMany(char),
    /// A piece where it can never stand.
    Misplaced {
        /// The piece.
        letter: char,
        /// Where it stands.
        square: Square,
    },
    /// The side to move is neither `w` nor `b`.
    Turn,
    /// The third and fourth fields are not `-`.
    Dashes,
    /// The number of quiet plies is no whole number.
    QuietPlies,
    /// The number of the full move is no whole number from 1.
    FullMove,
    /// Both dens have been entered (Dou Shou Qi).
    BothDens,
    /// There is no animal at all (Dou Shou Qi).
    Empty,
    /// A side has no General (Xiangqi).
    NoGeneral(char),
    /// The Generals face each other on an open file (Xiangqi).
    GeneralsFace,
    /// The side that is not to move is in check (Xiangqi).
    CheckOutOfTurn,
    /// Both Flags are gone (Luzhanqi).
    BothFlags,
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fields => f.write_str("a position needs six fields separated by single spaces"),
            Self::Ranks => f.write_str("wrong number of ranks"),
            Self::Width { rank } => write!(f, "rank {rank} has the wrong width"),
            Self::Digits { rank } => write!(f, "rank {rank} has a 0 or two digits side by side"),
            Self::Letter(letter) => write!(f, "{letter:?} is not a piece of this game"),
            Self::TooMany(letter) => write!(f, "too many {letter}"),
            Self::Misplaced { letter, square } => write!(f, "{letter} can't stand on {square}"),
            Self::Turn => f.write_str("the second field must be the side to move, w or b"),
            Self::Dashes => f.write_str("the third and fourth fields must be -"),
            Self::QuietPlies => {
                f.write_str("the fifth field must be the number of plies since the last capture")
            }
            Self::FullMove => f.write_str("the sixth field must be the full-move number, from 1"),
            Self::BothDens => f.write_str("both dens are occupied by the enemy"),
            Self::Empty => f.write_str("there is no animal on the board"),
            Self::NoGeneral(letter) => write!(f, "there is no {letter}"),
            Self::GeneralsFace => f.write_str("the generals face each other on an open file"),
            Self::CheckOutOfTurn => f.write_str("the side that is not to move is in check"),
            Self::BothFlags => f.write_str("both flags are gone"),
        }
    }
}

impl std::error::Error for PositionError {}

/// The fields of a position, the board still as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields<'a> {
    /// The ranks, from the highest down, with `/` between them.
    pub board: &'a str,
    /// The side to move.
    pub turn: Seat,
    /// Plies since the last capture.
    pub quiet_plies: u32,
    /// The number of the full move, from 1.
    pub full_move: u32,
}

impl<'a> Fields<'a> {
    /// Splits a position into its fields.
    ///
    /// # Errors
    /// The first invalid field.
    pub fn parse(text: &'a str) -> Result<Self, PositionError> {
        let mut fields = text.split(' ');
        let mut next = || fields.next().ok_or(PositionError::Fields);
        let (board, turn, third, fourth, quiet, full) =
            (next()?, next()?, next()?, next()?, next()?, next()?);
        if fields.next().is_some() || board.is_empty() {
            return Err(PositionError::Fields);
        }
        let turn = match turn {
            "w" => Seat::First,
            "b" => Seat::Second,
            _ => return Err(PositionError::Turn),
        };
        if third != "-" || fourth != "-" {
            return Err(PositionError::Dashes);
        }
        let quiet_plies = number(quiet).ok_or(PositionError::QuietPlies)?;
        let full_move = number(full)
            .filter(|number| *number >= 1)
            .ok_or(PositionError::FullMove)?;
        Ok(Self {
            board,
            turn,
            quiet_plies,
            full_move,
        })
    }

    /// Writes the fields after the board.
    pub fn write_tail(text: &mut String, turn: Seat, quiet_plies: u32, full_move: u32) {
        use fmt::Write;
        let turn = match turn {
            Seat::First => 'w',
            Seat::Second => 'b',
        };
        // Writing to a string does not fail.
        let _ = write!(text, " {turn} - - {quiet_plies} {full_move}");
    }
}

/// The side of a piece's letter: upper case is the first seat's.
pub(crate) const fn seat_of(letter: char) -> Seat {
    if letter.is_ascii_uppercase() {
        Seat::First
    } else {
        Seat::Second
    }
}

/// Calls `place` for every letter of a board of `files` × `ranks`.
///
/// # Errors
/// A board that is not of this size, or what `place` says.
pub fn read_board(
    board: &str,
    files: u8,
    ranks: u8,
    mut place: impl FnMut(char, Square) -> Result<(), PositionError>,
) -> Result<(), PositionError> {
    if board.split('/').count() != usize::from(ranks) {
        return Err(PositionError::Ranks);
    }
    for (row, rank) in board.split('/').zip((0..ranks).rev()) {
        let shown = rank + 1;
        let mut file = 0;
        let mut after_digit = false;
        for letter in row.chars() {
            if let Some(digit) = letter.to_digit(10) {
                if digit == 0 || after_digit {
                    return Err(PositionError::Digits { rank: shown });
                }
                file += digit as u8;
                after_digit = true;
            } else {
                let square = Square::new(file, rank).filter(|square| square.file() < files);
                place(letter, square.ok_or(PositionError::Width { rank: shown })?)?;
                file += 1;
                after_digit = false;
            }
        }
        if file != files {
            return Err(PositionError::Width { rank: shown });
        }
    }
    Ok(())
}

/// Writes a board of `files` × `ranks`.
pub fn write_board(
    text: &mut String,
    files: u8,
    ranks: u8,
    piece: impl Fn(u8, u8) -> Option<char>,
) {
    for rank in (0..ranks).rev() {
        let mut empty = 0;
        for file in 0..files {
            match piece(file, rank) {
                Some(letter) => {
                    if empty > 0 {
                        text.push(char::from(b'0' + empty));
                        empty = 0;
                    }
                    text.push(letter);
                }
                None => empty += 1,
            }
        }
        if empty > 0 {
            text.push(char::from(b'0' + empty));
        }
        if rank > 0 {
            text.push('/');
        }
    }
}

/// A whole number in decimal digits, without a sign or a leading zero.
fn number(text: &str) -> Option<u32> {
    let plain =
        text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    if plain { text.parse().ok() } else { None }
}
