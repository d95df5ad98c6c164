use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::luzhanqi::{play::Play, ruleset::Options};

fn read(text: &str) -> Covered {
    Covered::from_fen(&Options::REFEREE, text).unwrap()
}

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

/// Every position that a covered one could be, by trying every kind in every place.
fn worlds(text: &str) -> Vec<String> {
    let Some(at) = text.find(['U', 'u']) else {
        return vec![text.to_owned()];
    };
    let is_first = text[at..].starts_with('U');
    Piece::ALL
        .into_iter()
        .flat_map(|piece| {
            let letter = if is_first {
                piece.letter()
            } else {
                piece.letter().to_ascii_lowercase()
            };
            let mut world = text.to_owned();
            world.replace_range(at..=at, &letter.to_string());
            worlds(&world)
        })
        .collect()
}

#[test]
fn covered_pieces_do_what_some_piece_could_and_their_attacks_end_as_some_could() {
    for text in [
        "3f1/5/5/u4/5/5/5/5/5/5/U3J/1F3 w - - 0 1",
        "1u1u1/4u/5/2u2/5/5/1cU2/5/5/5/1L3/1F3 w - - 0 1",
        "3f1/5/5/5/5/1u3/U1K2/5/5/5/5/1F3 w - - 0 1",
        "3f1/2u2/5/5/5/c4/5/5/5/4U/5/1U1U1 w - - 0 1",
        "3f1/5/5/5/2g2/1d3/1UK2/5/5/5/5/1F3 b - - 0 1",
    ] {
        let mut legal = BTreeSet::new();
        let mut outcomes: BTreeMap<Move, BTreeSet<&str>> = BTreeMap::new();
        for world in worlds(text) {
            let Ok(play) = Play::from_fen(Options::REFEREE, &world) else {
                continue;
            };
            for mv in play.legal_moves() {
                legal.insert(*mv);
                let (_, did) = play.after(*mv).unwrap();
                let told = did.removed.map(Removed::as_str);
                outcomes.entry(*mv).or_default().extend(told);
            }
        }
        let covered = read(text);
        assert_eq!(
            covered.legal_moves(),
            legal.into_iter().collect::<Vec<_>>(),
            "{text}"
        );
        for mv in covered.legal_moves() {
            let told: BTreeSet<_> = covered
                .outcomes(mv)
                .into_iter()
                .map(Removed::as_str)
                .collect();
            assert_eq!(told, outcomes[&mv], "{mv} in {text}");
        }
    }
}

#[test]
fn what_turns_a_corner_is_an_engineer_from_then_on() {
    let mut position = read("3f1/4c/5/5/5/5/5/5/5/5/U4/1F3 w - - 0 1");
    position
        .play(mv("a2e11"), Some(Removed::Defender))
        .unwrap_err();
    position.play(mv("a2c6"), None).unwrap();
    assert_eq!(position.fen(), "3f1/4c/5/5/5/5/2E2/5/5/5/5/1F3 b - - 1 1");
}

#[test]
fn who_survives_an_attack_was_strong_enough() {
    let mut position = read("3f1/5/5/5/5/5/1gU2/5/5/5/5/1F3 w - - 0 1");
    assert_eq!(
        position.outcomes(mv("c6b6")),
        [Removed::Defender, Removed::Attacker, Removed::Both]
    );
    assert_eq!(
        position.play(mv("c6b6"), None),
        Err(CoveredError::Ambiguous)
    );
    position.play(mv("c6b6"), Some(Removed::Defender)).unwrap();
    // Only the Field Marshal beats a General.
    assert_eq!(position.fen(), "3f1/5/5/5/5/5/1M3/5/5/5/5/1F3 b - - 0 1");
}

#[test]
fn a_flag_that_can_stand_on_one_point_alone_is_taken_there() {
    let mut position = read("1u1u1/1L1L1/5/5/2c2/5/5/5/5/5/5/1F3 w - - 0 1");
    position
        .play(mv("b11b12"), Some(Removed::Defender))
        .unwrap();
    assert!(position.outcome().is_none(), "it was not the Flag");
    position.play(mv("c8c7"), None).unwrap();
    position.play(mv("d11d12"), None).unwrap();
    assert_eq!(position.outcome().unwrap().winner, Some(Seat::First));
    assert!(position.legal_moves().is_empty());
}

#[test]
fn pieces_that_no_side_has_are_refused() {
    let refused = |text: &str| Covered::from_fen(&Options::REFEREE, text).unwrap_err();
    refused("3f1/5/5/5/5/5/UX3/5/5/5/5/1F3 w - - 0 1");
    refused("3f1/5/5/5/5/5/UMM2/5/5/5/5/1F3 w - - 0 1");
    refused("5/5/5/5/5/u4/U4/5/5/5/5/5 w - - 0 1");
    refused("3f1/5/5/5/5/uQ3/U4/5/5/5/5/1F3 w - - 0 1");
}

#[test]
fn debugging_prints_no_identity() {
    let position = read("3f1/5/5/5/5/u4/UM3/5/5/5/5/1F3 w - - 0 1");
    assert_eq!(
        format!("{position:?}"),
        "Covered { turn: First, pieces: [3, 2], .. }"
    );
}
