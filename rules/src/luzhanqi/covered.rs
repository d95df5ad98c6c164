//! A position in which not every piece is known: what its pieces could do as any of what they could be.
//!
//! Each piece carries the kinds that it could be. They follow from how many of a kind a side has, from where the piece stands, and from
//! what it has done since: what moves is no Landmine, what turns a corner is an Engineer, and who survives an attack was strong enough.

mod deduction;
mod kinds;
mod text;

use std::fmt;

use kinds::{ANY, Kinds, each, only, single, those};

use crate::{
    luzhanqi::{
        attack::{self, Removed},
        board::{self, POINTS, Points, bit, each_point},
        moves::{Laws, reach},
        piece::Piece,
    },
    moves::Move,
    outcome::{EndReason, LENGTH_LIMIT, Outcome},
    seat::Seat,
};

/// A position with covered pieces, and the plies since its beginning.
///
/// It has no derived `Debug`: what is known of its pieces must not reach a log by accident.
#[derive(Clone, Copy)]
pub struct Covered {
    laws: Laws,
    quiet_limit: u32,
    /// What the piece on each point could be; empty where none stands.
    kinds: [Kinds; POINTS],
    occupied: [Points; 2],
    /// How many pieces of each kind are known to be lost, by seat.
    lost: [[u8; Piece::ALL.len()]; 2],
    turn: Seat,
    quiet_plies: u32,
    plies: u32,
    full_move: u32,
}

/// Why a move was not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoveredError {
    /// The game has ended.
    GameOver,
    /// The piece can't move so, whatever it is.
    Illegal,
    /// The attack can end in several ways, and nobody has said who is removed.
    Ambiguous,
    /// No pieces that could stand there end the attack so.
    Impossible,
}

impl fmt::Display for CoveredError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::GameOver => "the game has ended",
            Self::Illegal => "no piece that could stand there moves so",
            Self::Ambiguous => "the attack can end in several ways: say who is removed",
            Self::Impossible => "no pieces that could stand there end the attack so",
        })
    }
}

impl std::error::Error for CoveredError {}

/// Shows which points are occupied, and nothing of what stands there.
impl fmt::Debug for Covered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Covered")
            .field("turn", &self.turn)
            .field("pieces", &self.occupied.map(u64::count_ones))
            .finish_non_exhaustive()
    }
}

impl Covered {
    /// The side to move.
    pub const fn turn(&self) -> Seat {
        self.turn
    }

