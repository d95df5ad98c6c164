//! Luzhanqi: how the pieces move, and what holds them.

use crate::support::{
    reference::{Board, Reference, name, square},
    ruleset, written,
};
use proptest::prelude::*;
use qiguan_rules::Game;

const RULESETS: [&str; 4] = [
    "luzhanqi/referee",
    "luzhanqi/showdown",
    "luzhanqi/northern",
    "luzhanqi/modern",
];
const REFEREE: &str = RULESETS[0];
const MODERN: &str = RULESETS[3];

const CAMPS: [&str; 10] = ["b3", "d3", "c4", "b5", "d5", "b8", "d8", "c9", "b10", "d10"];

/// A board of pieces, such as `Lc6 ka7`. The Flags need not be named: they stand on b1 and d12, out of the way.
fn board(pieces: &str) -> Board {
    let mut board = Board::new();
    for piece in pieces.split_whitespace() {
        let (letter, point) = piece.split_at(1);
        let letter = letter.chars().next().expect("a letter");
        board.insert(square(point), letter);
    }
    for (flag, point) in [('F', "b1"), ('f', "d12")] {
        if !board.values().any(|letter| *letter == flag) {
            board.insert(square(point), flag);
        }
    }
    board
}

fn game(id: &str, board: &Board, turn: char) -> Game {
    let fen = format!("{} {turn} - - 0 1", written(board));
    Game::from_fen(&ruleset(id, &[]), &fen).expect(&fen)
}

/// Where the first seat's piece on a point goes, sorted as text.
fn goes(id: &str, pieces: &str, from: &str) -> String {
    targets(&game(id, &board(pieces), 'w'), from)
}

fn targets(game: &Game, from: &str) -> String {
    let from = from.parse().expect("a point");
    let legal = game.legal_moves().iter().filter(|mv| mv.from == from);
    let mut targets: Vec<_> = legal.map(|mv| mv.to.to_string()).collect();
    targets.sort();
    targets.join(" ")
}

/// The points around a camp.
fn around(camp: &str) -> Vec<String> {
    let (file, rank) = square(camp);
    let near = (-1..=1).flat_map(|files| (-1..=1).map(move |ranks| (files, ranks)));
    near.filter(|by| *by != (0, 0))
        .map(|by| name((file + by.0, rank + by.1)))
        .collect()
}

/// Where a soldier goes from each point of the railways if it is alone on the board with the Flags.
const ALONE: [(&str, &str); 32] = [
    ("a2", "a1 a10 a11 a3 a4 a5 a6 a7 a8 a9 b2 b3 c2 d2 e2"),
    ("b2", "a2 b1 b3 c2 d2 e2"),
    ("c2", "a2 b2 b3 c1 c3 d2 d3 e2"),
    ("d2", "a2 b2 c2 d1 d3 e2"),
    ("e2", "a2 b2 c2 d2 d3 e1 e10 e11 e3 e4 e5 e6 e7 e8 e9"),
    ("a3", "a10 a11 a2 a4 a5 a6 a7 a8 a9 b3"),
    ("e3", "d3 e10 e11 e2 e4 e5 e6 e7 e8 e9"),
    ("a4", "a10 a11 a2 a3 a5 a6 a7 a8 a9 b3 b4 b5"),
    ("e4", "d3 d4 d5 e10 e11 e2 e3 e5 e6 e7 e8 e9"),
    ("a5", "a10 a11 a2 a3 a4 a6 a7 a8 a9 b5"),
    ("e5", "d5 e10 e11 e2 e3 e4 e6 e7 e8 e9"),
    ("a6", "a10 a11 a2 a3 a4 a5 a7 a8 a9 b5 b6 c6 d6 e6"),
    ("b6", "a6 b5 c6 d6 e6"),
    ("c6", "a6 b5 b6 c5 c7 d5 d6 e6"),
    ("d6", "a6 b6 c6 d5 e6"),
    ("e6", "a6 b6 c6 d5 d6 e10 e11 e2 e3 e4 e5 e7 e8 e9"),
    ("a7", "a10 a11 a2 a3 a4 a5 a6 a8 a9 b7 b8 c7 d7 e7"),
    ("b7", "a7 b8 c7 d7 e7"),
    ("c7", "a7 b7 b8 c6 c8 d7 d8 e7"),
    ("d7", "a7 b7 c7 d8 e7"),
    ("e7", "a7 b7 c7 d7 d8 e10 e11 e2 e3 e4 e5 e6 e8 e9"),
    ("a8", "a10 a11 a2 a3 a4 a5 a6 a7 a9 b8"),
    ("e8", "d8 e10 e11 e2 e3 e4 e5 e6 e7 e9"),
    ("a9", "a10 a11 a2 a3 a4 a5 a6 a7 a8 b10 b8 b9"),
    ("e9", "d10 d8 d9 e10 e11 e2 e3 e4 e5 e6 e7 e8"),
    ("a10", "a11 a2 a3 a4 a5 a6 a7 a8 a9 b10"),
    ("e10", "d10 e11 e2 e3 e4 e5 e6 e7 e8 e9"),
    ("a11", "a10 a12 a2 a3 a4 a5 a6 a7 a8 a9 b10 b11 c11 d11 e11"),
    ("b11", "a11 b10 b12 c11 d11 e11"),
    ("c11", "a11 b10 b11 c10 c12 d10 d11 e11"),
    ("d11", "a11 b11 c11 d10 d12 e11"),
    ("e11", "a11 b11 c11 d10 d11 e10 e12 e2 e3 e4 e5 e6 e7 e8 e9"),
];

