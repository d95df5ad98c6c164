//! Xiangqi's positions and repetitions as other programs judge them; `data/make` has the scripts.

use std::io::Read;

use crate::support::{data_lines, ruleset};
use flate2::read::GzDecoder;
use qiguan_rules::Game;
use serde_json::Value;

#[test]
fn every_walked_position_has_the_moves_the_check_and_the_end_of_the_oracle() {
    let packed = include_bytes!("data/xiangqi-walks.jsonl.gz");
    let mut text = String::new();
    GzDecoder::new(&packed[..])
        .read_to_string(&mut text)
        .expect("it is packed text");
    let mut positions = 0;
    for (place, line) in data_lines("xiangqi-walks.jsonl", &text) {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let word = |field: &str| line[field].as_str().unwrap_or_default();
        let place = format!("{place}: {} {}", word("r"), word("fen"));
        let ruleset = ruleset(&format!("xiangqi/{}", word("r")), &[]);
        let game = Game::from_fen(&ruleset, word("fen")).expect(&place);
        let mut legal: Vec<_> = game.legal_moves().iter().map(ToString::to_string).collect();
        legal.sort();
        assert_eq!(legal.join(" "), word("moves"), "{place}");
        assert_eq!(Some(game.in_check()), line["check"].as_bool(), "{place}");
        let end = game.outcome().map(|outcome| outcome.reason.as_str());
        assert_eq!(end, line["end"].as_str(), "{place}");
        positions += 1;
    }
    assert!(positions >= 20_000, "{positions} were read");
}
