//! Which moves the pieces can make (rules, "Luzhanqi", *Moves*).

use crate::luzhanqi::{
    board::{ALL, CAMPS, HEADQUARTERS, NOWHERE, POINTS, Points, RAILWAY, STEPS, bit, each_point},
    piece::Piece,
    position::Position,
    ruleset::Options,
};

/// The options of a game in the form that move generation needs.
#[derive(Clone, Copy, Debug)]
pub struct Laws {
    /// Points that a piece never leaves.
    held: Points,
    mines_survive: bool,
}

impl Laws {
    /// The laws that follow from options.
    pub const fn new(options: &Options) -> Self {
        Self {
            held: if options.headquarters_hold {
                HEADQUARTERS[0] | HEADQUARTERS[1]
            } else {
                0
            },
            mines_survive: options.mines_survive,
        }
    }

    /// The points that a piece never leaves.
    pub(super) const fn held(self) -> Points {
        self.held
    }

    /// Whether a Landmine that a soldier steps on stays.
    pub const fn mines_survive(self) -> bool {
        self.mines_survive
    }

    /// Calls `each` with every piece of the side to move that has moves: its point, and the points that it can go to.
    pub fn for_each(self, position: &Position, mut each: impl FnMut(u8, Points)) {
        let own = position.of(position.turn());
        for from in each_point(own & !self.held) {
            if let Some((seat, piece)) = position.at(from) {
                let targets = reach(position.of(seat), position.of(seat.other()), piece, from);
                if targets != 0 {
                    each(from, targets);
                }
            }
        }
    }

    /// How many moves there are.
    pub fn count(self, position: &Position) -> u64 {
        let mut count = 0;
        self.for_each(position, |_, targets| {
            count += u64::from(targets.count_ones());
        });
        count
    }
}

/// Where a piece goes from a point, among the points of its own side's pieces and of the enemy's.
pub(super) fn reach(own: Points, enemy: Points, piece: Piece, from: u8) -> Points {
    let rides = match piece {
        Piece::Landmine | Piece::Flag => return 0,
        Piece::Engineer => turning_rides(own | enemy, from),
        Piece::Marshal
        | Piece::General
        | Piece::MajorGeneral
        | Piece::Brigadier
        | Piece::Colonel
        | Piece::Major
        | Piece::Captain
        | Piece::Lieutenant
        | Piece::Grenade => straight_rides(own | enemy, from),
    };
    // Nothing is attacked in a camp.
    let shut = own | (enemy & (CAMPS[0] | CAMPS[1]));
    (STEPS[usize::from(from)] | rides) & !shut
}

/// Along each railway line from a point, up to and including the first piece.
fn straight_rides(occupied: Points, from: u8) -> Points {
    let mut reached = 0;
    for (direction, mut at) in RAILWAY[usize::from(from)].into_iter().enumerate() {
        while at != NOWHERE {
            reached |= bit(at);
            if occupied & bit(at) != 0 {
                break;
            }
            at = RAILWAY[usize::from(at)][direction];
        }
    }
    reached
}

/// Along railways with any number of turns, up to and including the first piece on each way.
fn turning_rides(occupied: Points, from: u8) -> Points {
    let mut reached = 0;
    let mut ends = bit(from);
    while ends != 0 {
        let mut next = 0;
        for end in each_point(ends) {
            next |= RAILS[usize::from(end)];
        }
        next &= !reached & !bit(from);
        reached |= next;
        ends = next & !occupied;
    }
    reached
}

/// The neighbours of each point along railways.
const RAILS: [Points; POINTS] = {
    let mut table = [0; POINTS];
    let mut from = 0;
    while from < POINTS {
        let mut direction = 0;
        while direction < 4 {
            let to = RAILWAY[from][direction];
            if to != NOWHERE {
                table[from] |= bit(to) & ALL;
            }
            direction += 1;
        }
        from += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::luzhanqi::board::{index, square};

    fn point(name: &str) -> u8 {
        index(name.parse().unwrap()).unwrap()
    }

    fn set(names: &str) -> Points {
        names
            .split_whitespace()
            .fold(0, |set, name| set | bit(point(name)))
    }

    fn names(set: Points) -> String {
        let mut names: Vec<_> = each_point(set)
            .map(|point| square(point).to_string())
            .collect();
        names.sort();
        names.join(" ")
    }

    #[test]
    fn a_ride_goes_straight_and_ends_at_the_first_piece() {
        assert_eq!(
            names(straight_rides(0, point("a2"))),
            "a10 a11 a3 a4 a5 a6 a7 a8 a9 b2 c2 d2 e2"
        );
        assert_eq!(
            names(straight_rides(set("a4 c2"), point("a2"))),
            "a3 a4 b2 c2"
        );
        assert_eq!(names(straight_rides(0, point("c6"))), "a6 b6 c7 d6 e6");
        assert_eq!(
            names(straight_rides(0, point("c5"))),
            "",
            "no railway leads there"
        );
    }

    #[test]
    fn an_engineer_reaches_the_whole_railway_when_it_is_free() {
        let all = turning_rides(0, point("a2"));
        assert_eq!(all.count_ones(), 4 * 5 + 2 * 6 - 1);
        assert_eq!(names(turning_rides(set("a3 c2"), point("a2"))), "a3 b2 c2");
        assert_eq!(
            names(turning_rides(set("a5 a7 b6 c7 e7 e5 d6"), point("c6"))),
            "b6 c7 d6"
        );
    }

    #[test]
    fn every_point_of_the_railway_can_be_ridden_to_from_its_neighbours() {
        for from in 0..POINTS as u8 {
            for to in each_point(RAILS[usize::from(from)]) {
                assert!(straight_rides(bit(to), from) & bit(to) != 0);
                assert!(turning_rides(bit(to), from) & bit(to) != 0);
            }
        }
    }
}
