//! Dou Shou Qi.

use crate::support;
use qiguan_rules::{Game, RuleSet};

const ANCIENT: &str = "doushouqi/ancientchess";
const BOOKLET: &str = "doushouqi/booklet";
const TIERSCHACH: &str = "doushouqi/tierschach";

/// Whether a move is legal in a position (the board and the side to move) of a rule set.
fn legal(ruleset: &str, position: &str, mv: &str) -> bool {
    legal_with(ruleset, &[], position, mv)
}

fn legal_with(ruleset: &str, options: &[(&str, &str)], position: &str, mv: &str) -> bool {
    let ruleset = support::ruleset(ruleset, options);
    let game = Game::from_fen(&ruleset, &format!("{position} - - 0 1")).expect("a position");
    game.legal_moves().contains(&mv.parse().expect("a move"))
}

#[test]
fn a_higher_or_equal_rank_takes_and_a_lower_one_does_not() {
    let facing = "7/7/7/3w3/3L3/7/7/7/7 w";
    assert!(legal(BOOKLET, facing, "d5d6"));
    assert!(!legal(BOOKLET, "7/7/7/3l3/3W3/7/7/7/7 w", "d5d6"));
    assert!(legal(BOOKLET, "7/7/7/3l3/3L3/7/7/7/7 w", "d5d6"));
}

#[test]
fn dog_and_wolf_change_places_with_dog_outranks_wolf() {
    let dog_attacks = "7/7/7/3w3/3D3/7/7/7/7 w";
    let wolf_attacks = "7/7/7/3d3/3W3/7/7/7/7 w";
    assert!(legal(ANCIENT, dog_attacks, "d5d6") && !legal(ANCIENT, wolf_attacks, "d5d6"));
    assert!(!legal(BOOKLET, dog_attacks, "d5d6") && legal(BOOKLET, wolf_attacks, "d5d6"));
}

#[test]
fn the_rat_takes_the_elephant_and_the_elephant_the_rat_only_by_option() {
    for ruleset in [ANCIENT, BOOKLET, TIERSCHACH] {
        assert!(
            legal(ruleset, "7/7/7/3e3/3R3/7/7/7/7 w", "d5d6"),
            "{ruleset}"
        );
    }
    let elephant_attacks = "7/7/7/3r3/3E3/7/7/7/7 w";
    assert!(legal(ANCIENT, elephant_attacks, "d5d6"));
    assert!(!legal(BOOKLET, elephant_attacks, "d5d6"));
}

#[test]
fn the_tiger_takes_the_lion_only_in_tierschach() {
    let position = "7/7/7/3l3/3T3/7/7/7/7 w";
    assert!(legal(TIERSCHACH, position, "d5d6"));
    assert!(!legal(ANCIENT, position, "d5d6") && !legal(BOOKLET, position, "d5d6"));
}

#[test]
fn rat_in_water_cannot_take_elephant() {
    let position = "7/7/7/7/2Re3/7/7/7/7 w";
    for ruleset in [ANCIENT, BOOKLET, TIERSCHACH] {
        assert!(!legal(ruleset, position, "c5d5"), "{ruleset}");
    }
}

#[test]
fn rat_in_water_takes_a_rat_ashore_only_in_the_booklet() {
    let position = "7/7/7/7/2Rr3/7/7/7/7 w";
    assert!(legal(BOOKLET, position, "c5d5"));
    assert!(!legal(ANCIENT, position, "c5d5") && !legal(TIERSCHACH, position, "c5d5"));
    let from_land = "7/7/7/7/2rR3/7/7/7/7 w";
    assert!(legal(BOOKLET, from_land, "d5c5"));
    assert!(!legal(ANCIENT, from_land, "d5c5") && !legal(TIERSCHACH, from_land, "d5c5"));
}

#[test]
fn a_swimming_rat_takes_a_swimming_rat_everywhere() {
    for ruleset in [ANCIENT, BOOKLET, TIERSCHACH] {
        assert!(
            legal(ruleset, "e6/7/7/7/1Rr4/7/7/7/6E w", "b5c5"),
            "{ruleset}"
        );
    }
}

#[test]
fn only_the_rat_enters_the_river() {
    for letter in ["E", "L", "T", "P", "W", "D", "C"] {
        let position = format!("r6/7/7/7/{letter}6/7/7/7/7 w");
        assert!(!legal(ANCIENT, &position, "a5b5"), "{letter}");
    }
    assert!(legal(ANCIENT, "r6/7/7/7/R6/7/7/7/7 w", "a5b5"));
}

