use qiguan_protocol::{
    ids::{Epoch, GameId, PlayerId, Ply, Seq},
    names::Visibility,
    time_control::{Clock, TimeControl},
};
use qiguan_rules::{EndReason, Outcome, Seat};
use uuid::Uuid;

use super::*;
use crate::{
    audience::{self, Audience, snapshot::Snapshot},
    event::{Created, Player},
    referee,
    seat_drafts::Drafts,
};

const OPENING: [&str; 6] = ["a3a4", "g7g6", "a4a5", "g6g5", "g3g4", "a7a6"];

fn player(number: u128) -> Player {
    Player::named(PlayerId(Uuid::from_u128(number)), format!("玩家 {number}"))
}

/// A game in which the moves are played a second after each other, from second 10 on.
fn played(delay: Option<SpectatorDelay>, moves: &[&str]) -> State {
    let created = Created {
        ruleset: "doushouqi/ancientchess".to_owned(),
        options: Vec::new(),
        time_control: TimeControl {
            clock: Clock::None,
            absence_ms: None,
            setup_ms: None,
        },
        visibility: Visibility::Public,
        seat: Seat::First,
        player: player(1),
        rated: false,
        invited: None,
        spectator_delay: delay,
        start: None,
        practice: false,
        bounded: true,
    };
    let bodies = referee::opening_of_two(created, player(2), None, Millis(0)).unwrap();
    let events = referee::number(Seq(0), Millis(0), None, bodies);
    let mut state = State::fold(GameId(Uuid::nil()), events).unwrap();
    for (text, number) in moves.iter().zip(1..) {
        happens(&mut state, moved(number, text), at(number));
    }
    state
}

const fn at(ply: u32) -> Millis {
    Millis(9_000 + ply as i64 * 1_000)
}

fn moved(ply: u32, text: &str) -> Body {
    Body::Moved {
        seat: if ply % 2 == 1 {
            Seat::First
        } else {
            Seat::Second
        },
        ply: Ply(ply),
        mv: text.parse().unwrap(),
        spent: Millis(0),
        lag: Millis(0),
    }
}

fn happens(state: &mut State, body: Body, at: Millis) {
    for event in referee::number(state.seq(), at, None, vec![body]) {
        state.apply(event).unwrap();
    }
}

fn resigned() -> Body {
    Body::Ended {
        outcome: Outcome {
            winner: Some(Seat::First),
            reason: EndReason::Resignation,
        },
        spent: Millis(0),
        by: Some(Seat::Second),
    }
}

/// Everything that a spectator is given of a game.
fn given(state: &State, now: Millis) -> String {
    let watching = Audience::Spectators;
    let snapshot = Snapshot::of_record(state.snapshot(), Drafts::default(), Epoch(7), now);
    let (view, missed) = (snapshot.view(), snapshot.missed(Seq(0)));
    let positions = audience::positions(state, watching).unwrap();
    let line = audience::listed::listed(state, 0);
    let all = (view, missed, positions, line);
    serde_json::to_string(&all).unwrap()
}

#[test]
fn spectators_are_some_plies_behind_until_the_end() {
    for delay in 1..=4 {
        let delays = SpectatorDelay::Plies(delay);
        for plies in 0..=OPENING.len() {
            let state = played(Some(delays), &OPENING[..plies]);
            let later = DelayedState::of(&state, Millis(i64::MAX / 2))
                .unwrap()
                .unwrap();
            let known = plies.saturating_sub(delay as usize);
            assert_eq!(later.shown().ply(), Ply(known as u32), "{plies} - {delay}");
            assert_eq!(later.due_at(), None);
        }
    }
    let mut state = played(Some(SpectatorDelay::Plies(4)), &OPENING);
    happens(&mut state, resigned(), at(7));
    let later = DelayedState::of(&state, at(7)).unwrap().unwrap();
    assert_eq!(later.shown().log, state.log);
    assert!(
        DelayedState::of(&played(None, &OPENING), at(7))
            .unwrap()
            .is_none()
    );
}

#[test]
fn spectators_are_some_minutes_behind_and_what_is_due_comes_by_itself() {
    let state = played(Some(SpectatorDelay::Minutes(1)), &OPENING);
    let minute = Millis(60_000);
    let mut later = DelayedState::of(&state, at(6)).unwrap().unwrap();
    assert_eq!(
        (later.shown().ply(), later.due_at()),
        (Ply(0), Some(at(1) + minute))
    );
    assert_eq!(later.release(at(1) + minute - Millis(1)), Ok(false));
    assert_eq!(later.release(at(2) + minute), Ok(true));
    assert_eq!(later.release(at(2) + minute), Ok(true));
    assert_eq!(later.release(at(2) + minute), Ok(false));
    assert_eq!(
        (later.shown().ply(), later.due_at()),
        (Ply(2), Some(at(3) + minute))
    );
    let whole = DelayedState::of(&state, at(6) + minute).unwrap().unwrap();
    assert_eq!((whole.shown().ply(), whole.due_at()), (Ply(6), None));
}

#[test]
fn what_is_shown_step_by_step_is_what_is_shown_after_a_restart() {
    for delay in [SpectatorDelay::Plies(2), SpectatorDelay::Minutes(1)] {
        let mut state = played(Some(delay), &[]);
        let mut later = DelayedState::of(&state, Millis(0)).unwrap().unwrap();
        let mut bodies: Vec<_> = OPENING
            .iter()
            .zip(1..)
            .map(|(text, ply)| moved(ply, text))
            .collect();
        bodies.insert(3, Body::DrawOffered { seat: Seat::First });
        bodies.push(resigned());
        for (body, step) in bodies.into_iter().zip(1..) {
            // Half a minute between any two, so that some are due while others are not.
            let now = Millis(step * 30_000);
            happens(&mut state, body, now);
            later.happened(state.log.last().unwrap().clone());
            while later.release(now).unwrap() {}
            let again = DelayedState::of(&state, now).unwrap().unwrap();
            assert_eq!(later.shown().log, again.shown().log);
            assert_eq!(given(later.shown(), now), given(again.shown(), now));
        }
        assert_eq!(later.shown().log, state.log);
    }
}

/// Twins: games that differ in what is not released alone.
#[test]
fn games_that_differ_in_what_is_held_back_look_the_same_to_spectators() {
    let ways: [&[&str]; 5] = [
        &[],
        &["g3g4"],
        &["g3g4", "a7a6"],
        &["g3f3", "c7d7"],
        &["e3d3", "g5g6"],
    ];
    let common = &OPENING[..4];
    let now = at(20);
    for delay in [SpectatorDelay::Minutes(1), SpectatorDelay::Plies(2)] {
        let mut seen = std::collections::BTreeMap::<usize, String>::new();
        for way in ways {
            let mut moves = common.to_vec();
            moves.extend_from_slice(way);
            let state = played(Some(delay), &moves);
            let later = DelayedState::of(&state, now).unwrap().unwrap();
            let shown = given(later.shown(), now);
            // By plies, games of one length are twins; by minutes, nothing of any of them is released.
            let twins = match delay {
                SpectatorDelay::Plies(_) => moves.len(),
                SpectatorDelay::Minutes(_) => 0,
            };
            let first = seen.entry(twins).or_insert_with(|| shown.clone());
            assert_eq!(*first, shown, "{delay:?} {way:?}");
            assert_ne!(given(&state, now), shown, "something is held back");
        }
    }
}
