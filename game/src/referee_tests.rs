//! The referee as tables: a game, a command, and the result.

use proptest::prelude::*;
use qiguan_protocol::{
    ids::{CommandId, GameId, Millis, PlayerId, Ply, Seq},
    names::{Status, Visibility},
    time_control::{Clock, TimeControl},
};
use qiguan_rules::{EndReason, Seat};
use uuid::Uuid;

use super::{
    clock::Delay,
    event::{Body, Created, Event, Player},
    referee::{self, Caller, Command},
    refusal::Refusal,
    state::State,
};

const START: Millis = Millis(1_000_000);

fn player(number: u128) -> Player {
    Player::named(
        PlayerId(Uuid::from_u128(number)),
        format!("Player {number}"),
    )
}

fn caller(number: u128, received: Millis) -> Caller {
    Caller {
        player: player(number),
        received,
        delay: Delay::default(),
        opponent_away_since: None,
        draw: None,
        current_setups: None,
        shadow_muted: false,
    }
}

fn open_game() -> State {
    let created = Created {
        ruleset: "doushouqi/ancientchess".to_owned(),
        options: Vec::new(),
        time_control: TimeControl {
            clock: Clock::Fischer {
                initial_ms: Millis(60_000),
                increment_ms: Millis(0),
            },
            absence_ms: Some(Millis(30_000)),
            setup_ms: None,
        },
        visibility: Visibility::Public,
        seat: Seat::First,
        player: player(1),
        rated: false,
        invited: None,
        spectator_delay: None,
        start: None,
        practice: false,
        bounded: true,
    };
    let event = Event {
        seq: Seq(1),
        at: START,
        command: None,
        body: Body::Created(Box::new(created)),
    };
    State::open(GameId(Uuid::from_u128(9)), event).unwrap()
}

/// Carries out a command at a time after the start; what happened.
fn does(state: &mut State, who: u128, command: &Command, after: i64) -> Result<Vec<Body>, Refusal> {
    let now = START + Millis(after);
    let decision = referee::decide(state, command, &caller(who, now), now)?;
    happens(state, decision.bodies.clone(), now);
    Ok(decision.bodies)
}

fn happens(state: &mut State, bodies: Vec<Body>, now: Millis) {
    for event in referee::number(state.seq(), now, None, bodies) {
        state.apply(event).unwrap();
    }
}

fn playing() -> State {
    let mut state = open_game();
    does(&mut state, 2, &Command::Join, 0).unwrap();
    happens(&mut state, vec![Body::ClocksReleased], START);
    state
}

fn moves(ply: u32, text: &str) -> Command {
    Command::Move {
        ply: Ply(ply),
        mv: Ok(text.parse().unwrap()),
    }
}

fn ended(state: &State) -> Option<(Option<Seat>, EndReason)> {
    state
        .ended
        .map(|(outcome, _)| (outcome.winner, outcome.reason))
}

#[test]
fn who_sits_where_comes_from_the_record() {
    let mut state = open_game();
    assert_eq!(
        does(&mut state, 1, &Command::Join, 0),
        Err(Refusal::AlreadySeated)
    );
    assert!(does(&mut state, 2, &Command::Join, 0).is_ok());
    assert_eq!(does(&mut state, 3, &Command::Join, 0), Err(Refusal::Gone));
    for command in [
        Command::Resign,
        Command::OfferDraw,
        Command::Abort,
        moves(1, "a3a4"),
    ] {
        assert_eq!(does(&mut state, 3, &command, 0), Err(Refusal::NotAPlayer));
    }
    assert_eq!(state.status, Status::Playing);
}

#[test]
fn before_the_second_player_comes_only_abort_is_possible() {
    for command in [
        Command::Resign,
        Command::OfferDraw,
        Command::ClaimVictory,
        moves(1, "a3a4"),
    ] {
        assert_eq!(
            does(&mut open_game(), 1, &command, 0),
            Err(Refusal::NotStarted)
        );
    }
    let mut state = open_game();
    does(&mut state, 1, &Command::Abort, 0).unwrap();
    assert_eq!(ended(&state), Some((None, EndReason::Aborted)));
}

fn challenge() -> State {
    let state = open_game();
    let Some(Event {
        body: Body::Created(created),
        ..
    }) = state.log.last().cloned()
    else {
        panic!("a record begins with created");
    };
    let created = Created {
        invited: Some(player(2)),
        ..*created
    };
    let event = Event {
        seq: Seq(1),
        at: START,
        command: None,
        body: Body::Created(Box::new(created)),
    };
    State::open(GameId(Uuid::from_u128(9)), event).unwrap()
}

