//! A position as a plain value: where the pieces stand and who is to move.

use std::fmt;

use crate::{
    luzhanqi::{
        attack::{self, Removed},
        board::{HEADQUARTERS, POINTS, Points, bit, each_point, turned},
        piece::Piece,
        zobrist,
    },
    seat::Seat,
};

/// Where the pieces stand and who is to move. No history, no options.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Which piece stands on each point, whosever it is.
    kinds: [Option<Piece>; POINTS],
    /// The points of each side's pieces.
    occupied: [Points; 2],
    turn: Seat,
}

/// Two pieces that met.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Attack {
    /// What attacked.
    pub attacker: Piece,
    /// What was attacked.
    pub defender: Piece,
    /// Who is removed.
    pub removed: Removed,
}

/// Shows which points are occupied, and nothing of what stands there.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Position")
            .field("turn", &self.turn)
            .field("pieces", &self.occupied.map(u64::count_ones))
            .finish_non_exhaustive()
    }
}

impl Position {
    /// An empty board.
    pub(super) const fn empty(turn: Seat) -> Self {
        Self {
            kinds: [None; POINTS],
            occupied: [0; 2],
            turn,
        }
    }

    /// Puts a piece onto an empty point.
    pub(super) const fn put(&mut self, seat: Seat, piece: Piece, point: u8) {
        self.kinds[point as usize] = Some(piece);
        self.occupied[seat.index()] |= bit(point);
    }

    /// The side to move.
    pub const fn turn(&self) -> Seat {
        self.turn
    }

    /// Which piece stands on a point.
    pub fn at(&self, point: u8) -> Option<(Seat, Piece)> {
        let piece = (*self.kinds.get(usize::from(point))?)?;
        let seat = if self.occupied[0] & bit(point) == 0 {
            Seat::Second
        } else {
            Seat::First
        };
        Some((seat, piece))
    }

    /// The points of a side's pieces.
    pub const fn of(&self, seat: Seat) -> Points {
        self.occupied[seat.index()]
    }

    /// All occupied points.
    pub const fn all(&self) -> Points {
        self.occupied[0] | self.occupied[1]
    }

    /// How many of a kind a side has.
    pub fn count(&self, seat: Seat, piece: Piece) -> usize {
        each_point(self.of(seat))
            .filter(|point| self.kinds[usize::from(*point)] == Some(piece))
            .count()
    }

    /// The point of a side's Flag; none once it is taken.
    pub fn flag(&self, seat: Seat) -> Option<u8> {
        each_point(HEADQUARTERS[seat.index()] & self.of(seat))
            .find(|point| self.kinds[usize::from(*point)] == Some(Piece::Flag))
    }

    /// Who has taken the other's Flag.
    pub fn won(&self) -> Option<Seat> {
        Seat::ALL
            .into_iter()
            .find(|seat| self.flag(seat.other()).is_none())
    }

    /// Moves what stands on a point of the side to move, and tells what it met. Whether the move is legal is not looked at.
    pub fn play_unchecked(&mut self, from: u8, to: u8, mines_survive: bool) -> Option<Attack> {
        let (own, enemy) = (self.turn.index(), self.turn.other().index());
        let attacker = self.kinds[usize::from(from)].take();
        let defender = self.kinds[usize::from(to)];
        self.occupied[own] &= !bit(from);
        self.turn = self.turn.other();
        let fight = attacker.zip(defender).map(|(attacker, defender)| Attack {
            attacker,
            defender,
            removed: attack::judge(attacker, defender, mines_survive),
        });
        match fight.map(|fight| fight.removed) {
            None | Some(Removed::Defender) => {
                self.kinds[usize::from(to)] = attacker;
                self.occupied[own] |= bit(to);
                self.occupied[enemy] &= !bit(to);
            }
            Some(Removed::Attacker) => {}
            Some(Removed::Both) => {
                self.kinds[usize::from(to)] = None;
                self.occupied[enemy] &= !bit(to);
            }
        }
        fight
    }

    /// The repetition key: equal for the same pieces on the same points with the same side to move.
    ///
    /// It depends on identities, so it is as secret as they are.
    pub fn key(&self) -> u64 {
        let mut key = match self.turn {
            Seat::First => 0,
            Seat::Second => zobrist::SECOND_TO_MOVE,
        };
        for point in each_point(self.all()) {
            if let Some((seat, piece)) = self.at(point) {
                key ^= zobrist::PIECES[seat.index()][piece.index()][usize::from(point)];
            }
        }
        key
    }

    /// The same position seen from the other side: the board turned by 180°, the seats changed.
    #[must_use]
    pub fn turned(&self) -> Self {
        let mut other = Self::empty(self.turn.other());
        for point in each_point(self.all()) {
            if let Some((seat, piece)) = self.at(point) {
                other.put(seat.other(), piece, turned(point));
            }
        }
        other
    }
}

#[cfg(test)]
mod tests {
    use crate::luzhanqi::fen;

    #[test]
    fn debugging_prints_no_identity() {
        let text =
            "xfcxe/nlxcl/j1e1n/db1lk/e1m1g/cjbkd/DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX w - - 0 1";
        let start = fen::read(text).unwrap();
        assert_eq!(
            format!("{:?}", start.position),
            "Position { turn: First, pieces: [25, 25], .. }"
        );
    }
}
