//! A move that is cut off, sent again, too early or too late: it counts once or not at all, and both see the same.

use std::sync::Arc;

use qiguan_protocol::{error::ErrorCode, event::GameEvent, ids::Millis, names::EndReason};
use qiguan_tests::{
    Client, Program, Seats, Setup, Start,
    client::command_id,
    game::{command_data, done, fischer},
    proxy::Proxy,
    random::Random,
    record,
};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn b2_cut_at_every_byte_of_a_move_it_is_played_once() {
    let program = Arc::new(Program::start().await);
    let length = 220;
    let mut cuts = Vec::new();
    for bytes in (0..length).step_by(7) {
        let program = Arc::clone(&program);
        cuts.push(tokio::spawn(
            async move { cut_after(&program, bytes).await },
        ));
    }
    for cut in cuts {
        cut.await.unwrap();
    }
}

async fn cut_after(program: &Program, bytes: u64) {
    let proxy = Proxy::before(program.address()).await;
    let mut seats = Seats::begin(program).await;
    let game = seats.game;
    let mut shaky = seats.first.again(proxy.address()).await;
    shaky.watches(game).await;
    let command = command_id();
    proxy.cuts_after(bytes);
    shaky
        .sends(
            "move",
            command_data(game, command, json!({"ply": 1, "move": "a3a4"})),
        )
        .await;
    // More bytes than the longest cut lets pass, so that every cut happens.
    for _ in 0..4 {
        shaky.sends("ping", json!({})).await;
    }
    shaky.end().await;

    let mut back = shaky.try_resume(program.address(), game).await.unwrap();
    let seq = back.plays_as(game, 1, "a3a4", command).await.unwrap();
    assert_eq!(back.plays_as(game, 1, "a3a4", command).await, Ok(seq));
    seats
        .second
        .event_where(game, |event| matches!(event, GameEvent::Moved { .. }))
        .await;
    assert_eq!(
        record::moves(&record::events(&program.database(), game).await),
        ["a3a4"],
        "cut after {bytes} bytes"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn b3_a_move_sent_five_times_has_one_answer_one_charge_and_one_event() {
    let program = Start::default().for_machines().start().await;
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    let mut random = Random::new(33);
    let mut expected = Vec::new();
    for ply in 1..=20_u32 {
        let client = if ply % 2 == 1 {
            &mut seats.first
        } else {
            &mut seats.second
        };
        let view = client.looks(&program, game).await;
        let mv = random.pick(&view.position.legal.unwrap()).to_string();
        let command = command_id();
        let mut ids = Vec::new();
        for _ in 0..=random.below(5) {
            ids.push(
                client
                    .sends(
                        "move",
                        command_data(game, command, json!({"ply": ply, "move": mv})),
                    )
                    .await,
            );
        }
        let mut answers = Vec::new();
        for id in ids {
            answers.push(done(client.answer(id).await).unwrap());
        }
        answers.dedup();
        assert_eq!(answers.len(), 1, "every repeat gets the first answer");
        expected.push(mv);
        let both = seats.both();
        for client in both {
            // The harness refuses a doubled number, so one event it is.
            client
                .event_where(
                    game,
                    |event| matches!(event, GameEvent::Moved { ply: moved, .. } if moved.0 == ply),
                )
                .await;
        }
        if seats.first.looks(&program, game).await.outcome.is_some() {
            break;
        }
    }
    assert_eq!(
        record::moves(&record::events(&program.database(), game).await),
        expected
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn b4_the_same_id_with_other_content_is_a_conflict() {
    let program = Program::start().await;
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    let command = command_id();
    seats
        .first
        .plays_as(game, 1, "a3a4", command)
        .await
        .unwrap();
    for (kind, extra) in [
        ("move", json!({"ply": 1, "move": "g1g2"})),
        ("move", json!({"ply": 3, "move": "a3a4"})),
        ("resign", json!({})),
        ("chat", json!({"text": "hello"})),
    ] {
        let refused = seats
            .first
            .does_as(game, kind, extra, command)
            .await
            .err()
            .unwrap();
        assert_eq!(refused.code, ErrorCode::Conflict, "{kind}");
    }
    let refused = seats
        .second
        .does_as(game, "move", json!({"ply": 1, "move": "a3a4"}), command)
        .await
        .err()
        .unwrap();
    assert_eq!(refused.code, ErrorCode::Conflict, "somebody else's id");

    let mut creator = Client::guest(program.address()).await;
    let command = command_id();
    creator
        .asks("create_game", Setup::default().create(command))
        .await;
    let other = Setup::default()
        .ruleset("doushouqi/booklet")
        .create(command);
    assert_eq!(
        creator
            .request("create_game", other)
            .await
            .err()
            .unwrap()
            .code,
        ErrorCode::Conflict
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn b5_past_and_future_plies_are_refused_and_never_queued() {
    let program = Program::start().await;
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    seats.play(1, &["a3a4", "g7g6"]).await;
    for (ply, code) in [
        (0, ErrorCode::Stale),
        (1, ErrorCode::Stale),
        (2, ErrorCode::Stale),
        (4, ErrorCode::Ahead),
        (u32::MAX, ErrorCode::Ahead),
    ] {
        let refused = seats.first.plays(game, ply, "g1g2").await.unwrap_err();
        assert_eq!(refused.code, code, "ply {ply}");
        assert_eq!(refused.current.unwrap().ply.0, 2);
    }
    seats.play(3, &["g1g2"]).await;
    assert_eq!(
        record::moves(&record::events(&program.database(), game).await),
        ["a3a4", "g7g6", "g1g2"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn b6_a_move_as_the_flag_falls_has_one_outcome_that_both_see() {
    let program = Arc::new(Start::default().for_machines().start().await);
    let mut games = Vec::new();
    for offset in [-40_i64, -10, -3, -1, 0, 1, 3, 10, 40] {
        let program = Arc::clone(&program);
        games.push(tokio::spawn(async move {
            let mut seats =
                Seats::begin_with(&program, &Setup::default().time_control(fischer(1_000, 0)))
                    .await;
            let game = seats.game;
            let view = seats.first.snapshot(game).await;
            let due = view.clocks.at + view.clocks.left.unwrap().first.ms;
            seats.first.waits_until(due - Millis(60)).await;
            while seats.first.server_time().await < due + Millis(offset) {}
            let played = seats.first.plays(game, 1, "a3a4").await;
            let first = seats.first.looks(&program, game).await;
            let second = seats.second.looks(&program, game).await;
            assert_eq!(
                (&first.moves, first.outcome),
                (&second.moves, second.outcome)
            );
            match played {
                Ok(_) => assert_eq!(first.moves.len(), 1),
                Err(error) => {
                    assert_eq!(error.code, ErrorCode::GameOver);
                    assert!(first.moves.is_empty());
                    assert_eq!(first.outcome.unwrap().reason, EndReason::Timeout);
                }
            }
        }));
    }
    for game in games {
        game.await.unwrap();
    }
}