#[test]
fn a_challenge_is_joined_or_declined_by_whom_it_is_meant_for() {
    let refused = |who, command: Command| does(&mut challenge(), who, &command, 0).unwrap_err();
    assert_eq!(refused(3, Command::Join), Refusal::Gone);
    assert_eq!(refused(3, Command::Decline), Refusal::NotAPlayer);
    assert_eq!(refused(1, Command::Decline), Refusal::AlreadySeated);
    assert!(does(&mut challenge(), 2, &Command::Join, 0).is_ok());
    let mut state = challenge();
    does(&mut state, 2, &Command::Decline, 0).unwrap();
    assert_eq!(ended(&state), Some((None, EndReason::Aborted)));
    assert_eq!(state.ended_by, None);
    let again = does(&mut state, 2, &Command::Decline, 0);
    assert_eq!(again, Err(Refusal::GameOver));
    let open = does(&mut open_game(), 2, &Command::Decline, 0);
    assert_eq!(open, Err(Refusal::NotAPlayer));
}

#[test]
fn abort_is_possible_until_both_have_moved() {
    let mut state = playing();
    does(&mut state, 1, &moves(1, "a3a4"), 10).unwrap();
    assert!(does(&mut state.clone(), 2, &Command::Abort, 20).is_ok());
    does(&mut state, 2, &moves(2, "g7g6"), 20).unwrap();
    assert_eq!(
        does(&mut state, 1, &Command::Abort, 30),
        Err(Refusal::TooLate)
    );
}

#[test]
fn a_draw_offer_is_void_after_the_opponents_move_and_not_after_the_own() {
    let mut state = playing();
    does(&mut state, 1, &moves(1, "a3a4"), 10).unwrap();
    does(&mut state, 1, &Command::OfferDraw, 20).unwrap();
    let offer = state.draw_offer.unwrap().seq;
    assert_eq!(
        does(&mut state, 1, &Command::OfferDraw, 20),
        Err(Refusal::OfferOpen)
    );
    assert!(matches!(
        does(&mut state, 1, &Command::AcceptDraw { offer }, 20),
        Err(Refusal::NoSuchOffer { .. })
    ));
    let mut accepted = state.clone();
    does(&mut accepted, 2, &Command::AcceptDraw { offer }, 25).unwrap();
    assert_eq!(ended(&accepted), Some((None, EndReason::Agreement)));
    does(&mut state, 2, &moves(2, "g7g6"), 30).unwrap();
    assert_eq!(state.draw_offer, None);
    assert!(matches!(
        does(&mut state, 2, &Command::AcceptDraw { offer }, 40),
        Err(Refusal::NoSuchOffer { .. })
    ));
    does(&mut state, 1, &Command::OfferDraw, 50).unwrap();
    does(&mut state, 1, &moves(3, "g1g2"), 60).unwrap();
    assert!(
        state.draw_offer.is_some(),
        "the offerer's own move leaves it open"
    );
    does(&mut state, 2, &Command::OfferDraw, 70).unwrap();
    assert_eq!(
        ended(&state),
        Some((None, EndReason::Agreement)),
        "to offer is to accept the open offer"
    );
}

#[test]
fn a_move_that_was_read_after_the_flag_fell_is_refused_whatever_the_queue() {
    for (received, fine) in [(59_999, true), (60_000, false), (60_001, false)] {
        let state = playing();
        let facts = caller(1, START + Millis(received));
        // Decided later than it was read: only the reading counts.
        let decided = referee::decide(&state, &moves(1, "a3a4"), &facts, START + Millis(65_000));
        assert_eq!(decided.is_ok(), fine, "read after {received} ms");
        assert_eq!(
            referee::flag(&state, START + Millis(received), Delay::default()).is_none(),
            fine
        );
    }
}

#[test]
fn absence_is_claimed_only_after_its_time() {
    let state = playing();
    let claim = |away_since: Option<Millis>, now: i64| {
        let facts = Caller {
            opponent_away_since: away_since,
            ..caller(1, START + Millis(now))
        };
        referee::decide(&state, &Command::ClaimVictory, &facts, START + Millis(now))
            .map(|decision| decision.bodies)
    };
    assert_eq!(claim(None, 50_000), Err(Refusal::OpponentIsThere));
    assert_eq!(claim(Some(START), 29_999), Err(Refusal::TooEarly));
    assert!(claim(Some(START), 30_000).is_ok());
}

