//! Xiangqi's positions and repetitions as other programs judge them; `data/make` has the scripts.

use std::io::Read;

use crate::support::{data_lines, ruleset};
use flate2::read::GzDecoder;
use qiguan_rules::{EndReason, Game, PlayError, Seat};
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

#[test]
fn whole_games_go_on_to_their_last_move_and_end_as_the_oracle_says() {
    let mut games = 0;
    let text = include_str!("data/xiangqi-games.jsonl");
    for (place, line) in data_lines("xiangqi-games.jsonl", text) {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let word = |field: &str| line[field].as_str().expect(field);
        let ruleset = ruleset(word("ruleset"), &[]);
        let mut game = Game::from_fen(&ruleset, word("start")).expect(&place);
        for mv in line["moves"].as_array().expect("a list") {
            assert_eq!(game.outcome(), None, "{place}: it ends before {mv}");
            let mv = mv.as_str().and_then(|mv| mv.parse().ok());
            game.play(mv.expect("a move")).expect(&place);
        }
        assert_eq!(game.fen(), word("fen"), "{place}");
        let outcome = game.outcome().expect(&place);
        let winner = outcome.winner.map(|seat| match seat {
            Seat::First => "first",
            Seat::Second => "second",
        });
        let end = &line["outcome"];
        assert_eq!(winner, end["winner"].as_str(), "{place}");
        assert_eq!(
            Some(outcome.reason.as_str()),
            end["reason"].as_str(),
            "{place}"
        );
        games += 1;
    }
    assert!(games >= 40, "{games} were read");
}

#[test]
fn every_move_that_closes_a_cycle_is_judged_as_its_case_says() {
    let text = include_str!("data/xiangqi-repetition.jsonl");
    let mut cases = 0;
    let mut wrong = Vec::new();
    for (place, line) in data_lines("xiangqi-repetition.jsonl", text) {
        let case: Value = serde_json::from_str(line).expect("JSON");
        let word = |field: &str| case[field].as_str().expect(field);
        let mut game = Game::from_fen(&ruleset(word("ruleset"), &[]), word("fen")).expect(&place);
        for mv in case["moves"].as_array().expect("a list") {
            let mv = mv.as_str().and_then(|mv| mv.parse().ok());
            game.play(mv.expect("a move")).expect(&place);
        }
        let judged = judged(&mut game, word("move"));
        // That a third occurrence is no end, the other side being the offender, is a verdict of its own in the file.
        let verdict = word("verdict").replace("goes_on", "legal");
        if judged != verdict {
            let (id, comment) = (word("id"), word("comment"));
            wrong.push(format!("{place}: {id}: {judged}, not {verdict}: {comment}"));
        }
        cases += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(cases >= 110, "{cases} were read");
}

/// What becomes of a move: `banned:` and the reason, `draw`, or `legal` where the game goes on.
fn judged(game: &mut Game, mv: &str) -> String {
    let mv = mv.parse().expect("a move");
    if let Err(refused) = game.play(mv) {
        return match refused {
            PlayError::Banned(reason) => format!("banned:{}", reason.as_str()),
            PlayError::GameOver | PlayError::Illegal => refused.to_string(),
        };
    }
    match game.outcome() {
        None => String::from("legal"),
        Some(outcome) if outcome.reason == EndReason::Repetition => String::from("draw"),
        Some(outcome) => outcome.reason.as_str().to_owned(),
    }
}
