//! The board: 5 files × 12 ranks of points; roads, railways, camps and headquarters (rules, "Luzhanqi").
//!
//! Points are numbered from `a1` = 0 along the ranks to `e12` = 59; a set of points is a `u64` with one bit for each.

use crate::{seat::Seat, square::Square};

/// Files on the board.
pub const FILES: u8 = 5;
/// Ranks on the board.
pub const RANKS: u8 = 12;
/// Points on the board.
pub const POINTS: usize = 60;

/// A set of points.
pub type Points = u64;

/// All points.
pub const ALL: Points = (1 << POINTS) - 1;
/// The camps, by the seat on whose half they lie: no piece is attacked there, and the setup leaves them empty.
pub const CAMPS: [Points; 2] = both_halves(&[(1, 2), (3, 2), (2, 3), (1, 4), (3, 4)]);
/// The headquarters, by seat: the Flag is in one of them.
pub const HEADQUARTERS: [Points; 2] = both_halves(&[(1, 0), (3, 0)]);
/// Each seat's half.
pub const HALF: [Points; 2] = [ALL >> 30, ALL & !(ALL >> 30)];
/// The two rear ranks of each seat, where its Landmines lie.
pub const REAR: [Points; 2] = [ALL >> 50, ALL & (ALL << 50)];
/// The front rank of each seat, where the setup has no Grenade.
pub const FRONT: [Points; 2] = [0b11111 << 25, 0b11111 << 30];
/// The files on which the two halves are joined; on the others stand the mountains.
const CROSSINGS: [u8; 3] = [0, 2, 4];

/// No point.
pub(super) const NOWHERE: u8 = POINTS as u8;

/// Steps along roads and railways from each point.
pub(super) const STEPS: [Points; POINTS] = steps();
/// The next point along a railway from each point, by direction; [`NOWHERE`] where none goes on.
pub(super) const RAILWAY: [[u8; 4]; POINTS] = railway();

const DIRECTIONS: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONALS: [(i8, i8); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];

/// The number of a point; none if it is off this board.
pub const fn index(square: Square) -> Option<u8> {
    if square.file() < FILES && square.rank() < RANKS {
        Some(square.rank() * FILES + square.file())
    } else {
        None
    }
}

/// The point of a number below 60.
pub fn square(index: u8) -> Square {
    // Every file and rank of this board lies within those of the largest.
    Square::new(index % FILES, index / FILES).unwrap_or_else(|| unreachable!("{index} is no point"))
}

/// The set of one point.
pub const fn bit(index: u8) -> Points {
    1 << index
}

/// The point opposite, after turning the board by 180°.
pub const fn turned(index: u8) -> u8 {
    POINTS as u8 - 1 - index
}

/// The points of a set, from the lowest.
pub fn each_point(mut set: Points) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let point = set.trailing_zeros() as u8;
            set &= set - 1;
            point
        })
    })
}

/// The points that are joined by a road, a railway or both, each pair once.
pub fn ways() -> impl Iterator<Item = Way> {
    (0..POINTS as u8).flat_map(|from| {
        each_point(STEPS[usize::from(from)])
            .filter(move |to| *to > from)
            .map(move |to| Way {
                from: square(from),
                to: square(to),
                railway: RAILWAY[usize::from(from)].contains(&to),
            })
    })
}

/// Two points that are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// The lower one.
    pub from: Square,
    /// The higher one.
    pub to: Square,
    /// Whether a railway joins them.
    pub railway: bool,
}

/// Whose half a point lies on.
pub const fn half_of(point: u8) -> Seat {
    if HALF[0] & bit(point) != 0 {
        Seat::First
    } else {
        Seat::Second
    }
}

const fn both_halves(places: &[(u8, u8)]) -> [Points; 2] {
    let mut sets = [0; 2];
    let mut i = 0;
    while i < places.len() {
        let point = places[i].1 * FILES + places[i].0;
        sets[0] |= bit(point);
        sets[1] |= bit(turned(point));
        i += 1;
    }
    sets
}

/// The point so many files and ranks away; none beyond the board.
const fn at(from: u8, by: (i8, i8)) -> Option<u8> {
    let (file, rank) = ((from % FILES) as i8 + by.0, (from / FILES) as i8 + by.1);
    if file < 0 || rank < 0 || file >= FILES as i8 || rank >= RANKS as i8 {
        None
    } else {
        Some(rank as u8 * FILES + file as u8)
    }
}

/// Whether one goes straight from a point to its neighbour: over the front line on three files only.
const fn is_joined(from: u8, to: u8) -> bool {
    let crosses = (HALF[0] & bit(from) != 0) != (HALF[0] & bit(to) != 0);
    if !crosses {
        return true;
    }
    let file = from % FILES;
    file == CROSSINGS[0] || file == CROSSINGS[1] || file == CROSSINGS[2]
}

