//! What holds in every game, tried on random ones.

use std::collections::HashMap;

use crate::support::{reference, walks};
use proptest::prelude::*;
use qiguan_rules::{Game, PlayError, Seat};

fn sorted(moves: impl Iterator<Item = String>) -> Vec<String> {
    let mut moves: Vec<_> = moves.collect();
    moves.sort();
    moves
}

/// Everything of a position's text but the two counts.
fn placement(fen: &str) -> String {
    fen.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

/// A move seen from the other side of the board.
fn turned(mv: &str) -> String {
    let square = |text: &[u8]| [b'a' + b'g' - text[0], b'1' + b'9' - text[1]];
    let bytes = mv.as_bytes();
    let all = [square(&bytes[..2]), square(&bytes[2..])].concat();
    String::from_utf8(all).expect("squares are text")
}

/// A position seen from the other side of the board, the seats changed.
fn turned_position(fen: &str) -> String {
    let mut fields = fen.split(' ');
    let board: String = fields.next().expect("a board").chars().rev().collect();
    let swapped: String = board
        .chars()
        .map(|letter| {
            if letter.is_ascii_uppercase() {
                letter.to_ascii_lowercase()
            } else {
                letter.to_ascii_uppercase()
            }
        })
        .collect();
    let turn = if fields.next() == Some("w") { "b" } else { "w" };
    format!("{swapped} {turn} - - 0 1")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn moves_bans_and_ends_are_those_of_the_slow_reference(walk in walks(160)) {
        let options = reference::Options::of(&walk.ruleset);
        let mut seen: HashMap<String, u32> = HashMap::new();
        walk.each(|game, _| {
            let fen = game.fen();
            *seen.entry(placement(&fen)).or_default() += 1;
            let (board, first) = reference::read(&fen);
            let all = reference::moves(&board, first, &options);
            let limit = options.number("repetition_limit");
            let turn = if first { "b" } else { "w" };
            let is_banned = |mv: &String| {
                let next = reference::after(&board, mv);
                let text = seen.iter().find(|(known, _)| {
                    let (known_board, known_first) = reference::read(known);
                    known_board == next && known_first != first && known.ends_with(turn)
                });
                text.is_some_and(|(_, count)| *count >= limit)
            };
            let (banned, legal): (Vec<_>, Vec<_>) = all.into_iter().partition(is_banned);
            match (reference::won(&board), game.outcome()) {
                (Some(winner), Some(outcome)) => {
                    let seat = if winner { Seat::First } else { Seat::Second };
                    assert_eq!(outcome.winner, Some(seat));
                }
                (Some(_), None) => panic!("a won position goes on: {fen}"),
                (None, Some(outcome)) if legal.is_empty() => {
                    assert_eq!(outcome.reason.as_str(), "no_moves");
                    assert_eq!(outcome.winner, Some(game.turn().other()));
                }
                (None, Some(outcome)) => {
                    assert_eq!(outcome.reason.as_str(), "quiet_limit");
                    let quiet: u32 = fen.split(' ').nth(4).and_then(|text| text.parse().ok()).expect("a count");
                    assert!(quiet >= options.number("quiet_limit") && options.number("quiet_limit") > 0);
                }
                (None, None) => {
                    assert_eq!(sorted(game.legal_moves().iter().map(ToString::to_string)), legal, "{fen}");
                    assert_eq!(sorted(game.banned_moves().iter().map(|ban| ban.mv.to_string())), banned, "{fen}");
                }
            }
            if game.outcome().is_some() {
                assert!(game.legal_moves().is_empty() && game.banned_moves().is_empty());
            }
        });
    }

    #[test]
    fn a_position_reads_back_as_it_is_written(walk in walks(120)) {
        walk.each(|game, _| {
            let again = Game::from_fen(&walk.ruleset, &game.fen()).expect("what is printed can be read");
            assert_eq!((again.fen(), again.key(), again.turn()), (game.fen(), game.key(), game.turn()));
            if game.banned_moves().is_empty() && game.outcome().is_none() {
                assert_eq!(again.legal_moves(), game.legal_moves());
            }
        });
    }

    #[test]
    fn keys_are_equal_exactly_when_positions_are_the_same(walk in walks(200)) {
        let mut by_key = HashMap::new();
        let mut by_text = HashMap::new();
        walk.each(|game, _| {
            let text = placement(&game.fen());
            assert_eq!(by_key.entry(game.key()).or_insert_with(|| text.clone()), &text, "one key, two positions");
            assert_eq!(*by_text.entry(text).or_insert_with(|| game.key()), game.key(), "one position, two keys");
        });
    }

    #[test]
    fn the_board_turned_by_180_degrees_has_the_turned_moves(walk in walks(120)) {
        walk.each(|game, _| {
            let from_start = Game::from_fen(&walk.ruleset, &format!("{} - - 0 1", placement(&game.fen()))).expect("a position");
            let other = Game::from_fen(&walk.ruleset, &turned_position(&game.fen())).expect("the turned position");
            let mine = sorted(from_start.legal_moves().iter().map(|mv| turned(&mv.to_string())));
            assert_eq!(mine, sorted(other.legal_moves().iter().map(ToString::to_string)));
        });
    }

    #[test]
    fn legal_moves_are_legal_others_are_refused_and_change_nothing(walk in walks(60), files in "[a-g][1-9][a-g][1-9]") {
        walk.each(|game, _| {
            for mv in game.legal_moves() {
                let own_den = if game.turn() == Seat::First { "d1" } else { "d9" };
                assert_ne!(mv.to.to_string(), own_den, "nobody enters the own den");
                assert!(game.clone().play(*mv).is_ok());
            }
            let mv = files.parse().expect("a move");
            let mut after = game.clone();
            if !game.legal_moves().contains(&mv) {
                let refused = after.play(mv).expect_err("it is not legal");
                let banned = game.banned_moves().iter().find(|ban| ban.mv == mv);
                match refused {
                    PlayError::GameOver => assert!(game.outcome().is_some()),
                    PlayError::Banned(reason) => assert_eq!(Some(reason), banned.map(|ban| ban.reason)),
                    PlayError::Illegal => assert!(banned.is_none()),
                }
                assert_eq!(after.fen(), game.fen());
            }
        });
    }
}