#[test]
fn a_rat_of_either_side_blocks_a_jump_and_nothing_else_does() {
    for ruleset in [ANCIENT, BOOKLET] {
        assert!(
            legal(ruleset, "e6/7/7/7/7/7/1L5/7/7 w", "b3b7"),
            "{ruleset}"
        );
        assert!(
            !legal(ruleset, "e6/7/7/7/1r5/7/1L5/7/7 w", "b3b7"),
            "{ruleset}"
        );
        assert!(
            !legal(ruleset, "e6/7/7/7/1R5/7/1L5/7/7 w", "b3b7"),
            "{ruleset}"
        );
        assert!(
            legal(ruleset, "e6/7/7/7/2r4/7/1L5/7/7 w", "b3b7"),
            "{ruleset}: a Rat beside"
        );
    }
}

#[test]
fn a_jumper_captures_on_landing_by_rank() {
    assert!(legal(ANCIENT, "7/7/1t5/7/7/7/1L5/7/7 w", "b3b7"));
    assert!(!legal(ANCIENT, "7/7/1l5/7/7/7/1T5/7/7 w", "b3b7"));
}

#[test]
fn jumps_are_the_rule_sets_own() {
    let crosswise = |letter: &str| format!("r6/7/7/7/{letter}6/7/7/7/7 w");
    let lengthwise = |letter: &str| format!("r6/7/7/7/7/7/1{letter}5/7/7 w");
    for (ruleset, letter, along, across) in [
        (ANCIENT, "L", true, true),
        (ANCIENT, "T", true, true),
        (ANCIENT, "P", false, false),
        (TIERSCHACH, "L", false, false),
        (TIERSCHACH, "T", true, false),
        (TIERSCHACH, "P", false, true),
    ] {
        assert_eq!(
            legal(ruleset, &lengthwise(letter), "b3b7"),
            along,
            "{ruleset} {letter} lengthwise"
        );
        assert_eq!(
            legal(ruleset, &crosswise(letter), "a5d5"),
            across,
            "{ruleset} {letter} crosswise"
        );
    }
}

#[test]
fn what_is_trapped_is_taken_by_anything_and_takes_nothing() {
    for ruleset in [ANCIENT, BOOKLET, TIERSCHACH] {
        assert!(
            legal(ruleset, "7/7/7/7/7/7/7/2Rl3/7 w", "c2d2"),
            "{ruleset}: the Lion is trapped"
        );
        assert!(
            !legal(ruleset, "7/7/7/7/7/7/7/2Rl3/7 b", "d2c2"),
            "{ruleset}: and has no power left"
        );
        assert!(
            legal(ruleset, "7/7/7/7/7/7/7/2Rl3/7 b", "d2e2"),
            "{ruleset}: but may walk on"
        );
    }
}

#[test]
fn own_traps_weaken_only_in_tierschach() {
    let on_own_trap = "7/7/7/7/7/7/7/2cL3/7 b";
    assert!(legal(TIERSCHACH, on_own_trap, "c2d2"));
    assert!(!legal(ANCIENT, on_own_trap, "c2d2") && !legal(BOOKLET, on_own_trap, "c2d2"));
}

#[test]
fn nobody_enters_the_own_den() {
    assert!(!legal(ANCIENT, "r6/7/7/7/7/7/7/3L3/7 w", "d2d1"));
    assert!(
        legal(ANCIENT, "7/7/7/7/7/7/7/3l3/R6 b", "d2d1"),
        "the enemy's is the goal"
    );
}

#[test]
fn entering_the_den_wins_whatever_else_is_on_the_board() {
    let mut game = Game::from_fen(
        &RuleSet::named(ANCIENT).expect("a rule set"),
        "l5t/3R2c/7/7/7/7/7/7/6L w - - 119 9",
    )
    .expect("a position");
    game.play("d8d9".parse().expect("a move"))
        .expect("the den is open");
    let outcome = game.outcome().expect("it is over");
    assert_eq!(
        (outcome.winner, outcome.reason.as_str()),
        (Some(qiguan_rules::Seat::First), "den"),
        "the quiet limit comes later"
    );
}

#[test]
fn options_change_a_private_game() {
    let position = "7/7/7/3r3/3E3/7/7/7/7 w";
    assert!(legal_with(
        BOOKLET,
        &[("elephant_takes_rat", "true")],
        position,
        "d5d6"
    ));
}
