//! Clients are made from `GET /api/openapi.json`, and `GET /api/socket.schema.json` is what travels on the socket.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    process::{Output, Stdio},
};

use qiguan_protocol::{ids::GameId, names::Status, view::GameView};
use qiguan_tests::{
    Client, Folder, Program, Seats, Setup, client::command_id, http::Http, python, random::Random,
    session, session::Replay, waiting::in_time,
};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt, process::Command};

/// A file of the repository.
fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// What a program wrote on standard output, if it ended well.
fn well(what: &str, ran: &Output) -> String {
    let out = String::from_utf8_lossy(&ran.stdout).into_owned();
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{what}: {out}{errors}");
    out
}

/// What the example prints at its end.
#[derive(Deserialize)]
struct Played {
    game: GameId,
    plies: usize,
}

#[tokio::test(flavor = "multi_thread")]
async fn l31_the_client_that_openapi_python_client_makes_plays_a_whole_game() {
    let program = Program::start().await;
    let folder = Folder::new();
    let python = python::programs().await;
    let path = std::env::var("PATH").unwrap_or_default();
    let generating = Command::new(python.join("openapi-python-client"))
        .args(["generate", "--fail-on-warning", "--meta", "none"])
        .args(["--url", &program.url("/api/openapi.json"), "--config"])
        .arg(file("docs/examples/openapi-python-client.yml"))
        .arg("--output-path")
        .arg(folder.path().join("qiguan_client"))
        // It calls ruff, which lies beside it.
        .env("PATH", format!("{}:{path}", python.display()))
        .output();
    let generated = in_time("the client", generating).await.unwrap();
    let said = well("openapi-python-client", &generated);
    let nothing_more = said.starts_with("Generating ") && said.trim().lines().count() == 1;
    assert!(nothing_more, "it warns: {said}");
    let playing = Command::new(python.join("python"))
        .arg(file("docs/examples/generated_client.py"))
        .arg(program.url(""))
        .env("PYTHONPATH", folder.path())
        .output();
    let played = in_time("the game", playing).await.unwrap();
    let played = well("generated_client.py", &played);
    let played: Played = serde_json::from_str(&played).expect("the game that was played");
    let game = format!("/api/games/{}", played.game);
    let game: GameView = Http::nobody(&program).get(&game).await.parsed();
    assert_eq!(game.status, Status::Ended);
    assert_eq!(game.moves.len(), played.plies);
    assert!(played.plies > 8, "{} plies", played.plies);
}

/// Messages with what they have to satisfy, or must not.
#[derive(Default)]
struct Messages {
    all: Vec<(&'static str, bool, Value)>,
    /// How many of each kind there are.
    kinds: HashMap<String, usize>,
}

/// So many messages of each kind are made wrong.
const MADE_WRONG: usize = 3;

impl Messages {
    /// Adds a message as it was, and wrong ones that were made of it if it is one of the first of its kind.
    fn adds<const N: usize>(
        &mut self,
        definition: &'static str,
        message: Value,
        wrong: impl FnOnce(&Value) -> [Option<Value>; N],
    ) {
        let kinds = [
            "/type",
            "/ok/type",
            "/error/code",
            "/event/type",
            "/notice/type",
            "/lobby/type",
        ];
        let kind = kinds
            .iter()
            .find_map(|place| message.pointer(place)?.as_str());
        let count = self
            .kinds
            .entry(kind.expect("a kind").to_owned())
            .or_default();
        *count += 1;
        if *count <= MADE_WRONG {
            let wrong = wrong(&message).into_iter().flatten();
            self.all
                .extend(wrong.map(|wrong| (definition, false, wrong)));
        }
        self.all.push((definition, true, message));
    }

    /// Requests that the server took as such, and others made of them, of a shape that it refuses.
    fn are_sent(&mut self, requests: impl IntoIterator<Item = Value>) {
        for request in requests {
            self.adds("Request", request, |request| {
                [
                    changed(request, "/type", json!("moves")),
                    changed(request, "/id", json!("7")),
                    changed(request, "/re", json!(7)),
                    changed(request, "/data", json!([])),
                    changed(request, "/data/wish", json!(null)),
                    without(request, "", "type"),
                    without(request, "", "id"),
                    without(request, "/data", "game"),
                    without(request, "/data", "command"),
                    changed_if_there(request, "/data/ply", json!(-1)),
                    changed_if_there(request, "/data/move", json!("a3-a4")),
                ]
            });
        }
    }

    /// What the server sent, and what it would not send.
    fn are_received(&mut self, messages: impl IntoIterator<Item = Value>) {
        for message in messages {
            self.adds("ServerMessage", message, |message| {
                [
                    changed(message, "/wish", json!(null)),
                    changed_if_there(message, "/re", json!("7")),
                    changed_if_there(message, "/seq", json!("7")),
                    changed_if_there(message, "/ok/type", json!("moves")),
                    changed_if_there(message, "/error/code", json!("mistake")),
                    changed_if_there(message, "/event/type", json!("moves")),
                    changed_if_there(message, "/notice/type", json!("moves")),
                    changed_if_there(message, "/lobby/type", json!("moves")),
                    without(message, "", "re"),
                    without(message, "", "event"),
                    without(message, "", "notice"),
                    without(message, "", "lobby"),
                    without(message, "/ok/view", "status"),
                ]
            });
        }
    }

