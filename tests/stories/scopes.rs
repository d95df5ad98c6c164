//! What a token for a program may do, and what it may not.

use std::collections::BTreeSet;

use qiguan_protocol::{command::GameCommand, error::ErrorCode, lobby::LobbyRequest};
use qiguan_tests::{
    Http, Setup,
    account::{PASSWORD, credentials},
    client::command_id,
    lobby,
    program::Start,
};
use reqwest::Method;
use serde_json::{Value, json};

/// What begins an identity, and what stores nothing.
const OPEN: [&str; 7] = [
    "/api/guest",
    "/api/login",
    "/api/recover",
    "/api/positions/judge",
    "/api/positions/hint",
    "/api/positions/read",
    "/api/games/{id}/review/try",
];

#[tokio::test(flavor = "multi_thread")]
async fn d1_a_token_that_may_only_read_changes_nothing_anywhere() {
    let program = Start::default().for_machines().start().await;
    let http = Http::registered(&program, "Anna").await;
    let game = http.opens(&Setup::default()).await;
    let read = http.issues(&["read"]).await;
    assert_eq!(read.me().await.name, "Anna");
    assert_eq!(read.get("/api/setups").await.status, 200);
    // Every path and method that the server itself lists.
    let document: Value = read.get("/api/openapi.json").await.json();
    let mut tried = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            if method == "get" || OPEN.contains(&path.as_str()) {
                continue;
            }
            let path = path
                .replace("{id}", &game.to_string())
                .replace("{name}", "x");
            let method: Method = method.to_uppercase().parse().unwrap();
            let body = match path.as_str() {
                "/api/games" => Setup::default().create(command_id()).to_string(),
                "/api/register" => credentials("Berta", PASSWORD).to_string(),
                _ => "{}".to_owned(),
            };
            let response = read.send(method.clone(), &path, &[], Some(body)).await;
            assert_eq!(
                response.refusal(),
                (403, ErrorCode::Forbidden),
                "{method} {path}"
            );
            tried += 1;
        }
    }
    assert!(tried >= 15, "{tried}");
    // Every message of a socket.
    let mut socket = read.socket(&program).await;
    socket.watches(game).await;
    let plain =
        |game: &dyn std::fmt::Display| json!({"game": game.to_string(), "command": command_id()});
    let mut messages = vec![
        ("create_game", Setup::default().create(command_id())),
        ("set_up", json!({"game": game, "setup": "x"})),
        ("note", json!({"game": game, "notes": "x"})),
        (
            "move",
            json!({"game": game, "command": command_id(), "ply": 1, "move": "a3a4"}),
        ),
        (
            "accept_draw",
            json!({"game": game, "command": command_id(), "offer": 3}),
        ),
        (
            "decline_draw",
            json!({"game": game, "command": command_id(), "offer": 3}),
        ),
        (
            "accept_takeback",
            json!({"game": game, "command": command_id(), "offer": 3}),
        ),
        (
            "decline_takeback",
            json!({"game": game, "command": command_id(), "offer": 3}),
        ),
        (
            "chat",
            json!({"game": game, "command": command_id(), "text": "x"}),
        ),
    ];
    let seek = "01890000-0000-7000-8000-000000000009";
    messages.extend([
        ("seek", lobby::seek_data(command_id())),
        ("quick_pair", lobby::pool_data(command_id(), "5+3")),
        (
            "accept_seek",
            json!({"seek": seek, "command": command_id()}),
        ),
        ("cancel_seek", json!({"seek": seek})),
        ("leave_pools", json!({})),
    ]);
    for kind in [
        "join",
        "resign",
        "offer_draw",
        "request_takeback",
        "abort",
        "decline",
        "rematch",
        "claim_victory",
        "ready",
    ] {
        messages.push((kind, plain(&game)));
    }
    // Nothing that a client may ask is left out: what only looks is named here.
    let looking = ["enter_lobby", "leave_lobby"];
    let tried: BTreeSet<_> = messages.iter().map(|(kind, _)| *kind).collect();
    for kind in GameCommand::TYPES.iter().chain(LobbyRequest::TYPES) {
        assert!(tried.contains(kind) || looking.contains(kind), "{kind}");
    }
    for (kind, data) in messages {
        let refused = socket.request(kind, data).await.err().unwrap();
        assert_eq!(refused.code, ErrorCode::Forbidden, "{kind}");
    }
}
