//! Tables of where each kind of piece goes, made when the program is built.
//!
//! Along a line (a rank or a file) the way depends on its occupied points alone: at most ten bits, so that every case is
//! looked up. Horses and Elephants depend on the points around them: four bits.
#![expect(
    clippy::large_stack_arrays,
    reason = "the tables are made when the program is built"
)]

use crate::{
    seat::Seat,
    xiangqi::board::{
        ADVISOR_POINTS, ELEPHANT_POINTS, FILES, PALACE, POINTS, Points, RANKS, at, bit, has_crossed,
    },
};

/// The points of a line, one bit each.
pub(super) type Line = u16;

const CASES: usize = 1 << RANKS;

/// From each place of a line and its occupied points: as far as the line is free, up to and including the first piece.
///
/// Ranks use the same table; what lies past their ninth point has to be cut off.
static SLIDES: [[Line; CASES]; RANKS as usize] = lines().0;
/// The same, from beyond the first piece up to and including the next.
static JUMPS: [[Line; CASES]; RANKS as usize] = lines().1;
/// The bits of a file as points of file a.
static FILE_POINTS: [Points; CASES] = points_of_file();
/// Where a Horse goes from each point, by which of its four legs are blocked.
static HORSE: [[Points; 16]; POINTS] = horses();
/// The leg of a Horse on the way from one point to another; [`NO_LEG`] if it does not go there.
static HORSE_LEG: [[u8; POINTS]; POINTS] = horse_legs();
/// Where an Elephant goes from each point, by which of its four eyes are blocked.
static ELEPHANT: [[Points; 16]; POINTS] = elephants();
/// Steps of a General from each point of a palace.
static GENERAL: [Points; POINTS] = generals();
/// Steps of an Advisor from each of its points.
static ADVISOR: [Points; POINTS] = advisors();
/// Steps of a Soldier of each seat from each point.
static SOLDIER: [[Points; POINTS]; 2] = soldiers();

/// No leg leads from the one point to the other.
pub(super) const NO_LEG: u8 = 0xff;
const ON_RANK: Line = (1 << FILES) - 1;

/// As far as the lines are free from a point, up to and including the first piece on each.
#[inline]
pub(super) fn slides(from: u8, rank: Line, file: Line) -> Points {
    along(&SLIDES, from, rank, file)
}

/// From beyond the first piece on each line from a point up to and including the next.
#[inline]
pub(super) fn jumps(from: u8, rank: Line, file: Line) -> Points {
    along(&JUMPS, from, rank, file)
}

#[inline]
fn along(
    table: &[[Line; CASES]; RANKS as usize],
    from: u8,
    rank_line: Line,
    file_line: Line,
) -> Points {
    let (file, rank) = (from % FILES, from / FILES);
    let on_rank = table[usize::from(file)][usize::from(rank_line) % CASES] & ON_RANK;
    let on_file = table[usize::from(rank)][usize::from(file_line) % CASES];
    rank_points(rank, on_rank) | file_points(file, on_file)
}

/// The points of a rank's bits.
#[inline]
pub(super) fn rank_points(rank: u8, line: Line) -> Points {
    Points::from(line) << (rank * FILES)
}

/// The points of a file's bits.
#[inline]
pub(super) fn file_points(file: u8, line: Line) -> Points {
    FILE_POINTS[usize::from(line) % CASES] << file
}

/// The bits of a line strictly between two places.
#[inline]
pub(super) const fn between(one: u8, other: u8) -> Line {
    let (low, high) = if one < other {
        (one, other)
    } else {
        (other, one)
    };
    ((1 << high) - 1) & !((2 << low) - 1)
}

/// Where a Horse goes.
#[inline]
pub(super) fn horse(from: u8, occupied: Points) -> Points {
    let around = around(from, occupied);
    // South, west, north and east: bits 1, 9, 19 and 11 of the surroundings.
    let blocked = (around >> 1 & 0b0001) | (around >> 8 & 0b1010) | (around >> 17 & 0b0100);
    HORSE[usize::from(from)][blocked as usize]
}

