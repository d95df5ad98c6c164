//! Chinese notation: 炮二平五, 前车退三, in simplified characters.
//!
//! Red's numbers are 一 to 九, Black's １ to ９. Of two in tandem the front one is 前 and the rear one 后, the middle one of
//! three Soldiers 中; four or five Soldiers are counted from the front, 一兵 to 五兵 (for Black too: it is a count, no file).
//! Where Soldiers stand in tandem on two files, the file takes the place of the piece's name: 前三平四.

use crate::{
    moves::Move,
    seat::Seat,
    xiangqi::{
        Piece, Position,
        notation::{
            ReadError,
            file_move::{self, FileMove, Man, Mark, Way},
        },
    },
};

/// Red's numbers.
const NUMERALS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// Writes a move; none if no man of the side to move stands there.
pub(super) fn write(position: &Position, mv: Move) -> Option<String> {
    let FileMove { who, way, number } = file_move::of(position, mv, name)?;
    let seat = position.turn();
    let mark = |mark| match mark {
        Mark::Piece(piece) => character(seat, piece),
        Mark::Digit(digit) => numeral(seat, digit),
        Mark::Front => '前',
        Mark::Middle => '中',
        Mark::Rear => '后',
    };
    let first = match who {
        [Mark::Digit(ordinal), Mark::Piece(_)] => numeral(Seat::First, ordinal),
        [first, _] => mark(first),
    };
    let way = match way {
        Way::Forward => '进',
        Way::Backward => '退',
        Way::Sideways => '平',
    };
    Some(String::from_iter([
        first,
        mark(who[1]),
        way,
        numeral(seat, number),
    ]))
}

/// Reads a move: simplified or traditional characters, either side's pieces, and Chinese, Arabic or full-width digits
/// whichever side moves; the front or rear man's sign before its name or behind it. Where Soldiers stand in tandem on two
/// files, 一兵 to 五兵 are also those of all such files, from right to left and on each from the front.
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
        [
            piece @ Mark::Piece(_),
            sign @ (Mark::Front | Mark::Middle | Mark::Rear),
        ] => [sign, piece],
        who @ ([Mark::Piece(_), Mark::Digit(_)]
        | [Mark::Digit(_), Mark::Piece(_)]
        | [
            Mark::Front | Mark::Middle | Mark::Rear,
            Mark::Piece(_) | Mark::Digit(_),
        ]) => who,
        _ => return None,
    };
    let way = match way {
        '进' | '進' => Way::Forward,
        '退' => Way::Backward,
        '平' => Way::Sideways,
        _ => return None,
    };
    Some(FileMove {
        who,
        way,
        number: digit(number)?,
    })
}

fn mark(sign: char) -> Option<Mark> {
    Some(match sign {
        '前' => Mark::Front,
        '中' => Mark::Middle,
        '后' | '後' => Mark::Rear,
        '帅' | '帥' | '将' | '將' => Mark::Piece(Piece::General),
        '仕' | '士' => Mark::Piece(Piece::Advisor),
        '相' | '象' => Mark::Piece(Piece::Elephant),
        '马' | '馬' | '傌' => Mark::Piece(Piece::Horse),
        '车' | '車' | '俥' => Mark::Piece(Piece::Chariot),
        '炮' | '砲' | '包' => Mark::Piece(Piece::Cannon),
        '兵' | '卒' => Mark::Piece(Piece::Soldier),
        other => Mark::Digit(digit(other)?),
    })
}

fn digit(sign: char) -> Option<u8> {
    let digit = match sign {
        '1'..='9' => u32::from(sign) - u32::from('0'),
        '１'..='９' => u32::from(sign) - u32::from('０'),
        other => NUMERALS.iter().position(|numeral| *numeral == other)? as u32 + 1,
    };
    Some(digit as u8)
}

fn numeral(seat: Seat, number: u8) -> char {
    let black = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
    let numerals = match seat {
        Seat::First => NUMERALS,
        Seat::Second => black,
    };
    // Files and distances are 1 to 9.
    numerals[usize::from(number.saturating_sub(1)) % 9]
}

const fn character(seat: Seat, piece: Piece) -> char {
    match (piece, seat) {
        (Piece::General, Seat::First) => '帅',
        (Piece::General, Seat::Second) => '将',
        (Piece::Advisor, Seat::First) => '仕',
        (Piece::Advisor, Seat::Second) => '士',
        (Piece::Elephant, Seat::First) => '相',
        (Piece::Elephant, Seat::Second) => '象',
        (Piece::Horse, Seat::First | Seat::Second) => '马',
        (Piece::Chariot, Seat::First | Seat::Second) => '车',
        (Piece::Cannon, Seat::First | Seat::Second) => '炮',
        (Piece::Soldier, Seat::First) => '兵',
        (Piece::Soldier, Seat::Second) => '卒',
    }
}

fn name(man: Man) -> [Mark; 2] {
    let piece = Mark::Piece(man.piece);
    if man.is_plain() {
        return man.plain();
    }
    match (man.piece, man.ordinal) {
        (Piece::Soldier, Some(_)) if man.soldier_tandems > 1 => {
            [man.place_mark(), Mark::Digit(man.file)]
        }
        (Piece::Soldier, Some(ordinal)) if man.tandem > 3 => [Mark::Digit(ordinal), piece],
        _ => [man.place_mark(), piece],
    }
}
