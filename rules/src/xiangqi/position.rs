//! A position as a plain value: where the men stand and who is to move.

use crate::{
    seat::Seat,
    xiangqi::{
        board::{self, FILES, POINTS, Points, RANKS, bit},
        piece::{KINDS, MEN, Piece},
        zobrist,
    },
};

/// The place of a man that is off the board. Its bit lies outside of every set of points.
pub(super) const OFF: u8 = POINTS as u8;
/// What stands on an empty point.
const NOBODY: u8 = 0xff;

/// One of the sixteen men of a side, told apart from the others of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Man {
    pub(super) seat: Seat,
    /// Its place in [`KINDS`].
    pub(super) number: u8,
}

impl Man {
    pub(super) const fn kind(self) -> Piece {
        KINDS[self.number as usize]
    }
}

/// Where the men stand and who is to move. No history, no options.
///
/// Everything is kept in the forms in which it is asked for: by man, by point, as sets, and as the occupied points of each
/// line.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// The point of each man, by seat and number; [`OFF`] if it was taken.
    pub(super) points: [[u8; MEN]; 2],
    /// Who stands on each point: 16 for the second seat, plus the man's number; [`NOBODY`].
    men: [u8; POINTS],
    /// The points of each side's men.
    pub(super) occupied: [Points; 2],
    /// The occupied points of each rank, file a lowest.
    pub(super) ranks: [u16; RANKS as usize],
    /// The occupied points of each file, rank 1 lowest.
    pub(super) files: [u16; FILES as usize],
    pub(super) turn: Seat,
    key: u64,
}

impl Position {
    /// An empty board.
    pub(super) const fn empty(turn: Seat) -> Self {
        let key = match turn {
            Seat::First => 0,
            Seat::Second => zobrist::SECOND_TO_MOVE,
        };
        Self {
            points: [[OFF; MEN]; 2],
            men: [NOBODY; POINTS],
            occupied: [0; 2],
            ranks: [0; RANKS as usize],
            files: [0; FILES as usize],
            turn,
            key,
        }
    }

    /// Puts a piece onto an empty point; false if a set has no more of them.
    pub(super) fn put(&mut self, seat: Seat, piece: Piece, point: u8) -> bool {
        let free = piece
            .men()
            .find(|man| self.points[seat.index()][*man] == OFF);
        let Some(number) = free else {
            return false;
        };
        self.points[seat.index()][number] = point;
        self.men[usize::from(point)] = (seat.index() * MEN + number) as u8;
        self.occupied[seat.index()] |= bit(point);
        self.ranks[usize::from(point / FILES)] |= 1 << (point % FILES);
        self.files[usize::from(point % FILES)] |= 1 << (point / FILES);
        self.key ^= zobrist::PIECES[seat.index()][piece.index()][usize::from(point)];
        true
    }

    /// The side to move.
    #[inline]
    pub const fn turn(&self) -> Seat {
        self.turn
    }

    /// The repetition key: equal for the same pieces on the same points with the same side to move.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The key made again from the board, to check the one that is carried along.
    pub fn key_from_board(&self) -> u64 {
        self.rebuilt(self.turn, |seat, point| (seat, point)).key
    }

    /// Which piece stands on a point.
    #[inline]
    pub fn at(&self, point: u8) -> Option<(Seat, Piece)> {
        let man = self.man_at(point)?;
        Some((man.seat, man.kind()))
    }

    /// Which man stands on a point.
    #[inline]
    pub(super) fn man_at(&self, point: u8) -> Option<Man> {
        match self.men.get(usize::from(point)) {
            None | Some(&NOBODY) => None,
            Some(&man) => Some(Man {
                seat: if man < 16 { Seat::First } else { Seat::Second },
                number: man % 16,
            }),
        }
    }

    /// The point of a man; [`OFF`] if it was taken.
    pub(super) const fn point_of(&self, man: Man) -> u8 {
        self.points[man.seat.index()][man.number as usize]
    }

    /// The point of a side's General.
    #[inline]
    pub const fn general(&self, seat: Seat) -> u8 {
        self.points[seat.index()][0]
    }

    /// The points of a side's pieces.
    #[inline]
    pub const fn of(&self, seat: Seat) -> Points {
        self.occupied[seat.index()]
    }

