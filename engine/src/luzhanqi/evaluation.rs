//! What a position is worth: pieces, ways to the enemy's Flag, and ways to one's own.
//!
//! Values are in hundredths of a Field Marshal. What does not change during a search is worked out once, before it.

use qiguan_rules::luzhanqi::{
    Piece,
    board::{HALF, HEADQUARTERS, POINTS, Points, bit, each_point},
    piece::MEN,
};

use crate::luzhanqi::{
    belief::Belief,
    kinds::{Kinds, Meetings, movable},
    map::{ALL_CAMPS, ALL_HEADQUARTERS, MAP, NOWHERE},
    seen::{ENEMY, NOBODY, OWN, Seen},
};

/// A won game; one that is won later is worth less, one unit for each ply.
pub(super) const WIN: f32 = 3_000.0;

/// What a piece is worth.
pub(super) const fn value(piece: Piece) -> f32 {
    match piece {
        Piece::Marshal => 100.0,
        Piece::General => 80.0,
        Piece::MajorGeneral => 58.0,
        Piece::Brigadier | Piece::Grenade => 42.0,
        Piece::Colonel => 30.0,
        Piece::Major => 21.0,
        Piece::Captain => 15.0,
        Piece::Lieutenant => 11.0,
        Piece::Engineer => 18.0,
        Piece::Landmine => 16.0,
        Piece::Flag => 0.0,
    }
}

/// The value of each kind by its place in [`Piece::ALL`].
pub(super) const VALUES: [f32; 12] = {
    let mut values = [0.0; 12];
    let mut place = 0;
    while place < values.len() {
        values[place] = value(Piece::ALL[place]);
        place += 1;
    }
    values
};

/// What standing on a point is worth.
pub(super) struct Places {
    /// For each kind of one's own.
    pub(super) own: [[f32; POINTS]; 12],
    /// For an enemy piece that can move.
    pub(super) enemy: [f32; POINTS],
}

/// A step along a railway costs less than one along a road: a ride is one move however long it is.
const RAIL: f32 = 0.35;
/// No way.
const FAR: f32 = 60.0;

impl Places {
    pub(super) fn new(seen: &Seen, belief: &Belief, meetings: &Meetings) -> Self {
        Self {
            own: Piece::ALL.map(|piece| own_places(seen, belief, meetings, piece)),
            enemy: enemy_places(seen, belief, meetings),
        }
    }
}

/// How likely an enemy piece is one of these kinds.
pub(super) fn share(row: &[f32; 12], kinds: Kinds) -> f32 {
    kinds.places().map(|place| row[place]).sum()
}

fn own_places(seen: &Seen, belief: &Belief, meetings: &Meetings, piece: Piece) -> [f32; POINTS] {
    let mut places = [0.0; POINTS];
    if !piece.moves() {
        return places;
    }
    let ends = meetings.attacking[piece.index()];
    let enter = |point: u8| -> f32 {
        let man = usize::from(seen.men()[usize::from(point)]);
        if let Some(own) = seen.own().get(man) {
            return if own.moves() { 0.6 } else { FAR };
        }
        let Some(row) = man
            .checked_sub(MEN)
            .and_then(|enemy| belief.chances.get(enemy))
        else {
            return 0.0;
        };
        if ALL_CAMPS & bit(point) != 0 {
            return 5.0;
        }
        0.5 + 6.0 * share(row, ends.loses) + 4.0 * share(row, ends.both)
    };
    let goals = each_point(HEADQUARTERS[ENEMY]).filter_map(|point| {
        let enemy = usize::from(seen.men()[usize::from(point)]).checked_sub(MEN)?;
        let flag = belief.chances.get(enemy)?[Piece::Flag.index()];
        (flag > 0.03).then_some((point, (1.0 - flag) * 8.0))
    });
    let distances = distances(goals, enter);
    let (slope, camp) = match piece {
        Piece::Marshal | Piece::General | Piece::MajorGeneral | Piece::Brigadier => (1.2, 2.0),
        Piece::Colonel | Piece::Major | Piece::Engineer => (0.9, 1.5),
        Piece::Captain | Piece::Lieutenant | Piece::Grenade => (0.6, 1.0),
        Piece::Landmine | Piece::Flag => (0.0, 0.0),
    };
    for (point, place) in places.iter_mut().enumerate() {
        let distance = distances[point].min(25.0);
        *place = slope * (15.0 - distance) + 12.0 * 0.6_f32.powi(distance as i32);
        if seen.options().headquarters_hold && ALL_HEADQUARTERS & bit(point as u8) != 0 {
            // It never leaves, and waits there to be taken.
            *place -= 0.5 * value(piece);
        }
        if ALL_CAMPS & bit(point as u8) != 0 {
            *place += camp;
            if HALF[ENEMY] & bit(point as u8) != 0 {
                *place += camp;
            }
        }
    }
    places
}

