//! Records that the referee has let happen pass; each change of one is found where it was made.

use qiguan_protocol::{event::HoldReason, ids::Ply, time_control::Clock};
use qiguan_rules::{EndReason, Outcome, Seat};
use uuid::Uuid;

use super::*;
use crate::{
    clock::Delay,
    referee::{self, Caller, Command},
    testing::{GAME, RULESETS, Table, fischer, player},
};

#[test]
fn whole_games_that_the_referee_has_let_happen_pass() {
    let mut reasons = std::collections::BTreeSet::new();
    for ruleset in RULESETS {
        for seed in 0..4 {
            let mut table = Table::open(GAME, ruleset, fischer(), seed);
            table.plays(3_000);
            if table.state.status != Status::Ended {
                table.does(1, &Command::OfferDraw);
                table.does(2, &Command::OfferDraw);
            }
            let (first, second) = (1, 2);
            let text = "好棋".to_owned();
            table.does(first, &Command::Chat { text });
            let next = GameId(Uuid::from_u128(8));
            table.does(second, &Command::Rematch { next });
            table.does(first, &Command::Rematch { next });
            let audited = validate(GAME, table.events());
            let audited = audited.unwrap_or_else(|error| panic!("{ruleset} {seed}: {error}"));
            assert_eq!(audited.summary(), table.state.summary());
            reasons.extend(audited.ended.map(|(outcome, _)| outcome.reason.as_str()));
        }
    }
    assert!(reasons.len() > 2, "{reasons:?}");
}

#[test]
fn every_way_to_end_a_game_passes() {
    let short = Clock::Fischer {
        initial_ms: Millis(5_000),
        increment_ms: Millis(0),
    };
    for (plies, command) in [
        (1, Command::Abort),
        (4, Command::Resign),
        (4, Command::ClaimVictory),
    ] {
        for ruleset in ["xiangqi/standard", "luzhanqi/referee"] {
            let mut table = Table::open(GAME, ruleset, short, 1);
            table.plays(plies);
            table.does(2, &command);
            assert_eq!(table.state.status, Status::Ended);
            validate(GAME, table.events()).unwrap();
        }
    }
    // A challenge that is declined has been ended by nobody at the board.
    let mut declined = Table::open(GAME, "xiangqi/standard", short, 1).events();
    declined.truncate(1);
    created(&mut declined).invited = Some(player(3));
    let opened = State::open(GAME, declined[0].clone()).unwrap();
    let caller = Caller {
        player: player(3),
        received: declined[0].at,
        delay: Delay::default(),
        opponent_away_since: None,
        draw: None,
        current_setups: None,
        shadow_muted: false,
    };
    let decided = referee::decide(&opened, &Command::Decline, &caller, declined[0].at).unwrap();
    declined.extend(referee::number(
        Seq(1),
        declined[0].at,
        None,
        decided.bodies,
    ));
    validate(GAME, declined).unwrap();
    let mut table = Table::open(GAME, "doushouqi/booklet", short, 1);
    table.plays(4);
    // The server was away; then the flag falls.
    table.now = table.now + Millis(900);
    let until = table.now + Millis(30_000);
    let held = referee::hold(&table.state, HoldReason::Restart, table.now, until);
    table.happen(vec![held]);
    validate(GAME, table.events()).unwrap();
    table.happen(vec![Body::ClocksReleased]);
    table.now = table.now + Millis(60_000);
    let bodies = referee::flag(&table.state, table.now, Delay::default()).unwrap();
    table.happen(bodies);
    validate(GAME, table.events()).unwrap();
    assert_eq!(
        table.state.ended.unwrap().0.reason,
        EndReason::Timeout,
        "by the flag"
    );
}

#[test]
fn a_move_while_the_clocks_stand_is_in_time_although_all_time_was_used_before() {
    let short = Clock::Fischer {
        initial_ms: Millis(5_000),
        increment_ms: Millis(0),
    };
    let mut table = Table::open(GAME, "doushouqi/booklet", short, 1);
    table.plays(4);
    // The flag has not fallen yet: a move may be on its way for as long as a message takes. Then the server stops.
    let turn = table.state.game.turn();
    let late = Delay {
        round_trip: Millis(400),
        ..Delay::default()
    };
    table.now = table.state.clock.falls_at(turn, late).unwrap() - Millis(1);
    assert!(referee::flag(&table.state, table.now, late).is_none());
    assert!(referee::flag(&table.state, table.now, Delay::default()).is_some());
    let until = table.now + Millis(30_000);
    let held = referee::hold(&table.state, HoldReason::Restart, table.now, until);
    table.happen(vec![held]);
    table.plays(5);
    validate(GAME, table.events()).unwrap();
    // The clock of the other player runs again: who thinks for too long then is too late.
    table.happen(vec![Body::ClocksReleased]);
    table.plays(6);
    let mut late = table.events();
    let last = late.last_mut().unwrap();
    last.at = last.at + Millis(60_000);
    spend(last, 60_000, 0);
    assert!(validate(GAME, late).is_err());
}

