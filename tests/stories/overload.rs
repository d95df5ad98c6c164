//! Those who take too much or send too much are cut off; nobody else waits for them.

use qiguan_protocol::{
    answer::Answer,
    error::ErrorCode,
    event::GameEvent,
    limits::{self, close},
};
use qiguan_tests::{
    Client, Program, Seats, Setup, Start,
    client::{Closed, command_id},
    game::command_data,
    raw::{Raw, resident_kib},
    waiting::{eventually, in_time},
};
use serde_json::json;

/// Spectators who never read.
const STALLED: u32 = 12;

#[tokio::test(flavor = "multi_thread")]
async fn f1_spectators_who_never_read_are_closed_and_hold_up_nobody() {
    let program = Start::default().for_machines().start().await;
    let for_ever = Setup {
        options: json!({"quiet_limit": 0, "repetition_limit": 100}),
        ..Setup::default()
    };
    let mut seats = Seats::begin_with(&program, &for_ever).await;
    let game = seats.game;
    let mut stalled = Vec::new();
    for _ in 0..STALLED {
        let mut raw = Raw::connect_narrowly(program.address())
            .await
            .upgrade(program.address())
            .await;
        raw.sends_frame(0x81, br#"{"id":1,"type":"hello"}"#).await;
        let watch = format!(r#"{{"id":2,"type":"watch","data":{{"game":"{game}"}}}}"#);
        raw.sends_frame(0x81, watch.as_bytes()).await;
        stalled.push(raw);
    }
    seats
        .first
        .presence_where(game, |presence| presence.spectators == STALLED)
        .await;
    let before = resident_kib(program.pid());
    // Snapshots of a growing game fill what the system buffers for them, then their outboxes.
    let walk = ["a3a4", "g7g6", "a4a3", "g6g7"];
    for ply in 1..=40 {
        seats
            .plays(ply, walk[(ply as usize - 1) % 4])
            .await
            .unwrap();
    }
    for raw in &mut stalled {
        for _ in 0..800 {
            let watch = format!(r#"{{"id":3,"type":"watch","data":{{"game":"{game}"}}}}"#);
            raw.sends_frame(0x81, watch.as_bytes()).await;
        }
    }
    let playing = async {
        for ply in 41..=80 {
            seats
                .plays(ply, walk[(ply as usize - 1) % 4])
                .await
                .unwrap();
        }
    };
    in_time("the players, who do not wait for anybody", playing).await;
    // The notice of it may have come among those of the moves.
    eventually("those who never read to be closed", async || {
        let view = seats.first.looks(&program, game).await;
        (view.presence.spectators == 0).then_some(())
    })
    .await;
    let grown = resident_kib(program.pid()).saturating_sub(before);
    assert!(
        grown < u64::from(STALLED) * 600,
        "{STALLED} that never read cost {grown} KiB"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn f2_a_player_who_never_reads_is_closed_the_clock_runs_and_play_resumes() {
    let program = Start::default().for_machines().start().await;
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    // The second player's client hangs: it asks and asks and reads nothing.
    for _ in 0..4_000 {
        seats.second.sends("watch", json!({"game": game})).await;
    }
    seats
        .first
        .presence_where(game, |presence| !presence.players.second.connected)
        .await;
    seats.first.plays(game, 1, "a3a4").await.unwrap();
    let closed = seats.second.end().await;
    assert!(
        matches!(
            closed,
            Closed {
                code: Some(close::SLOW) | None,
                ..
            }
        ),
        "{closed:?}"
    );
    let mut back = seats
        .second
        .try_resume(program.address(), game)
        .await
        .unwrap();
    let view = back.snapshot(game).await;
    assert_eq!(view.moves.len(), 1);
    assert_eq!(
        view.clocks.running,
        Some(qiguan_protocol::names::Seat::Second),
        "the clock ran on"
    );
    back.plays(game, 2, "g7g6").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn f5_a_flood_of_chat_has_a_budget_of_its_own() {
    let program = Program::start().await;
    let mut seats = Seats::begin(&program).await;
    let mut spectator = Client::spectator(program.address()).await;
    let game = seats.game;
    spectator.watches(game).await;
    let began = seats.second.server_time().await;
    let mut heard = 0;
    for number in 0..20 {
        match seats
            .first
            .does(game, "chat", json!({"text": format!("line {number}")}))
            .await
        {
            Ok(_) => heard += 1,
            Err(error) => assert_eq!(error.code, ErrorCode::RateLimited),
        }
    }
    let took = (seats.second.server_time().await - began).0;
    let burst = i64::from(limits::CHAT_BURST);
    let most = burst + 1 + took / i64::from(limits::CHAT_REFILL_MS);
    assert!(
        (burst..=most).contains(&heard),
        "{heard} lines came through in {took} ms"
    );
    seats.first.plays(game, 1, "a3a4").await.unwrap();
    // The opponent hears it, a spectator only knows that something was said.
    let said = seats
        .second
        .event_where(game, |event| matches!(event, GameEvent::Chat { .. }))
        .await;
    let hidden = spectator.event(game).await;
    assert_eq!(
        (hidden.seq, hidden.event),
        (said.seq, GameEvent::Withheld {})
    );
    assert!(
        !spectator
            .received
            .iter()
            .any(|text| text.contains("line 0"))
    );
    for line in [
        "",
        "a\u{202e}b",
        "a\u{301}\u{301}\u{301}\u{301}\u{301}",
        "two\nlines",
    ] {
        let refused = seats
            .second
            .is_refused(game, "chat", json!({"text": line}))
            .await;
        assert_eq!(refused, ErrorCode::BadValue, "{line:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn f6_a_flood_on_one_socket_leaves_other_rooms_alone() {
    let program = Program::start().await;
    let mut seats = Seats::begin(&program).await;
    let Seats {
        game,
        first: mut flood,
        ..
    } = Seats::begin(&program).await;
    let flooding = tokio::spawn(async move {
        for _ in 0..20_000 {
            let data = command_data(game, command_id(), json!({"ply": 9, "move": "a3a4"}));
            flood.sends("move", data).await;
        }
        flood.end().await
    });
    let playing = async {
        for (ply, text) in (1..).zip(["a3a4", "g7g6", "g1g2", "a9a8", "b2b1", "f8f9"]) {
            seats.plays(ply, text).await.unwrap();
        }
    };
    in_time("another game", playing).await;
    let closed = flooding.await.unwrap();
    assert!(
        matches!(closed.code, Some(close::POLICY) | None),
        "{closed:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn f7_draw_offers_are_counted() {
    let program = Start::default().for_machines().start().await;
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    for _ in 0..limits::DRAW_OFFERS {
        let Ok(Answer::Done { seq, .. }) = seats.first.does(game, "offer_draw", json!({})).await
        else {
            panic!()
        };
        assert_eq!(
            seats.first.is_refused(game, "offer_draw", json!({})).await,
            ErrorCode::OfferOpen
        );
        seats
            .second
            .does(game, "decline_draw", json!({"offer": seq}))
            .await
            .ok()
            .unwrap();
    }
    assert_eq!(
        seats.first.is_refused(game, "offer_draw", json!({})).await,
        ErrorCode::LimitReached
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_connections_and_too_many_games_are_refused_and_the_others_go_on() {
    let program = Start::default()
        .with("--max-connections", 3)
        .with("--games-per-player", 2)
        .start()
        .await;
    let mut seats = Seats::begin(&program).await;
    let _third = Client::spectator(program.address()).await;
    assert!(
        Client::try_connect(program.address(), &[]).await.is_err(),
        "a fourth connection"
    );
    seats
        .first
        .asks("create_game", Setup::default().create(command_id()))
        .await;
    let refused = seats
        .first
        .request("create_game", Setup::default().create(command_id()))
        .await
        .err()
        .unwrap();
    assert_eq!(refused.code, ErrorCode::LimitReached);
    seats.play(1, &["a3a4", "g7g6"]).await;
}
