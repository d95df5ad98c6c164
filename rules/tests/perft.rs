//! Counts of paths, from files that other programs can read too. Low depths are counted by the slow reference as well.

use crate::support::{data_lines, reference::Reference};
use qiguan_rules::{Game, RuleSet, perft};

/// No count above this is made: the files go deeper than a test has to.
const MOST: u64 = 5_200_000;
/// No count above this is made with the reference, unless a file says so.
const MOST_BY_REFERENCE: u64 = 20_000;

/// Compares the counts of a position, from depth 1 on.
fn check(place: &str, id: &str, fen: &str, counts: &[u64], most_by_reference: u64) {
    let ruleset = RuleSet::named(id).expect("a rule set");
    let game = Game::from_fen(&ruleset, fen).expect("a position");
    let reference = Reference::of(&ruleset);
    let start = reference.read(fen);
    for (&expected, depth) in counts.iter().zip(1..) {
        let place = format!("{place}: {id} {fen}, depth {depth}");
        if expected <= MOST {
            assert_eq!(perft::perft(&game, depth), expected, "{place}");
        }
        if expected <= MOST / 10 {
            let made = perft::perft_made(&game, depth);
            assert_eq!(made, expected, "{place}, every leaf made");
        }
        if expected <= most_by_reference {
            let slow = reference.perft(&start.board, start.first, depth);
            assert_eq!(slow, expected, "{place}, by the reference");
        }
    }
}

/// Compares the counts of a file of positions, and returns how many there are.
fn check_file(file: &str, text: &str, most_by_reference: u64) -> usize {
    let mut positions = 0;
    for (place, line) in data_lines(file, text) {
        let (head, counts) = line.split_once(" ; ").expect("a position and counts");
        let (id, fen) = head.split_once(' ').expect("a rule set and a position");
        let counts: Vec<_> = counts.split(" ; ").map(|part| count(part, ' ')).collect();
        check(&place, id, fen, &counts, most_by_reference);
        positions += 1;
    }
    positions
}

#[test]
fn dou_shou_qi_has_the_paths_of_the_file() {
    let text = include_str!("data/doushouqi.perft");
    let positions = check_file("doushouqi.perft", text, MOST_BY_REFERENCE);
    assert!(positions >= 9, "the file was read");
}

#[test]
fn luzhanqi_has_the_paths_of_the_file() {
    let text = include_str!("data/luzhanqi.perft");
    // The reference counts every position to depth 3.
    let positions = check_file("luzhanqi.perft", text, 130_000);
    assert!(positions >= 13, "the file was read");
}

#[test]
fn xiangqi_has_the_paths_of_the_file() {
    let mut positions = 0;
    for (place, line) in data_lines("xiangqi-perft.txt", include_str!("data/xiangqi-perft.txt")) {
        let mut parts = line.split(';');
        let mut next = || parts.next().expect("three fields");
        let (set, fen, counts) = (next(), next(), next());
        let counts: Vec<_> = counts.split(' ').map(|part| count(part, ':')).collect();
        check(
            &place,
            &format!("xiangqi/{set}"),
            fen,
            &counts,
            MOST_BY_REFERENCE,
        );
        positions += 1;
    }
    assert!(positions >= 38, "the file was read");
}

/// The count of `D3 12240` or `3:79666`.
fn count(part: &str, separator: char) -> u64 {
    let (_, count) = part.split_once(separator).expect("a depth and a count");
    count.parse().expect("a count")
}