#[test]
fn games_from_a_position_pass_and_one_from_another_text_of_it_does_not() {
    for (ruleset, moves) in [
        ("xiangqi/standard", vec!["h3e3"]),
        ("doushouqi/booklet", vec!["a3a4", "a7a6"]),
    ] {
        let mut table = Table::from_position(GAME, ruleset, &moves, 1);
        assert_eq!(table.state.game.fen(), table.state.beginning().fen());
        table.plays(20);
        table.does(1, &Command::Resign);
        let events = table.events();
        let state = validate(GAME, events.clone()).unwrap();
        assert_eq!(state.beginning().fen(), table.state.beginning().fen());
        // The rematch begins there too, with the seats changed.
        let players = table.state.players.clone();
        let bodies = referee::rematch_opening(&table.state, players, None, table.now).unwrap();
        let Body::Created(again) = &bodies[0] else {
            panic!("{bodies:?}")
        };
        assert_eq!(again.start, table.state.created.start);
        let of_second = table.state.players.second.as_ref().unwrap();
        assert_eq!((again.seat, again.player.id), (Seat::First, of_second.id));

        let usual = qiguan_rules::Game::start(&table.state.ruleset).fen();
        let start = table.state.created.start.clone().unwrap();
        for wrong in [usual, start.replace(" 0 1", " 3 9"), "nonsense".to_owned()] {
            let mut changed = events.clone();
            created(&mut changed).start = Some(wrong.clone());
            assert_eq!(validate(GAME, changed).unwrap_err().seq, Seq(1), "{wrong}");
        }
        let mut rated = events;
        created(&mut rated).rated = true;
        assert_eq!(validate(GAME, rated).unwrap_err().seq, Seq(1));
    }
}

mod length;

type Change = fn(&mut Vec<Event>);

/// Changes a record, and renumbers it so that the change alone is to be found.
fn changed(events: &[Event], change: Change) -> Result<State, InvalidEvent> {
    let mut events = events.to_vec();
    change(&mut events);
    validate(GAME, events)
}

fn renumber(events: &mut [Event]) {
    for (event, seq) in events.iter_mut().zip(1..) {
        event.seq = Seq(seq);
    }
}

fn created(events: &mut [Event]) -> &mut Created {
    match &mut events[0].body {
        Body::Created(created) => created,
        _ => panic!("a record begins with created"),
    }
}