fn enemy_places(seen: &Seen, belief: &Belief, meetings: &Meetings) -> [f32; POINTS] {
    let living: Vec<&[f32; 12]> = (0..MEN)
        .filter(|enemy| seen.places()[MEN + enemy] != NOWHERE)
        .filter_map(|enemy| belief.chances.get(enemy))
        .collect();
    let mobile: f32 = living.iter().map(|row| share(row, movable())).sum();
    let stopped = |piece: Piece| -> f32 {
        let ends = meetings.attacked[piece.index()];
        let kinds = ends.wins.or(ends.both);
        living.iter().map(|row| share(row, kinds)).sum::<f32>() / mobile.max(0.01)
    };
    let stopped = Piece::ALL.map(stopped);
    let enter = |point: u8| -> f32 {
        let man = seen.men()[usize::from(point)];
        match seen.own().get(usize::from(man)) {
            Some(_) if ALL_CAMPS & bit(point) != 0 => 6.0,
            Some(own) => 0.5 + 5.0 * stopped[own.index()],
            None if man == NOBODY => 0.0,
            None => 0.6,
        }
    };
    let flag = seen
        .own()
        .iter()
        .position(|piece| *piece == Piece::Flag)
        .and_then(|man| seen.places().get(man).copied())
        .filter(|point| *point != NOWHERE && HEADQUARTERS[OWN] & bit(*point) != 0);
    let distances = distances(flag.map(|point| (point, 0.0)).into_iter(), enter);
    std::array::from_fn(|point| {
        let distance = distances[point].min(25.0);
        let camp = if ALL_CAMPS & bit(point as u8) != 0 {
            1.5
        } else {
            0.0
        };
        0.5 * (15.0 - distance) + 25.0 * 0.6_f32.powi(distance as i32) + camp
    })
}

/// How far each point is from the nearest goal, in steps; goals begin with a distance of their own.
fn distances(goals: impl Iterator<Item = (u8, f32)>, enter: impl Fn(u8) -> f32) -> [f32; POINTS] {
    let mut distances = [FAR; POINTS];
    let mut open: Points = 0;
    for (goal, distance) in goals {
        distances[usize::from(goal)] = distance;
        open |= bit(goal);
    }
    let starts = open;
    while open != 0 {
        let nearest = each_point(open)
            .min_by(|one, other| {
                distances[usize::from(*one)].total_cmp(&distances[usize::from(*other)])
            })
            .unwrap_or(0);
        open &= !bit(nearest);
        let entered = if starts & bit(nearest) == 0 {
            enter(nearest)
        } else {
            0.0
        };
        let rails = MAP.rails[usize::from(nearest)];
        for point in each_point(MAP.steps[usize::from(nearest)]) {
            let step = if rails & bit(point) == 0 { 1.0 } else { RAIL };
            let distance = distances[usize::from(nearest)] + entered + step;
            if distance + 1e-4 < distances[usize::from(point)] {
                distances[usize::from(point)] = distance;
                open |= bit(point);
            }
        }
    }
    distances
}
