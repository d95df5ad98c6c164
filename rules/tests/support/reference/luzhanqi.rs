//! Luzhanqi.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::LazyLock,
};

use super::{Board, Options, Square, square};

const HEADQUARTERS: &str = "b1 d1 b12 d12";
const CAMPS: &str = "b3 d3 c4 b5 d5 b8 d8 c9 b10 d10";
/// Each railway line, from one end to the other.
const RAILWAYS: [&str; 7] = [
    "a2 b2 c2 d2 e2",
    "a6 b6 c6 d6 e6",
    "a7 b7 c7 d7 e7",
    "a11 b11 c11 d11 e11",
    "a2 a3 a4 a5 a6 a7 a8 a9 a10 a11",
    "e2 e3 e4 e5 e6 e7 e8 e9 e10 e11",
    "c6 c7",
];
/// The soldiers, the highest first.
const SOLDIERS: &str = "MGDBKJCLE";

static MAP: LazyLock<Map> = LazyLock::new(Map::draw);

struct Map {
    headquarters: BTreeSet<Square>,
    camps: BTreeSet<Square>,
    railways: Vec<Vec<Square>>,
    /// Where one step leads to from each point.
    roads: BTreeMap<Square, BTreeSet<Square>>,
}

impl Map {
    fn draw() -> Self {
        let camps: BTreeSet<_> = points(CAMPS).collect();
        let all = || (1..=5_i32).flat_map(|file| (1..=12_i32).map(move |rank| (file, rank)));
        let mut roads = BTreeMap::new();
        for from in all() {
            let joined = all().filter(|&to| {
                let (files, ranks) = ((to.0 - from.0).abs(), (to.1 - from.1).abs());
                let crosses = (from.1 <= 6) != (to.1 <= 6);
                match (files, ranks) {
                    (0, 1) => !crosses || from.0 % 2 == 1,
                    (1, 0) => true,
                    (1, 1) => camps.contains(&from) || camps.contains(&to),
                    _ => false,
                }
            });
            roads.insert(from, joined.collect());
        }
        Self {
            headquarters: points(HEADQUARTERS).collect(),
            railways: RAILWAYS.map(|line| points(line).collect()).to_vec(),
            camps,
            roads,
        }
    }

    /// The railway lines through a point, each followed in both directions away from it.
    fn lines_from(&self, from: Square) -> Vec<Vec<Square>> {
        let mut found = Vec::new();
        for line in &self.railways {
            if let Some(place) = line.iter().position(|point| *point == from) {
                found.push(line[place + 1..].to_vec());
                found.push(line[..place].iter().rev().copied().collect());
            }
        }
        found
    }
}

/// The moves of a side.
pub(super) fn moves(board: &Board, first: bool, options: &Options) -> Vec<(Square, Square)> {
    let mut found = Vec::new();
    for (&from, &letter) in board {
        let kind = letter.to_ascii_uppercase();
        let is_held = options.is("headquarters_hold", "true") && MAP.headquarters.contains(&from);
        if letter.is_ascii_uppercase() != first || "XF".contains(kind) || is_held {
            continue;
        }
        let mut targets = MAP.roads[&from].clone();
        if kind == 'E' {
            targets.extend(engineer_rides(board, from));
        } else {
            targets.extend(rides(board, from));
        }
        targets.retain(|to| {
            board.get(to).is_none_or(|victim| {
                victim.is_ascii_uppercase() != first && !MAP.camps.contains(to)
            })
        });
        found.extend(targets.into_iter().map(|to| (from, to)));
    }
    found
}

/// Along each line through a point, up to the first piece.
fn rides(board: &Board, from: Square) -> Vec<Square> {
    let mut reached = Vec::new();
    for line in MAP.lines_from(from) {
        for to in line {
            reached.push(to);
            if board.contains_key(&to) {
                break;
            }
        }
    }
    reached
}

/// All that a breadth-first search finds on the railways without going on behind a piece.
fn engineer_rides(board: &Board, from: Square) -> BTreeSet<Square> {
    let mut reached = BTreeSet::from([from]);
    let mut queue = VecDeque::from([from]);
    while let Some(at) = queue.pop_front() {
        for line in MAP.lines_from(at) {
            if let Some(&next) = line.first()
                && reached.insert(next)
                && !board.contains_key(&next)
            {
                queue.push_back(next);
            }
        }
    }
    reached.remove(&from);
    reached
}

/// The board after a move, and after the fight if there is one.
pub(super) fn after(board: &Board, from: Square, to: Square, options: &Options) -> Board {
    let mut after = board.clone();
    let attacker = after.remove(&from).expect("a piece moves");
    match after.remove(&to) {
        None => {
            after.insert(to, attacker);
        }
        Some(defender) => {
            let (attacker_stays, defender_stays) = fight(attacker, defender, options);
            if attacker_stays {
                after.insert(to, attacker);
            }
            if defender_stays {
                after.insert(to, defender);
            }
        }
    }
    after
}

/// Whether the attacker stays, and whether the defender does.
fn fight(attacker: char, defender: char, options: &Options) -> (bool, bool) {
    let (attacker, defender) = (attacker.to_ascii_uppercase(), defender.to_ascii_uppercase());
    if defender == 'F' || (attacker == 'E' && defender == 'X') {
        return (true, false);
    }
    if attacker == 'N' || defender == 'N' {
        return (false, false);
    }
    if defender == 'X' {
        return (false, options.is("mines_survive", "true"));
    }
    let place = |soldier| SOLDIERS.find(soldier).expect("a soldier");
    let (attacker, defender) = (place(attacker), place(defender));
    (attacker < defender, defender < attacker)
}

/// Who has taken the other's Flag: `Some(true)` for the first seat.
pub(super) fn won(board: &Board) -> Option<bool> {
    let has = |flag| board.values().any(|letter| *letter == flag);
    match (has('F'), has('f')) {
        (_, false) => Some(true),
        (false, true) => Some(false),
        (true, true) => None,
    }
}

fn points(text: &str) -> impl Iterator<Item = Square> {
    text.split(' ').map(square)
}