const fn steps() -> [Points; POINTS] {
    let camps = CAMPS[0] | CAMPS[1];
    let mut table = [0; POINTS];
    let mut from = 0;
    while from < POINTS as u8 {
        let mut d = 0;
        while d < 4 {
            if let Some(to) = at(from, DIRECTIONS[d])
                && is_joined(from, to)
            {
                table[from as usize] |= bit(to);
            }
            // Camps are joined to their diagonal neighbours too, from either end.
            if let Some(to) = at(from, DIAGONALS[d])
                && camps & (bit(from) | bit(to)) != 0
            {
                table[from as usize] |= bit(to);
            }
            d += 1;
        }
        from += 1;
    }
    table
}

const fn railway() -> [[u8; 4]; POINTS] {
    let mut table = [[NOWHERE; 4]; POINTS];
    let mut from = 0;
    while from < POINTS as u8 {
        let mut d = 0;
        while d < 4 {
            if let Some(to) = at(from, DIRECTIONS[d])
                && is_rail(from, to)
            {
                table[from as usize][d] = to;
            }
            d += 1;
        }
        from += 1;
    }
    table
}

/// Whether a railway joins two neighbours on a file or rank: ranks 2, 6, 7 and 11, files a and e between ranks 2 and 11,
/// file c over the front line.
const fn is_rail(from: u8, to: u8) -> bool {
    let (file, rank, other) = (from % FILES, from / FILES, to / FILES);
    if rank == other {
        return matches!(rank, 1 | 5 | 6 | 10);
    }
    let (low, high) = if rank < other {
        (rank, other)
    } else {
        (other, rank)
    };
    match file {
        0 | 4 => low >= 1 && high <= 10,
        2 => low == 5 && high == 6,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(name: &str) -> u8 {
        index(name.parse().unwrap()).unwrap()
    }

    fn names(set: Points) -> Vec<String> {
        let mut names: Vec<_> = each_point(set)
            .map(|point| square(point).to_string())
            .collect();
        names.sort();
        names
    }

    fn steps_of(name: &str) -> Vec<String> {
        names(STEPS[usize::from(point(name))])
    }

    #[test]
    fn camps_and_headquarters_lie_where_the_rules_say() {
        assert_eq!(names(CAMPS[0]), ["b3", "b5", "c4", "d3", "d5"]);
        assert_eq!(names(CAMPS[1]), ["b10", "b8", "c9", "d10", "d8"]);
        assert_eq!(names(HEADQUARTERS[0]), ["b1", "d1"]);
        assert_eq!(names(HEADQUARTERS[1]), ["b12", "d12"]);
        assert_eq!(names(FRONT[0]), ["a6", "b6", "c6", "d6", "e6"]);
        assert_eq!(names(FRONT[1]), ["a7", "b7", "c7", "d7", "e7"]);
        assert_eq!(REAR[0].count_ones() + REAR[1].count_ones(), 20);
        assert_eq!(half_of(point("e6")), Seat::First);
        assert_eq!(half_of(point("a7")), Seat::Second);
    }

    #[test]
    fn a_camp_is_joined_to_its_eight_neighbours_and_a_station_to_four() {
        assert_eq!(
            steps_of("b3"),
            ["a2", "a3", "a4", "b2", "b4", "c2", "c3", "c4"]
        );
        assert_eq!(steps_of("c3"), ["b3", "c2", "c4", "d3"]);
        assert_eq!(steps_of("c2"), ["b2", "b3", "c1", "c3", "d2", "d3"]);
        assert_eq!(steps_of("b1"), ["a1", "b2", "c1"]);
    }

    #[test]
    fn the_front_line_is_crossed_on_three_files() {
        assert!(steps_of("a6").contains(&"a7".to_owned()));
        assert!(steps_of("c7").contains(&"c6".to_owned()));
        assert!(steps_of("e6").contains(&"e7".to_owned()));
        assert!(!steps_of("b6").contains(&"b7".to_owned()));
        assert!(!steps_of("d7").contains(&"d6".to_owned()));
    }

    #[test]
    fn ways_go_both_ways_and_look_the_same_from_both_sides() {
        for from in 0..POINTS as u8 {
            for to in each_point(STEPS[usize::from(from)]) {
                assert!(STEPS[usize::from(to)] & bit(from) != 0);
                assert!(STEPS[usize::from(turned(from))] & bit(turned(to)) != 0);
            }
            for to in RAILWAY[usize::from(from)] {
                if to != NOWHERE {
                    assert!(RAILWAY[usize::from(to)].contains(&from));
                    assert!(RAILWAY[usize::from(turned(from))].contains(&turned(to)));
                    assert!(
                        STEPS[usize::from(from)] & bit(to) != 0,
                        "a railway can be walked"
                    );
                }
            }
        }
    }

    #[test]
    fn the_railways_are_a_ring_on_each_half_joined_on_three_files() {
        let rails: Vec<_> = ways().filter(|way| way.railway).collect();
        // Four ranks of four pieces each, two files of nine, and the crossing on file c.
        assert_eq!(rails.len(), 4 * 4 + 2 * 9 + 1);
        assert!(rails.iter().all(|way| {
            let camps = CAMPS[0] | CAMPS[1];
            [way.from, way.to]
                .iter()
                .all(|end| camps & bit(index(*end).unwrap()) == 0)
        }));
    }
}