#[test]
fn a_soldier_alone_rides_from_every_point_of_the_railways_along_its_lines() {
    for (from, expected) in ALONE {
        // Flags stand in headquarters, so those beside which the soldier starts are taken or left out.
        for flags in ["Fb1 fb12", "Fb1 fd12", "Fd1 fb12", "Fd1 fd12"] {
            let own_flag = if flags.starts_with("Fb1") { "b1" } else { "d1" };
            let expected: Vec<_> = expected.split(' ').filter(|to| *to != own_flag).collect();
            for id in RULESETS {
                assert_eq!(
                    goes(id, &format!("L{from} {flags}"), from),
                    expected.join(" "),
                    "{id}: from {from} with {flags}"
                );
            }
        }
    }
}

#[test]
fn no_soldier_rides_over_a_piece_wherever_it_stands_on_the_railways() {
    let reference = Reference::of(&ruleset(REFEREE, &[]));
    for (from, _) in ALONE {
        for (blocker, _) in ALONE {
            for letter in ["K", "k", "X", "x"] {
                let is_mine = letter.eq_ignore_ascii_case("x");
                let rank = square(blocker).1;
                let may_stand =
                    !is_mine || (letter == "X" && rank == 2) || (letter == "x" && rank == 11);
                if from == blocker || !may_stand {
                    continue;
                }
                let board = board(&format!("L{from} {letter}{blocker}"));
                let expected: Vec<_> = reference
                    .moves(&board, true)
                    .iter()
                    .filter_map(|mv| Some(mv.strip_prefix(from)?.to_owned()))
                    .collect();
                let place = format!("from {from} with {letter} on {blocker}");
                assert_eq!(
                    targets(&game(REFEREE, &board, 'w'), from),
                    expected.join(" "),
                    "{place}"
                );
                let attacks = letter.starts_with(char::is_lowercase);
                let steps_aside = expected.iter().any(|to| to == blocker);
                assert!(
                    attacks || !steps_aside,
                    "{place}: an own piece is not attacked"
                );
            }
        }
    }
}

#[test]
fn a_ride_ends_before_an_own_piece_and_on_an_enemy() {
    assert_eq!(goes(REFEREE, "La2 Ka5 Kc2", "a2"), "a1 a3 a4 b2 b3");
    assert_eq!(goes(REFEREE, "La2 ka5 kc2", "a2"), "a1 a3 a4 a5 b2 b3 c2");
    assert_eq!(goes(REFEREE, "Le11 ke10 kd11", "e11"), "d10 d11 e10 e12");
}

#[test]
fn only_the_engineer_turns_corners() {
    let pieces = |letter: &str| format!("{letter}b6 ka6 Kd6 ka7");
    assert_eq!(goes(REFEREE, &pieces("L"), "b6"), "a6 b5 c6");
    assert_eq!(
        goes(REFEREE, &pieces("E"), "b6"),
        "a10 a11 a2 a3 a4 a5 a6 a7 a8 a9 b11 b2 b5 b7 c11 c2 c6 c7 d11 d2 d7 e10 e11 e2 e3 e4 e5 e6 e7 e8 e9"
    );
    // Shut in, it reaches no more than the others.
    assert_eq!(goes(REFEREE, "Eb6 ka6 Kc6", "b6"), "a6 b5");
    assert_eq!(goes(REFEREE, "Lb6 ka6 Kc6", "b6"), "a6 b5");
}

#[test]
fn an_engineer_off_the_railways_steps_as_the_others_do() {
    for from in ["c3", "c5", "b4", "c1", "a1", "c10", "b9", "c4", "d8"] {
        assert_eq!(
            goes(REFEREE, &format!("E{from}"), from),
            goes(REFEREE, &format!("L{from}"), from),
            "{from}"
        );
    }
    assert_eq!(goes(REFEREE, "Ec3", "c3"), "b3 c2 c4 d3");
}

#[test]
fn the_front_line_is_crossed_on_the_files_a_c_and_e_alone() {
    for (from, across, crosses) in [
        ("a6", "a7", true),
        ("b6", "b7", false),
        ("c6", "c7", true),
        ("d6", "d7", false),
        ("e6", "e7", true),
    ] {
        for letter in ["L", "E"] {
            // Nothing can be ridden to from here.
            let shut = if from == "c6" {
                "Cb6 Cd6"
            } else {
                "Ca6 Cc6 Ce6"
            };
            let pieces = format!("{shut} {letter}{from}");
            let reached = goes(REFEREE, &pieces, from);
            let has = reached.split(' ').any(|to| to == across);
            assert_eq!(has, crosses, "{letter} from {from}: {reached}");
        }
    }
    // The railway of file c ends at both front ranks.
    assert_eq!(goes(REFEREE, "Lc6 Cb6 Cd6", "c6"), "b5 c5 c7 d5");
}

