//! A requested restart: everybody is notified, nothing is lost, and games go on.

use qiguan_protocol::{
    error::ErrorCode,
    event::{GameEvent, HoldReason, ServerNoticeKind},
    limits::close,
};
use qiguan_tests::{
    Client, Frame, Program, Seats, Setup, Start, client::command_id, on_every_database, record,
    waiting::eventually,
};
use serde_json::json;

on_every_database! {
    b17_sigterm_announces_finishes_closes_1012_and_games_go_on_uncharged,
    b17_sigterm_and_then_sigkill_loses_nothing_acknowledged,
}

async fn b17_sigterm_announces_finishes_closes_1012_and_games_go_on_uncharged(on: fn() -> Start) {
    let program = on().for_machines().start().await;
    let mut tables = Vec::new();
    for _ in 0..5 {
        let mut seats = Seats::begin(&program).await;
        seats.play(1, &["a3a4"]).await;
        tables.push(seats);
    }
    let mut idle = Client::spectator(program.address()).await;
    program.terminate().await;

    // Clients are notified, with a time to come back that is not the same for all.
    let told = loop {
        if let Ok(Frame::Server(ServerNoticeKind::Restarting { retry_in_ms })) = idle.next().await {
            break retry_in_ms;
        }
    };
    assert!((0..=5_000).contains(&told.0));
    let refused = idle
        .try_request("create_game", Setup::default().create(command_id()))
        .await;
    if let Ok(Err(error)) = refused {
        assert!(matches!(
            error.code,
            ErrorCode::Unauthenticated | ErrorCode::Restarting
        ));
    }
    let closed = idle.end().await;
    assert_eq!(closed.code, Some(close::RESTART));
    assert!(closed.reason.contains("retry_in_ms="), "{}", closed.reason);
    for seats in &mut tables {
        for client in seats.both() {
            assert_eq!(client.end().await.code, Some(close::RESTART));
        }
    }
    let program = program.ends().await.restart().await;

    for Seats {
        game,
        first,
        second,
    } in tables
    {
        let mut first = first.try_resume(program.address(), game).await.unwrap();
        let view = first.snapshot(game).await;
        assert_eq!(view.clocks.held.unwrap().reason, HoldReason::Restart);
        let mut second = second.try_resume(program.address(), game).await.unwrap();
        first
            .event_where(game, |event| {
                matches!(event, GameEvent::ClocksReleased { .. })
            })
            .await;
        second.plays(game, 2, "g7g6").await.unwrap();
        assert_eq!(
            record::moves(&record::events(&program.database(), game).await),
            ["a3a4", "g7g6"]
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn b17_sigterm_on_one_core_announces_finishes_and_games_go_on() {
    b17_sigterm_announces_finishes_closes_1012_and_games_go_on_uncharged(Start::on_one_core).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn b17_while_it_ends_the_server_is_not_ready_and_takes_no_sockets() {
    let program = Start::default().for_machines().start().await;
    assert_eq!(program.get("/api/ready").await.0, 200);
    let address = program.address().to_owned();
    program.terminate().await;
    // Either the server says so, or it has gone already.
    eventually("the server not to be ready", async || {
        let ready = reqwest::get(format!("http://{address}/api/ready")).await;
        ready.map_or(Some(()), |response| {
            (response.status() == 503).then_some(())
        })
    })
    .await;
    assert!(Client::try_connect(&address, &[]).await.is_err());
    program.ends().await;
}

async fn b17_sigterm_and_then_sigkill_loses_nothing_acknowledged(on: fn() -> Start) {
    let program = on().for_machines().start().await;
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    seats.play(1, &["a3a4", "g7g6"]).await;
    program.terminate().await;
    let moved = seats.first.try_request(
        "move",
        json!({"game": game, "command": command_id(), "ply": 3, "move": "g1g2"}),
    );
    let acknowledged = matches!(moved.await, Ok(Ok(_)));
    let stopped = program.kill().await;
    let moves = record::moves(&record::events(&stopped.database(), game).await);
    assert!(moves.len() >= if acknowledged { 3 } else { 2 });
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clocks_run_again_by_themselves_when_a_player_stays_away_after_a_restart() {
    let program = Program::start().await;
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    seats.play(1, &["a3a4"]).await;
    let stopped = program.kill().await;
    let program = stopped
        .restart_as(Start::default().with("--restart-grace-ms", 700))
        .await;
    let resumed = seats.first.try_resume(program.address(), game).await;
    let first = resumed.expect("one player is back");
    // They may run already when the player is back.
    let running = eventually("the clocks to run", async || {
        let clocks = first.looks(&program, game).await.clocks;
        clocks.held.is_none().then_some(clocks.running)
    });
    let second = qiguan_protocol::names::Seat::Second;
    assert_eq!(running.await, Some(second));
}