fn spend(event: &mut Event, by: i64, credit: i64) {
    match &mut event.body {
        Body::Moved { spent, lag, .. } => {
            spent.0 += by;
            lag.0 += credit;
        }
        Body::Ended { spent, .. } => spent.0 += by,
        _ => panic!("{:?} costs nothing", event.body),
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn each_change_of_a_record_is_found_at_its_event() {
    let mut table = Table::open(GAME, "xiangqi/standard", fischer(), 5);
    table.plays(6);
    table.does(1, &Command::OfferDraw);
    table.does(2, &Command::Resign);
    let events = table.events();
    // 1 created, 2 joined, 3 started, 4 the first move, 5 released, 6 to 10 moves, 11 the offer, 12 the end.
    assert_eq!(events.len(), 12);
    validate(GAME, events.clone()).unwrap();
    let changes: [(u32, &str, Change); 22] = [
        (1, "no events", |events| events.clear()),
        (2, "begins with created", |events| {
            events.remove(0);
        }),
        (6, "missing or doubled", |events| {
            events.remove(4);
        }),
        (7, "missing or doubled", |events| {
            let again = events[6].clone();
            events.insert(6, again);
        }),
        (1, "unknown rule set", |events| {
            created(events).ruleset = "go/stones".to_owned()
        }),
        (1, "time control", |events| {
            created(events).time_control.clock = Clock::Byoyomi {
                main_ms: Millis(0),
                period_ms: Millis(0),
                periods: 1,
            };
        }),
        (1, "time to set up", |events| {
            created(events).time_control.setup_ms = Some(Millis(60_000));
        }),
        (1, "name", |events| {
            created(events).player.name = "x".repeat(101)
        }),
        (4, "invalid time", |events| events[3].at = Millis(i64::MAX)),
        (2, "both seats", |events| {
            events[1].body = Body::Joined {
                seat: Seat::Second,
                player: player(1),
            };
        }),
        (4, "nobody can join", |events| {
            events[3].body = Body::Joined {
                seat: Seat::Second,
                player: player(3),
            };
        }),
        (6, "out of turn", |events| {
            if let Body::Moved { ply, .. } = &mut events[5].body {
                *ply = Ply(3);
            }
        }),
        (6, "illegal", |events| {
            if let Body::Moved { mv, .. } = &mut events[5].body {
                *mv = "a1a9".parse().unwrap();
            }
        }),
        (4, "more time than there was", |events| {
            spend(&mut events[3], 1, 0)
        }),
        (7, "more time than there was", |events| {
            spend(&mut events[6], 1_000, 0);
        }),
        (7, "more time than there was", |events| {
            spend(&mut events[6], 0, 100);
        }),
        (7, "caused others", |events| {
            events[6].command = events[1].command;
        }),
        (11, "nothing is being set up", |events| {
            events[10].body = Body::SetupExtended { until: Millis(5) };
        }),
        (12, "can't end this way", |events| {
            if let Body::Ended { outcome, .. } = &mut events[11].body {
                outcome.winner = Some(Seat::Second);
            }
        }),
        (12, "can't end this way", |events| {
            if let Body::Ended { outcome, .. } = &mut events[11].body {
                outcome.reason = EndReason::Checkmate;
            }
        }),
        (12, "more time was used", |events| {
            spend(&mut events[11], 100_000, 0)
        }),
        (13, "nobody can move", |events| {
            let mut late = events[9].clone();
            late.command = None;
            events.push(late);
            renumber(events);
        }),
    ];
    for (seq, what, change) in changes {
        let found = changed(&events, change).expect_err(what);
        assert!(
            found.what.contains(what),
            "{what:?} is wanted, but: {found}"
        );
        assert_eq!(found.seq, Seq(seq), "{found}");
    }
}

#[test]
fn an_end_by_the_rules_belongs_to_the_move_and_shows_the_setups() {
    let mut table = Table::open(GAME, "luzhanqi/showdown", fischer(), 3);
    table.plays(100_000);
    let whole = table.events();
    let [.., moved, ended, revealed] = &whole[..] else {
        panic!("a whole game")
    };
    assert!(matches!(moved.body, Body::Moved { .. }));
    assert!(matches!(revealed.body, Body::Revealed));
    validate(GAME, whole.clone()).unwrap();
    for (cut, what) in [(1, "not shown"), (2, "but the record does not end it")] {
        let found = validate(GAME, whole[..whole.len() - cut].to_vec()).unwrap_err();
        assert!(found.what.contains(what), "{found}");
    }
    let other = |body: Body| {
        let mut events = whole[..whole.len() - 2].to_vec();
        events.push(Event {
            body,
            ..ended.clone()
        });
        events.push(revealed.clone());
        validate(GAME, events).unwrap_err()
    };
    let resigned = Body::Ended {
        outcome: Outcome {
            winner: Some(Seat::First),
            reason: EndReason::Resignation,
        },
        spent: Millis(0),
        by: Some(Seat::Second),
    };
    assert!(other(resigned).what.contains("can't end this way"));
    let text = "good game".to_owned();
    let goes_on = Body::Chat {
        seat: Seat::First,
        text,
        shadow_muted: false,
    };
    assert!(other(goes_on).what.contains("the record goes on"));
}

#[test]
fn a_setup_that_was_exchanged_is_found_by_what_its_pieces_did() {
    let mut table = Table::open(GAME, "luzhanqi/referee", fischer(), 11);
    table.plays(100_000);
    let mut events = table.events();
    let other = table.draw().setups;
    let started = events
        .iter_mut()
        .find(|event| matches!(event.body, Body::Started { .. }));
    if let Some(Body::Started { setups, .. }) = started.map(|event| &mut event.body) {
        *setups = Some(Box::new(other));
    }
    validate(GAME, events).unwrap_err();
}

#[test]
fn a_chat_line_may_have_been_cleared_but_not_grown() {
    let mut table = Table::open(GAME, "doushouqi/booklet", Clock::None, 1);
    let text = "hello".to_owned();
    table.does(1, &Command::Chat { text });
    let mut events = table.events();
    for (length, passes) in [(0, true), (300, true), (301, false)] {
        events.last_mut().unwrap().body = Body::Chat {
            seat: Seat::First,
            text: "好".repeat(length),
            shadow_muted: false,
        };
        assert_eq!(validate(GAME, events.clone()).is_ok(), passes, "{length}");
    }
}
