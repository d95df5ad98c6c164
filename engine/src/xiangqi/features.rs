//! What a position of Xiangqi has, as features: how often each occurs for the first seat, less how often for the second.

use qiguan_rules::{
    Seat,
    xiangqi::{
        Piece, Position,
        board::{FILES, PALACE, POINTS, Points, RANKS, bit, each_point, has_crossed},
    },
};

use super::board::Rules;
use crate::evaluation::{Group, OPENING, Sink, start_of};

const KINDS: usize = Piece::ALL.len();
/// Ranks as the owner counts them, and files from the edge to the middle: both halves of the board are worth the same.
const PLACES: usize = RANKS as usize * HALF_FILES;
const HALF_FILES: usize = FILES as usize / 2 + 1;
/// More points than this count as so many.
const MOST_REACHED: usize = 17;
/// The same of points to check from, those to which a General can go, and those of the palace that are struck.
const MOST_CHECKS: usize = 3;
const MOST_ROOM: usize = 3;
const MOST_STRUCK: usize = 5;

/// The groups of features, in their order.
pub(crate) const GROUPS: &[Group] = &[
    group("the move", 1, 1),
    group("a piece of each kind", KINDS, KINDS),
    group(
        "its place, by kind, rank and file from the edge",
        KINDS * PLACES,
        HALF_FILES,
    ),
    group(
        "points reached by a horse, chariot or cannon",
        3 * (MOST_REACHED + 1),
        MOST_REACHED + 1,
    ),
    group(
        "enemy pieces struck, by whose move it is, kind and kind struck",
        2 * KINDS * KINDS,
        KINDS,
    ),
    group(
        "unguarded enemy pieces struck, by whose move it is and kind",
        2 * KINDS,
        KINDS,
    ),
    group("attackers, by the guards that they face", 8 * 5, 5),
    group(
        "chariot or cannon in line with the enemy general, by file or rank and pieces between",
        2 * 2 * 4,
        4,
    ),
    group("advisors and elephants, by enemy cannons", 27, 3),
    group("chariots, horses and cannons together", 27, 9),
    group(
        "points from which a horse, chariot or cannon would check unpunished, by whose move it is and kind",
        2 * 3 * (MOST_CHECKS + 1),
        MOST_CHECKS + 1,
    ),
    group(
        "points to which the enemy general can go, by whose move it is",
        2 * (MOST_ROOM + 1),
        MOST_ROOM + 1,
    ),
    group(
        "unguarded points of the enemy palace struck, by whose move it is",
        2 * (MOST_STRUCK + 1),
        MOST_STRUCK + 1,
    ),
];

const TEMPO: usize = start_of(GROUPS, 0);
/// What a piece is worth wherever it stands.
pub(super) const KIND: usize = start_of(GROUPS, 1);
/// What it gains or loses by its place.
pub(super) const PLACE: usize = start_of(GROUPS, 2);
const MOBILITY: usize = start_of(GROUPS, 3);
const STRUCK: usize = start_of(GROUPS, 4);
const HANGING: usize = start_of(GROUPS, 5);
const ATTACKERS: usize = start_of(GROUPS, 6);
const IN_LINE: usize = start_of(GROUPS, 7);
const GUARDS: usize = start_of(GROUPS, 8);
const ARMY: usize = start_of(GROUPS, 9);
const CHECKS: usize = start_of(GROUPS, 10);
const ROOM: usize = start_of(GROUPS, 11);
const PALACE_STRUCK: usize = start_of(GROUPS, 12);
/// How many features there are.
pub(super) const COUNT: usize = start_of(GROUPS, GROUPS.len());
/// How many kinds of pieces, and how many places each has.
pub(super) const PLACED: (usize, usize) = (KINDS, PLACES);

/// A file, all its ten points.
const FILE_A: Points = {
    let (mut file, mut rank) = (0, 0);
    while rank < RANKS {
        file |= bit(rank * FILES);
        rank += 1;
    }
    file
};

/// The points around each, from which a Horse may strike it.
const AROUND: [Points; POINTS] = {
    let mut around = [0; POINTS];
    let mut from = 0;
    while from < POINTS as u8 {
        let mut to = 0;
        while to < POINTS as u8 {
            let ranks = (from / FILES).abs_diff(to / FILES);
            let files = (from % FILES).abs_diff(to % FILES);
            if ranks * files == 2 {
                around[from as usize] |= bit(to);
            }
            to += 1;
        }
        from += 1;
    }
    around
};

const fn group(name: &'static str, length: usize, row: usize) -> Group {
    Group { name, length, row }
}

