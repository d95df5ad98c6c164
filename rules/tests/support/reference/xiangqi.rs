//! Xiangqi: every move that the pieces can make, less those after which the player's own General could be taken.

use super::{Board, Options, Square, moved};

const LINES: [Square; 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
const DIAGONALS: [Square; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

/// The legal moves of a side.
pub(super) fn moves(board: &Board, first: bool, options: &Options) -> Vec<(Square, Square)> {
    let mut found = Vec::new();
    for (&from, letter) in board {
        if letter.is_ascii_uppercase() != first {
            continue;
        }
        for to in reach(board, from, options) {
            if !in_check(&moved(board, from, to), first, options) {
                found.push((from, to));
            }
        }
    }
    found
}

/// Whether a side's General could be taken, or faces the other.
pub(super) fn in_check(board: &Board, first: bool, options: &Options) -> bool {
    let general = |first: bool| {
        let letter = if first { 'K' } else { 'k' };
        let found = board.iter().find(|(_, piece)| **piece == letter);
        *found.expect("each side has a General").0
    };
    let (own, other) = (general(first), general(!first));
    let ranks = own.1.min(other.1) + 1..own.1.max(other.1);
    let faces = own.0 == other.0
        && !ranks
            .into_iter()
            .any(|rank| board.contains_key(&(own.0, rank)));
    faces
        || board.iter().any(|(&from, letter)| {
            letter.is_ascii_uppercase() != first && reach(board, from, options).contains(&own)
        })
}

/// Where a piece goes, the General's safety left out.
fn reach(board: &Board, from: Square, options: &Options) -> Vec<Square> {
    let letter = board[&from];
    let first = letter.is_ascii_uppercase();
    let mut found = match letter.to_ascii_uppercase() {
        'K' => steps(from, &LINES, |to| is_palace(to, first)),
        'A' => steps(from, &DIAGONALS, |to| is_palace(to, first)),
        'B' => elephant(board, from, first),
        'N' => horse(board, from),
        'R' => LINES
            .into_iter()
            .flat_map(|by| open_way(board, from, by))
            .collect(),
        'C' => cannon(board, from, options.is("cannon", "always_jumps")),
        'P' => soldier(from, first),
        other => panic!("{other} is no piece"),
    };
    found.retain(|to| {
        let own = board
            .get(to)
            .is_some_and(|piece| piece.is_ascii_uppercase() == first);
        is_on_board(*to) && !own
    });
    found
}

fn plus(one: Square, other: Square) -> Square {
    (one.0 + other.0, one.1 + other.1)
}

fn is_on_board((file, rank): Square) -> bool {
    (1..=9).contains(&file) && (1..=10).contains(&rank)
}

fn is_palace((file, rank): Square, first: bool) -> bool {
    let near = if first { rank } else { 11 - rank };
    (4..=6).contains(&file) && (1..=3).contains(&near)
}

/// Whether a point lies on a side's own half of the board.
fn is_home((_, rank): Square, first: bool) -> bool {
    (rank <= 5) == first
}

fn steps(from: Square, ways: &[Square], allowed: impl Fn(Square) -> bool) -> Vec<Square> {
    let ends = ways.iter().map(|by| plus(from, *by));
    ends.filter(|to| allowed(*to)).collect()
}

fn elephant(board: &Board, from: Square, first: bool) -> Vec<Square> {
    let mut found = Vec::new();
    for by in DIAGONALS {
        let eye = plus(from, by);
        let to = plus(eye, by);
        if !board.contains_key(&eye) && is_home(to, first) {
            found.push(to);
        }
    }
    found
}

fn horse(board: &Board, from: Square) -> Vec<Square> {
    let mut found = Vec::new();
    for by in LINES {
        let leg = plus(from, by);
        if board.contains_key(&leg) {
            continue;
        }
        for outward in DIAGONALS {
            // Outward: it does not lead back beside the point that the Horse comes from.
            if outward.0 == by.0 || outward.1 == by.1 {
                found.push(plus(leg, outward));
            }
        }
    }
    found
}

/// The points in one direction up to and including the first piece.
fn open_way(board: &Board, from: Square, by: Square) -> Vec<Square> {
    let mut found = Vec::new();
    let mut to = plus(from, by);
    while is_on_board(to) {
        found.push(to);
        if board.contains_key(&to) {
            break;
        }
        to = plus(to, by);
    }
    found
}

fn cannon(board: &Board, from: Square, always_jumps: bool) -> Vec<Square> {
    let mut found = Vec::new();
    for by in LINES {
        let mut before = open_way(board, from, by);
        let screen = before.pop_if(|to| board.contains_key(to));
        let beyond = screen.map_or_else(Vec::new, |screen| open_way(board, screen, by));
        if always_jumps {
            found.extend(beyond);
        } else {
            found.extend(before);
            found.extend(beyond.into_iter().filter(|to| board.contains_key(to)));
        }
    }
    found
}

fn soldier(from: Square, first: bool) -> Vec<Square> {
    let forward = if first { 1 } else { -1 };
    let mut found = vec![plus(from, (0, forward))];
    if !is_home(from, first) {
        found.extend([plus(from, (1, 0)), plus(from, (-1, 0))]);
    }
    found
}
