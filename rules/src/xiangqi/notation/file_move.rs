//! What WXF and Chinese texts have in common: which man, which way, and a number, all seen from the mover's own side.
//!
//! Files count from 1 at the mover's right. The number is the file that the man goes to, or how many points it goes when it
//! stays on its file. Men of a kind that stand in tandem on one file are told apart by their order from the front; how
//! that is written differs, so each notation names a man by two marks of its own choice ([`Man`] to `[Mark; 2]`).

use crate::{
    moves::Move,
    seat::Seat,
    xiangqi::{
        Piece, Position,
        board::{self, FILES, RANKS},
        notation::ReadError,
    },
};

/// One of the two signs that name a man.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Piece(Piece),
    /// A file, or a place in an order; from 1.
    Digit(u8),
    Front,
    Middle,
    Rear,
}

/// Which way a man goes, from its own side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Forward,
    Backward,
    Sideways,
}

/// A move as it is written by files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileMove {
    pub(super) who: [Mark; 2],
    pub(super) way: Way,
    /// The file that it goes to, or the points that it goes along its own; 1 to 9.
    pub(super) number: u8,
}

/// A man of the side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Man {
    point: u8,
    pub(super) piece: Piece,
    /// From 1 at its own right.
    pub(super) file: u8,
    /// How many of its kind stand before it on its file.
    pub(super) place: u8,
    /// How many of its kind stand on its file, itself included.
    pub(super) tandem: u8,
    /// On how many files Soldiers stand in tandem.
    pub(super) soldier_tandems: u8,
    /// For a Soldier in tandem its place among all such, from 1: the files from right to left, on each from the front.
    pub(super) ordinal: Option<u8>,
}

impl Man {
    /// The mark of its place among two, or three: the front, the middle, the rear.
    pub(super) const fn place_mark(self) -> Mark {
        if self.place == 0 {
            Mark::Front
        } else if self.place + 1 == self.tandem {
            Mark::Rear
        } else {
            Mark::Middle
        }
    }

    /// The marks of a man that no other of its kind stands in tandem with, or that needs no telling apart.
    pub(super) const fn plain(self) -> [Mark; 2] {
        [Mark::Piece(self.piece), Mark::Digit(self.file)]
    }

    /// Whether it is written without regard to others on its file. Of two Advisors or Elephants in tandem only the rear
    /// one can advance and only the front one retreat.
    pub(super) const fn is_plain(self) -> bool {
        self.tandem == 1 || matches!(self.piece, Piece::Advisor | Piece::Elephant)
    }

    /// Whether marks that are nobody's proper name can mean this man: what other programs and older books write.
    fn may_be_called(self, who: [Mark; 2]) -> bool {
        let soldier = matches!(self.piece, Piece::Soldier) && self.tandem > 1;
        let placed = |mark| match mark {
            Mark::Front => self.place == 0,
            Mark::Rear => self.place + 1 == self.tandem,
            Mark::Middle => self.place * 2 + 1 == self.tandem,
            Mark::Piece(_) | Mark::Digit(_) => false,
        };
        match who {
            [Mark::Piece(piece), Mark::Digit(file)] => piece == self.piece && file == self.file,
            [Mark::Digit(ordinal), Mark::Piece(Piece::Soldier)] => {
                soldier && self.ordinal == Some(ordinal)
            }
            [Mark::Digit(place), Mark::Digit(file)] => {
                soldier && file == self.file && place == self.place + 1
            }
            [Mark::Piece(piece), place] | [place, Mark::Piece(piece)] => {
                piece == self.piece && self.tandem > 1 && placed(place)
            }
            [Mark::Digit(file), place] | [place, Mark::Digit(file)] => {
                soldier && file == self.file && placed(place)
            }
            [
                Mark::Front | Mark::Middle | Mark::Rear,
                Mark::Front | Mark::Middle | Mark::Rear,
            ] => false,
        }
    }
}

