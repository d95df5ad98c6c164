//! A second opinion on Dou Shou Qi, written from the rules anew: slow, with a plain array, and sharing nothing with the crate
//! but the text of positions.

use std::collections::BTreeMap;

use qiguan_rules::{OptionValue, RuleSet};

/// Pieces by square: `(file, rank)` from 1.
pub(crate) type Board = BTreeMap<(i32, i32), char>;

/// The options, by name.
pub(crate) struct Options(BTreeMap<&'static str, String>);

impl Options {
    pub(crate) fn of(ruleset: &RuleSet) -> Self {
        Self(
            ruleset
                .values()
                .map(|(name, value): (_, OptionValue)| (name, value.to_string()))
                .collect(),
        )
    }

    fn is(&self, name: &str, value: &str) -> bool {
        self.0[name] == value
    }

    pub(crate) fn number(&self, name: &str) -> u32 {
        self.0[name].parse().expect("a number")
    }
}

/// Board and side to move of a position's text.
pub(crate) fn read(fen: &str) -> (Board, bool) {
    let mut fields = fen.split(' ');
    let mut board = Board::new();
    for (row, rank) in fields
        .next()
        .expect("a board")
        .split('/')
        .zip((1..=9).rev())
    {
        let mut file = 1;
        for letter in row.chars() {
            if let Some(empty) = letter.to_digit(10) {
                file += empty as i32;
            } else {
                board.insert((file, rank), letter);
                file += 1;
            }
        }
    }
    (board, fields.next() == Some("w"))
}

fn is_water((file, rank): (i32, i32)) -> bool {
    [2, 3, 5, 6].contains(&file) && (4..=6).contains(&rank)
}

fn is_trap_of_first(square: (i32, i32)) -> bool {
    [(3, 1), (5, 1), (4, 2)].contains(&square)
}

fn is_trap_of_second(square: (i32, i32)) -> bool {
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

fn is_trapped(letter: char, square: (i32, i32), options: &Options) -> bool {
    let first = letter.is_ascii_uppercase();
    let (own, enemy) = if first {
        (is_trap_of_first(square), is_trap_of_second(square))
    } else {
        (is_trap_of_second(square), is_trap_of_first(square))
    };
    enemy || (own && options.is("own_traps_weaken", "true"))
}

fn takes(
    attacker: char,
    from: (i32, i32),
    victim: char,
    to: (i32, i32),
    options: &Options,
) -> bool {
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

/// The moves of the side to move, sorted as text; repetition is not looked at.
pub(crate) fn moves(board: &Board, first: bool, options: &Options) -> Vec<String> {
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
                found.push(format!("{}{}", name(from), name(to)));
            }
        }
    }
    found.sort();
    found
}

/// The board after a move.
pub(crate) fn after(board: &Board, mv: &str) -> Board {
    let square = |text: &str| {
        let bytes = text.as_bytes();
        (i32::from(bytes[0] - b'a') + 1, i32::from(bytes[1] - b'0'))
    };
    let mut board = board.clone();
    let piece = board.remove(&square(&mv[..2])).expect("a piece moves");
    board.insert(square(&mv[2..]), piece);
    board
}

/// Who has won by the position itself: `Some(true)` for the first seat.
pub(crate) fn won(board: &Board) -> Option<bool> {
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

/// Paths of so many plies.
pub(crate) fn perft(board: &Board, first: bool, options: &Options, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if won(board).is_some() {
        return 0;
    }
    let moves = moves(board, first, options);
    moves
        .iter()
        .map(|mv| perft(&after(board, mv), !first, options, depth - 1))
        .sum()
}

fn name((file, rank): (i32, i32)) -> String {
    format!("{}{rank}", char::from(b'a' + (file - 1) as u8))
}
