//! Xiangqi: how the pieces move, and what the General's safety forbids.

use crate::support::ruleset;
use qiguan_rules::Game;

const STANDARD: &str = "xiangqi/standard";
const GRUNFELD: &str = "xiangqi/grunfeld";

/// Where the piece on a square can legally go, sorted as text. The position is the board and the side to move.
fn goes(id: &str, position: &str, from: &str) -> String {
    let game =
        Game::from_fen(&ruleset(id, &[]), &format!("{position} - - 0 1")).expect("a position");
    let from = from.parse().expect("a square");
    let legal = game.legal_moves().iter().filter(|mv| mv.from == from);
    let mut targets: Vec<_> = legal.map(|mv| mv.to.to_string()).collect();
    targets.sort();
    targets.join(" ")
}

/// The same in both rule sets.
fn goes_in_both(position: &str, from: &str) -> String {
    let targets = goes(STANDARD, position, from);
    assert_eq!(goes(GRUNFELD, position, from), targets);
    targets
}

#[test]
fn the_general_steps_along_a_line_inside_the_palace() {
    let position = "5k3/9/9/9/9/9/9/9/3K5/9 w";
    assert_eq!(goes_in_both(position, "d2"), "d1 d3 e2");
    let position = "5k3/9/9/9/9/9/9/4K4/9/9 w";
    assert_eq!(goes_in_both(position, "e3"), "d3 e2", "f3 faces the other");
}

#[test]
fn the_generals_never_face_each_other_on_an_open_file() {
    assert_eq!(
        goes_in_both("4k4/9/9/9/9/9/9/9/9/3K5 w", "d1"),
        "d2",
        "not e1"
    );
    assert_eq!(
        goes_in_both("4k4/9/9/9/4p4/9/9/9/9/3K5 w", "d1"),
        "d2 e1",
        "a piece between closes the file"
    );
    assert_eq!(
        goes_in_both("4k4/9/9/9/4N4/9/9/9/9/4K4 w", "e6"),
        "",
        "and may not leave it"
    );
}

#[test]
fn the_advisor_steps_diagonally_inside_the_palace() {
    let position = "5k3/9/9/9/9/9/9/9/4A4/3K5 w";
    assert_eq!(goes_in_both(position, "e2"), "d3 f1 f3");
    let position = "5k3/4a4/9/9/9/9/9/9/9/3K5 b";
    assert_eq!(goes_in_both(position, "e9"), "d10 d8 f8");
}

#[test]
fn the_elephant_goes_exactly_two_points_and_not_over_a_piece() {
    let open = "5k3/9/9/9/9/9/9/4B4/9/3K5 w";
    assert_eq!(goes_in_both(open, "e3"), "c1 c5 g1 g5");
    for blocker in ["N", "n"] {
        let position = format!("5k3/9/9/9/9/9/5{blocker}3/4B4/9/3K5 w");
        assert_eq!(goes_in_both(&position, "e3"), "c1 c5 g1", "{blocker}");
    }
}

#[test]
fn the_elephant_never_crosses_the_river() {
    let position = "5k3/9/9/9/9/2B6/9/9/9/3K5 w";
    assert_eq!(goes_in_both(position, "c5"), "a3 e3");
    let position = "5k3/9/9/9/2b6/9/9/9/9/3K5 b";
    assert_eq!(goes_in_both(position, "c6"), "a8 e8");
}

#[test]
fn the_horse_goes_along_a_line_first_and_that_point_must_be_empty() {
    let open = "5k3/9/9/9/4N4/9/9/9/9/3K5 w";
    assert_eq!(goes_in_both(open, "e6"), "c5 c7 d4 d8 f4 f8 g5 g7");
    let before_it = "5k3/9/9/4P4/4N4/9/9/9/9/3K5 w";
    assert_eq!(goes_in_both(before_it, "e6"), "c5 c7 d4 f4 g5 g7");
    let beside_it = "5k3/9/9/9/3nN4/9/9/9/9/3K5 w";
    assert_eq!(goes_in_both(beside_it, "e6"), "d4 d8 f4 f8 g5 g7");
    let diagonal = "5k3/9/9/3P1P3/4N4/3n1n3/9/9/9/3K5 w";
    assert_eq!(goes_in_both(diagonal, "e6"), "c5 c7 d4 d8 f4 f8 g5 g7");
}

#[test]
fn the_chariot_goes_any_distance_up_to_the_first_piece() {
    let position = "5k3/9/9/9/2p1R1P2/9/9/9/9/3K5 w";
    let targets = "c6 d6 e1 e10 e2 e3 e4 e5 e7 e8 e9 f6";
    assert_eq!(goes_in_both(position, "e6"), targets);
}

