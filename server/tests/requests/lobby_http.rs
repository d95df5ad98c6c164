//! The lobby without a socket, and where players are.

use qiguan_protocol::{
    error::ErrorCode,
    lobby::{Lobby, SeekState},
};
use qiguan_tests::{
    Setup,
    client::command_id,
    lobby::{paired, seek_data, state},
    waiting::eventually,
};
use reqwest::Method;
use serde_json::{Value, json};

use crate::server::{Http, TestServer};

async fn delete(http: &Http, path: &str) -> (u16, Value) {
    let response = http.send(Method::DELETE, path, &[], None).await;
    (response.status, response.json())
}

#[tokio::test(flavor = "multi_thread")]
async fn seeks_are_opened_asked_after_accepted_and_cancelled_over_http() {
    let server = TestServer::start().await;
    let anna = Http::guest(&server).await;
    let bert = Http::guest(&server).await;
    let nobody = Http::nobody(&server);
    let refused = nobody
        .post("/api/lobby/seeks", Some(&seek_data(command_id())))
        .await;
    assert_eq!(refused.refusal(), (401, ErrorCode::Unauthenticated));

    let command = command_id();
    let placed = anna
        .post("/api/lobby/seeks", Some(&seek_data(command)))
        .await;
    assert_eq!(placed.status, 201, "{placed:?}");
    let (seek, _) = state(Ok(placed.parsed())).unwrap();
    let path = format!("/api/lobby/seeks/{seek}");
    let open = state(Ok(anna.get(&path).await.parsed()));
    assert_eq!(open, Ok((seek, SeekState::Open {})));
    assert_eq!(bert.get(&path).await.refusal(), (409, ErrorCode::Gone));
    assert_eq!(nobody.get("/api/lobby/seeks/x").await.status, 409);
    let lobby: Lobby = eventually("the seek on the board", async || {
        let lobby: Lobby = nobody.get("/api/lobby").await.parsed();
        (lobby.seeks.len() == 1).then_some(lobby)
    })
    .await;
    assert!(lobby.own_seeks.is_empty());

    let accept = json!({"command": command_id()});
    let accepted = bert.post(&format!("{path}/accept"), Some(&accept)).await;
    let game = paired(Ok(accepted.parsed())).unwrap();
    let again = bert.post(&format!("{path}/accept"), Some(&accept)).await;
    assert_eq!(paired(Ok(again.parsed())), Ok(game));
    let now = state(Ok(anna.get(&path).await.parsed()));
    assert_eq!(now, Ok((seek, SeekState::Paired { game })));
    let mine: Lobby = anna.get("/api/lobby").await.parsed();
    assert_eq!(mine.playing, [game]);

    let placed = anna
        .post("/api/lobby/seeks", Some(&seek_data(command_id())))
        .await;
    let (seek, _) = state(Ok(placed.parsed())).unwrap();
    let path = format!("/api/lobby/seeks/{seek}");
    assert_eq!(delete(&bert, &path).await.0, 409);
    for _ in 0..2 {
        let (status, body) = delete(&anna, &path).await;
        assert_eq!((status, &body["state"]), (200, &json!({"type": "gone"})));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn d14_a_link_is_open_once_and_holds_no_secret() {
    let server = TestServer::start().await;
    let setup = Setup {
        visibility: "link",
        ..Setup::default()
    };
    let anna = Http::guest(&server).await;
    let game = anna.opens(&setup).await;
    // The link is the game's id and nothing else: everybody who has it sees an open game, without anything that proves anybody.
    let nobody = Http::nobody(&server);
    let shown = nobody.get(&format!("/api/games/{game}")).await;
    let secret = anna.token.as_ref().unwrap().reveal();
    assert_eq!(shown.status, 200);
    assert!(!shown.text.contains(secret) && !shown.text.contains("qg_"));
    let bert = Http::guest(&server).await;
    let carl = Http::guest(&server).await;
    let (one, two) = tokio::join!(
        bert.does(game, "join", json!({})),
        carl.does(game, "join", json!({}))
    );
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    // Nobody finds it by a list.
    let listed = nobody.get("/api/games").await.text;
    assert!(!listed.contains(&game.to_string()));
}