    fn of(&mut self, client: &Client) {
        let parsed = |text: &String| serde_json::from_str(text).unwrap();
        self.are_sent(client.sent.iter().map(parsed).collect::<Vec<_>>());
        self.are_received(client.received.iter().map(parsed).collect::<Vec<_>>());
    }

    fn lines(&self) -> String {
        let lines = self.all.iter().map(|line| json!(line).to_string() + "\n");
        lines.collect()
    }
}

/// The message with another value at a place, or one more.
fn changed(message: &Value, place: &str, value: Value) -> Option<Value> {
    let (object, field) = place.rsplit_once('/')?;
    let mut message = message.clone();
    let object = message.pointer_mut(object)?.as_object_mut()?;
    object.insert(field.to_owned(), value);
    Some(message)
}

fn changed_if_there(message: &Value, place: &str, value: Value) -> Option<Value> {
    message.pointer(place)?;
    changed(message, place, value)
}

/// The message without a field.
fn without(message: &Value, object: &str, field: &str) -> Option<Value> {
    let mut message = message.clone();
    let object = message.pointer_mut(object)?.as_object_mut()?;
    object.remove(field)?;
    Some(message)
}

/// Plays games, with what belongs to them.
async fn plays(program: &Program, messages: &mut Messages) {
    let mut random = Random::new(5);
    for ruleset in ["doushouqi/booklet", "luzhanqi/referee", "xiangqi/standard"] {
        let setup = Setup::default().ruleset(ruleset);
        let mut seats = Seats::begin_with(program, &setup).await;
        let game = seats.game;
        let mut spectator = Client::spectator(program.address()).await;
        spectator.watches(game).await;
        for ply in 1..=12 {
            let mover = if ply % 2 == 1 {
                &mut seats.first
            } else {
                &mut seats.second
            };
            let legal = mover
                .snapshot(game)
                .await
                .position
                .legal
                .unwrap_or_default();
            let mv = random.pick(&legal).to_string();
            mover.plays(game, ply, &mv).await.unwrap();
        }
        let say = json!({"text": "a good game"});
        seats.first.does(game, "chat", say).await.unwrap();
        seats
            .first
            .does(game, "offer_draw", json!({}))
            .await
            .unwrap();
        let refused = seats.second.is_refused(game, "abort", json!({})).await;
        assert_eq!(refused.as_str(), "too_late");
        seats.second.does(game, "resign", json!({})).await.unwrap();
        seats.rematch().await;
        let Seats {
            mut first, second, ..
        } = seats;
        first.asks("own_games", json!({})).await;
        for client in [first, second, spectator] {
            messages.of(&client);
        }
    }
    let mut anna = Client::guest(program.address()).await;
    let mut ben = Client::guest(program.address()).await;
    anna.enters().await;
    let seek = anna.seeks().await;
    ben.enters_and_sees(seek).await;
    let id = ben.waits_in("5+3").await;
    ben.asks("cancel_seek", json!({"seek": id})).await;
    ben.accepts(seek, command_id()).await.unwrap();
    anna.is_paired().await;
    ben.asks("leave_lobby", json!({})).await;
    messages.of(&anna);
    messages.of(&ben);
}

#[tokio::test(flavor = "multi_thread")]
async fn l32_every_message_on_the_socket_satisfies_its_schema_and_wrong_ones_do_not() {
    let program = Program::start().await;
    let folder = Folder::new();
    let python = python::programs().await;
    let mut messages = Messages::default();
    let document = std::fs::read_to_string(file("docs/protocol.md")).unwrap();
    let mut replay = Replay::on(program.address());
    for step in session::steps(&document) {
        replay.step(&step).await;
    }
    messages.are_sent(replay.sent);
    messages.are_received(replay.received);
    plays(&program, &mut messages).await;

    let schema = Http::nobody(&program).get("/api/socket.schema.json").await;
    let schema_file = folder.path().join("socket.schema.json");
    std::fs::write(&schema_file, schema.text).unwrap();
    let mut validating = Command::new(python.join("python"))
        .arg(file("tests/python/validate.py"))
        .arg(schema_file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("python is there");
    let mut lines = validating.stdin.take().expect("standard input is a pipe");
    // It may end early, and then says why.
    drop(lines.write_all(messages.lines().as_bytes()).await);
    drop(lines);
    let validated = in_time("the messages", validating.wait_with_output()).await;
    let counts = well("validate.py", &validated.unwrap());
    let counts: Vec<usize> = counts
        .split_whitespace()
        .map(|it| it.parse().unwrap())
        .collect();
    assert!(counts[0] > 300 && counts[1] > 500, "{counts:?}");
}
