//! What the server does by itself (flags, holds, new games) has to happen even if the first attempt goes wrong, and without
//! anybody's knocking.

use qiguan_protocol::{
    answer::Answer,
    error::ErrorCode,
    event::{GameEvent, HoldReason},
    ids::Millis,
    names::{EndReason, Seat, Status},
};
use qiguan_tests::{
    Client, Program, Seats, Setup, Start,
    client::command_id,
    game::fischer,
    on_every_database, record,
    waiting::{eventually, in_time},
};
use serde_json::json;

on_every_database! {
    a7_ready_tells_when_the_record_can_not_be_written_and_when_it_can_again,
    a7_what_is_stored_already_is_not_called_not_stored_while_nothing_can_be_written,
}

#[tokio::test(flavor = "multi_thread")]
async fn a6_a_flag_falls_by_itself_even_if_its_first_write_fails() {
    let program = Start::default()
        .faults("append/clock=error@1")
        .start()
        .await;
    let mut seats =
        Seats::begin_with(&program, &Setup::default().time_control(fischer(1_000, 0))).await;
    let game = seats.game;
    // Nobody says a word until it is over.
    let ended = seats
        .first
        .event_where(game, |event| matches!(event, GameEvent::Ended { .. }));
    let ended = in_time("the flag", ended).await;
    let GameEvent::Ended { outcome, .. } = ended.event else {
        unreachable!()
    };
    assert_eq!(
        (outcome.winner, outcome.reason),
        (Some(Seat::Second), EndReason::Timeout)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a6_clocks_are_released_by_themselves_even_if_the_first_write_fails() {
    let program = Start::default()
        .faults("append/release=error@1")
        .start()
        .await;
    // Sitting down waits for the release.
    let sitting = Seats::begin(&program);
    let mut seats = in_time("the clocks", sitting).await;
    seats.play(1, &["a3a4", "g7g6"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a6_every_kind_of_command_that_is_not_stored_can_be_sent_again() {
    for (kind, extra) in [
        ("resign", json!({})),
        ("offer_draw", json!({})),
        ("chat", json!({"text": "hello"})),
        ("abort", json!({})),
    ] {
        let program = Start::default()
            .faults(format!("append/{kind}=error@1"))
            .start()
            .await;
        let mut seats = Seats::begin(&program).await;
        let (game, command) = (seats.game, command_id());
        let refused = seats
            .first
            .does_as(game, kind, extra.clone(), command)
            .await
            .err()
            .unwrap();
        assert_eq!(refused.code, ErrorCode::NotStored, "{kind}");
        let stored = record::events(&program.database(), game).await;
        assert!(
            stored.iter().all(|event| event.command != Some(command.0)),
            "{kind}: nothing has happened"
        );
        let again = seats
            .first
            .does_as(game, kind, extra.clone(), command)
            .await;
        let again = again.unwrap_or_else(|error| panic!("{kind}: {error}"));
        assert!(
            seats.first.does_as(game, kind, extra, command).await == Ok(again),
            "{kind}"
        );
    }
    for kind in ["create_game", "join"] {
        let program = Start::default()
            .faults(format!("append/{kind}=error@1"))
            .start()
            .await;
        let mut first = Client::guest(program.address()).await;
        let creation = Setup::default().create(command_id());
        if kind == "create_game" {
            assert_eq!(
                first
                    .request(kind, creation.clone())
                    .await
                    .err()
                    .unwrap()
                    .code,
                ErrorCode::NotStored
            );
        }
        let Answer::Created { game } = first.asks("create_game", creation).await else {
            panic!("not created")
        };
        let mut second = Client::guest(program.address()).await;
        let command = command_id();
        if kind == "join" {
            let refused = second
                .does_as(game, kind, json!({}), command)
                .await
                .err()
                .unwrap();
            assert_eq!(refused.code, ErrorCode::NotStored);
            assert_eq!(second.looks(&program, game).await.status, Status::Open);
        }
        assert!(
            second
                .does_as(game, "join", json!({}), command)
                .await
                .is_ok(),
            "{kind}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a15_a_panic_at_every_point_of_a_move_leaves_it_played_once_or_not_at_all() {
    for (point, stored) in [
        ("after_check", false),
        ("apply", true),
        ("before_answer", true),
        ("before_publish", true),
    ] {
        let program = Start::default()
            .faults(format!("{point}/move=panic@1"))
            .start()
            .await;
        let mut seats = Seats::begin(&program).await;
        let (game, command) = (seats.game, command_id());
        // The answer may have gone out before.
        let answered = seats.first.plays_as(game, 1, "a3a4", command).await;
        if let Err(error) = &answered {
            assert_eq!(error.code, ErrorCode::Internal, "{point}");
        }
        let moves = record::moves(&record::events(&program.database(), game).await);
        assert_eq!(moves.len(), usize::from(stored), "{point}");
        let again = seats
            .first
            .plays_as(game, 1, "a3a4", command)
            .await
            .unwrap_or_else(|error| panic!("{point}: {error}"));
        if let Ok(seq) = answered {
            assert_eq!(seq, again, "{point}");
        }
        // Both see it once: the harness refuses a number that is missing or doubled.
        for client in seats.both() {
            client
                .event_where(game, |event| matches!(event, GameEvent::Moved { .. }))
                .await;
        }
        seats.play(2, &["g7g6"]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a15_a_panic_of_the_clock_does_not_stop_it() {
    let program = Start::default().faults("apply/clock=panic@1").start().await;
    let mut seats =
        Seats::begin_with(&program, &Setup::default().time_control(fischer(1_000, 0))).await;
    let game = seats.game;
    let ended = seats
        .second
        .event_where(game, |event| matches!(event, GameEvent::Ended { .. }));
    in_time("the flag", ended).await;
    assert_eq!(
        seats
            .first
            .looks(&program, game)
            .await
            .outcome
            .unwrap()
            .reason,
        EndReason::Timeout
    );
    let ends = record::events(&program.database(), game).await;
    assert_eq!(
        ends.iter()
            .filter(|event| event.body["t"] == "ended")
            .count(),
        1
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rematch_that_nobody_comes_to_begins_without_them() {
    // Half a minute is a second here; clients get as long to answer as otherwise.
    let start = Start::default().with("--clock-speed", 30);
    let program = start.with("--ping-ms", 300_000).start().await;
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    seats.first.does(game, "resign", json!({})).await.unwrap();
    let next = seats.rematch().await;
    seats.first.leaves().await;
    seats.second.leaves().await;
    // Looked for in the record, since asking the server would open the room.
    eventually("the clocks to run", async || {
        let events = record::events(&program.database(), next).await;
        let released = |event: &record::Stored| event.body["t"] == "clocks_released";
        events.iter().any(released).then_some(())
    })
    .await;
}

async fn a7_ready_tells_when_the_record_can_not_be_written_and_when_it_can_again(
    on: fn() -> Start,
) {
    let program = on().start().await;
    let holder = record::Holder::holds(&program.database()).await;
    eventually("the server not to be ready", async || {
        (program.get("/api/ready").await.0 == 503).then_some(())
    })
    .await;
    assert_eq!(
        program.get("/api/health").await.0,
        200,
        "it is alive all the same"
    );
    holder.lets_go().await;
    eventually("the server to be ready", async || {
        (program.get("/api/ready").await.0 == 200).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn b7_an_outage_in_the_middle_of_a_turn_charges_what_was_used_before_it_and_no_more() {
    let program = Program::start().await;
    let mut seats =
        Seats::begin_with(&program, &Setup::default().time_control(fischer(60_000, 0))).await;
    let game = seats.game;
    seats.play(1, &["a3a4"]).await;
    let turn = seats.first.looks(&program, game).await.clocks;
    eventually("the server to note that it is alive", async || {
        let noted = record::alive_at(&program.database()).await;
        (noted >= turn.at + Millis(2_500)).then_some(())
    })
    .await;
    let stopped = program.kill().await;
    let used = record::alive_at(&stopped.database()).await - turn.at;
    let program = stopped.restart().await;
    let mut first = seats
        .first
        .try_resume(program.address(), game)
        .await
        .unwrap();
    let view = first.snapshot(game).await;
    assert_eq!(view.clocks.held.unwrap().reason, HoldReason::Restart);
    let left = view.clocks.left.unwrap().second.ms.0;
    // Used is the time until the server has last noted that it is alive, however late a busy machine lets it do so.
    let expected = turn.left.unwrap().second.ms - used;
    assert!(
        (left - expected.0).abs() <= 1_000,
        "{left} ms are left, and not {expected}, after {used}"
    );
}

async fn a7_what_is_stored_already_is_not_called_not_stored_while_nothing_can_be_written(
    on: fn() -> Start,
) {
    let program = on().start().await;
    let mut seats = Seats::begin(&program).await;
    let (game, command) = (seats.game, command_id());
    let seq = seats
        .first
        .plays_as(game, 1, "a3a4", command)
        .await
        .unwrap();
    let holder = record::Holder::holds(&program.database()).await;
    let refused = seats.second.plays(game, 2, "g7g6").await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::NotStored);
    // The first player's answer was lost, say; the move is in the record all the same.
    assert_eq!(
        seats.first.plays_as(game, 1, "a3a4", command).await,
        Ok(seq)
    );
    holder.lets_go().await;
}