/// What a description says beside its features.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook {
    /// Parts of the opening that are left.
    pub(super) opening: i32,
    /// Whether a side, by seat, has a piece that can cross the river.
    pub(super) can_win: [bool; 2],
}

/// A piece that can cross the river.
#[derive(Clone, Copy)]
struct Attacker {
    piece: Piece,
    point: u8,
    /// The points that it strikes or guards, and those to which it can go.
    covers: Points,
    reaches: Points,
}

/// One side's pieces.
struct Side {
    seat: Seat,
    /// 1 for the first seat, -1 for the second.
    sign: i32,
    /// Each piece that can cross the river.
    attackers: [Attacker; 11],
    number: usize,
    /// How many of each kind.
    of_kind: [usize; KINDS],
    /// The points that any piece strikes or guards.
    covered: Points,
}

/// Describes a position.
pub(super) fn describe<S: Sink>(position: &Position, rules: Rules, sink: &mut S) -> Outlook {
    let first = side(position, rules, Seat::First, sink);
    let second = side(position, rules, Seat::Second, sink);
    against(position, &first, &second, sink);
    against(position, &second, &first, sink);
    besieged(position, rules, &first, &second, sink);
    besieged(position, rules, &second, &first, sink);
    let sign = match position.turn() {
        Seat::First => 1,
        Seat::Second => -1,
    };
    sink.add(TEMPO, sign);
    Outlook {
        opening: (first.strength() + second.strength()).min(OPENING),
        can_win: [first.can_win(), second.can_win()],
    }
}

impl Side {
    const fn count(&self, kind: Piece) -> usize {
        self.of_kind[kind.index()]
    }

    /// How much of the opening its pieces make out.
    const fn strength(&self) -> i32 {
        (4 * self.count(Piece::Chariot)
            + 2 * self.count(Piece::Horse)
            + 2 * self.count(Piece::Cannon)) as i32
    }

    const fn can_win(&self) -> bool {
        self.strength() > 0 || self.count(Piece::Soldier) > 0
    }

    fn attackers(&self) -> impl Iterator<Item = &Attacker> {
        self.attackers.iter().take(self.number)
    }
}

/// The place of a point as its seat sees it.
const fn place(seat: Seat, point: u8) -> usize {
    let (rank, file) = ((point / FILES) as usize, (point % FILES) as usize);
    let rank = match seat {
        Seat::First => rank,
        Seat::Second => RANKS as usize - 1 - rank,
    };
    let file = if file < HALF_FILES {
        file
    } else {
        FILES as usize - 1 - file
    };
    rank * HALF_FILES + file
}

/// Gathers a side's pieces, and describes what they are worth by themselves.
fn side<S: Sink>(position: &Position, rules: Rules, seat: Seat, sink: &mut S) -> Side {
    let mut side = Side {
        seat,
        sign: match seat {
            Seat::First => 1,
            Seat::Second => -1,
        },
        attackers: [Attacker {
            piece: Piece::General,
            point: 0,
            covers: 0,
            reaches: 0,
        }; 11],
        number: 0,
        of_kind: [0; KINDS],
        covered: 0,
    };
    let own = position.of(seat);
    position.each_piece(seat, |piece, point| {
        let kind = piece.index();
        sink.add_piece(
            KIND + kind,
            PLACE + kind * PLACES + place(seat, point),
            side.sign,
        );
        let covers = rules.laws.covers(position, seat, piece, point);
        side.of_kind[kind] += 1;
        side.covered |= covers;
        let reaches = match piece {
            Piece::General | Piece::Advisor | Piece::Elephant => return,
            Piece::Horse | Piece::Chariot | Piece::Soldier => covers & !own,
            Piece::Cannon => rules.laws.reach(position, seat, piece, point),
        };
        if let Some(number) = moving(piece) {
            let reached = (reaches.count_ones() as usize).min(MOST_REACHED);
            sink.add(MOBILITY + number * (MOST_REACHED + 1) + reached, side.sign);
        }
        if let Some(place) = side.attackers.get_mut(side.number) {
            *place = Attacker {
                piece,
                point,
                covers,
                reaches,
            };
            side.number += 1;
        }
    });
    side
}

/// The number of a Horse, Chariot or Cannon among these.
const fn moving(piece: Piece) -> Option<usize> {
    match piece {
        Piece::Horse => Some(0),
        Piece::Chariot => Some(1),
        Piece::Cannon => Some(2),
        Piece::General | Piece::Advisor | Piece::Elephant | Piece::Soldier => None,
    }
}