    /// Calls `each` with every piece of a side and its point.
    #[inline]
    pub fn each_piece(&self, seat: Seat, mut each: impl FnMut(Piece, u8)) {
        for (kind, point) in KINDS.into_iter().zip(self.points[seat.index()]) {
            if point != OFF {
                each(kind, point);
            }
        }
    }

    /// All occupied points.
    #[inline]
    pub const fn all(&self) -> Points {
        self.occupied[0] | self.occupied[1]
    }

    /// The occupied points of the rank and the file of a point.
    #[inline]
    pub(super) fn lines(&self, point: u8) -> (u16, u16) {
        (
            self.ranks[usize::from(point / FILES)],
            self.files[usize::from(point % FILES)],
        )
    }

    /// The points of a side's Soldiers.
    #[inline]
    pub(super) fn soldiers(&self, seat: Seat) -> Points {
        let men = &self.points[seat.index()];
        let mut set = 0;
        for man in Piece::Soldier.men() {
            set |= bit(men[man]);
        }
        set & board::ALL
    }

    /// Moves what stands on a point of the side to move, and tells what it took. Whether the move is legal is not looked at.
    #[inline]
    pub fn play_unchecked(&mut self, from: u8, to: u8) -> Option<Piece> {
        let (own, enemy) = (self.turn.index(), self.turn.other().index());
        let man = self.men[usize::from(from)];
        let taken = self.men[usize::from(to)];
        self.men[usize::from(from)] = NOBODY;
        self.men[usize::from(to)] = man;
        let number = usize::from(man % 16);
        self.points[own][number] = to;
        self.occupied[own] ^= bit(from) | bit(to);
        let keys = &zobrist::PIECES[own][KINDS[number].index()];
        self.key ^= keys[usize::from(from)] ^ keys[usize::from(to)] ^ zobrist::SECOND_TO_MOVE;
        self.turn = self.turn.other();
        let (from_file, from_rank) = (from % FILES, from / FILES);
        let (to_file, to_rank) = (to % FILES, to / FILES);
        self.ranks[usize::from(from_rank)] &= !(1 << from_file);
        self.files[usize::from(from_file)] &= !(1 << from_rank);
        self.ranks[usize::from(to_rank)] |= 1 << to_file;
        self.files[usize::from(to_file)] |= 1 << to_rank;
        if taken == NOBODY {
            return None;
        }
        let number = usize::from(taken % 16);
        self.points[enemy][number] = OFF;
        self.occupied[enemy] ^= bit(to);
        let kind = KINDS[number];
        self.key ^= zobrist::PIECES[enemy][kind.index()][usize::from(to)];
        Some(kind)
    }

    /// The key that the position would have after a move that takes nothing.
    pub(super) fn key_after_quiet(&self, from: u8, to: u8) -> u64 {
        let number = usize::from(self.men[usize::from(from)] % 16);
        let keys = &zobrist::PIECES[self.turn.index()][KINDS[number].index()];
        self.key ^ keys[usize::from(from)] ^ keys[usize::from(to)] ^ zobrist::SECOND_TO_MOVE
    }

    /// The same men with the other side to move.
    #[must_use]
    pub fn passed(&self) -> Self {
        Self {
            turn: self.turn.other(),
            key: self.key ^ zobrist::SECOND_TO_MOVE,
            ..*self
        }
    }

    /// The position before a move that took nothing.
    #[must_use]
    pub(super) fn before_quiet(&self, from: u8, to: u8) -> Self {
        // Played backwards by the side that made it, and then it is that side's turn again.
        let mut before = self.passed();
        before.play_unchecked(to, from);
        before.passed()
    }

    /// The same position seen from the other side: the board turned by 180°, the seats changed.
    #[must_use]
    pub fn turned(&self) -> Self {
        self.rebuilt(self.turn.other(), |seat, point| {
            (seat.other(), board::turned(point))
        })
    }

    /// The same position as in a mirror: left and right exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        self.rebuilt(self.turn, |seat, point| {
            let file = point % board::FILES;
            (seat, point - file + board::FILES - 1 - file)
        })
    }

    fn rebuilt(&self, turn: Seat, place: impl Fn(Seat, u8) -> (Seat, u8)) -> Self {
        let mut fresh = Self::empty(turn);
        for seat in Seat::ALL {
            for (number, point) in self.points[seat.index()].into_iter().enumerate() {
                if point != OFF {
                    let (seat, point) = place(seat, point);
                    fresh.put(seat, KINDS[number], point);
                }
            }
        }
        fresh
    }
}
