//! Coming back: from every number of a game's events, for every viewer, and to rooms that have closed in the meantime.

use qiguan_protocol::{
    answer::Answer,
    event::{EventFrame, GameEvent, HoldReason},
    ids::{Cursor, Seq},
    names::Seat,
};
use qiguan_tests::{
    Client, Frame, Program, Seats, Setup, Start, http::Http, record, waiting::eventually,
};
use serde_json::json;

/// More than may wait for a client, and than its connection once held.
const LONG: usize = 600_000;

#[tokio::test(flavor = "multi_thread")]
async fn f1_a_game_longer_than_all_that_may_wait_for_a_client_is_seen_whole() {
    let program = Program::start().await;
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    seats
        .first
        .does(game, "chat", json!({"text": "hm"}))
        .await
        .unwrap();
    let stopped = program.kill().await;
    // As long as thousands of moves would make it.
    let long = "m".repeat(LONG);
    record::damage(&stopped.database(), game, "hm", &long).await;
    let program = stopped.restart().await;
    let mut player = seats.second.again(program.address()).await;
    for _ in 0..3 {
        let view = player.snapshot(game).await;
        assert_eq!(view.chat[0].text, long);
    }
    // The connection is as good as before.
    player.does(game, "resign", json!({})).await.unwrap();
}

/// A game with events of most kinds, and what each viewer saw of them as they happened.
async fn eventful(program: &Program) -> (Seats, Client, [Vec<EventFrame>; 3]) {
    let mut seats = Seats::begin(program).await;
    let game = seats.game;
    let mut spectator = Client::spectator(program.address()).await;
    let since = spectator.snapshot(game).await.cursor.seq;
    let start = seats.first.cursors[&game].seq;
    assert_eq!(since, start);
    seats.first.plays(game, 1, "a3a4").await.unwrap();
    seats
        .second
        .does(game, "chat", json!({"text": "hm"}))
        .await
        .unwrap();
    let Answer::Done { seq, .. } = seats
        .second
        .does(game, "offer_draw", json!({}))
        .await
        .unwrap()
    else {
        panic!("not done")
    };
    seats
        .first
        .does(game, "decline_draw", json!({"offer": seq}))
        .await
        .unwrap();
    seats.second.plays(game, 2, "g7g6").await.unwrap();
    seats
        .first
        .does(game, "chat", json!({"text": "I have to go"}))
        .await
        .unwrap();
    seats.first.does(game, "resign", json!({})).await.unwrap();
    seats.second.does(game, "rematch", json!({})).await.unwrap();
    let mut seen = [Vec::new(), Vec::new(), Vec::new()];
    let Seats { first, second, .. } = &mut seats;
    for (client, seen) in [first, second, &mut spectator].into_iter().zip(&mut seen) {
        while !matches!(
            seen.last(),
            Some(EventFrame {
                event: GameEvent::RematchOffered { .. },
                ..
            })
        ) {
            seen.push(client.event(game).await);
        }
    }
    (seats, spectator, seen)
}

