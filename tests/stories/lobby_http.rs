//! The lobby without a socket, and where players are.

use qiguan_protocol::{
    error::ErrorCode,
    lobby::{Lobby, PlayerPresence, Pools, SeekState},
};
use qiguan_tests::{
    Client, Program, Seats, Setup,
    client::command_id,
    http::Http,
    lobby::{paired, pool_data, seek_data, state},
    waiting::eventually,
};
use reqwest::Method;
use serde_json::{Value, json};

async fn delete(http: &Http, path: &str) -> (u16, Value) {
    let response = http.send(Method::DELETE, path, &[], None).await;
    (response.status, response.json())
}

#[tokio::test(flavor = "multi_thread")]
async fn seeks_are_opened_asked_after_accepted_and_cancelled_over_http() {
    let program = Program::start().await;
    let anna = Http::guest(&program).await;
    let bert = Http::guest(&program).await;
    let nobody = Http::nobody(&program);
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
    assert_eq!(pools.times.len(), 5);
    bert.waits_in("5+3").await;
    let (game, _) = bert.is_paired().await;
    let now = state(Ok(anna
        .get(&format!("/api/lobby/seeks/{seek}"))
        .await
        .parsed()));
    assert_eq!(now, Ok((seek, SeekState::Paired { game })));
    anna.post("/api/lobby/quick", Some(&pool_data(command_id(), "5+3")))
        .await;
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

#[tokio::test(flavor = "multi_thread")]
async fn d14_a_link_is_open_once_and_holds_no_secret() {
    let program = Program::start().await;
    let setup = Setup {
        visibility: "link",
        ..Setup::default()
    };
    let anna = Http::guest(&program).await;
    let game = anna.opens(&setup).await;
    // The link is the game's id and nothing else: everybody who has it sees an open game, without anything that proves anybody.
    let nobody = Http::nobody(&program);
    let shown = nobody.get(&format!("/api/games/{game}")).await;
    let secret = anna.token.as_ref().unwrap().reveal();
    assert_eq!(shown.status, 200);
    assert!(!shown.text.contains(secret) && !shown.text.contains("qg_"));
    let bert = Http::guest(&program).await;
    let carl = Http::guest(&program).await;
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