    /// How the game has ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        let end = |winner, reason| Some(Outcome { winner, reason });
        let won = Seat::ALL.into_iter().find(|seat| !self.has_flag(*seat));
        if let Some(lost) = won {
            end(Some(lost.other()), EndReason::Flag)
        } else if self.possible().next().is_none() {
            end(Some(self.turn.other()), EndReason::NoMoves)
        } else if self.quiet_limit > 0 && self.quiet_plies >= self.quiet_limit {
            end(None, EndReason::QuietLimit)
        } else if self.plies >= LENGTH_LIMIT {
            Some(Outcome::LENGTH)
        } else {
            None
        }
    }

    /// Every move that some piece could make that could stand there; none once the game has ended.
    pub fn legal_moves(&self) -> Vec<Move> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let mut legal: Vec<_> = self.possible().collect();
        legal.sort_unstable();
        legal
    }

    /// Who could be removed by a move: nobody if it is no attack.
    pub fn outcomes(&self, mv: Move) -> Vec<Removed> {
        let all = [Removed::Defender, Removed::Attacker, Removed::Both];
        let Some((from, to)) = self.points(mv) else {
            return Vec::new();
        };
        if self.kinds[usize::from(to)] == 0 {
            return Vec::new();
        }
        all.into_iter()
            .filter(|removed| self.fought(from, to, *removed).is_some())
            .collect()
    }

    /// Plays a move, and answers who is removed. `removed` says how an attack ends; it can be left out where there is one way.
    ///
    /// # Errors
    /// When the game is over, nothing that could stand there moves so, or the attack can't end so or could end in several ways. Nothing
    /// is changed then.
    pub fn play(
        &mut self,
        mv: Move,
        removed: Option<Removed>,
    ) -> Result<Option<Removed>, CoveredError> {
        if self.outcome().is_some() {
            return Err(CoveredError::GameOver);
        }
        let (from, to) = self.points(mv).ok_or(CoveredError::Illegal)?;
        if self.movers(from, to) == 0 || bit(from) & self.laws.held() != 0 {
            return Err(CoveredError::Illegal);
        }
        let (after, removed) = if self.kinds[usize::from(to)] == 0 {
            if removed.is_some() {
                return Err(CoveredError::Impossible);
            }
            (self.moved(from, to).ok_or(CoveredError::Illegal)?, None)
        } else {
            let removed = match (removed, self.outcomes(mv).as_slice()) {
                (Some(removed), possible) if possible.contains(&removed) => removed,
                (None, [only]) => *only,
                (_, []) => return Err(CoveredError::Illegal),
                (Some(_), _) => return Err(CoveredError::Impossible),
                (None, _) => return Err(CoveredError::Ambiguous),
            };
            let after = self.fought(from, to, removed);
            (after.ok_or(CoveredError::Impossible)?, Some(removed))
        };
        let turn = self.turn;
        *self = Self {
            turn: turn.other(),
            plies: self.plies.saturating_add(1),
            full_move: self
                .full_move
                .saturating_add(u32::from(turn == Seat::Second)),
            ..after
        };
        Ok(removed)
    }

    fn has_flag(&self, seat: Seat) -> bool {
        each_point(self.occupied[seat.index()])
            .any(|point| self.kinds[usize::from(point)] & only(Piece::Flag) != 0)
    }

    fn points(&self, mv: Move) -> Option<(u8, u8)> {
        let (from, to) = (board::index(mv.from)?, board::index(mv.to)?);
        (self.occupied[self.turn.index()] & bit(from) != 0).then_some((from, to))
    }

    /// The moves after which some pieces could stand so, in no order.
    fn possible(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves().filter(|mv| {
            let Some((from, to)) = self.points(*mv) else {
                return false;
            };
            if self.kinds[usize::from(to)] == 0 {
                return self.moved(from, to).is_some();
            }
            !self.outcomes(*mv).is_empty()
        })
    }

    /// Where the side to move has pieces that could go, each by itself, in no order.
    fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        let own = self.occupied[self.turn.index()];
        each_point(own & !self.laws.held()).flat_map(move |from| {
            let reached = each(self.kinds[usize::from(from)])
                .fold(0, |all, piece| all | self.reached(piece, from));
            each_point(reached).map(move |to| Move {
                from: board::square(from),
                to: board::square(to),
            })
        })
    }

    fn reached(&self, piece: Piece, from: u8) -> Points {
        let (own, enemy) = (self.turn.index(), self.turn.other().index());
        reach(self.occupied[own], self.occupied[enemy], piece, from)
    }

    /// The kinds of a piece that make a move.
    fn movers(&self, from: u8, to: u8) -> Kinds {
        those(self.kinds[usize::from(from)], |piece| {
            self.reached(piece, from) & bit(to) != 0
        })
    }

    /// After a move to an empty point; none if no pieces at all could stand so.
    fn moved(&self, from: u8, to: u8) -> Option<Self> {
        let mut after = *self;
        after.quiet_plies = self.quiet_plies.saturating_add(1);
        after.take(self.turn, from);
        after.put(self.turn, self.movers(from, to), to);
        after.deduce().then_some(after)
    }

    /// After an attack that has removed these; none if no pieces at all could have met so. A Flag that need not be there is not taken:
    /// the game goes on.
    fn fought(&self, from: u8, to: u8, removed: Removed) -> Option<Self> {
        let flag = only(Piece::Flag);
        let goes_on = self.met(from, to, removed, ANY & !flag);
        goes_on.or_else(|| self.met(from, to, removed, flag))
    }

    /// After an attack on a piece of these kinds.
    fn met(&self, from: u8, to: u8, removed: Removed, attacked: Kinds) -> Option<Self> {
        let ends_so = |attacker, defender| {
            attack::judge(attacker, defender, self.laws.mines_survive()) == removed
        };
        let (movers, standing) = (
            self.movers(from, to),
            self.kinds[usize::from(to)] & attacked,
        );
        let attackers = those(movers, |one| {
            each(standing).any(|other| ends_so(one, other))
        });
        let defenders = those(standing, |other| {
            each(movers).any(|one| ends_so(one, other))
        });
        if attackers == 0 || defenders == 0 {
            return None;
        }
        let (own, enemy) = (self.turn, self.turn.other());
        let mut after = *self;
        after.quiet_plies = 0;
        after.take(own, from);
        after.take(enemy, to);
        match removed {
            Removed::Defender => {
                after.put(own, attackers, to);
                after.lose(enemy, defenders);
            }
            Removed::Attacker => {
                after.put(enemy, defenders, to);
                after.lose(own, attackers);
            }
            Removed::Both => {
                after.lose(own, attackers);
                after.lose(enemy, defenders);
            }
        }
        after.deduce().then_some(after)
    }

    const fn take(&mut self, seat: Seat, point: u8) {
        self.kinds[point as usize] = 0;
        self.occupied[seat.index()] &= !bit(point);
    }

    const fn put(&mut self, seat: Seat, kinds: Kinds, point: u8) {
        self.kinds[point as usize] = kinds;
        self.occupied[seat.index()] |= bit(point);
    }

    fn lose(&mut self, seat: Seat, kinds: Kinds) {
        if let Some(piece) = single(kinds) {
            self.lost[seat.index()][piece.index()] += 1;
        }
    }
}

#[cfg(test)]
mod tests;
