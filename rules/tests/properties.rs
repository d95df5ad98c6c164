//! What holds in every game, tried on random ones.

use std::collections::HashMap;

use crate::support::{
    Walk, game_of,
    reference::{Board, Moment, Reference, Verdict, ends},
    walks, walks_of, walks_with_checks,
};
use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};
use qiguan_rules::{EndReason, Game, Move, PlayError, RuleSet, Seat, Viewer};

fn sorted(moves: impl Iterator<Item = String>) -> Vec<String> {
    let mut moves: Vec<_> = moves.collect();
    moves.sort();
    moves
}

/// Everything of a position's text but the two counts.
fn placement(fen: &str) -> String {
    fen.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

fn quiet_plies(fen: &str) -> u32 {
    let field = fen.split(' ').nth(4).expect("six fields");
    field.parse().expect("a count")
}

/// A move seen from the other side of the board.
fn turned(ruleset: &RuleSet, mv: Move) -> String {
    let game = game_of(ruleset);
    let square = |square: qiguan_rules::Square| {
        let (file, rank) = (game.files - 1 - square.file(), game.ranks - square.rank());
        format!("{}{rank}", char::from(b'a' + file))
    };
    square(mv.from) + &square(mv.to)
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

/// Compares a position of a game that goes on: every move is where its verdict says.
fn assert_moves(game: &Game, moves: &[(String, Verdict)]) {
    let legal = sorted(game.legal_moves().iter().map(ToString::to_string));
    let bans = game.banned_moves().iter();
    let banned: HashMap<_, _> = bans
        .map(|ban| (ban.mv.to_string(), ban.reason.as_str()))
        .collect();
    for (mv, verdict) in moves {
        let reason = banned.get(mv).copied();
        let expected = match verdict {
            Verdict::Free | Verdict::Drawn | Verdict::GoesOn => reason.is_none(),
            Verdict::Banned(expected) => reason == Some(*expected),
            Verdict::ByChases => reason.is_none_or(|reason| reason == "perpetual_chase"),
        };
        assert!(
            expected,
            "{mv} in {}: {verdict:?}, but banned by {reason:?}",
            game.fen()
        );
        assert_eq!(
            legal.contains(mv),
            reason.is_none(),
            "{mv} in {}",
            game.fen()
        );
    }
    assert_eq!(legal.len() + banned.len(), moves.len(), "{}", game.fen());
}

/// Compares the end of a game, or that it goes on.
fn assert_end(
    game: &Game,
    reference: &Reference,
    now: &Moment,
    last: Verdict,
    moves: &[(String, Verdict)],
) {
    let limit = reference.number("quiet_limit");
    let is_quiet = limit > 0 && quiet_plies(&game.fen()) >= limit;
    let won = reference.won(&now.board);
    let may_move = moves
        .iter()
        .any(|(_, verdict)| matches!(verdict, Verdict::Free | Verdict::Drawn | Verdict::GoesOn));
    let (winner, reason) = match game.outcome() {
        None => {
            assert!(won.is_none() && !is_quiet && last != Verdict::Drawn);
            assert!(!game.legal_moves().is_empty());
            return;
        }
        Some(outcome) => (outcome.winner, outcome.reason),
    };
    assert!(game.legal_moves().is_empty() && game.banned_moves().is_empty());
    let expected = match reason {
        EndReason::Den | EndReason::Elimination | EndReason::Flag => {
            won.is_some_and(|first| winner == Some(if first { Seat::First } else { Seat::Second }))
        }
        EndReason::NoMoves | EndReason::Checkmate | EndReason::Stalemate => {
            won.is_none()
                && !may_move
                && winner == Some(game.turn().other())
                && reason.as_str() == reference.stuck(now.check)
        }
        EndReason::Repetition => {
            winner.is_none() && matches!(last, Verdict::Drawn | Verdict::ByChases)
        }
        EndReason::QuietLimit => {
            winner.is_none() && won.is_none() && is_quiet && last != Verdict::Drawn
        }
        // No walk is so long; `length_limit` has games that are.
        EndReason::LengthLimit
        | EndReason::Resignation
        | EndReason::Timeout
        | EndReason::Agreement
        | EndReason::Abandonment
        | EndReason::Adjudication
        | EndReason::Aborted => false,
    };
    assert!(expected, "{} is no {reason:?}", game.fen());
}

/// Compares every position of a walk with the slow reference, and returns the verdicts that were met.
fn assert_follows_reference(walk: &Walk) -> Vec<Verdict> {
    let reference = Reference::of(&walk.ruleset);
    let mut past: Vec<Moment> = Vec::new();
    let mut last = Verdict::Free;
    let mut met = Vec::new();
    let mut expected: Option<(Board, u32)> = None;
    walk.each(|game, chosen| {
        let now = reference.read(&game.fen());
        let quiet = quiet_plies(&game.fen());
        if let Some(expected) = &expected {
            assert_eq!((&now.board, quiet), (&expected.0, expected.1));
        }
        assert_eq!(game.in_check(), now.check, "{}", game.fen());
        let all = reference.moves(&now.board, now.first);
        past.push(now);
        let now = past.last().expect("just pushed");
        let moves: Vec<_> = all
            .into_iter()
            .map(|mv| {
                let verdict = reference.verdict(&past, &reference.after(&now.board, &mv));
                (mv, verdict)
            })
            .collect();
        assert_end(game, &reference, now, last, &moves);
        if game.outcome().is_none() {
            assert_moves(game, &moves);
        }
        met.extend(moves.iter().map(|(_, verdict)| *verdict));
        if let Some(chosen) = chosen.map(|mv| mv.to_string()) {
            let found = moves.iter().find(|(mv, _)| *mv == chosen);
            last = found.expect("the reference knows the move").1;
            let meets = now.board.contains_key(&ends(&chosen).1);
            let quiet = if meets { 0 } else { quiet + 1 };
            expected = Some((reference.after(&now.board, &chosen), quiet));
        }
    });
    met
}

#[test]
fn perpetual_checks_are_judged_as_by_the_slow_reference() {
    let mut runner = TestRunner::deterministic();
    let mut met = Vec::new();
    for _ in 0..600 {
        let walk = walks_with_checks(40).new_tree(&mut runner);
        met.extend(assert_follows_reference(&walk.expect("a walk").current()));
    }
    let count = |verdict| met.iter().filter(|other| **other == verdict).count();
    let banned = count(Verdict::Banned("perpetual_check"));
    assert!(banned > 100, "{banned} bans were met");
    let suffered = count(Verdict::GoesOn);
    assert!(
        suffered > 10,
        "{suffered} moves of the side in check were met"
    );
}

#[test]
fn random_games_of_luzhanqi_end_in_every_way_as_by_the_slow_reference() {
    let mut runner = TestRunner::deterministic();
    let walks = walks_of("luzhanqi/", 160);
    let mut ends = HashMap::new();
    for _ in 0..150 {
        let walk = walks.new_tree(&mut runner).expect("a walk").current();
        assert_follows_reference(&walk);
        walk.each(|game, _| {
            if let Some(outcome) = game.outcome() {
                *ends.entry(outcome.reason).or_insert(0) += 1;
            }
        });
    }
    for reason in [EndReason::Flag, EndReason::NoMoves, EndReason::QuietLimit] {
        let met = ends.get(&reason).copied().unwrap_or_default();
        assert!(met >= 5, "{met} games ended by {reason:?} of {ends:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn moves_bans_and_ends_are_those_of_the_slow_reference(walk in walks(160)) {
        assert_follows_reference(&walk);
    }

    #[test]
    fn the_game_after_a_move_is_the_game_in_which_it_was_played(walk in walks(120)) {
        walk.each(|game, mv| {
            let Some(mv) = mv else { return };
            let (after, played) = game.after(mv).expect("a legal move");
            let mut again = game.clone();
            assert_eq!(again.play(mv), Ok(played));
            let mut unchecked = game.clone();
            assert_eq!(unchecked.play_unchecked(mv), Some(played));
            assert_eq!((unchecked.fen(), unchecked.key(), unchecked.in_check()), (again.fen(), again.key(), again.in_check()));
            // What is played next is judged as ever.
            if let (Some(next), mut judged) = (again.legal_moves().first(), again.clone()) {
                let expected = judged.play(*next);
                assert!(unchecked.clone().after_recorded(*next).is_err());
                assert_eq!(expected.is_ok(), unchecked.play_unchecked(*next).is_some());
                assert_eq!((unchecked.fen(), unchecked.in_check()), (judged.fen(), judged.in_check()));
            }
            assert_eq!((after.fen(), after.key(), after.plies()), (again.fen(), again.key(), again.plies()));
            assert_eq!((after.legal_moves(), after.banned_moves()), (again.legal_moves(), again.banned_moves()));
            assert_eq!((after.outcome(), after.in_check()), (again.outcome(), again.in_check()));
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
    fn every_viewer_sees_the_same_placement(walk in walks(120)) {
        walk.each(|game, _| {
            let seen = [
                Viewer::Referee,
                Viewer::Spectator,
                Viewer::Seat(Seat::First),
                Viewer::Seat(Seat::Second),
            ]
            .map(|viewer| walk.ruleset.placement(&game.view(viewer).fen));
            let first = seen[0].as_ref().expect("a position of a game");
            assert!(seen.iter().all(|other| other.as_ref() == Ok(first)));
            assert_eq!(walk.ruleset.placement(first).as_ref(), Ok(first));
            if game.hides_nothing() {
                assert_eq!(*first, placement(&game.fen()));
            } else {
                assert!(first.chars().all(|letter| !letter.is_alphabetic() || "Uuwb".contains(letter)), "{first}");
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
            let mine = sorted(from_start.legal_moves().iter().map(|mv| turned(&walk.ruleset, *mv)));
            assert_eq!(mine, sorted(other.legal_moves().iter().map(ToString::to_string)));
            assert_eq!(from_start.in_check(), other.in_check());
        });
    }

    #[test]
    fn legal_moves_are_legal_others_are_refused_and_change_nothing(walk in walks(60), moves in prop::collection::vec("[a-i]([1-9]|1[0-2])[a-i]([1-9]|1[0-2])", 20)) {
        walk.each(|game, _| {
            for mv in game.legal_moves() {
                assert!(game.clone().play(*mv).is_ok());
            }
            for mv in moves.iter().map(|mv| mv.parse().expect("a move")) {
                let mut after = game.clone();
                if game.legal_moves().contains(&mv) {
                    continue;
                }
                let refused = after.play(mv).expect_err("it is not legal");
                let banned = game.banned_moves().iter().find(|ban| ban.mv == mv);
                match refused {
                    PlayError::GameOver => assert!(game.outcome().is_some()),
                    PlayError::Banned(reason) => assert_eq!(Some(reason), banned.map(|ban| ban.reason)),
                    PlayError::Illegal => assert!(banned.is_none()),
                }
                assert_eq!(after.fen(), game.fen());
                assert_eq!(after.legal_moves(), game.legal_moves());
            }
        });
    }
}