/// A move by files, its man named by `name`; none if no man of the side to move stands there.
pub(super) fn of(
    position: &Position,
    mv: Move,
    name: impl Fn(Man) -> [Mark; 2],
) -> Option<FileMove> {
    let from = board::index(mv.from)?;
    let men = men(position);
    let man = men.iter().find(|man| man.point == from)?;
    let (way, number) = way_and_number(position.turn(), mv)?;
    Some(FileMove {
        who: name(*man),
        way,
        number,
    })
}

/// The one of the moves that is meant. A name that is some man's own means no other, whether or not it can move so.
pub(super) fn find(
    position: &Position,
    moves: &[Move],
    written: FileMove,
    name: impl Fn(Man) -> [Mark; 2],
) -> Result<Move, ReadError> {
    let men = men(position);
    let own = men.iter().any(|man| name(*man) == written.who);
    let is_meant = |man: &&Man| {
        if own {
            name(**man) == written.who
        } else {
            man.may_be_called(written.who)
        }
    };
    let meant: Vec<u8> = men.iter().filter(is_meant).map(|man| man.point).collect();
    let mut found = moves.iter().copied().filter(|mv| {
        board::index(mv.from).is_some_and(|from| meant.contains(&from))
            && way_and_number(position.turn(), *mv) == Some((written.way, written.number))
    });
    match (found.next(), found.next()) {
        (None, _) => Err(ReadError::NoSuchMove),
        (Some(mv), None) => Ok(mv),
        (Some(_), Some(_)) => Err(ReadError::Ambiguous),
    }
}

/// The men of the side to move: the files from its right to its left, on each from the front.
fn men(position: &Position) -> Vec<Man> {
    let turn = position.turn();
    let places = (1..=FILES).flat_map(|file| (0..RANKS).rev().map(move |rank| (file, rank)));
    let mut men: Vec<Man> = places
        .filter_map(|(file, rank)| {
            let point = seen_by(turn, rank * FILES + FILES - file);
            let (_, piece) = position.at(point).filter(|(seat, _)| *seat == turn)?;
            Some(Man {
                point,
                piece,
                file,
                place: 0,
                tandem: 1,
                soldier_tandems: 0,
                ordinal: None,
            })
        })
        .collect();
    for at in 0..men.len() {
        let Man { piece, file, .. } = men[at];
        let same = |man: &&Man| man.piece == piece && man.file == file;
        men[at].place = men[..at].iter().filter(same).count() as u8;
        men[at].tandem = men.iter().filter(same).count() as u8;
    }
    let soldier = |man: &Man| matches!(man.piece, Piece::Soldier) && man.tandem > 1;
    let tandems = men
        .iter()
        .filter(|man| soldier(man) && man.place == 0)
        .count() as u8;
    let mut ordinal = 0;
    for man in &mut men {
        man.soldier_tandems = tandems;
        if soldier(man) {
            ordinal += 1;
            man.ordinal = Some(ordinal);
        }
    }
    men
}

fn way_and_number(turn: Seat, mv: Move) -> Option<(Way, u8)> {
    let from = seen_by(turn, board::index(mv.from)?);
    let to = seen_by(turn, board::index(mv.to)?);
    let (file, rank) = (from % FILES, from / FILES);
    let (to_file, to_rank) = (to % FILES, to / FILES);
    let way = match to_rank.cmp(&rank) {
        std::cmp::Ordering::Greater => Way::Forward,
        std::cmp::Ordering::Less => Way::Backward,
        std::cmp::Ordering::Equal => Way::Sideways,
    };
    let number = if file == to_file {
        rank.abs_diff(to_rank)
    } else {
        FILES - to_file
    };
    Some((way, number))
}

/// A point as a seat counts it, who sits where the first seat does; and back.
const fn seen_by(seat: Seat, point: u8) -> u8 {
    match seat {
        Seat::First => point,
        Seat::Second => board::turned(point),
    }
}
