//! Texts that are no position, each refused with what is wrong, and strange ones that are.

use crate::support::{data_lines, ruleset};
use qiguan_rules::{Game, RuleSet};

/// Compares the refusals of a file in all rule sets of a game.
fn assert_refused(game: &str, file: &str, text: &str, least: usize) {
    let mut tried = 0;
    for (place, line) in data_lines(file, text) {
        let (fen, wrong) = line.split_once(" ; ").expect("a text and a refusal");
        for ruleset in RuleSet::ALL {
            if ruleset.id().starts_with(game) {
                let place = format!("{place}: {} {fen:?}", ruleset.id());
                let refusal = Game::from_fen(&ruleset, fen).expect_err(&place);
                assert_eq!(refusal.to_string(), wrong, "{place}");
            }
        }
        tried += 1;
    }
    assert!(tried >= least, "{tried} lines of {file} were read");
}

#[test]
fn what_is_no_position_of_xiangqi_is_refused_with_what_is_wrong() {
    let text = include_str!("data/xiangqi-bad-positions.txt");
    assert_refused("xiangqi/", "xiangqi-bad-positions.txt", text, 71);
}

#[test]
fn what_is_no_position_of_luzhanqi_is_refused_with_what_is_wrong() {
    let text = include_str!("data/luzhanqi-bad-positions.txt");
    assert_refused("luzhanqi/", "luzhanqi-bad-positions.txt", text, 70);
}

/// Unusual, but nothing that the rules refuse.
const UNUSUAL_IN_XIANGQI: &[&str] = &[
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

/// The same of Luzhanqi.
const UNUSUAL_IN_LUZHANQI: &[&str] = &[
    // Flags alone; one Flag, in either headquarters.
    "1f3/5/5/5/5/5/5/5/5/5/5/3F1 w - - 0 1",
    "5/5/5/5/5/5/5/5/5/5/5/3F1 b - - 0 9",
    "3f1/5/5/5/5/5/5/5/5/5/5/5 w - - 0 9",
    // Landmines beside the Flag and in the other headquarters.
    "xfxx1/5/5/5/5/5/5/5/5/5/2X2/1X1FX w - - 0 1",
    "1f1x1/x3x/5/5/5/5/5/5/5/5/X3X/1F1X1 b - - 0 1",
    // Soldiers in the enemy's camps, on its rear ranks and in its headquarters.
    "NfGEM/KKBBE/1J1J1/5/1L1L1/5/5/1l1l1/5/1j1j1/kkbbe/nFgem w - - 0 1",
    // Grenades on the front ranks, two and three of a kind side by side.
    "1f3/5/5/5/5/n3n/N3N/5/5/5/5/1F3 b - - 0 1",
    "1f3/5/1cllc/5/1c3/eee2/EEE2/1C3/5/1CLLC/5/1F3 w - - 0 1",
    // All fifty pieces, and a side with all against one with its Flag.
    "xfcxe/nlxcl/j1e1n/db1lk/e1m1g/cjbkd/DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX w - - 0 1",
    "3f1/5/5/5/5/5/DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX b - - 7 40",
    // Counts that no game has reached.
    "1f3/5/2m2/5/5/5/5/5/5/2M2/5/1F3 b - - 4294967295 4294967295",
];

/// Each is read and written as it was.
fn assert_kept(id: &str, texts: &[&str]) {
    for fen in texts {
        let ruleset = ruleset(id, &[("quiet_limit", "0")]);
        let game = Game::from_fen(&ruleset, fen).expect(fen);
        assert_eq!(game.fen(), *fen);
    }
}

#[test]
fn an_unusual_position_of_xiangqi_is_read_and_written_as_it_was() {
    assert_kept("xiangqi/standard", UNUSUAL_IN_XIANGQI);
}

#[test]
fn an_unusual_position_of_luzhanqi_is_read_and_written_as_it_was() {
    assert_kept("luzhanqi/referee", UNUSUAL_IN_LUZHANQI);
}
