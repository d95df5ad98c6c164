//! Reviews: verdicts that contradict nothing that the game has shown.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::sync::{Arc, atomic::AtomicBool};

use qiguan_engine::{
    review::{Reviewed, Reviewer, accuracy},
    tables::Endings,
};
use qiguan_rules::{Game, RuleSet};

static GO_ON: AtomicBool = AtomicBool::new(false);

fn reviewer(ruleset: &str, moves: &str) -> Reviewer {
    let start = Game::start(&RuleSet::named(ruleset).unwrap());
    let moves = moves.split(' ').map(|mv| mv.parse().unwrap());
    Reviewer::new(start, moves.collect(), Arc::new(Endings::new(1)))
}

/// What is found of the next position.
fn looks(reviewer: &mut Reviewer) -> Option<Reviewed> {
    let game = reviewer.position()?;
    reviewer.look(&game, &GO_ON)
}

/// All of it, the last position first.
fn review(mut reviewer: Reviewer) -> Vec<Reviewed> {
    std::iter::from_fn(|| looks(&mut reviewer)).collect()
}

/// Black lets Red mate: the mate is on the board after ply 9.
const MATE: &str = "h3h5 g10i8 h5c5 e10e9 c5e5 e9f9 e5f5 d10e9 b3f3";

#[test]
fn a_mate_is_found_before_it_happens_and_who_gives_it_has_lost_nothing() {
    let reviewed = review(reviewer("xiangqi/standard", MATE));
    assert_eq!(reviewed.len(), 10);
    let plies: Vec<_> = reviewed.iter().map(|position| position.plies).collect();
    assert_eq!(plies, (0..=9).rev().collect::<Vec<_>>());
    let mated = &reviewed[0];
    assert!(mated.judged.is_none() && mated.chance == 0.0);
    let mate = reviewed[1].judged.as_ref().unwrap();
    assert_eq!(mate.best.to_string(), "b3f3");
    assert!((mate.chance, mate.loss()) == (1.0, 0.0), "{mate:?}");
    // The move before it, which allowed the mate, gave away what there was.
    let allowed = reviewed[2].judged.as_ref().unwrap();
    assert!(allowed.chance < 0.001, "{allowed:?}");
    assert!(allowed.best_chance >= allowed.chance);
    for position in &reviewed[1..] {
        let judged = position.judged.as_ref().unwrap();
        assert!(judged.best_chance >= judged.chance, "{judged:?}");
        assert!(
            (position.chance - judged.best_chance).abs() < 0.001,
            "{position:?}"
        );
    }
}

#[test]
fn a_position_that_is_passed_over_leaves_both_moves_beside_it_unjudged() {
    let mut reviewer = reviewer("xiangqi/standard", MATE);
    looks(&mut reviewer).unwrap();
    assert_eq!(reviewer.position().unwrap().plies(), 8);
    reviewer.skip();
    let before = looks(&mut reviewer).unwrap();
    assert_eq!((before.plies, before.judged), (7, None));
    let earlier = looks(&mut reviewer).unwrap();
    assert!(earlier.plies == 6 && earlier.judged.is_some());
}

#[test]
fn nothing_is_found_once_the_review_is_to_end() {
    let mut reviewer = reviewer("doushouqi/booklet", "a3a4 g7g6");
    let stop = AtomicBool::new(true);
    let game = reviewer.position().unwrap();
    let first = reviewer.look(&game, &stop);
    // The first depth is always searched, so that there is a move.
    assert!(first.is_some());
    assert_eq!(reviewer.left(), 2);
}

#[test]
fn one_blunder_is_felt_among_many_good_moves() {
    assert_eq!(accuracy(&[]), None);
    assert_eq!(accuracy(&[0.0, 0.0]), Some(1.0));
    let good = accuracy(&[0.02; 20]).unwrap();
    let mut losses = [0.02; 20];
    losses[7] = 0.8;
    let blundered = accuracy(&losses).unwrap();
    assert!(good > 0.9 && blundered < good - 0.1, "{good} {blundered}");
    assert!(blundered > 0.0 && accuracy(&[1.0; 3]).unwrap() < 0.02);
}
