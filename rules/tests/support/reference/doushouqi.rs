//! Dou Shou Qi.

use super::{Board, Options, Square};

/// The moves of a side.
pub(super) fn moves(board: &Board, first: bool, options: &Options) -> Vec<(Square, Square)> {
    let mut found = Vec::new();
    for (&from, &letter) in board {
        if letter.is_ascii_uppercase() != first {
            continue;
        }
        let kind = letter.to_ascii_uppercase();
        for (by_file, by_rank) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
            let mut to = (from.0 + by_file, from.1 + by_rank);
            if is_water(to) && kind != 'R' {
                let way = match kind {
                    'L' => "lion_jumps",
                    'T' => "tiger_jumps",
                    'P' => "leopard_jumps",
                    _ => continue,
                };
                let direction = if by_file == 0 {
                    "lengthwise"
                } else {
                    "crosswise"
                };
                if !options.is(way, "both") && !options.is(way, direction) {
                    continue;
                }
                let mut blocked = false;
                while is_water(to) {
                    blocked |= board
                        .get(&to)
                        .is_some_and(|swimmer| swimmer.eq_ignore_ascii_case(&'R'));
                    to = (to.0 + by_file, to.1 + by_rank);
                }
                if blocked {
                    continue;
                }
            }
            let on_board = (1..=7).contains(&to.0) && (1..=9).contains(&to.1);
            let own_den = if first { (4, 1) } else { (4, 9) };
            if !on_board || to == own_den {
                continue;
            }
            if board
                .get(&to)
                .is_none_or(|victim| takes(letter, from, *victim, to, options))
            {
                found.push((from, to));
            }
        }
    }
    found
}

/// Who has won by the position itself: `Some(true)` for the first seat.
pub(super) fn won(board: &Board) -> Option<bool> {
    if board.get(&(4, 9)).is_some_and(char::is_ascii_uppercase) {
        return Some(true);
    }
    if board.get(&(4, 1)).is_some_and(char::is_ascii_lowercase) {
        return Some(false);
    }
    if !board.values().any(char::is_ascii_lowercase) {
        return Some(true);
    }
    (!board.values().any(char::is_ascii_uppercase)).then_some(false)
}

fn is_water((file, rank): Square) -> bool {
    [2, 3, 5, 6].contains(&file) && (4..=6).contains(&rank)
}

fn is_trap_of_first(square: Square) -> bool {
    [(3, 1), (5, 1), (4, 2)].contains(&square)
}

fn is_trap_of_second(square: Square) -> bool {
    [(3, 9), (5, 9), (4, 8)].contains(&square)
}

fn rank_of(letter: char, options: &Options) -> i32 {
    let dog_first = options.is("dog_outranks_wolf", "true");
    match letter.to_ascii_uppercase() {
        'E' => 8,
        'L' => 7,
        'T' => 6,
        'P' => 5,
        'W' => {
            if dog_first {
                3
            } else {
                4
            }
        }
        'D' => {
            if dog_first {
                4
            } else {
                3
            }
        }
        'C' => 2,
        'R' => 1,
        other => panic!("{other} is no animal"),
    }
}

fn is_trapped(letter: char, square: Square, options: &Options) -> bool {
    let first = letter.is_ascii_uppercase();
    let (own, enemy) = if first {
        (is_trap_of_first(square), is_trap_of_second(square))
    } else {
        (is_trap_of_second(square), is_trap_of_first(square))
    };
    enemy || (own && options.is("own_traps_weaken", "true"))
}

fn takes(attacker: char, from: Square, victim: char, to: Square, options: &Options) -> bool {
    if attacker.is_ascii_uppercase() == victim.is_ascii_uppercase() {
        return false;
    }
    if is_trapped(attacker, from, options) {
        return false;
    }
    let (a, v) = (attacker.to_ascii_uppercase(), victim.to_ascii_uppercase());
    let crosses = is_water(from) != is_water(to);
    if a == 'R' && crosses {
        if options.is("shore_capture", "none") {
            return false;
        }
        if is_water(from) && v == 'E' {
            return false;
        }
    }
    if is_trapped(victim, to, options) {
        return true;
    }
    match (a, v) {
        ('R', 'E') => true,
        ('E', 'R') => options.is("elephant_takes_rat", "true"),
        ('T', 'L') => options.is("tiger_takes_lion", "true"),
        _ => rank_of(attacker, options) >= rank_of(victim, options),
    }
}
