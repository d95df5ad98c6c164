//! Tabs, outages, cursors, crossing commands: whatever the network does, nobody misses an event and both see the same.

use std::sync::Arc;

use qiguan_protocol::{
    answer::Answer,
    error::ErrorCode,
    event::{GameEvent, HoldReason},
    ids::{Cursor, Epoch, Seq},
    names::EndReason,
};
use qiguan_tests::{
    Client, Program, Seats, Setup, Start,
    client::command_id,
    game::{command_data, done, fischer},
    proxy::Proxy,
    record,
};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn b1_two_tabs_of_one_player_stay_in_step_and_move_once() {
    let program = Program::start().await;
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    let mut tab = seats.first.again(program.address()).await;
    let view = tab.snapshot(game).await;
    assert_eq!(view.you, Some(qiguan_protocol::names::Seat::First));
    assert!(view.position.legal.is_some(), "both tabs may move");

    // Both move at once: one is played, the other is stale and learns where the game is.
    let one = seats
        .first
        .sends(
            "move",
            command_data(game, command_id(), json!({"ply": 1, "move": "a3a4"})),
        )
        .await;
    let two = tab
        .sends(
            "move",
            command_data(game, command_id(), json!({"ply": 1, "move": "g1g2"})),
        )
        .await;
    let answers = [
        done(seats.first.answer(one).await),
        done(tab.answer(two).await),
    ];
    let refused: Vec<_> = answers
        .iter()
        .filter_map(|answer| answer.as_ref().err())
        .collect();
    assert_eq!(refused.len(), 1, "one of them is played");
    assert_eq!(refused[0].code, ErrorCode::Stale);
    assert_eq!(refused[0].current.unwrap().ply.0, 1);
    for client in [&mut seats.first, &mut tab, &mut seats.second] {
        client
            .event_where(game, |event| matches!(event, GameEvent::Moved { .. }))
            .await;
    }
    assert_eq!(
        record::moves(&record::events(&program.database(), game).await).len(),
        1
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn b7_b8_an_outage_of_an_hour_and_a_jumping_wall_clock_cost_nobody_time() {
    for offset in [3_600_000_i64, -3_600_000] {
        let program = Program::start().await;
        let mut seats = Seats::begin_with(
            &program,
            &Setup::default().time_control(fischer(600_000, 0)),
        )
        .await;
        let game = seats.game;
        seats.play(1, &["a3a4"]).await;
        let program = program
            .kill()
            .await
            .restart_as(Start::default().with("--clock-offset-ms", offset))
            .await;
        // The clocks stand until both are back, and both see why.
        let mut first = seats
            .first
            .try_resume(program.address(), game)
            .await
            .unwrap();
        let view = first.snapshot(game).await;
        assert_eq!(view.clocks.held.unwrap().reason, HoldReason::Restart);
        assert_eq!(view.clocks.running, None);
        let mut second = seats
            .second
            .try_resume(program.address(), game)
            .await
            .unwrap();
        first
            .event_where(game, |event| {
                matches!(event, GameEvent::ClocksReleased { .. })
            })
            .await;
        second.plays(game, 2, "g7g6").await.unwrap();
        let left = first.looks(&program, game).await.clocks.left.unwrap();
        for (seat, left) in [("first", left.first.ms), ("second", left.second.ms)] {
            assert!(
                left.0 > 500_000 && left.0 <= 600_000,
                "{seat} has {left} ms left after an offset of {offset}"
            );
        }
        record::is_sound(&program.database()).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn b9_a_connection_that_falls_silent_is_found_and_the_opponent_told() {
    let program = Start::default().with("--ping-ms", 2_000).start().await;
    let proxy = Proxy::before(program.address()).await;
    let absence = json!({"clock": {"type": "fischer", "initial_ms": 600_000, "increment_ms": 0}, "absence_ms": 60_000});
    let second = Client::guest(proxy.address()).await;
    let first = Client::guest(program.address()).await;
    let mut seats = Seats::sit(first, second, &Setup::default().time_control(absence)).await;
    let game = seats.game;
    proxy.swallows_everything();
    let waiting = seats
        .first
        .presence_where(game, |presence| !presence.players.second.connected);
    let presence = waiting.await;
    let now = seats.first.server_time().await;
    let claim_at = presence
        .players
        .second
        .claim_at
        .expect("how long the opponent is waited for is told");
    assert!((claim_at - now).0 > 50_000, "and counts from now");
}

#[tokio::test(flavor = "multi_thread")]
async fn b12_a_cursor_that_can_not_be_served_gets_a_snapshot_marked_as_such() {
    let program = Program::start().await;
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    seats.play(1, &["a3a4", "g7g6"]).await;
    let cursor = seats.first.cursors[&game];
    let far = Cursor {
        seq: Seq(cursor.seq.0 + 1_000),
        ..cursor
    };
    let foreign = Cursor {
        epoch: Epoch(cursor.epoch.0 ^ 1),
        ..cursor
    };
    for (since, what) in [(far, "from the future"), (foreign, "of another record")] {
        let answer = seats
            .first
            .asks("watch", json!({"game": game, "since": since}))
            .await;
        let Answer::Snapshot { reset, view } = answer else {
            panic!("{what}: no snapshot")
        };
        assert!(reset, "{what}");
        assert_eq!((view.cursor, view.moves.len()), (cursor, 2), "{what}");
    }
    let negative = json!({"game": game, "since": {"epoch": cursor.epoch, "seq": -1}});
    assert_eq!(
        seats
            .first
            .request("watch", negative)
            .await
            .err()
            .unwrap()
            .code,
        ErrorCode::BadRequest
    );
    let Answer::Missed { events, .. } = seats.first.watches(game).await else {
        panic!("up to date is no snapshot")
    };
    assert!(events.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn b13_a_snapshot_and_the_events_after_it_have_no_gap_and_no_overlap() {
    let program = Start::default().for_machines().start().await;
    let setup = Setup {
        options: json!({"quiet_limit": 0, "repetition_limit": 100}),
        ..Setup::default()
    };
    let mut seats = Seats::begin_with(&program, &setup).await;
    let game = seats.game;
    let mut spectator = Client::spectator(program.address()).await;
    let subscriber = tokio::spawn(async move {
        let mut watched = 0;
        loop {
            let view = spectator.snapshot(game).await;
            if watched == 12 || view.outcome.is_some() || view.moves.len() >= 380 {
                return watched;
            }
            // The harness checks that the first live event has the number after the snapshot's.
            for _ in 0..3 {
                spectator.event(game).await;
            }
            spectator.asks("unwatch", json!({"game": game})).await;
            watched += 1;
        }
    });
    let back_and_forth = ["a3a4", "a7a6", "a4a3", "a6a7"];
    // As long as the spectator needs, and not so long that a position is there too often.
    for ply in 1..=392 {
        seats
            .plays(ply, back_and_forth[(ply as usize - 1) % 4])
            .await
            .unwrap();
        if subscriber.is_finished() {
            break;
        }
    }
    assert!(subscriber.await.unwrap() >= 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn b14_whatever_crosses_there_is_one_end_and_both_see_it() {
    let program = Arc::new(Program::start().await);
    let kinds = ["resign", "offer_draw", "move", "abort"];
    let mut pairs = Vec::new();
    for one in kinds {
        for two in kinds {
            let program = Arc::clone(&program);
            pairs.push(tokio::spawn(
                async move { crossing(&program, one, two).await },
            ));
        }
    }
    for pair in pairs {
        pair.await.unwrap();
    }
}

/// Both players send at once; the third thing is that the first player offers a draw before.
async fn crossing(program: &Program, one: &str, two: &str) {
    let mut seats = Seats::begin(program).await;
    let game = seats.game;
    seats.play(1, &["a3a4"]).await;
    let offer = done(seats.first.does(game, "offer_draw", json!({})).await).unwrap();
    let extra = |kind: &str| {
        if kind == "move" {
            json!({"ply": 2, "move": "g7g6"})
        } else {
            json!({})
        }
    };
    let first = seats
        .first
        .sends(one, command_data(game, command_id(), extra(one)))
        .await;
    let second = seats
        .second
        .sends(two, command_data(game, command_id(), extra(two)))
        .await;
    let _ = (
        seats.first.answer(first).await,
        seats.second.answer(second).await,
    );
    // The offer is void after the opponent's move, and whatever ended the game came first.
    let accepted = seats
        .second
        .does(game, "accept_draw", json!({"offer": offer}))
        .await
        .is_ok();
    let events = record::events(&program.database(), game).await;
    let ends = events
        .iter()
        .filter(|event| event.body["t"] == "ended")
        .count();
    let moved = record::moves(&events).len() == 2;
    assert!(ends <= 1, "{one} and {two}: {ends} ends");
    assert!(
        !(accepted && moved),
        "{one} and {two}: an offer was accepted after the move that voided it"
    );
    let [mine, theirs] = [
        seats.first.looks(program, game).await,
        seats.second.looks(program, game).await,
    ];
    assert_eq!(
        (mine.outcome, mine.moves),
        (theirs.outcome, theirs.moves),
        "{one} and {two}"
    );
    assert_eq!(mine.outcome.is_some(), ends == 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rematch_changes_the_seats_and_both_are_led_to_it() {
    let program = Program::start().await;
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    assert_eq!(
        seats.first.is_refused(game, "rematch", json!({})).await,
        ErrorCode::GameRunning
    );
    seats.first.does(game, "resign", json!({})).await.unwrap();
    seats.first.does(game, "rematch", json!({})).await.unwrap();
    assert_eq!(
        seats.first.is_refused(game, "rematch", json!({})).await,
        ErrorCode::OfferOpen
    );
    seats.second.does(game, "rematch", json!({})).await.unwrap();
    let next = seats.agreed().await;
    let view = seats.first.snapshot(next).await;
    assert_eq!(view.you, Some(qiguan_protocol::names::Seat::Second));
    seats.second.watches(next).await;
    seats.second.plays(next, 1, "a3a4").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_absent_opponent_can_be_claimed_against_after_the_time_told() {
    let program = Program::start().await;
    let absence = json!({"clock": {"type": "none"}, "absence_ms": 5_000});
    let seats = Seats::begin_with(&program, &Setup::default().time_control(absence)).await;
    let Seats {
        game,
        mut first,
        second,
    } = seats;
    assert_eq!(
        first.is_refused(game, "claim_victory", json!({})).await,
        ErrorCode::TooEarly
    );
    second.leaves().await;
    let presence = first
        .presence_where(game, |presence| !presence.players.second.connected)
        .await;
    assert_eq!(
        first.is_refused(game, "claim_victory", json!({})).await,
        ErrorCode::TooEarly
    );
    first
        .waits_until(presence.players.second.claim_at.unwrap())
        .await;
    first.does(game, "claim_victory", json!({})).await.unwrap();
    let outcome = first.looks(&program, game).await.outcome.unwrap();
    assert_eq!(outcome.reason, EndReason::Abandonment);
    assert_eq!(outcome.winner, Some(qiguan_protocol::names::Seat::First));
}
