//! XQF, the files of the program 象棋演播室: a header with the position and names, then a tree of moves with comments.
//!
//! Versions up to 1.0 (10) are plain. Later ones hide men, moves and lengths behind keys that follow from the header, and add to each
//! byte of the tree one of a phrase that the keys have masked. A point is ten times its file from Red's left and its rank from Red's
//! side. A move says whether one follows it, and whether another one stands beside it. Pure.

use encoding_rs::{Encoding, UTF_8};
use qiguan_rules::{Move, Square};

use super::{ResultMark, decoding, dhtmlxq, tree::TextTree};

/// The length of the header.
const HEADER: usize = 0x400;
/// The newest version of files.
const NEWEST: u8 = 18;
/// The newest version without keys.
const PLAIN: u8 = 10;
/// So many moves a file has at most, with those of its variations.
const MOVES: usize = 100_000;
/// What the keys of a file mask.
const PHRASE: &[u8; 32] = b"[(C) Copyright Mr. Dong Shiwei.]";

/// Why a file is no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum XqfError {
    /// It is shorter than its header.
    #[error("the file breaks off in its header")]
    Short,
    /// It is of a version that nobody knows.
    #[error("version {0} of the format is unknown; expected at most 18")]
    Version(u8),
    /// The tree ends in the middle of a move or comment.
    #[error("byte {0}: the file breaks off in the middle of a move or comment")]
    BreaksOff(usize),
    /// A move leaves the board.
    #[error("byte {0}: a move leaves the board")]
    OffBoard(usize),
    /// There are too many moves.
    #[error("byte {0}: there are more than 100000 moves")]
    TooMany(usize),
}

/// Whether these are the bytes of such a file.
pub fn is_of_the_form(bytes: &[u8]) -> bool {
    bytes.starts_with(b"XQ") && bytes.get(2).is_some_and(|version| *version < b' ')
}

/// Reads a file.
///
/// # Errors
/// Where it is no file of this format.
pub fn read(bytes: &[u8]) -> Result<TextTree, XqfError> {
    let (header, body) = bytes.split_at_checked(HEADER).ok_or(XqfError::Short)?;
    let version = header[2];
    if version > NEWEST {
        return Err(XqfError::Version(version));
    }
    let keys = Keys::of(header);
    let body = keys.plain(body);
    let records = Records::read(&body, version <= PLAIN, &keys)?;
    let strings = STRINGS.map(|(tag, at)| (tag, string(header, at)));
    let said = strings.iter().map(|(_, said)| *said);
    let said = said.chain(records.0.iter().map(|record| record.comment));
    let encoding = decoding::recognise(&said.collect::<Vec<_>>().concat());
    let mut tree = TextTree::new(1);
    for (tag, said) in strings {
        let said = decoded(encoding, said);
        if !said.is_empty() && tree.tag(tag).is_none() {
            tree.tags.push((tag.to_owned(), said));
        }
    }
    tree.result = match header[51] {
        1 => Some(ResultMark::First),
        2 => Some(ResultMark::Second),
        3 | 4 => Some(ResultMark::Draw),
        _ => None,
    };
    for (place, record) in records.0.iter().enumerate() {
        if place > 0 {
            tree.add(record.after, 1, record.mv.to_string());
        }
        tree.say(place, &decoded(encoding, record.comment));
    }
    let first = records.0.get(1).map(|record| record.mv);
    let fen = keys.position(header, version, first.as_ref());
    tree.tags.push(("FEN".to_owned(), fen));
    Ok(tree)
}

/// Where the header has names: the tag, and where the length stands before the text. The first that says something is taken.
const STRINGS: [(&str, usize); 6] = [
    ("Event", 208),
    ("Event", 80),
    ("Date", 272),
    ("Site", 288),
    ("Red", 304),
    ("Black", 320),
];

/// A text in the header, with its length before it.
fn string(header: &[u8], at: usize) -> &[u8] {
    let most = if at == 208 || at == 80 { 63 } else { 15 };
    let length = usize::from(header[at]).min(most);
    &header[at + 1..at + 1 + length]
}

