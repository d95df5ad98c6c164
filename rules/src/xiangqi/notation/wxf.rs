//! WXF notation: `C2=5`, `H8+7`, `R+-3`, by the World Xiangqi Federation's page on notation.
//!
//! Soldiers in tandem: two are `P+` and `P-`; of three the middle one keeps its file, `P3`; of four or five the foremost
//! is `++` and the rearmost `--`, and those between as if they were two or three. Where Soldiers stand in tandem on two
//! files, the file takes the place of the letter: `3+`, `33`, `3-`.

use crate::{
    moves::Move,
    xiangqi::{
        Piece, Position,
        notation::{
            ReadError,
            file_move::{self, FileMove, Man, Mark, Way},
        },
    },
};

/// Writes a move; none if no man of the side to move stands there.
pub(super) fn write(position: &Position, mv: Move) -> Option<String> {
    let FileMove { who, way, number } = file_move::of(position, mv, name)?;
    let mark = |mark| match mark {
        Mark::Piece(piece) => letter(piece),
        Mark::Digit(digit) => char::from(b'0' + digit),
        Mark::Front => '+',
        Mark::Rear => '-',
        // Never a name here: the middle one of three has its file.
        Mark::Middle => '=',
    };
    let way = match way {
        Way::Forward => '+',
        Way::Backward => '-',
        Way::Sideways => '=',
    };
    Some(String::from_iter([
        mark(who[0]),
        mark(who[1]),
        way,
        char::from(b'0' + number),
    ]))
}

/// Reads a move: `H` or `N`, `E` or `B`, in either case; `=` or `.` for sideways; the sign of the front or rear man behind
/// its letter or before it; `13=4` for the first Soldier in tandem on the third file, as some programs write.
pub(super) fn read(position: &Position, moves: &[Move], text: &str) -> Result<Move, ReadError> {
    let written = parse(text).ok_or(ReadError::NotOfTheForm)?;
    file_move::find(position, moves, written, name)
}

fn parse(text: &str) -> Option<FileMove> {
    let mut signs = text.chars();
    let (first, second, way, number) = (signs.next()?, signs.next()?, signs.next()?, signs.next()?);
    if signs.next().is_some() {
        return None;
    }
    let who = match [mark(first)?, mark(second)?] {
        [sign @ (Mark::Front | Mark::Rear), piece @ Mark::Piece(_)] => [piece, sign],
        [Mark::Piece(_) | Mark::Digit(_), Mark::Piece(_)] => return None,
        who => who,
    };
    let way = match way {
        '=' | '.' => Way::Sideways,
        other => match mark(other)? {
            Mark::Front => Way::Forward,
            Mark::Rear => Way::Backward,
            Mark::Piece(_) | Mark::Digit(_) | Mark::Middle => return None,
        },
    };
    Some(FileMove {
        who,
        way,
        number: digit(number)?,
    })
}

fn mark(sign: char) -> Option<Mark> {
    Some(match sign {
        '+' => Mark::Front,
        // The Federation's own page prints a dash.
        '-' | '–' | '−' => Mark::Rear,
        other => match digit(other) {
            Some(digit) => Mark::Digit(digit),
            None => Mark::Piece(piece(other)?),
        },
    })
}

fn digit(sign: char) -> Option<u8> {
    let digit = sign.to_digit(10).filter(|digit| *digit > 0)?;
    Some(digit as u8)
}

fn piece(letter: char) -> Option<Piece> {
    Some(match letter.to_ascii_uppercase() {
        'H' => Piece::Horse,
        'E' => Piece::Elephant,
        other => Piece::from_letter(other)?,
    })
}

const fn letter(piece: Piece) -> char {
    match piece {
        Piece::Horse => 'H',
        Piece::Elephant => 'E',
        Piece::General | Piece::Advisor | Piece::Chariot | Piece::Cannon | Piece::Soldier => {
            piece.letter()
        }
    }
}

fn name(man: Man) -> [Mark; 2] {
    let letter = Mark::Piece(man.piece);
    let file = Mark::Digit(man.file);
    if man.is_plain() {
        return man.plain();
    }
    match (man.soldier_tandems, man.piece) {
        (2.., Piece::Soldier) => match man.place_mark() {
            Mark::Middle => [file, file],
            end @ (Mark::Front | Mark::Rear | Mark::Piece(_) | Mark::Digit(_)) => [file, end],
        },
        _ => match (man.tandem, man.place) {
            (4 | 5, 0) => [Mark::Front, Mark::Front],
            (4, 3) | (5, 4) => [Mark::Rear, Mark::Rear],
            (3, 1) | (5, 2) => [letter, file],
            (2 | 3, 0) | (4 | 5, 1) => [letter, Mark::Front],
            _ => [letter, Mark::Rear],
        },
    }
}
