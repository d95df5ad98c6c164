//! Luzhanqi from one seat: what is judged of a position with covered pieces agrees with the game in which every piece is known.

use std::collections::HashMap;

use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};
use qiguan_rules::{
    EndReason, Game, Move, RuleSet, Seat, Viewer, luzhanqi::Covered, ruleset::Options,
};

use crate::support::{Walk, walks_of};

const VIEWERS: [Viewer; 3] = [
    Viewer::Seat(Seat::First),
    Viewer::Seat(Seat::Second),
    Viewer::Spectator,
];

/// A game as a viewer sees it now, as a position with covered pieces; `None` if the viewer knows every piece.
fn seen(ruleset: &RuleSet, game: &Game, viewer: Viewer) -> Option<Covered> {
    let Options::Luzhanqi(options) = ruleset.options() else {
        return None;
    };
    let text = game.view(viewer).fen;
    Covered::is_meant(&text)
        .then(|| Covered::from_fen(options, &text).expect("what a viewer sees can be"))
}

/// Each covered piece is left covered or is what it is in the game, and nothing else differs.
fn assert_true(covered: &Covered, game: &Game, place: &str) {
    let (shown, is) = (covered.fen(), game.fen());
    assert_eq!(shown.len(), is.len(), "{shown} of {is} {place}");
    for (shown_there, there) in shown.chars().zip(is.chars()) {
        let unknown = if there.is_ascii_uppercase() { 'U' } else { 'u' };
        assert!(
            shown_there == there || (shown_there == unknown && there.is_ascii_alphabetic()),
            "{shown} of {is} {place}"
        );
    }
}

/// Compares a position of a game that goes on, and plays its move.
fn assert_follows(covered: &mut Covered, game: &Game, mv: Move, place: &str) {
    assert_true(covered, game, place);
    assert_eq!(covered.outcome(), None, "{place}");
    let possible = covered.legal_moves();
    let missing = game.legal_moves().iter().find(|mv| !possible.contains(mv));
    assert_eq!(missing, None, "{} {place}", covered.fen());
    let (_, did) = game.after(mv).expect("a legal move");
    let outcomes = covered.outcomes(mv);
    match did.removed {
        Some(removed) => assert!(outcomes.contains(&removed), "{mv} {place}"),
        None => assert!(outcomes.is_empty(), "{mv} {place}"),
    }
    assert_eq!(covered.play(mv, did.removed), Ok(did.removed), "{place}");
}

/// Whatever is offered can be played, with each end that is offered and with no other.
fn assert_offers_hold(covered: &Covered, place: &str) {
    let play = |mv, removed| {
        let mut after = *covered;
        after.play(mv, removed)
    };
    for mv in covered.legal_moves() {
        let outcomes = covered.outcomes(mv);
        if outcomes.is_empty() {
            assert_eq!(play(mv, None), Ok(None), "{mv} {place}");
        }
        for removed in &outcomes {
            let played = play(mv, Some(*removed));
            assert_eq!(played, Ok(Some(*removed)), "{mv} {place}");
        }
        let unsaid = play(mv, None);
        assert_eq!(unsaid.is_ok(), outcomes.len() < 2, "{mv} {place}");
    }
}

/// Follows a walk from what a viewer sees after so many plies. Answers how many pieces were found out, and how the game ended.
fn follow(walk: &Walk, viewer: Viewer, from: usize) -> (usize, Option<EndReason>) {
    let mut covered: Option<Covered> = None;
    let (mut ply, mut found, mut end) = (0, 0, None);
    walk.each(|game, mv| {
        let place = format!("in {} for {viewer:?} at {ply}", walk.ruleset.id());
        if ply == from {
            covered = seen(&walk.ruleset, game, viewer);
        }
        if let (Some(covered), Some(mv)) = (&mut covered, mv) {
            let hidden = |text: String| text.matches(['U', 'u']).count();
            let before = hidden(game.view(viewer).fen);
            found += before.saturating_sub(hidden(covered.fen()));
            if ply.is_multiple_of(16) {
                assert_offers_hold(covered, &place);
            }
            assert_follows(covered, game, mv, &place);
        }
        end = game.outcome().map(|outcome| outcome.reason);
        ply += 1;
    });
    (found, end)
}

#[test]
fn a_game_can_be_followed_from_a_seat_that_does_not_know_the_pieces() {
    let mut runner = TestRunner::deterministic();
    for id in ["referee", "showdown", "northern", "modern"].map(|set| format!("luzhanqi/{set}")) {
        let walks = (walks_of(&id, 400), 0..60_usize);
        let (mut found, mut ends) = (0, HashMap::new());
        for round in 0..60 {
            let (walk, later) = walks.new_tree(&mut runner).expect("a walk").current();
            // From the beginning as often as from somewhere in the game.
            let from = if round % 2 == 0 { 0 } else { later };
            for viewer in VIEWERS {
                let (pieces, end) = follow(&walk, viewer, from);
                found += pieces;
                *ends.entry(end).or_insert(0) += 1;
            }
        }
        assert!(found > 500, "{found} pieces were found out in {id}");
        assert!(ends.contains_key(&Some(EndReason::Flag)), "{id}: {ends:?}");
    }
}
