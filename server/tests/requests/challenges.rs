//! Challenges: games that one player alone may join, found by name.

use qiguan_protocol::{answer::Answer, error::ErrorCode, ids::CommandId, lobby::Lobby};
use qiguan_tests::{Setup, client::command_id, game::fischer};
use serde_json::{Value, json};

use crate::server::{Http, TestServer};

fn challenge(command: CommandId, to: &str) -> Value {
    json!({
        "command": command, "ruleset": "doushouqi/booklet", "time_control": fischer(600_000, 0), "seat": "first", "to": to,
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_to_nobody_or_to_oneself_is_refused_and_one_waits_for_who_is_away() {
    let server = TestServer::start().await;
    let bert = Http::registered(&server, "Bert").await;
    let anna = Http::registered(&server, "Anna").await;
    let ask = async |http: &Http, to: &str| {
        let body = challenge(command_id(), to);
        http.post("/api/games", Some(&body)).await
    };
    for nobody in ["Nobody", "", "\u{202e}", &"x".repeat(4_000)] {
        let refused = ask(&anna, nobody).await;
        assert_eq!(refused.refusal(), (404, ErrorCode::NotFound), "{nobody:?}");
        assert_eq!(refused.error().field.as_deref(), Some("to"));
    }
    let oneself = ask(&bert, "Bert").await;
    assert_eq!(oneself.refusal(), (403, ErrorCode::Forbidden));
    let opened = ask(&anna, "Bert").await;
    let Answer::Created { game } = opened.parsed() else {
        panic!("not created")
    };
    let later: Lobby = bert.get("/api/lobby").await.parsed();
    assert_eq!(later.challenges[0].game, game);
    let invited = later.challenges[0].invited.as_ref().unwrap();
    assert_eq!(invited.name, "Bert");
    assert_eq!(bert.does(game, "decline", json!({})).await.status, 200);
    let later: Lobby = anna.get("/api/lobby").await.parsed();
    assert!(later.challenges.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn i8_guests_send_the_address_of_a_game_and_challenge_nobody_by_name() {
    let server = TestServer::start().await;
    let _bert = Http::registered(&server, "Bert").await;
    let guest = Http::guest(&server).await;
    let asked = challenge(command_id(), "Bert");
    let refused = guest.post("/api/games", Some(&asked)).await;
    assert_eq!(refused.refusal(), (403, ErrorCode::NeedsAccount));
    assert_eq!(refused.error().field.as_deref(), Some("to"));
    let game = guest.opens(&Setup::default()).await;
    let friend = Http::guest(&server).await;
    assert_eq!(friend.does(game, "join", json!({})).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn i8_three_challenges_of_one_player_to_another_are_open_at_most() {
    let server = TestServer::start().await;
    let _bert = Http::registered(&server, "Bert").await;
    let anna = Http::registered(&server, "Anna").await;
    let ask = async || {
        let body = challenge(command_id(), "Bert");
        anna.post("/api/games", Some(&body)).await
    };
    for _ in 0..3 {
        assert_eq!(ask().await.status, 201);
    }
    let refused = ask().await.refusal();
    assert_eq!(refused.0, 429);
    assert!(matches!(
        refused.1,
        ErrorCode::LimitReached | ErrorCode::RateLimited
    ));
}
