//! Counts of paths, from files that other programs can read too. Low depths are counted by the slow reference as well.

use crate::support::reference::Reference;
use qiguan_rules::{Game, RuleSet, perft};

const FILE: &str = include_str!("data/doushouqi.perft");

#[test]
fn counts_are_those_of_the_file_and_of_the_slow_reference() {
    let mut counted = 0;
    for (line, number) in FILE.lines().zip(1..) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut parts = line.split(" ; ");
        let (id, fen) = parts
            .next()
            .and_then(|head| head.split_once(' '))
            .expect("a rule set and a position");
        let ruleset = RuleSet::named(id).expect("a rule set");
        let game = Game::from_fen(&ruleset, fen).expect("a position");
        for (part, depth) in parts.zip(1..) {
            let expected: u64 = part
                .split_once(' ')
                .and_then(|(_, count)| count.parse().ok())
                .expect("a count");
            assert_eq!(
                perft::perft(&game, depth),
                expected,
                "line {number}, depth {depth}"
            );
            if depth <= 3 {
                let reference = Reference::of(&ruleset);
                let start = reference.read(fen);
                let slow = reference.perft(&start.board, start.first, depth);
                assert_eq!(
                    slow, expected,
                    "line {number}, depth {depth}, by the reference"
                );
            }
            if depth <= 4 {
                assert_eq!(
                    perft::perft_made(&game, depth),
                    expected,
                    "line {number}, depth {depth}, every leaf made"
                );
            }
            counted += 1;
        }
    }
    assert!(counted >= 9, "the file was read");
}
