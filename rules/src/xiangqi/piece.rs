//! The seven kinds of pieces, and the sixteen men of a set.

use crate::seat::Seat;

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// One step along a line inside the palace.
    General,
    /// One diagonal step inside the palace.
    Advisor,
    /// Two points diagonally on its own side of the river, not over a piece.
    Elephant,
    /// One point along a line, then one diagonally outward.
    Horse,
    /// Any distance along a line.
    Chariot,
    /// Along a line, with a jump over one piece to capture (or always, by option).
    Cannon,
    /// One step forward, beyond the river also sideways.
    Soldier,
}

impl Piece {
    /// Every kind.
    pub const ALL: [Self; 7] = [
        Self::General,
        Self::Advisor,
        Self::Elephant,
        Self::Horse,
        Self::Chariot,
        Self::Cannon,
        Self::Soldier,
    ];

    /// The kind's place in [`Self::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter in notation, in the case of the first seat.
    pub const fn letter(self) -> char {
        match self {
            Self::General => 'K',
            Self::Advisor => 'A',
            Self::Elephant => 'B',
            Self::Horse => 'N',
            Self::Chariot => 'R',
            Self::Cannon => 'C',
            Self::Soldier => 'P',
        }
    }

    /// The kind of a letter in the case of the first seat.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|piece| piece.letter() == letter)
    }

    /// The English name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::General => "General",
            Self::Advisor => "Advisor",
            Self::Elephant => "Elephant",
            Self::Horse => "Horse",
            Self::Chariot => "Chariot",
            Self::Cannon => "Cannon",
            Self::Soldier => "Soldier",
        }
    }

    /// The Chinese character on a seat's piece, traditional: Red's and Black's differ.
    pub const fn character(self, seat: Seat) -> &'static str {
        match (self, seat) {
            (Self::General, Seat::First) => "帥",
            (Self::General, Seat::Second) => "將",
            (Self::Advisor, Seat::First) => "仕",
            (Self::Advisor, Seat::Second) => "士",
            (Self::Elephant, Seat::First) => "相",
            (Self::Elephant, Seat::Second) => "象",
            (Self::Horse, Seat::First) => "傌",
            (Self::Horse, Seat::Second) => "馬",
            (Self::Chariot, Seat::First) => "俥",
            (Self::Chariot, Seat::Second) => "車",
            (Self::Cannon, Seat::First) => "炮",
            (Self::Cannon, Seat::Second) => "砲",
            (Self::Soldier, Seat::First) => "兵",
            (Self::Soldier, Seat::Second) => "卒",
        }
    }

    /// The men of this kind among the sixteen of a side: the first, and one past the last.
    pub(super) const fn men(self) -> std::ops::Range<usize> {
        match self {
            Self::General => 0..1,
            Self::Advisor => 1..3,
            Self::Elephant => 3..5,
            Self::Horse => 5..7,
            Self::Chariot => 7..9,
            Self::Cannon => 9..11,
            Self::Soldier => 11..16,
        }
    }
}

/// Men on a side.
pub(super) const MEN: usize = 16;

/// The kind of each man of a side.
pub(super) const KINDS: [Piece; MEN] = {
    let mut kinds = [Piece::General; MEN];
    let mut kind = 0;
    while kind < Piece::ALL.len() {
        let men = Piece::ALL[kind].men();
        let mut man = men.start;
        while man < men.end {
            kinds[man] = Piece::ALL[kind];
            man += 1;
        }
        kind += 1;
    }
    kinds
};