/// Where an Elephant goes.
#[inline]
pub(super) fn elephant(from: u8, occupied: Points) -> Points {
    let around = around(from, occupied);
    // South-west, south-east, north-west and north-east: bits 0, 2, 18 and 20 of the surroundings.
    let blocked = (around & 0b0101) | (around >> 17 & 0b1010);
    ELEPHANT[usize::from(from)][blocked as usize]
}

/// The leg of a Horse on its way; [`NO_LEG`] if it does not go there.
#[inline]
pub(super) fn horse_leg(from: u8, to: u8) -> u8 {
    HORSE_LEG[usize::from(from)][usize::from(to)]
}

/// Where a General steps.
#[inline]
pub(super) fn general(from: u8) -> Points {
    GENERAL[usize::from(from)]
}

/// Where an Advisor steps.
#[inline]
pub(super) fn advisor(from: u8) -> Points {
    ADVISOR[usize::from(from)]
}

/// Where a Soldier steps.
#[inline]
pub(super) fn soldier(seat: Seat, from: u8) -> Points {
    SOLDIER[seat.index()][usize::from(from)]
}

/// The occupied ones of the points around a point: 21 bits from the one at south-west to the one at north-east.
#[inline]
fn around(point: u8, occupied: Points) -> u32 {
    ((occupied << 10) >> point) as u32
}

const fn lines() -> (
    [[Line; CASES]; RANKS as usize],
    [[Line; CASES]; RANKS as usize],
) {
    let mut slides = [[0; CASES]; RANKS as usize];
    let mut jumps = [[0; CASES]; RANKS as usize];
    let mut place = 0;
    while place < RANKS {
        let mut occupied = 0;
        while occupied < CASES {
            let upwards = one_way(place, occupied as Line, true);
            let downwards = one_way(place, occupied as Line, false);
            slides[place as usize][occupied] = upwards.0 | downwards.0;
            jumps[place as usize][occupied] = upwards.1 | downwards.1;
            occupied += 1;
        }
        place += 1;
    }
    (slides, jumps)
}

/// The points up to the first piece in one direction, and those from beyond it up to the next.
const fn one_way(place: u8, occupied: Line, upwards: bool) -> (Line, Line) {
    let (mut slides, mut jumps) = (0, 0);
    let mut pieces = 0;
    let mut next = place;
    while pieces < 2 && (if upwards { next + 1 < RANKS } else { next > 0 }) {
        next = if upwards { next + 1 } else { next - 1 };
        let point = 1 << next;
        if pieces == 0 {
            slides |= point;
        } else {
            jumps |= point;
        }
        if occupied & point != 0 {
            pieces += 1;
        }
    }
    (slides, jumps)
}

const fn points_of_file() -> [Points; CASES] {
    let mut table = [0; CASES];
    let mut line = 0;
    while line < CASES {
        let mut rank = 0;
        while rank < RANKS {
            if line & (1 << rank) != 0 {
                table[line] |= bit(rank * FILES);
            }
            rank += 1;
        }
        line += 1;
    }
    table
}

const fn place_of(point: usize) -> (i8, i8) {
    ((point as u8 % FILES) as i8, (point as u8 / FILES) as i8)
}

/// The point so many files and ranks away, as a set; empty beyond the board.
const fn shifted(from: (i8, i8), by: (i8, i8)) -> Points {
    match at(from.0 + by.0, from.1 + by.1) {
        Some(point) => bit(point),
        None => 0,
    }
}

