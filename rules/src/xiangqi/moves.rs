//! Which moves the pieces can make (rules, "Xiangqi"). Repetition is not looked at here.

use crate::{
    seat::Seat,
    xiangqi::{
        attacks,
        board::{Points, bit, each_point},
        danger::{Danger, is_attacked},
        piece::{KINDS, Piece},
        position::{OFF, Position},
        ruleset::{Cannon, Options},
    },
};

/// The options of a game in the form that move generation needs.
#[derive(Clone, Copy, Debug)]
pub struct Laws {
    cannon: Cannon,
}

impl Laws {
    /// The laws that follow from options.
    pub const fn new(options: &Options) -> Self {
        Self {
            cannon: options.cannon,
        }
    }

    /// Calls `each` with every man of the side to move that has legal moves: its point, and the points that it can go to.
    #[inline]
    pub fn for_each(&self, position: &Position, mut each: impl FnMut(u8, Points)) {
        let own = position.turn.index();
        let danger = Danger::of(position);
        for (number, kind) in KINDS.into_iter().enumerate() {
            let from = position.points[own][number];
            if from == OFF {
                continue;
            }
            let mut targets = self.reach(position, position.turn, kind, from);
            let critical =
                matches!(kind, Piece::General) || danger.in_check || danger.held & bit(from) != 0;
            if critical {
                if !matches!(kind, Piece::General) {
                    targets &= danger.answers_from(from);
                }
                targets = Self::safe(position, from, targets);
            } else {
                targets &= !danger.screens;
            }
            if targets != 0 {
                each(from, targets);
            }
        }
    }

    /// How many legal moves there are.
    #[inline]
    pub fn count(&self, position: &Position) -> u64 {
        let mut count = 0;
        self.for_each(position, |_, targets| {
            count += u64::from(targets.count_ones())
        });
        count
    }

    /// Whether a man of the side to move can legally go from one point to another.
    pub(super) fn allows(self, position: &Position, from: u8, to: u8) -> bool {
        position.at(from).is_some_and(|(seat, kind)| {
            seat == position.turn
                && self.reach(position, seat, kind, from) & bit(to) != 0
                && Self::safe(position, from, bit(to)) != 0
        })
    }

    /// Where a piece of a side goes from a point, its own General's safety left out.
    #[inline]
    pub fn reach(self, position: &Position, seat: Seat, kind: Piece, from: u8) -> Points {
        let covers = self.covers(position, seat, kind, from);
        let targets = match (kind, self.cannon) {
            (Piece::Cannon, Cannon::Standard) => {
                let (rank, file) = position.lines(from);
                (attacks::slides(from, rank, file) & !position.all()) | (covers & position.all())
            }
            (_, _) => covers,
        };
        targets & !position.occupied[seat.index()]
    }

    /// Where a piece of a side would take an enemy, or takes back what takes its own: like [`Self::reach`], but with the points of its own side, and
    /// without those to which a Cannon only slides.
    #[inline]
    pub fn covers(self, position: &Position, seat: Seat, kind: Piece, from: u8) -> Points {
        match kind {
            Piece::General => attacks::general(from),
            Piece::Advisor => attacks::advisor(from),
            Piece::Elephant => attacks::elephant(from, position.all()),
            Piece::Horse => attacks::horse(from, position.all()),
            Piece::Chariot => {
                let (rank, file) = position.lines(from);
                attacks::slides(from, rank, file)
            }
            Piece::Cannon => {
                let (rank, file) = position.lines(from);
                attacks::jumps(from, rank, file)
            }
            Piece::Soldier => attacks::soldier(seat, from),
        }
    }

    /// Whether some piece of a side goes to a point, its own General's safety left out.
    pub fn reaches(self, position: &Position, seat: Seat, point: u8) -> bool {
        let mut pieces = KINDS.into_iter().zip(position.points[seat.index()]);
        pieces.any(|(kind, from)| {
            from != OFF && self.reach(position, seat, kind, from) & bit(point) != 0
        })
    }

    /// Those of the targets of a man of the side to move that leave its General unattacked.
    fn safe(position: &Position, from: u8, targets: Points) -> Points {
        let enemy = position.turn.other();
        let general = position.general(position.turn);
        let mut safe = 0;
        for to in each_point(targets) {
            let stands = if from == general { to } else { general };
            if !is_attacked(position, stands, enemy, from, to) {
                safe |= bit(to);
            }
        }
        safe
    }
}

/// Whether a side's General is attacked.
pub fn in_check(position: &Position, seat: Seat) -> bool {
    let general = position.general(seat);
    is_attacked(position, general, seat.other(), general, general)
}