#[test]
fn nothing_is_attacked_in_a_camp() {
    for id in RULESETS {
        for camp in CAMPS {
            for from in around(camp) {
                for (attacker, victim) in [('M', 'l'), ('E', 'm'), ('N', 'm')] {
                    let taken = goes(id, &format!("{attacker}{from} {victim}{camp}"), &from);
                    assert!(!taken.split(' ').any(|to| to == camp), "{id}: {from}{camp}");
                    let free = goes(id, &format!("{attacker}{from}"), &from);
                    assert!(
                        free.split(' ').any(|to| to == camp),
                        "{id}: {from}{camp} into an empty camp"
                    );
                }
            }
        }
    }
}

#[test]
fn a_piece_in_a_camp_attacks_and_leaves_in_all_eight_directions() {
    for id in RULESETS {
        for camp in CAMPS {
            let mut near = around(camp);
            near.sort();
            // Camps that lie side by side are free here: nothing is attacked in them.
            assert_eq!(
                goes(id, &format!("L{camp}"), camp),
                near.join(" "),
                "{id}: {camp}"
            );
            for to in near.iter().filter(|to| !CAMPS.contains(&to.as_str())) {
                let attacks = goes(id, &format!("L{camp} k{to}"), camp);
                assert!(
                    attacks.split(' ').any(|point| point == to),
                    "{id}: {camp}{to}"
                );
            }
        }
    }
}

#[test]
fn landmines_and_the_flag_never_move() {
    for id in RULESETS {
        for rank in [1, 2] {
            for file in 'a'..='e' {
                let point = format!("{file}{rank}");
                if point != "b1" {
                    assert_eq!(
                        goes(id, &format!("X{point} Lc4"), &point),
                        "",
                        "{id}: {point}"
                    );
                }
            }
        }
        for point in ["b1", "d1"] {
            assert_eq!(
                goes(id, &format!("F{point} Lc4"), point),
                "",
                "{id}: {point}"
            );
        }
    }
}

#[test]
fn headquarters_hold_visitors_too_in_the_rule_set_that_says_so() {
    for id in RULESETS {
        for (headquarters, flags) in [
            ("b1", "Fd1 fd12"),
            ("d1", "Fb1 fd12"),
            ("b12", "Fb1 fd12"),
            ("d12", "Fb1 fb12"),
        ] {
            for letter in ['M', 'E', 'N', 'L'] {
                let reached = goes(id, &format!("{flags} {letter}{headquarters}"), headquarters);
                if id == MODERN {
                    assert_eq!(reached, "", "{id}: {letter} on {headquarters}");
                } else {
                    let expected = match headquarters {
                        "b1" => "a1 b2 c1",
                        "d1" => "c1 d2 e1",
                        "b12" => "a12 b11 c12",
                        _ => "c12 d11 e12",
                    };
                    assert_eq!(reached, expected, "{id}: {letter} on {headquarters}");
                }
            }
        }
    }
}

#[test]
fn headquarters_that_hold_are_entered_and_attacked_all_the_same() {
    for id in RULESETS {
        assert_eq!(goes(id, "La1 Fd1", "a1"), "a2 b1", "{id}");
        assert_eq!(goes(id, "Lc12 kb12", "c12"), "b12 c11 d12", "{id}");
    }
}

/// Pieces of one side that can stand anywhere, but for one Engineer.
const OTHERS: &str = "MGDDBBKKJJCCCLLLNNEE";

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_engineer_rides_wherever_a_search_finds_a_way(
        start in 0..32_usize,
        blockers in prop::collection::vec(prop_oneof![4 => Just(' '), 1 => Just('K'), 1 => Just('k')], 32),
    ) {
        let from = ALONE[start].0;
        let mut pieces = format!("E{from}");
        let mut left = [OTHERS.chars(), OTHERS.chars()];
        for ((point, _), blocker) in ALONE.into_iter().zip(blockers) {
            let own = usize::from(blocker == 'k');
            if point != from && blocker != ' ' && let Some(letter) = left[own].next() {
                let letter = if own == 0 { letter } else { letter.to_ascii_lowercase() };
                pieces += &format!(" {letter}{point}");
            }
        }
        let board = board(&pieces);
        let reference = Reference::of(&ruleset(REFEREE, &[]));
        let expected: Vec<_> = reference
            .moves(&board, true)
            .iter()
            .filter_map(|mv| Some(mv.strip_prefix(from)?.to_owned()))
            .collect();
        assert_eq!(targets(&game(REFEREE, &board, 'w'), from), expected.join(" "), "{pieces}");
    }
}
