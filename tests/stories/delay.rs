//! Games that spectators see later than the players: nothing that is held back gets out by any way.

use qiguan_protocol::{
    answer::Answer,
    error::ErrorCode,
    event::GameEvent,
    ids::{GameId, Ply},
    live::LiveGames,
    lobby::{Lobby, SeekState},
    view::{GameView, Positions},
};
use qiguan_tests::{
    Client, Program, Seats, Setup,
    client::command_id,
    http::Http,
    lobby::{seek_data, state},
    waiting::eventually,
};
use serde_json::{Value, json};

const MOVES: [&str; 6] = ["a3a4", "g7g6", "a4a5", "g6g5", "g3g4", "a7a6"];

/// Two guests at a game with a delay.
async fn delayed(program: &Program, delay: Value) -> Seats {
    let setup = Setup {
        spectator_delay: delay,
        ..Setup::default()
    };
    Seats::begin_with(program, &setup).await
}

/// The number of plies each way of looking shows to somebody without a seat.
async fn known(program: &Program, game: GameId) -> Vec<Ply> {
    let http = Http::nobody(program);
    let of_game = async |what: &str| http.get(&format!("/api/games/{game}{what}")).await;
    let view: GameView = of_game("").await.parsed();
    let snapshot = Client::spectator(program.address())
        .await
        .snapshot(game)
        .await;
    let positions: Positions = of_game("/positions").await.parsed();
    let fens = of_game("/fens").await.text.lines().count() as u32 - 1;
    let events = of_game("/events")
        .await
        .text
        .matches("\"type\":\"moved\"")
        .count() as u32;
    let mut stream = http
        .streams(&format!("/api/games/{game}/stream"), &[])
        .await;
    let streamed = stream.message().await["view"]["position"]["ply"].clone();
    vec![
        view.position.ply,
        Ply(view.moves.len() as u32),
        snapshot.position.ply,
        positions.positions.last().unwrap().ply,
        Ply(fens),
        Ply(events),
        serde_json::from_value(streamed).unwrap(),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn spectators_are_some_plies_behind_by_every_way_until_the_game_is_over() {
    let program = Program::start().await;
    let mut seats = delayed(&program, json!({"plies": 3})).await;
    let game = seats.game;
    let mut spectator = Client::spectator(program.address()).await;
    let view = spectator.snapshot(game).await;
    assert_eq!(json!(view.spectator_delay), json!({"plies": 3}));
    seats.play(1, &MOVES).await;
    assert_eq!(known(&program, game).await, [Ply(3); 7]);
    let listed = eventually("the live list", async || {
        let live: LiveGames = Http::nobody(&program).get("/api/live").await.parsed();
        live.games.into_iter().find(|listed| listed.game == game)
    });
    assert!(listed.await.ply <= Ply(3));
    let moved = |ply: u32| move |event: &GameEvent| matches!(event, GameEvent::Moved { ply: moved, .. } if moved.0 == ply);
    let third = spectator.event_where(game, moved(3)).await;
    assert_eq!(third.position.unwrap().ply, Ply(3));
    for hidden in &MOVES[3..] {
        assert!(
            !spectator.received.concat().contains(hidden),
            "{hidden} is held back"
        );
    }
    // The players see all of it.
    assert_eq!(seats.first.snapshot(game).await.position.ply, Ply(6));
    // After a crash as before.
    let [first, second] = [&seats.first, &seats.second];
    let (first, second) = (first.token.clone(), second.token.clone());
    let program = program.kill().await.restart().await;
    assert_eq!(known(&program, game).await, [Ply(3); 7]);
    let mut spectator = spectator_at(&program, game).await;
    let mut player = Http::nobody(&program);
    player.token = first.or(second);
    assert_eq!(player.does(game, "resign", json!({})).await.status, 200);
    for ply in 4..=6 {
        spectator.event_where(game, moved(ply)).await;
    }
    let ended = |event: &GameEvent| matches!(event, GameEvent::Ended { .. });
    spectator.event_where(game, ended).await;
    assert_eq!(known(&program, game).await, [Ply(6); 7]);
}

async fn spectator_at(program: &Program, game: GameId) -> Client {
    let mut spectator = Client::spectator(program.address()).await;
    spectator.watches(game).await;
    spectator
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delay_by_minutes_holds_everything_back_and_a_rematch_has_the_same() {
    let program = Program::start().await;
    let mut seats = delayed(&program, json!({"minutes": 60})).await;
    let game = seats.game;
    seats.play(1, &MOVES[..2]).await;
    assert_eq!(known(&program, game).await, [Ply(0); 7]);
    seats.first.does(game, "resign", json!({})).await.unwrap();
    assert_eq!(known(&program, game).await, [Ply(2); 7]);
    // What is downloaded tells of it.
    let http = Http::nobody(&program);
    let text = http.get(&format!("/api/games/{game}/text")).await.text;
    assert!(text.contains("[SpectatorDelay \"60 minutes\"]"), "{text}");
    let lines = http.get("/api/games/export/ndjson").await.json();
    assert_eq!(lines["spectator_delay"], json!({"minutes": 60}));
    seats.first.does(game, "rematch", json!({})).await.unwrap();
    seats.second.does(game, "rematch", json!({})).await.unwrap();
    let next = seats.second.snapshot(game).await.next.unwrap();
    let view = seats.second.snapshot(next).await;
    assert_eq!(json!(view.spectator_delay), json!({"minutes": 60}));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seek_shows_its_delay_and_the_game_that_comes_of_it_has_it() {
    let program = Program::start().await;
    let anna = Http::guest(&program).await;
    let mut bert = Client::guest(program.address()).await;
    bert.enters().await;
    let mut asked = seek_data(command_id());
    asked["spectator_delay"] = json!({"plies": 16});
    let refused = anna.post("/api/lobby/seeks", Some(&asked)).await;
    assert_eq!(refused.refusal(), (400, ErrorCode::BadValue));
    assert_eq!(
        refused.error().field.as_deref(),
        Some("spectator_delay.plies")
    );
    asked["spectator_delay"] = json!({"plies": 3});
    let placed = anna.post("/api/lobby/seeks", Some(&asked)).await;
    let (seek, _) = state(Ok(placed.parsed())).unwrap();
    let shown = bert.sees_seek(seek).await;
    assert_eq!(json!(shown.spectator_delay), json!({"plies": 3}));
    let lobby: Lobby = anna.get("/api/lobby").await.parsed();
    assert_eq!(lobby.own_seeks, [shown]);

    let game = bert.accepts(seek, command_id()).await.unwrap();
    let view = bert.snapshot(game).await;
    assert_eq!(json!(view.spectator_delay), json!({"plies": 3}));
    for (ply, mv) in MOVES[..2].iter().enumerate() {
        let data = json!({"ply": ply + 1, "move": mv});
        match ply {
            0 => assert_eq!(anna.does(game, "move", data).await.status, 200),
            _ => drop(bert.does(game, "move", data).await.unwrap()),
        }
    }
    assert_eq!(known(&program, game).await, [Ply(0); 7]);
    // A command that comes again has to ask for the same, even when only the record still knows it.
    let program = program.kill().await.restart().await;
    let mut again = Http::nobody(&program);
    again.token.clone_from(&anna.token);
    let same = again.post("/api/lobby/seeks", Some(&asked)).await;
    assert_eq!(
        state(Ok(same.parsed())).unwrap().1,
        SeekState::Paired { game }
    );
    asked["spectator_delay"] = json!({"plies": 2});
    let other = again.post("/api/lobby/seeks", Some(&asked)).await;
    assert_eq!(other.refusal(), (409, ErrorCode::Conflict));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_has_a_delay_over_the_socket_too() {
    let program = Program::start().await;
    let bert = Http::registered(&program, "Bert").await;
    let mut bert = bert.socket(&program).await;
    let anna = Http::registered(&program, "Anna").await;
    let mut anna = anna.socket(&program).await;
    let mut asked = Setup::default().create(command_id());
    asked["to"] = json!("Bert");
    asked["spectator_delay"] = json!({"minutes": 5});
    let Answer::Created { game } = anna.asks("create_game", asked).await else {
        panic!("not opened")
    };
    let view = bert.snapshot(game).await;
    assert_eq!(json!(view.spectator_delay), json!({"minutes": 5}));
    bert.does(game, "join", json!({})).await.unwrap();
    bert.does(game, "abort", json!({})).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delay_is_checked_and_belongs_to_what_a_command_asks_for() {
    let program = Program::start().await;
    let http = Http::guest(&program).await;
    let mut opening = Setup::default().create(command_id());
    for (delay, code, field) in [
        (
            json!({"plies": 16}),
            ErrorCode::BadValue,
            "spectator_delay.plies",
        ),
        (
            json!({"minutes": 61}),
            ErrorCode::BadValue,
            "spectator_delay.minutes",
        ),
        (
            json!({"hours": 1}),
            ErrorCode::BadRequest,
            "spectator_delay",
        ),
    ] {
        opening["spectator_delay"] = delay;
        let refused = http.post("/api/games", Some(&opening)).await;
        assert_eq!(refused.refusal(), (400, code));
        let at = refused.error().field.unwrap_or_default();
        assert!(at.starts_with(field), "{at}");
    }
    opening["spectator_delay"] = json!({"plies": 0});
    let opened = http.post("/api/games", Some(&opening)).await;
    assert_eq!(opened.status, 201);
    let game = opened.json()["game"].as_str().unwrap().to_owned();
    let view: GameView = http.get(&format!("/api/games/{game}")).await.parsed();
    assert_eq!(view.spectator_delay, None, "nothing is no delay");
    opening["spectator_delay"] = json!({"plies": 1});
    let refused = http.post("/api/games", Some(&opening)).await;
    assert_eq!(refused.refusal(), (409, ErrorCode::Conflict));
}