/// Describes how the enemy's General stands.
fn besieged<S: Sink>(position: &Position, rules: Rules, own: &Side, enemy: &Side, sink: &mut S) {
    let sign = own.sign;
    let moves = usize::from(position.turn() == own.seat);
    let general = position.general(enemy.seat);
    let from_there = |piece| rules.laws.covers(position, enemy.seat, piece, general);
    let [lines, jumps] = [from_there(Piece::Chariot), from_there(Piece::Cannon)];
    let unguarded = !enemy.covered;
    let mut checks = [0; 3];
    for attacker in own.attackers() {
        let reaches = attacker.reaches & unguarded;
        match attacker.piece {
            Piece::Horse => {
                let near = reaches & AROUND[general as usize];
                checks[0] += each_point(near)
                    .filter(|point| {
                        let strikes = rules.laws.covers(position, own.seat, Piece::Horse, *point);
                        strikes & bit(general) != 0
                    })
                    .count();
            }
            Piece::Chariot => checks[1] += (reaches & lines).count_ones() as usize,
            Piece::Cannon => checks[2] += (reaches & jumps).count_ones() as usize,
            Piece::General | Piece::Advisor | Piece::Elephant | Piece::Soldier => {}
        }
    }
    for (kind, points) in checks.into_iter().enumerate() {
        let points = points.min(MOST_CHECKS);
        sink.add(
            CHECKS + (moves * 3 + kind) * (MOST_CHECKS + 1) + points,
            sign,
        );
    }
    let free = from_there(Piece::General) & !position.of(enemy.seat) & !own.covered;
    let free = (free.count_ones() as usize).min(MOST_ROOM);
    sink.add(ROOM + moves * (MOST_ROOM + 1) + free, -sign);
    let struck = own.covered & PALACE[enemy.seat.index()] & unguarded;
    let struck = (struck.count_ones() as usize).min(MOST_STRUCK);
    sink.add(PALACE_STRUCK + moves * (MOST_STRUCK + 1) + struck, sign);
}

/// Describes what a side does to the other.
fn against<S: Sink>(position: &Position, own: &Side, enemy: &Side, sink: &mut S) {
    let sign = own.sign;
    let (all, theirs) = (position.all(), position.of(enemy.seat));
    let moves = usize::from(position.turn() == own.seat);
    let general = position.general(enemy.seat);
    let palace = PALACE[enemy.seat.index()];
    let mut attackers = 0;
    for &Attacker {
        piece,
        point,
        covers,
        ..
    } in own.attackers()
    {
        let kind = piece.index();
        for struck in each_point(covers & theirs) {
            if let Some((_, victim)) = position.at(struck) {
                sink.add(
                    STRUCK + (moves * KINDS + kind) * KINDS + victim.index(),
                    sign,
                );
            }
        }
        attackers += usize::from(covers & palace != 0 || has_crossed(own.seat, point));
        let line = match piece {
            Piece::Chariot => 0,
            Piece::Cannon => 1,
            Piece::General | Piece::Advisor | Piece::Elephant | Piece::Horse | Piece::Soldier => {
                continue;
            }
        };
        if let Some((way, between)) = between(point, general, all) {
            sink.add(IN_LINE + (line * 2 + way) * 4 + between.min(3), sign);
        }
    }
    for struck in each_point(own.covered & theirs & !enemy.covered) {
        if let Some((_, victim)) = position.at(struck) {
            sink.add(HANGING + moves * KINDS + victim.index(), sign);
        }
    }
    let (advisors, elephants) = (enemy.count(Piece::Advisor), enemy.count(Piece::Elephant));
    let (chariots, horses) = (own.count(Piece::Chariot), own.count(Piece::Horse));
    let cannons = own.count(Piece::Cannon);
    sink.add(
        ATTACKERS + attackers.min(7) * 5 + advisors + elephants,
        sign,
    );
    sink.add(GUARDS + (cannons * 3 + advisors) * 3 + elephants, -sign);
    sink.add(ARMY + (chariots * 3 + horses) * 3 + cannons, sign);
}

/// Whether two points lie on one file (0) or rank (1), and how many pieces stand between.
const fn between(one: u8, other: u8, all: Points) -> Option<(usize, usize)> {
    let (low, high) = if one < other {
        (one, other)
    } else {
        (other, one)
    };
    let among = (bit(high) - 1) & !((bit(low) << 1) - 1) & all;
    if one % FILES == other % FILES {
        Some((0, (among & (FILE_A << (one % FILES))).count_ones() as usize))
    } else if one / FILES == other / FILES {
        Some((1, among.count_ones() as usize))
    } else {
        None
    }
}
