//! Setups of Luzhanqi: what is wrong with a text, all of it, and what may be set up.

use std::collections::BTreeMap;

use crate::support::{data_lines, random_setups, ruleset};
use qiguan_rules::{
    BySeat, Game, Seat,
    luzhanqi::{Setup, setup::SetupError},
};

const BAD: &str = include_str!("data/luzhanqi-bad-setups.txt");
const FIRST: &str = "DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX";
const SECOND: &str = "xfcxe/nlxcl/j1e1n/db1lk/e1m1g/cjbkd";

/// A setup that is legal. What has none for debugging can't be unwrapped.
fn setup(seat: Seat, text: &str) -> Setup {
    Setup::read(seat, text).unwrap_or_else(|wrong| panic!("{text}: {}", shown(&wrong)))
}

/// Every error as text, in the order of the alphabet.
fn shown(wrong: &[SetupError]) -> String {
    let mut wrong: Vec<_> = wrong.iter().map(ToString::to_string).collect();
    wrong.sort();
    wrong.join(" | ")
}

#[test]
fn everything_that_is_wrong_with_a_setup_is_named() {
    let mut tried = 0;
    for (place, line) in data_lines("luzhanqi-bad-setups.txt", BAD) {
        let (head, wrong) = line.split_once(" ; ").expect("a setup and what is wrong");
        let (seat, text) = head.split_once(' ').expect("a seat and a text");
        let seat = Seat::from_name(seat).expect("a seat");
        let errors = Setup::read(seat, text).err().unwrap_or_default();
        assert_eq!(shown(&errors), wrong, "{place}: {text}");
        tried += 1;
    }
    assert!(tried >= 48, "{tried} lines were read");
}

#[test]
fn a_setup_of_the_other_side_is_refused_piece_by_piece() {
    for (seat, text) in [(Seat::Second, FIRST), (Seat::First, SECOND)] {
        let errors = Setup::read(seat, text).err().unwrap_or_default();
        let foreign = errors
            .iter()
            .filter(|error| matches!(error, SetupError::Foreign { .. }));
        assert_eq!(foreign.count(), 25, "{}", shown(&errors));
    }
}

#[test]
fn a_legal_setup_is_read_and_written_as_it_was() {
    for (seat, text) in [
        (Seat::First, FIRST),
        (Seat::Second, SECOND),
        // Landmines on the rear rank and in a headquarters, the Flag in the other; the strongest in front.
        (Seat::First, "MGDDB/B1K1K/JJ1CC/C1L1L/LEENN/EXXFX"),
        (Seat::Second, "xfxxe/nneel/l1l1c/cc1jj/k1k1b/bddgm"),
    ] {
        let setup = setup(seat, text);
        assert_eq!((setup.text(), setup.seat()), (text.to_owned(), seat));
    }
}

#[test]
fn a_game_begins_with_both_setups_and_an_empty_board_before() {
    for id in [
        "luzhanqi/referee",
        "luzhanqi/showdown",
        "luzhanqi/northern",
        "luzhanqi/modern",
    ] {
        let ruleset = ruleset(id, &[]);
        let before = Game::start(&ruleset);
        assert_eq!(before.fen(), "5/5/5/5/5/5/5/5/5/5/5/5 w - - 0 1");
        assert!(before.legal_moves().is_empty() && before.outcome().is_none());

        let setups = BySeat {
            first: setup(Seat::First, FIRST),
            second: setup(Seat::Second, SECOND),
        };
        let game = Game::set_up(&ruleset, &setups).expect("Luzhanqi has setups");
        assert_eq!(game.fen(), format!("{SECOND}/{FIRST} w - - 0 1"));
        assert_eq!((game.turn(), game.plies()), (Seat::First, 0));
    }
}

#[test]
fn other_games_have_no_setups() {
    for id in ["doushouqi/booklet", "xiangqi/standard"] {
        assert!(Game::set_up(&ruleset(id, &[]), &random_setups(1)).is_none());
    }
}

#[test]
fn a_random_setup_holds_every_sentence_about_setups() {
    for seed in 0..500 {
        let setups = random_setups(seed);
        assert_legal(&setups.first.text());
        // The same seen from the other side: the board turned, the letters' case changed.
        let turned: String = setups
            .second
            .text()
            .to_ascii_uppercase()
            .chars()
            .rev()
            .collect();
        assert_legal(&turned);
        for (seat, setup) in [(Seat::First, setups.first), (Seat::Second, setups.second)] {
            assert!(Setup::read(seat, &setup.text()).is_ok());
        }
    }
}

/// Looks at a first seat's setup as at a picture.
fn assert_legal(text: &str) {
    let ranks: Vec<Vec<char>> = text.split('/').map(|rank| rank.chars().collect()).collect();
    let empty = [vec![], vec![1, 3], vec![2], vec![1, 3], vec![], vec![]];
    assert_eq!(ranks.len(), 6, "{text}");
    let mut counts = BTreeMap::new();
    for ((rank, camps), from_top) in ranks.iter().zip(empty).zip(0..) {
        assert_eq!(rank.len(), 5, "{text}");
        for (file, letter) in rank.iter().enumerate() {
            *counts.entry(*letter).or_insert(0) += 1;
            assert_eq!(*letter == '1', camps.contains(&file), "{text}");
            match letter {
                'F' => assert!(from_top == 5 && (file == 1 || file == 3), "{text}"),
                'X' => assert!(from_top >= 4, "{text}"),
                'N' => assert!(from_top > 0, "{text}"),
                _ => {}
            }
        }
    }
    for (letter, count) in "FMGDBKJCLENX"
        .chars()
        .zip([1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 2, 3])
    {
        assert_eq!(counts.get(&letter), Some(&count), "{letter} in {text}");
    }
}
