//! Texts that are no position, each refused with what is wrong, and strange ones that are.

use crate::support::{data_lines, ruleset};
use qiguan_rules::Game;

const BAD: &str = include_str!("data/xiangqi-bad-positions.txt");

#[test]
fn what_is_no_position_of_xiangqi_is_refused_with_what_is_wrong() {
    let mut tried = 0;
    for (place, line) in data_lines("xiangqi-bad-positions.txt", BAD) {
        let (fen, wrong) = line.split_once(" ; ").expect("a text and a refusal");
        for id in ["xiangqi/grunfeld", "xiangqi/standard"] {
            let place = format!("{place}: {id} {fen:?}");
            let refusal = Game::from_fen(&ruleset(id, &[]), fen).expect_err(&place);
            assert_eq!(refusal.to_string(), wrong, "{place}");
        }
        tried += 1;
    }
    assert!(tried > 70, "the file was read");
}

/// Xiangqi: unusual, but nothing that the rules refuse.
const UNUSUAL: &[&str] = &[
    // Soldiers before and at the river, on every file beyond it, on the last rank.
    "4k4/9/9/9/9/P1P1P4/P1P6/9/9/3K5 w - - 0 1",
    "P3k3P/9/9/9/1P1P3P1/9/9/9/9/3K5 w - - 0 1",
    // The Elephants and Advisors on all of their points.
    "2b1k1b2/9/9/9/9/2B3B2/9/9/9/3K5 w - - 0 1",
    "3k5/4a4/b2a4b/9/9/9/9/B2A4B/9/3A1K3 w - - 0 1",
    // The side to move in check, once and twice.
    "4k4/9/4R4/9/9/9/9/9/9/3K5 b - - 0 1",
    "3ak4/2N1a4/9/9/9/4C4/9/4n3r/4A4/2BAK1B2 b - - 3 60",
    // Counts that no game has reached.
    "4k4/9/9/9/9/9/9/9/9/3K5 b - - 4294967295 4294967295",
];

#[test]
fn an_unusual_position_of_xiangqi_is_read_and_written_as_it_was() {
    for fen in UNUSUAL {
        let ruleset = ruleset("xiangqi/standard", &[("quiet_limit", "0")]);
        let game = Game::from_fen(&ruleset, fen).expect(fen);
        assert_eq!(game.fen(), *fen);
    }
}