/// The legs in the order of their bits: south, west, north, east.
const LEGS: [(i8, i8); 4] = [(0, -1), (-1, 0), (0, 1), (1, 0)];
/// The eyes in the order of their bits: south-west, north-west, south-east, north-east.
const EYES: [(i8, i8); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

/// The two ends of a Horse's move over a leg, as seen from its point.
const fn horse_ends(leg: (i8, i8)) -> [(i8, i8); 2] {
    let (file, rank) = (leg.0 * 2, leg.1 * 2);
    if leg.0 == 0 {
        [(-1, rank), (1, rank)]
    } else {
        [(file, -1), (file, 1)]
    }
}

const fn horses() -> [[Points; 16]; POINTS] {
    let mut table = [[0; 16]; POINTS];
    let mut from = 0;
    while from < POINTS {
        let mut blocked = 0;
        while blocked < 16 {
            let mut leg = 0;
            while leg < 4 {
                if blocked & (1 << leg) == 0 {
                    let ends = horse_ends(LEGS[leg]);
                    table[from][blocked] |= shifted(place_of(from), ends[0]);
                    table[from][blocked] |= shifted(place_of(from), ends[1]);
                }
                leg += 1;
            }
            blocked += 1;
        }
        from += 1;
    }
    table
}

const fn horse_legs() -> [[u8; POINTS]; POINTS] {
    let mut table = [[NO_LEG; POINTS]; POINTS];
    let mut from = 0;
    while from < POINTS {
        let place = place_of(from);
        let mut leg = 0;
        while leg < 4 {
            let ends = horse_ends(LEGS[leg]);
            let mut end = 0;
            while end < 2 {
                let to = at(place.0 + ends[end].0, place.1 + ends[end].1);
                let over = at(place.0 + LEGS[leg].0, place.1 + LEGS[leg].1);
                if let (Some(to), Some(over)) = (to, over) {
                    table[from][to as usize] = over;
                }
                end += 1;
            }
            leg += 1;
        }
        from += 1;
    }
    table
}

const fn elephants() -> [[Points; 16]; POINTS] {
    let mut table = [[0; 16]; POINTS];
    let mut from = 0;
    while from < POINTS {
        let own = if ELEPHANT_POINTS[0] & bit(from as u8) != 0 {
            ELEPHANT_POINTS[0]
        } else if ELEPHANT_POINTS[1] & bit(from as u8) != 0 {
            ELEPHANT_POINTS[1]
        } else {
            0
        };
        let mut blocked = 0;
        while blocked < 16 {
            let mut eye = 0;
            while eye < 4 {
                if blocked & (1 << eye) == 0 {
                    let by = (EYES[eye].0 * 2, EYES[eye].1 * 2);
                    table[from][blocked] |= shifted(place_of(from), by) & own;
                }
                eye += 1;
            }
            blocked += 1;
        }
        from += 1;
    }
    table
}

const fn generals() -> [Points; POINTS] {
    let mut table = [0; POINTS];
    let mut from = 0;
    while from < POINTS {
        let palace = PALACE[0] | PALACE[1];
        let mut d = 0;
        while d < 4 && palace & bit(from as u8) != 0 {
            table[from] |= shifted(place_of(from), LEGS[d]) & palace;
            d += 1;
        }
        from += 1;
    }
    table
}

const fn advisors() -> [Points; POINTS] {
    let mut table = [0; POINTS];
    let mut from = 0;
    while from < POINTS {
        let own = ADVISOR_POINTS[0] | ADVISOR_POINTS[1];
        let mut d = 0;
        while d < 4 && own & bit(from as u8) != 0 {
            table[from] |= shifted(place_of(from), EYES[d]) & own;
            d += 1;
        }
        from += 1;
    }
    table
}

const fn soldiers() -> [[Points; POINTS]; 2] {
    let mut table = [[0; POINTS]; 2];
    let mut from = 0;
    while from < POINTS {
        let place = place_of(from);
        let mut seat = 0;
        while seat < 2 {
            let (owner, forward) = if seat == 0 {
                (Seat::First, 1)
            } else {
                (Seat::Second, -1)
            };
            table[seat][from] = shifted(place, (0, forward));
            if has_crossed(owner, from as u8) {
                table[seat][from] |= shifted(place, (-1, 0)) | shifted(place, (1, 0));
            }
            seat += 1;
        }
        from += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xiangqi::board::{each_point, index, square};

    fn number(name: &str) -> u8 {
        index(name.parse().unwrap()).unwrap()
    }

    fn names(set: Points) -> Vec<String> {
        let mut names: Vec<_> = each_point(set)
            .map(|point| square(point).to_string())
            .collect();
        names.sort();
        names
    }

    fn set(names: &[&str]) -> Points {
        names.iter().map(|name| bit(number(name))).sum()
    }

    #[test]
    fn a_blocked_leg_takes_the_horse_its_two_ends() {
        assert_eq!(
            names(horse(number("e5"), 0)),
            ["c4", "c6", "d3", "d7", "f3", "f7", "g4", "g6"]
        );
        for (leg, ends) in [
            ("e4", ["d3", "f3"]),
            ("d5", ["c4", "c6"]),
            ("e6", ["d7", "f7"]),
            ("f5", ["g4", "g6"]),
        ] {
            let left = horse(number("e5"), set(&[leg]));
            assert_eq!(names(horse(number("e5"), 0) & !left), ends, "{leg}");
        }
        assert_eq!(names(horse(number("a1"), set(&["b1"]))), ["b3"]);
        assert_eq!(names(horse(number("i10"), set(&["a1"]))), ["g9", "h8"]);
    }

    #[test]
    fn a_piece_on_the_eye_stops_the_elephant_and_the_river_always_does() {
        assert_eq!(names(elephant(number("e3"), 0)), ["c1", "c5", "g1", "g5"]);
        for (eye, end) in [("d2", "c1"), ("d4", "c5"), ("f2", "g1"), ("f4", "g5")] {
            let left = elephant(number("e3"), set(&[eye]));
            assert_eq!(names(elephant(number("e3"), 0) & !left), [end], "{eye}");
        }
        let beside = set(&["e2", "d3", "f3", "e4"]);
        assert_eq!(elephant(number("e3"), beside), elephant(number("e3"), 0));
        assert_eq!(names(elephant(number("c5"), 0)), ["a3", "e3"]);
        assert_eq!(names(elephant(number("c6"), 0)), ["a8", "e8"]);
    }

    #[test]
    fn lines_are_open_up_to_the_first_piece_and_jumps_end_at_the_next() {
        // a4 stands on rank 4 (pieces c4, f4) and file a (piece a9).
        let (rank, file) = (0b0010_0101, 1 << 3 | 1 << 8);
        let from = number("a4");
        assert_eq!(
            names(slides(from, rank, file)),
            ["a1", "a2", "a3", "a5", "a6", "a7", "a8", "a9", "b4", "c4"]
        );
        assert_eq!(names(jumps(from, rank, file)), ["a10", "d4", "e4", "f4"]);
    }

    #[test]
    fn a_soldier_goes_sideways_only_beyond_the_river() {
        assert_eq!(names(soldier(Seat::First, number("c5"))), ["c6"]);
        assert_eq!(
            names(soldier(Seat::First, number("c6"))),
            ["b6", "c7", "d6"]
        );
        assert_eq!(names(soldier(Seat::First, number("a10"))), ["b10"]);
        assert_eq!(names(soldier(Seat::Second, number("i5"))), ["h5", "i4"]);
    }

    #[test]
    fn advisors_and_generals_stay_in_their_palace() {
        assert_eq!(names(advisor(number("e2"))), ["d1", "d3", "f1", "f3"]);
        assert_eq!(names(advisor(number("d3"))), ["e2"]);
        assert_eq!(names(general(number("d3"))), ["d2", "e3"]);
        assert_eq!(names(general(number("e9"))), ["d9", "e10", "e8", "f9"]);
    }
}