#[test]
fn a_rematch_takes_two_and_changes_the_seats() {
    let mut state = playing();
    let rematch = |number: u128| Command::Rematch {
        next: GameId(Uuid::from_u128(number)),
    };
    assert_eq!(
        does(&mut state, 1, &rematch(20), 0),
        Err(Refusal::GameRunning)
    );
    does(&mut state, 1, &Command::Resign, 10).unwrap();
    does(&mut state, 1, &rematch(21), 20).unwrap();
    assert_eq!(
        does(&mut state, 1, &rematch(22), 20),
        Err(Refusal::OfferOpen)
    );
    does(&mut state, 2, &rematch(23), 30).unwrap();
    assert_eq!(state.next, Some(GameId(Uuid::from_u128(23))));
    assert_eq!(does(&mut state, 1, &rematch(24), 40), Err(Refusal::Gone));
    let opening = referee::rematch_opening(&state, state.players.clone(), None, START).unwrap();
    let Body::Created(created) = &opening[0] else {
        panic!("a game begins with created")
    };
    assert_eq!(
        (created.player.id, created.seat),
        (player(2).id, Seat::First)
    );
}

#[test]
fn the_record_is_refused_at_the_first_event_that_can_not_follow() {
    let state = playing();
    let event = |seq: u32, body: Body| Event {
        seq: Seq(seq),
        at: START,
        command: None,
        body,
    };
    let moved = |seat, ply, text: &str| Body::Moved {
        seat,
        ply: Ply(ply),
        mv: text.parse().unwrap(),
        spent: Millis(0),
        lag: Millis(0),
    };
    let next = state.seq().0 + 1;
    for (event, what) in [
        (event(next + 1, Body::ClocksReleased), "a gap"),
        (event(next - 1, Body::ClocksReleased), "a repeat"),
        (event(next, moved(Seat::Second, 1, "g7g6")), "out of turn"),
        (event(next, moved(Seat::First, 2, "a3a4")), "a ply too far"),
        (
            event(next, moved(Seat::First, 1, "a3a5")),
            "an illegal move",
        ),
        (
            event(
                next,
                Body::Joined {
                    seat: Seat::Second,
                    player: player(3),
                },
            ),
            "a taken seat",
        ),
    ] {
        assert!(state.clone().apply(event).is_err(), "{what}");
    }
}

/// Any command of any of three people, at any time.
fn anything() -> impl Strategy<Value = (u128, u8, u16, i64)> {
    (1_u128..=3, 0_u8..12, any::<u16>(), 0_i64..4_000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn replay_equals_live_and_there_is_one_end(script in prop::collection::vec(anything(), 1..120)) {
        let mut state = open_game();
        let mut now = START;
        for (who, kind, choice, passed) in script {
            now = now + Millis(passed);
            let legal = state.game.legal_moves();
            let mv = legal.get(usize::from(choice) % legal.len().max(1)).map_or_else(|| "a1a2".parse().unwrap(), |mv| *mv);
            let command = match kind {
                0 => Command::Join,
                1 => Command::OfferDraw,
                2 => Command::AcceptDraw { offer: Seq(u32::from(choice % 40)) },
                3 => Command::DeclineDraw { offer: Seq(u32::from(choice % 40)) },
                4 => Command::Chat { text: "hello".to_owned() },
                5 if choice % 16 == 0 => Command::Resign,
                6 if choice % 16 == 0 => Command::Abort,
                7 => Command::Rematch { next: GameId(Uuid::from_u128(u128::from(choice))) },
                _ => Command::Move { ply: state.ply().next(), mv: Ok(mv) },
            };
            let id = Some(CommandId(Uuid::from_u128(u128::from(state.seq().0))));
            if let Ok(decision) = referee::decide(&state, &command, &caller(who, now), now) {
                for event in referee::number(state.seq(), now, id, decision.bodies) {
                    state.apply(event).unwrap();
                }
            } else if let Some(bodies) = referee::flag(&state, now, Delay::default()) {
                happens(&mut state, bodies, now);
            }
            if state.status == Status::Playing && state.clock.held_until().is_some() {
                happens(&mut state, vec![Body::ClocksReleased], now);
            }
        }
        let again = State::fold(state.id, state.log.iter().cloned()).unwrap();
        prop_assert_eq!(again.game.fen(), state.game.fen());
        prop_assert_eq!(again.clock.view(again.game.turn(), now), state.clock.view(state.game.turn(), now));
        prop_assert_eq!((again.ended, again.draw_offer, again.status), (state.ended, state.draw_offer, state.status));
        let ends = state.log.iter().filter(|event| matches!(event.body, Body::Ended { .. })).count();
        prop_assert!(ends <= 1);
        let after_end = state.log.iter().skip_while(|event| !matches!(event.body, Body::Ended { .. })).skip(1);
        for event in after_end {
            let allowed = matches!(event.body, Body::Chat { .. } | Body::RematchOffered { .. } | Body::RematchAgreed { .. });
            prop_assert!(allowed, "after the end came {:?}", event.body);
        }
    }
}
