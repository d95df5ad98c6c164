//! A position as a plain value: where the animals stand and who is to move.

use crate::{
    doushouqi::{
        board::{self, Squares, bit},
        fen,
        piece::Piece,
        zobrist,
    },
    seat::Seat,
};

/// The place of an animal that is off the board. Its bit lies outside of every set of squares.
pub(super) const OFF: u8 = 63;

/// Where the animals stand and who is to move. No history, no options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The square of each animal, by seat and [`Piece::index`]; [`OFF`] if it was taken.
    pub(super) squares: [[u8; 8]; 2],
    /// The squares of each side's animals.
    pub(super) occupied: [Squares; 2],
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
            squares: [[OFF; 8]; 2],
            occupied: [0; 2],
            turn,
            key,
        }
    }

    /// These animals on these squares. Whether such a position can come about is not looked at.
    pub fn placed(turn: Seat, animals: impl IntoIterator<Item = (Seat, Piece, u8)>) -> Self {
        let mut position = Self::empty(turn);
        for (seat, piece, square) in animals {
            position.put(seat, piece, square);
        }
        position
    }

    /// The position as text, with nothing behind it.
    pub fn fen(&self) -> String {
        fen::write(self, 0, 1)
    }

    /// Puts an animal that is off the board onto an empty square.
    pub(super) fn put(&mut self, seat: Seat, piece: Piece, square: u8) {
        self.squares[seat.index()][piece.index()] = square;
        self.occupied[seat.index()] |= bit(square);
        self.key ^= zobrist::PIECES[seat.index()][piece.index()][usize::from(square)];
    }

    /// The side to move.
    #[inline]
    pub const fn turn(&self) -> Seat {
        self.turn
    }

    /// The repetition key: equal for the same animals on the same squares with the same side to move.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The key made again from the board, to check the one that is carried along.
    pub fn key_from_board(&self) -> u64 {
        let mut fresh = Self::empty(self.turn);
        for seat in Seat::ALL {
            for piece in Piece::ALL {
                if let Some(square) = self.square_of(seat, piece) {
                    fresh.put(seat, piece, square);
                }
            }
        }
        fresh.key
    }

    /// Where an animal stands; none if it was taken.
    #[inline]
    pub const fn square_of(&self, seat: Seat, piece: Piece) -> Option<u8> {
        let square = self.squares[seat.index()][piece.index()];
        if square == OFF { None } else { Some(square) }
    }

    /// Which animal stands on a square.
    #[inline]
    pub fn at(&self, square: u8) -> Option<(Seat, Piece)> {
        let seat = Seat::ALL
            .into_iter()
            .find(|seat| self.occupied[seat.index()] & bit(square) != 0)?;
        let piece = Piece::ALL
            .into_iter()
            .find(|piece| self.squares[seat.index()][piece.index()] == square)?;
        Some((seat, piece))
    }

    /// The side that has won by the position itself, and whether by the den (else by elimination).
    #[inline]
    pub const fn won(&self) -> Option<(Seat, bool)> {
        if self.occupied[0] & board::DEN[1] != 0 {
            Some((Seat::First, true))
        } else if self.occupied[1] & board::DEN[0] != 0 {
            Some((Seat::Second, true))
        } else if self.occupied[1] == 0 {
            Some((Seat::First, false))
        } else if self.occupied[0] == 0 {
            Some((Seat::Second, false))
        } else {
            None
        }
    }

    /// Moves an animal of the side to move, and tells what it took. Whether the move is legal is not looked at.
    pub fn play_unchecked(&mut self, piece: Piece, to: u8) -> Option<Piece> {
        let (own, enemy) = (self.turn.index(), self.turn.other().index());
        let from = self.squares[own][piece.index()];
        let keys = &zobrist::PIECES[own][piece.index()];
        self.squares[own][piece.index()] = to;
        self.occupied[own] ^= bit(from) | bit(to);
        self.key ^= keys[usize::from(from)] ^ keys[usize::from(to)] ^ zobrist::SECOND_TO_MOVE;
        self.turn = self.turn.other();
        if self.occupied[enemy] & bit(to) == 0 {
            return None;
        }
        let taken = Piece::ALL
            .into_iter()
            .find(|piece| self.squares[enemy][piece.index()] == to)?;
        self.squares[enemy][taken.index()] = OFF;
        self.occupied[enemy] ^= bit(to);
        self.key ^= zobrist::PIECES[enemy][taken.index()][usize::from(to)];
        Some(taken)
    }

    /// The squares of a side's animals.
    #[inline]
    pub const fn of(&self, seat: Seat) -> Squares {
        self.occupied[seat.index()]
    }

    /// The same animals with the other side to move.
    #[must_use]
    pub const fn passed(&self) -> Self {
        Self {
            turn: self.turn.other(),
            key: self.key ^ zobrist::SECOND_TO_MOVE,
            ..*self
        }
    }

    /// The key that the position would have after a move.
    pub(super) fn key_after(&self, piece: Piece, to: u8) -> u64 {
        let mut after = *self;
        after.play_unchecked(piece, to);
        after.key
    }

    /// The same position seen from the other side: the board turned by 180°, the seats changed.
    #[must_use]
    pub fn turned(&self) -> Self {
        let mut turned = Self::empty(self.turn.other());
        for seat in Seat::ALL {
            for piece in Piece::ALL {
                if let Some(square) = self.square_of(seat, piece) {
                    turned.put(seat.other(), piece, board::turned(square));
                }
            }
        }
        turned
    }
}