fn decoded(encoding: &'static Encoding, bytes: &[u8]) -> String {
    // A text is cut where its room ends, in the middle of a character too.
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    let text = text.trim_matches(|sign: char| sign.is_control() || sign.is_whitespace());
    let cut = text.strip_suffix(char::REPLACEMENT_CHARACTER);
    let text = if encoding == UTF_8 {
        text
    } else {
        cut.unwrap_or(text)
    };
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// What a file's header hides the rest behind.
struct Keys {
    men: u8,
    from: u8,
    to: u8,
    length: u32,
    body: [u8; 32],
}

impl Keys {
    fn of(header: &[u8]) -> Self {
        if header[2] <= PLAIN {
            return Self {
                men: 0,
                from: 0,
                to: 0,
                length: 0,
                body: [0; 32],
            };
        }
        let mask = header[3];
        let [sum, men, from, to] = [header[12], header[13], header[14], header[15]];
        let masked = [sum, men, from, to].map(|key| key & mask);
        let ors = [header[8], header[9], header[10], header[11]];
        let mut body = *PHRASE;
        for (place, byte) in body.iter_mut().enumerate() {
            *byte &= masked[place % 4] | ors[place % 4];
        }
        let length = (u32::from(sum) * 256 + u32::from(men)) % 32_000 + 767;
        let men = key(men, men);
        let from = key(from, men);
        Self {
            men,
            from,
            to: key(to, from),
            length,
            body,
        }
    }

    /// The tree's bytes as they were before they were hidden.
    fn plain(&self, body: &[u8]) -> Vec<u8> {
        let keys = self.body.iter().cycle();
        body.iter()
            .zip(keys)
            .map(|(byte, key)| byte.wrapping_sub(*key))
            .collect()
    }

    /// The position at the beginning. The side whose man moves first is on the move.
    fn position(&self, header: &[u8], version: u8, first: Option<&Move>) -> String {
        let mut men = Vec::new();
        for (place, hidden) in header[16..48].iter().enumerate() {
            let man = if version > 11 {
                (usize::from(self.men) + place + 1) % 32
            } else {
                place
            };
            let point = hidden.wrapping_sub(self.men);
            if let Some(square) = square(point) {
                men.push((square, dhtmlxq::man(man)));
            }
        }
        // The header says who is on the move where nobody moves.
        let fen = dhtmlxq::fen(&men, first);
        if first.is_none() && header[50] == 1 {
            return fen.replace(" w ", " b ");
        }
        fen
    }
}

/// A key by its seed and the key before it.
const fn key(seed: u8, before: u8) -> u8 {
    let square = seed.wrapping_mul(seed);
    let mixed = square.wrapping_mul(3).wrapping_add(9);
    let mixed = mixed.wrapping_mul(3).wrapping_add(8);
    let mixed = mixed.wrapping_mul(2).wrapping_add(1);
    let mixed = mixed.wrapping_mul(3).wrapping_add(8);
    mixed.wrapping_mul(before)
}

fn square(point: u8) -> Option<Square> {
    (point < 90).then(|| Square::new(point / 10, point % 10))?
}

/// A move with what is said of it; the first is the beginning.
struct Record<'a> {
    after: usize,
    mv: Move,
    comment: &'a [u8],
}

struct Records<'a>(Vec<Record<'a>>);

impl<'a> Records<'a> {
    fn read(body: &'a [u8], is_plain: bool, keys: &Keys) -> Result<Self, XqfError> {
        let mut bytes = Bytes { body, at: 0 };
        let mut records: Vec<Record<'a>> = Vec::new();
        // Behind which nodes others stand beside what was read.
        let mut beside = Vec::new();
        let mut after = 0;
        loop {
            let at = HEADER + bytes.at;
            let [from, to, flags, _] = bytes.take()?;
            let has = if is_plain {
                (flags & 0xf0 != 0, flags & 0x0f != 0, true)
            } else {
                (flags & 0x80 != 0, flags & 0x40 != 0, flags & 0x20 != 0)
            };
            let (goes_on, has_other, is_commented) = has;
            let comment = if is_commented {
                let length = u32::from_le_bytes(bytes.take()?);
                bytes.comment(length.saturating_sub(keys.length))?
            } else {
                &[]
            };
            let from = square(from.wrapping_sub(0x18).wrapping_sub(keys.from));
            let to = square(to.wrapping_sub(0x20).wrapping_sub(keys.to));
            let is_beginning = records.is_empty();
            let mv = match (from, to) {
                (Some(from), Some(to)) => Move { from, to },
                // The beginning has no move, so anything may stand there.
                _ if is_beginning => NO_MOVE,
                _ => return Err(XqfError::OffBoard(at)),
            };
            if records.len() > MOVES {
                return Err(XqfError::TooMany(at));
            }
            records.push(Record { after, mv, comment });
            if has_other && !is_beginning {
                beside.push(after);
            }
            // Not every program says of the beginning that moves follow.
            let goes_on = goes_on || (is_beginning && bytes.body.len() - bytes.at >= 4);
            if goes_on {
                after = records.len() - 1;
            } else if let Some(other) = beside.pop() {
                after = other;
            } else {
                return Ok(Self(records));
            }
        }
    }
}

/// Stands for no move, at the beginning.
const NO_MOVE: Move = match Square::new(0, 0) {
    Some(corner) => Move {
        from: corner,
        to: corner,
    },
    None => unreachable!(),
};

struct Bytes<'a> {
    body: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    fn take(&mut self) -> Result<[u8; 4], XqfError> {
        let rest = self.body.get(self.at..).unwrap_or_default();
        let Some((four, _)) = rest.split_first_chunk::<4>() else {
            return Err(XqfError::BreaksOff(HEADER + self.at));
        };
        self.at += 4;
        Ok(*four)
    }

    fn comment(&mut self, length: u32) -> Result<&'a [u8], XqfError> {
        let rest = self.body.get(self.at..).unwrap_or_default();
        let said = usize::try_from(length)
            .ok()
            .and_then(|length| rest.get(..length));
        let said = said.ok_or(XqfError::BreaksOff(HEADER + self.at))?;
        self.at += said.len();
        Ok(said)
    }
}

#[cfg(test)]
mod tests;
