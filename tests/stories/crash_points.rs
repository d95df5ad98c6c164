//! Pulling the plug at every named point of every command.

use std::sync::Arc;

use qiguan_protocol::{answer::Answer, ids::GameId};
use qiguan_tests::{
    Client, Program, Seats, Setup, Start,
    client::command_id,
    game::{command_data, done},
    record,
};
use serde_json::{Value, json};

/// The points that every command passes, and whether its events are in the record from there on.
const POINTS: [(&str, bool); 5] = [
    ("after_check", false),
    ("before_commit", false),
    ("after_commit", true),
    ("before_answer", true),
    ("before_publish", true),
];

const COMMANDS: [&str; 12] = [
    "join",
    "move",
    "resign",
    "offer_draw",
    "accept_draw",
    "decline_draw",
    "abort",
    "rematch",
    "rematch@2",
    "claim_victory",
    "chat",
    "create_game",
];

#[tokio::test(flavor = "multi_thread")]
async fn a1_a2_killed_at_every_named_point_of_every_command() {
    killed_at_every_point(Start::default, &COMMANDS).await;
}

/// One of each kind: to a game, to the line of a game, to two games, and a new game.
#[tokio::test(flavor = "multi_thread")]
async fn a1_a2_killed_at_every_named_point_on_postgres() {
    let commands = ["move", "join", "rematch@2", "create_game"];
    killed_at_every_point(Start::on_postgres, &commands).await;
}

async fn killed_at_every_point(on: fn() -> Start, commands: &[&'static str]) {
    let places = Arc::new(tokio::sync::Semaphore::new(6));
    let mut cells = Vec::new();
    for &command in commands {
        for (point, stored) in POINTS {
            if command == "create_game" && point == "before_publish" {
                // A game that is being opened has nobody to publish to.
                continue;
            }
            let places = Arc::clone(&places);
            cells.push(tokio::spawn(async move {
                let _place = places.acquire().await.unwrap();
                if command == "create_game" {
                    opening_cell(on(), point, stored).await;
                } else {
                    cell(on(), command, point, stored).await;
                }
            }));
        }
    }
    for cell in cells {
        cell.await.unwrap();
    }
}

/// A game in which a command can be given, and the command.
struct Scene {
    game: GameId,
    actor: Client,
    other: Client,
    extra: Value,
}

async fn cell(start: Start, command: &str, point: &str, stored: bool) {
    let (kind, pass) = command.split_once('@').unwrap_or((command, "1"));
    let faults = format!("{point}/{kind}=abort@{pass}");
    let program = start
        .with("--restart-grace-ms", 100)
        .faults(faults)
        .start()
        .await;
    let Scene {
        game,
        mut actor,
        other,
        extra,
    } = scene(&program, command).await;
    let id = command_id();
    actor
        .sends(kind, command_data(game, id, extra.clone()))
        .await;
    let dead = program.dies().await;

    let what = format!("{command} at {point}");
    let events = record::events(&dead.database(), game).await;
    let caused = events
        .iter()
        .filter(|event| event.command == Some(id.0))
        .count();
    assert_eq!(caused > 0, stored, "{what}: the record after the crash");

    let program = dead.restart().await;
    let mut actor = actor
        .try_resume(program.address(), game)
        .await
        .expect("the actor resumes");
    let mut other = other
        .try_resume(program.address(), game)
        .await
        .expect("the other resumes");
    let again = actor.does_as(game, kind, extra.clone(), id).await;
    if command == "claim_victory" && !stored {
        // The opponent has come back in the meantime, so there is nothing left to claim.
        assert!(again.is_err(), "{what}");
        return;
    }
    let seq = done(again).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(
        done(actor.does_as(game, kind, extra, id).await),
        Ok(seq),
        "{what}: a third time"
    );
    other.watches(game).await;
    assert!(other.cursors[&game].seq >= seq, "{what}: the other sees it");

    let events = record::events(&program.database(), game).await;
    let caused: Vec<_> = events
        .iter()
        .filter(|event| event.command == Some(id.0))
        .collect();
    let expected = if command == "join" { 2 } else { 1 };
    assert_eq!(caused.len(), expected, "{what}: once in the record");
    assert_eq!(caused.last().unwrap().seq, seq.0, "{what}");
}

async fn scene(program: &Program, command: &str) -> Scene {
    if command == "join" {
        let mut other = Client::guest(program.address()).await;
        let created = other
            .asks("create_game", Setup::default().create(command_id()))
            .await;
        let Answer::Created { game } = created else {
            panic!("not created")
        };
        other.watches(game).await;
        let mut actor = Client::guest(program.address()).await;
        actor.watches(game).await;
        return Scene {
            game,
            actor,
            other,
            extra: json!({}),
        };
    }
    let absence = json!({"clock": {"type": "fischer", "initial_ms": 600_000, "increment_ms": 0}, "absence_ms": 5_000});
    let mut seats = Seats::begin_with(program, &Setup::default().time_control(absence)).await;
    let game = seats.game;
    let mut extra = json!({});
    match command {
        "move" => extra = json!({"ply": 1, "move": "a3a4"}),
        "chat" => extra = json!({"text": "好棋"}),
        "accept_draw" | "decline_draw" => {
            let offer = done(seats.second.does(game, "offer_draw", json!({})).await).unwrap();
            extra = json!({"offer": offer});
        }
        "rematch" => {
            seats.second.does(game, "resign", json!({})).await.unwrap();
        }
        "rematch@2" => {
            seats.first.does(game, "resign", json!({})).await.unwrap();
            seats.second.does(game, "rematch", json!({})).await.unwrap();
        }
        "claim_victory" => {
            let Seats {
                mut first, second, ..
            } = seats;
            let other = second.again(program.address()).await;
            second.leaves().await;
            let away = first
                .presence_where(game, |presence| !presence.players.second.connected)
                .await;
            let claim_at = away
                .players
                .second
                .claim_at
                .expect("absence can be claimed");
            first.waits_until(claim_at).await;
            return Scene {
                game,
                actor: first,
                other,
                extra,
            };
        }
        _ => {}
    }
    let Seats { first, second, .. } = seats;
    Scene {
        game,
        actor: first,
        other: second,
        extra,
    }
}

async fn opening_cell(start: Start, point: &str, stored: bool) {
    let faults = format!("{point}/create_game=abort");
    let program = start.faults(faults).start().await;
    let mut creator = Client::guest(program.address()).await;
    let opening = Setup::default().create(command_id());
    creator.sends("create_game", opening.clone()).await;
    let program = program.dies().await.restart().await;
    let mut creator = creator.again(program.address()).await;
    let count = |text: String| {
        serde_json::from_str::<Value>(&text).unwrap()["games"]
            .as_array()
            .unwrap()
            .len()
    };
    let (_, games) = program.get("/api/games").await;
    assert_eq!(
        count(games),
        usize::from(stored),
        "create_game at {point}: the record after the crash"
    );
    let first = creator.asks("create_game", opening.clone()).await;
    let second = creator.asks("create_game", opening).await;
    assert!(first == second, "the same command opens the same game");
    let (_, games) = program.get("/api/games").await;
    assert_eq!(
        count(games),
        1,
        "create_game at {point}: once in the record"
    );
}