#[tokio::test(flavor = "multi_thread")]
async fn b13_resuming_from_every_number_brings_exactly_what_was_seen_live() {
    let program = Start::default().for_machines().start().await;
    let (seats, spectator, seen) = eventful(&program).await;
    let Seats {
        game,
        first,
        second,
    } = seats;
    for (mut client, seen) in [first, second, spectator].into_iter().zip(seen) {
        let end = client.cursors[&game];
        let without_position = |event: &EventFrame| EventFrame {
            position: None,
            ..event.clone()
        };
        for (number, from) in (seen[0].seq.0 - 1..=end.seq.0).enumerate() {
            client.cursors.insert(
                game,
                Cursor {
                    seq: Seq(from),
                    ..end
                },
            );
            let Answer::Missed {
                events,
                cursor,
                live,
                ..
            } = client.watches(game).await
            else {
                panic!("no events from {from}")
            };
            let expected: Vec<_> = seen[number..].iter().map(without_position).collect();
            assert_eq!((events, cursor), (expected, end), "from {from}");
            assert_eq!(live.position.ply.0, 2);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn watching_again_and_again_doubles_nothing() {
    let program = Start::default().for_machines().start().await;
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    for _ in 0..20 {
        seats.second.watches(game).await;
    }
    // The harness refuses a number that comes twice.
    seats.play(1, &["a3a4", "g7g6"]).await;
    seats.second.asks("unwatch", json!({"game": game})).await;
    let away = seats
        .first
        .presence_where(game, |presence| !presence.players.second.connected)
        .await;
    assert!(away.players.second.claim_at.is_some());
    seats.first.plays(game, 3, "g1g2").await.unwrap();
    seats.second.asks("ping", json!({})).await;
    let Answer::Missed { events, .. } = seats.second.watches(game).await else {
        panic!("no events")
    };
    assert_eq!(
        events.len(),
        1,
        "what happened without a watch is brought up by the next"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clocks_wait_for_both_at_the_start_and_moves_until_then_are_free() {
    let program = Program::start().await;
    let mut first = Client::guest(program.address()).await;
    let opening = Setup::default().create(qiguan_tests::client::command_id());
    let Answer::Created { game } = first.asks("create_game", opening).await else {
        panic!("not created")
    };
    first.watches(game).await;
    // The second player joins from a program that does not watch.
    let second = Http::guest(&program).await;
    assert_eq!(second.does(game, "join", json!({})).await.status, 200);
    first.plays(game, 1, "a3a4").await.unwrap();
    assert_eq!(
        second
            .does(game, "move", json!({"ply": 2, "move": "g7g6"}))
            .await
            .status,
        200
    );
    let view = first.snapshot(game).await;
    let held = view.clocks.held.unwrap();
    assert_eq!(held.reason, HoldReason::Start);
    assert!(held.until > view.server_time);
    assert!(
        view.moves.iter().all(|played| played.spent_ms.0 == 0),
        "moves are free while the clocks stand"
    );
    assert_eq!(view.clocks.left.unwrap().first.ms.0, 300_000);

    let mut comes = Client::connect(program.address()).await;
    comes.asks("hello", json!({"token": second.token})).await;
    let view = comes.snapshot(game).await;
    assert_eq!(view.you, Some(Seat::Second));
    let released = comes
        .event_where(game, |event| {
            matches!(event, GameEvent::ClocksReleased { .. })
        })
        .await;
    let GameEvent::ClocksReleased { clocks } = released.event else {
        unreachable!()
    };
    assert_eq!(clocks.running, Some(Seat::First));
}

#[tokio::test(flavor = "multi_thread")]
async fn spectators_are_counted_and_told_of_at_most_once_a_second() {
    let program = Start::default().for_machines().start().await;
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    let before = seats.first.server_time().await;
    let mut crowd = Vec::new();
    for _ in 0..30 {
        let mut spectator = Client::spectator(program.address()).await;
        spectator.watches(game).await;
        crowd.push(spectator);
    }
    let mut told = 0;
    loop {
        if let Frame::Notice(notice) = seats.first.next().await.unwrap()
            && let qiguan_protocol::event::GameNoticeKind::Presence { presence } = notice.notice
        {
            told += 1;
            if presence.spectators == 30 {
                break;
            }
        }
    }
    let took = seats.first.server_time().await - before;
    assert!(told <= 2 + took.0 / 1_000, "told {told} times in {took} ms");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_room_that_nobody_needs_closes_and_opens_again_for_the_next_knock() {
    let program = Start::default()
        .with("--room-idle-ms", 1_000)
        // Without it a room waits for a while whether a player at a slow game notices their turn.
        .with("--push", false)
        .start()
        .await;
    let setup = Setup::default().time_control(json!({"clock": {"type": "none"}}));
    let mut seats = Seats::begin_with(&program, &setup).await;
    let game = seats.game;
    seats.play(1, &["a3a4"]).await;
    seats.first.asks("unwatch", json!({"game": game})).await;
    seats.second.asks("unwatch", json!({"game": game})).await;
    eventually("the room to close", async || {
        // A client that does not read does not answer pings either, and is closed.
        for client in seats.both() {
            client.asks("ping", json!({})).await;
        }
        let open = program.metric("qiguan_rooms_open").await;
        open.iter().all(|rooms| *rooms == 0).then_some(())
    })
    .await;
    // A player who had been there all the time moves without having watched again.
    seats.second.plays(game, 2, "g7g6").await.unwrap();
    seats.first.watches(game).await;
    assert_eq!(seats.first.snapshot(game).await.moves.len(), 2);
}
