//! A requested restart: everybody is notified, nothing is lost, and games go on.

use std::collections::BTreeSet;

use qiguan_protocol::{
    error::ErrorCode,
    event::{GameEvent, HoldReason, ServerNoticeKind},
    ids::Millis,
    limits::close,
};
use qiguan_tests::{
    Client, Frame, Program, Seats, Setup, Start,
    client::command_id,
    game::fischer,
    on_every_database,
    record::{self, Database, Stored},
    waiting::eventually,
};
use serde_json::json;

on_every_database! {
    b17_sigterm_announces_finishes_closes_1012_and_games_go_on_uncharged,
    b17_sigterm_and_then_sigkill_loses_nothing_acknowledged,
    b18_a_server_killed_while_it_holds_clocks_holds_the_rest_for_the_whole_time,
    b18_clocks_are_held_and_flags_fall_in_games_that_nobody_opens,
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
        if let Ok(Frame::Server(ServerNoticeKind::Restarting { retry_in_ms, .. })) =
            idle.next().await
        {
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

const HOUR: Millis = Millis(3_600_000);

/// What was noted in a game because the server was away.
async fn holds(database: &Database, game: qiguan_protocol::ids::GameId) -> Vec<Stored> {
    let events = record::events(database, game).await.into_iter();
    events
        .filter(|event| event.body["reason"] == "restart")
        .collect()
}

async fn b18_a_server_killed_while_it_holds_clocks_holds_the_rest_for_the_whole_time(
    on: fn() -> Start,
) {
    const TABLES: usize = 12;
    let on = || on().for_machines();
    let program = on().start().await;
    let setup = Setup::default().time_control(fischer(600_000, 0));
    let mut tables = Vec::new();
    for _ in 0..TABLES {
        let mut seats = Seats::begin_with(&program, &setup).await;
        seats.play(1, &["a3a4"]).await;
        tables.push(seats);
    }
    let stopped = program.kill().await;
    let first_end = record::alive_at(&stopped.database()).await;

    // An hour later a server starts, notes that it is alive, and dies when it has held some games and not others.
    let later = on()
        .with("--clock-offset-ms", HOUR)
        .faults("before_commit/hold=abort@9");
    let stopped = stopped.restart_as(later).await.dies().await;
    let second_end = record::alive_at(&stopped.database()).await;
    assert!(second_end - first_end > HOUR - Millis(60_000));
    let mut held = BTreeSet::new();
    for (place, table) in tables.iter().enumerate() {
        if !holds(&stopped.database(), table.game).await.is_empty() {
            held.insert(place);
        }
    }
    assert!((1..TABLES).contains(&held.len()), "{held:?}");

    // Another hour later nobody has been charged for either of them.
    let later = on().with("--clock-offset-ms", Millis(2 * HOUR.0));
    let program = stopped.restart_as(later).await;
    for (place, table) in tables.into_iter().enumerate() {
        let Seats {
            game,
            first,
            second,
        } = table;
        let mut first = first.try_resume(program.address(), game).await.unwrap();
        let view = first.snapshot(game).await;
        assert_eq!(view.clocks.held.unwrap().reason, HoldReason::Restart);
        let left = view.clocks.left.unwrap().second.ms;
        assert!(left > Millis(500_000), "{left} left at table {place}");
        let mut second = second.try_resume(program.address(), game).await.unwrap();
        first
            .event_where(game, |event| {
                matches!(event, GameEvent::ClocksReleased { .. })
            })
            .await;
        second.plays(game, 2, "g7g6").await.unwrap();
        let times = holds(&program.database(), game).await.len();
        assert_eq!(times, if held.contains(&place) { 2 } else { 1 });
    }
    let is_known = "the clocks of all running games have been held";
    eventually("all clocks to be held", async || {
        program.log().contains(is_known).then_some(())
    })
    .await;
    assert_eq!(record::is_sound(&program.database()).await, TABLES as u64);
}

async fn b18_clocks_are_held_and_flags_fall_in_games_that_nobody_opens(on: fn() -> Start) {
    let program = on().for_machines().start().await;
    let short = Setup::default().time_control(fischer(15_000, 0));
    let mut ends = Seats::begin_with(&program, &short).await;
    ends.play(1, &["a3a4"]).await;
    let long = Setup::default().time_control(fischer(300_000, 0));
    let mut goes_on = Seats::begin_with(&program, &long).await;
    goes_on.play(1, &["a3a4"]).await;
    let stopped = program.kill().await;
    let start = on().for_machines().with("--restart-grace-ms", 100);
    let program = stopped.restart_as(start).await;
    let last_of = async |game| {
        let events = record::events(&program.database(), game).await;
        events.last().map(|last| last.body["t"].clone())
    };
    eventually("the clocks to run again", async || {
        (last_of(goes_on.game).await? == "clocks_released").then_some(())
    })
    .await;
    // Its clock runs, and is not far from its end; nobody needs the room before that.
    eventually("the rooms to close", async || {
        let (_, metrics) = program.get("/metrics").await;
        metrics.contains("qiguan_rooms_open 0").then_some(())
    })
    .await;
    eventually("the flag to fall", async || {
        (last_of(ends.game).await? == "ended").then_some(())
    })
    .await;
    for game in [ends.game, goes_on.game] {
        assert_eq!(holds(&program.database(), game).await.len(), 1);
    }
    record::is_sound(&program.database()).await;
}