#[test]
fn the_soldier_goes_forward_beyond_the_river_also_sideways_and_never_back() {
    for (position, from, targets) in [
        ("5k3/9/9/9/9/9/2P6/9/9/3K5 w", "c4", "c5"),
        ("5k3/9/9/9/9/2P6/9/9/9/3K5 w", "c5", "c6"),
        ("5k3/9/9/9/2P6/9/9/9/9/3K5 w", "c6", "b6 c7 d6"),
        ("2P2k3/9/9/9/9/9/9/9/9/3K5 w", "c10", "b10 d10"),
        ("5k3/9/9/9/6p2/9/9/9/9/3K5 b", "g6", "g5"),
        ("5k3/9/9/9/9/6p2/9/9/9/3K5 b", "g5", "f5 g4 h5"),
        ("5k3/9/9/9/9/9/9/9/9/3K4p b", "i1", "h1"),
    ] {
        assert_eq!(goes_in_both(position, from), targets, "{from}");
    }
}

#[test]
fn the_standard_cannon_moves_as_a_chariot_and_captures_over_one_piece_of_either_side() {
    let position = "5k3/9/9/9/9/n1P1C2pr/9/9/9/3K5 w";
    let targets = "a5 d5 e1 e10 e2 e3 e4 e6 e7 e8 e9 f5 g5 i5";
    assert_eq!(goes(STANDARD, position, "e5"), targets);
    let two_screens = "5k3/9/9/9/9/P3C1ppr/9/9/9/3K5 w";
    let targets = "b5 c5 d5 e1 e10 e2 e3 e4 e6 e7 e8 e9 f5 h5";
    assert_eq!(goes(STANDARD, two_screens, "e5"), targets);
}

#[test]
fn the_cannon_that_always_jumps_ends_anywhere_from_beyond_the_screen_to_the_next_piece() {
    let position = "5k3/9/9/9/9/n1P1C2pr/9/9/9/3K5 w";
    assert_eq!(goes(GRUNFELD, position, "e5"), "a5 b5 i5");
    let own_piece_next = "5k3/9/9/9/9/N1P1C1ppr/9/9/9/3K5 w";
    assert_eq!(goes(GRUNFELD, own_piece_next, "e5"), "b5 h5");
    let to_the_edge = "5k3/9/9/4P4/9/4C4/9/9/9/3K5 w";
    assert_eq!(goes(GRUNFELD, to_the_edge, "e5"), "e10 e8 e9");
}

#[test]
fn the_cannon_that_always_jumps_can_not_move_without_a_screen() {
    let position = "5k3/9/9/9/9/4C4/9/9/9/3K5 w";
    assert_eq!(goes(GRUNFELD, position, "e5"), "");
}

#[test]
fn both_cannons_give_check_over_one_screen_only() {
    for id in [STANDARD, GRUNFELD] {
        let checked = |board: &str| {
            let fen = format!("{board} b - - 0 1");
            let game = Game::from_fen(&ruleset(id, &[]), &fen).expect("a position");
            game.in_check()
        };
        assert!(!checked("4k4/9/9/9/9/4C4/9/9/9/3K5"), "{id}: no screen");
        assert!(checked("4k4/4a4/9/9/9/4C4/9/9/9/3K5"), "{id}: one");
        assert!(!checked("4k4/4a4/9/4n4/9/4C4/9/9/9/3K5"), "{id}: two");
    }
}

#[test]
fn a_move_that_leaves_the_own_general_attacked_is_illegal() {
    let before_a_chariot = "3rk4/9/9/9/9/9/9/9/3N5/3K5 w";
    assert_eq!(goes_in_both(before_a_chariot, "d2"), "");
    let along_its_line = "3rk4/9/9/9/9/9/3R5/9/9/3K5 w";
    let targets = "d10 d2 d3 d5 d6 d7 d8 d9";
    assert_eq!(goes_in_both(along_its_line, "d4"), targets);
    let as_a_screen = "3ck4/9/9/9/9/9/R8/9/9/3K5 w";
    let targets = "a1 a10 a2 a3 a5 a6 a7 a8 a9 b4 c4 e4 f4 g4 h4 i4";
    assert_eq!(goes_in_both(as_a_screen, "a4"), targets, "not d4");
    let one_of_two_screens = "3ck4/9/9/3n5/9/9/3R5/9/9/3K5 w";
    assert_eq!(goes_in_both(one_of_two_screens, "d4"), "d2 d3 d5 d6");
    let on_a_horses_leg = "4k4/9/9/9/9/9/9/2n6/2R6/3K5 w";
    assert_eq!(goes_in_both(on_a_horses_leg, "c2"), "c3");
}

#[test]
fn a_check_is_answered_by_capture_by_a_piece_between_or_by_going() {
    let by_a_chariot = "4k4/9/9/9/9/9/9/1R7/R8/r2K5 w";
    assert_eq!(goes_in_both(by_a_chariot, "a2"), "a1");
    assert_eq!(goes_in_both(by_a_chariot, "b3"), "b1");
    assert_eq!(goes_in_both(by_a_chariot, "d1"), "d2");
    let by_a_horse = "4k4/9/9/9/9/9/9/2n6/R8/3K5 w";
    assert_eq!(goes_in_both(by_a_horse, "a2"), "c2", "onto its leg");
}

#[test]
fn a_screen_answers_a_cannons_check_by_leaving() {
    let position = "3ck4/9/9/3N5/9/9/9/9/9/3K5 w";
    let targets = "b6 b8 c5 c9 e5 e9 f6 f8";
    assert_eq!(goes_in_both(position, "d7"), targets);
}
