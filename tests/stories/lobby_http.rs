//! The lobby without a socket, and where players are.

use qiguan_protocol::{
    error::ErrorCode,
    lobby::{PlayerPresence, Pools, SeekState},
};
use qiguan_tests::{
    Client, Program, Seats, Setup,
    client::command_id,
    http::Http,
    lobby::{pool_data, state},
};
use reqwest::Method;
use serde_json::{Value, json};

async fn delete(http: &Http, path: &str) -> (u16, Value) {
    let response = http.send(Method::DELETE, path, &[], None).await;
    (response.status, response.json())
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_over_http_is_paired_with_somebody_on_a_socket() {
    let program = Program::start().await;
    let anna = Http::guest(&program).await;
    let mut bert = Client::guest(program.address()).await;
    let placed = anna
        .post("/api/lobby/quick", Some(&pool_data(command_id(), "5+3")))
        .await;
    let (seek, _) = state(Ok(placed.parsed())).unwrap();
    let pools: Pools = anna.get("/api/lobby/pools").await.parsed();
    let waiting: Vec<_> = pools.pools.iter().filter(|pool| pool.waiting > 0).collect();
    assert_eq!(waiting.len(), 1);
    assert_eq!(
        (waiting[0].ruleset.as_str(), waiting[0].time.as_str()),
        ("doushouqi/booklet", "5+3")
    );
    assert_eq!(pools.times.len(), 4);
    bert.waits_in("5+3").await;
    let (game, _) = bert.is_paired().await;
    let now = state(Ok(anna
        .get(&format!("/api/lobby/seeks/{seek}"))
        .await
        .parsed()));
    assert_eq!(now, Ok((seek, SeekState::Paired { game })));
    let again = anna
        .post("/api/lobby/quick", Some(&pool_data(command_id(), "5+3")))
        .await;
    let again = state(Ok(again.parsed())).unwrap();
    assert!(matches!(again.1, SeekState::Open {}), "{again:?}");
    let (status, left) = delete(&anna, "/api/lobby/quick").await;
    assert_eq!(
        (status, left["seeks"].as_array().map(Vec::len)),
        (200, Some(1))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn where_a_player_is_can_be_asked_but_not_which_games_by_link() {
    let program = Program::start().await;
    let seats = Seats::begin(&program).await;
    let hidden = Setup {
        visibility: "link",
        ..Setup::default()
    };
    let anna = seats.first.again(program.address()).await;
    let carl = Client::guest(program.address()).await;
    let by_link = Seats::sit(anna, carl, &hidden).await;
    let player = seats.first.player.as_ref().unwrap().id;
    let path = format!("/api/players/{player}/presence");
    let nobody = Http::nobody(&program);
    let seen: PlayerPresence = nobody.get(&path).await.parsed();
    assert_eq!((seen.online, seen.playing), (true, vec![seats.game]));
    let mut opponent = Http::nobody(&program);
    opponent.token.clone_from(&by_link.second.token);
    let seen: PlayerPresence = opponent.get(&path).await.parsed();
    assert_eq!(seen.playing, [seats.game, by_link.game]);
    assert_eq!(
        nobody.get("/api/players/x/presence").await.refusal(),
        (404, ErrorCode::NotFound)
    );

    let Seats { mut first, .. } = by_link;
    first.does(by_link.game, "abort", json!({})).await.unwrap();
    let seen: PlayerPresence = opponent.get(&path).await.parsed();
    assert_eq!(seen.playing, [seats.game]);
    // A start reads from the record who plays.
    let program = program.kill().await.restart().await;
    let nobody = Http::nobody(&program);
    let seen: PlayerPresence = nobody.get(&path).await.parsed();
    assert_eq!((seen.online, seen.playing), (false, vec![seats.game]));
}
