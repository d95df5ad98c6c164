//! Where pieces go: the rules' ways in the form that a search needs.

use std::sync::LazyLock;

use qiguan_rules::luzhanqi::board::{self, CAMPS, HEADQUARTERS, POINTS, Points, bit};

/// Both sides' camps.
pub(super) const ALL_CAMPS: Points = CAMPS[0] | CAMPS[1];
/// All headquarters.
pub(super) const ALL_HEADQUARTERS: Points = HEADQUARTERS[0] | HEADQUARTERS[1];
/// No point.
pub(super) const NOWHERE: u8 = POINTS as u8;

/// The ways of the board.
pub(super) static MAP: LazyLock<Map> = LazyLock::new(Map::new);

/// Roads and railways from each point.
pub(super) struct Map {
    /// Steps along roads and railways.
    pub(super) steps: [Points; POINTS],
    /// Steps along railways.
    pub(super) rails: [Points; POINTS],
    /// The next point along a railway by direction; [`NOWHERE`] where none goes on.
    lines: [[u8; 4]; POINTS],
}

impl Map {
    fn new() -> Self {
        let mut map = Self {
            steps: [0; POINTS],
            rails: [0; POINTS],
            lines: [[NOWHERE; 4]; POINTS],
        };
        for way in board::ways() {
            let (Some(one), Some(other)) = (board::index(way.from), board::index(way.to)) else {
                continue;
            };
            for (from, to) in [(one, other), (other, one)] {
                map.steps[usize::from(from)] |= bit(to);
                if way.railway {
                    map.rails[usize::from(from)] |= bit(to);
                    let direction = match i16::from(to) - i16::from(from) {
                        1 => 0,
                        -1 => 1,
                        5 => 2,
                        _ => 3,
                    };
                    map.lines[usize::from(from)][direction] = to;
                }
            }
        }
        map
    }

    /// Where a piece of the side that stands on `own` goes from a point; `turns`: as an Engineer.
    pub(super) fn reach(&self, own: Points, enemy: Points, from: u8, turns: bool) -> Points {
        let rides = if self.rails[usize::from(from)] == 0 {
            0
        } else if turns {
            self.turning(own | enemy, from)
        } else {
            self.straight(own | enemy, from)
        };
        // Nothing is attacked in a camp.
        (self.steps[usize::from(from)] | rides) & !(own | (enemy & ALL_CAMPS))
    }

    fn straight(&self, occupied: Points, from: u8) -> Points {
        let mut reached = 0;
        for (direction, mut at) in self.lines[usize::from(from)].into_iter().enumerate() {
            while at != NOWHERE {
                reached |= bit(at);
                if occupied & bit(at) != 0 {
                    break;
                }
                at = self.lines[usize::from(at)][direction];
            }
        }
        reached
    }

    fn turning(&self, occupied: Points, from: u8) -> Points {
        let mut reached = 0;
        let mut ends = bit(from);
        while ends != 0 {
            let mut next = 0;
            while ends != 0 {
                next |= self.rails[ends.trailing_zeros() as usize];
                ends &= ends - 1;
            }
            next &= !reached & !bit(from);
            reached |= next;
            ends = next & !occupied;
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qiguan_rules::{
        BySeat, Seat,
        luzhanqi::{Options, Piece, Play, Setup},
    };

    #[test]
    fn pieces_go_where_the_rules_let_them_go() {
        let mut draws = crate::draws::Draws::new(1);
        for _ in 0..20 {
            let setups = BySeat {
                first: Setup::random(Seat::First, |below| draws.below(below)),
                second: Setup::random(Seat::Second, |below| draws.below(below)),
            };
            let mut play = Play::start(Options::REFEREE, &setups);
            while play.outcome().is_none() {
                let position = play.position();
                let seat = position.turn();
                let mut count = 0;
                for from in board::each_point(position.of(seat)) {
                    let (_, piece) = position.at(from).unwrap();
                    if piece.moves() {
                        let turns = piece == Piece::Engineer;
                        let (own, enemy) = (position.of(seat), position.of(seat.other()));
                        count += MAP.reach(own, enemy, from, turns).count_ones();
                    }
                }
                assert_eq!(count as usize, play.legal_moves().len());
                let mv = play.legal_moves()[draws.below(play.legal_moves().len())];
                play.play(mv).unwrap();
            }
        }
    }
}
