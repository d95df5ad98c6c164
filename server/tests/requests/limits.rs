//! What one player may have at once, asked for many times at once.

use futures_util::future::join_all;
use qiguan_protocol::{
    error::ErrorCode,
    ids::GameId,
    view::{GamePage, GameView},
};
use qiguan_tests::{
    Cluster, Setup, client::command_id, http::Response, lobby::seek_data, on_every_database,
};
use serde_json::{Value, json};

use crate::server::{Http, Start};

on_every_database! {
    i3_two_hundred_games_asked_for_at_once_are_fifty_games,
    i3_games_that_are_joined_at_once_are_no_more_than_allowed,
    i3_tokens_and_seeks_asked_for_at_once_are_no_more_than_allowed,
    i7_games_opened_and_aborted_are_so_many_an_hour,
    i9_sixteen_guests_behind_one_address_open_no_more_games_than_it_may,
}

/// How many of these were carried out; the others have to be refused by the limit.
fn accepted(answers: &[Response], status: u16) -> usize {
    let (fine, refused): (Vec<_>, Vec<_>) =
        answers.iter().partition(|answer| answer.status == status);
    for refused in refused {
        assert_eq!(refused.refusal(), (429, ErrorCode::LimitReached));
    }
    fine.len()
}

async fn open_games_of(http: &Http) -> usize {
    let mut query = format!(
        "/api/games?player={}&status=open&limit=100",
        http.id().await
    );
    let mut games = 0;
    loop {
        let page: GamePage = http.get(&query).await.parsed();
        games += page.games.len();
        let Some(before) = page.before else {
            return games;
        };
        query = format!(
            "/api/games?player={}&status=open&limit=100&before={before}",
            http.id().await
        );
    }
}

async fn i3_two_hundred_games_asked_for_at_once_are_fifty_games(start: fn() -> Start) {
    let server = start().for_machines().start().await;
    let guest = Http::guest(&server).await;
    let ask = async |_| {
        let body = Setup::default().create(command_id());
        guest.post("/api/games", Some(&body)).await
    };
    let answers = join_all((0..200).map(ask)).await;
    assert_eq!(accepted(&answers, 201), 50);
    assert_eq!(open_games_of(&guest).await, 50);
}

async fn i3_games_that_are_joined_at_once_are_no_more_than_allowed(start: fn() -> Start) {
    let start = start().for_machines().with("--games-per-player", 5);
    let server = start.start().await;
    let guest = Http::guest(&server).await;
    for _ in 0..3 {
        guest.opens(&Setup::default()).await;
    }
    let mut games: Vec<GameId> = Vec::new();
    for _ in 0..4 {
        let other = Http::guest(&server).await;
        for _ in 0..5 {
            games.push(other.opens(&Setup::default()).await);
        }
    }
    let join = async |game: GameId| guest.does(game, "join", json!({})).await;
    let answers = join_all(games.iter().copied().map(join)).await;
    assert_eq!(accepted(&answers, 200), 2);
    // A game that was refused is as it was: somebody else may join it, and then all goes on.
    let refused = answers.iter().position(|answer| answer.status != 200);
    let game = games[refused.unwrap()];
    let other = Http::guest(&server).await;
    assert_eq!(other.does(game, "join", json!({})).await.status, 200);
    let view: GameView = other.get(&format!("/api/games/{game}")).await.parsed();
    assert!(view.players.second.is_some());
}

async fn i3_tokens_and_seeks_asked_for_at_once_are_no_more_than_allowed(start: fn() -> Start) {
    let start = start().for_machines().with("--seeks-per-player", 5);
    let server = start.start().await;
    let account = Http::registered(&server, "Bert").await;
    let issue = async |number: usize| {
        let asked = json!({"name": format!("program {number}"), "scopes": ["play"]});
        account.post("/api/account/tokens", Some(&asked)).await
    };
    let answers = join_all((0..100).map(issue)).await;
    assert_eq!(accepted(&answers, 201), 20);
    let seek = async |_| {
        let asked = seek_data(command_id());
        account.post("/api/lobby/seeks", Some(&asked)).await
    };
    let answers = join_all((0..100).map(seek)).await;
    let fine = answers.iter().filter(|answer| answer.status < 300).count();
    assert_eq!(fine, 5);
    let lobby: Value = account.get("/api/lobby").await.json();
    assert_eq!(lobby["own_seeks"].as_array().unwrap().len(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn i3_two_servers_on_one_database_do_not_give_a_player_twice_as_many_games() {
    let url = Cluster::shared().database();
    let on = || Start::default().at_database(url.clone()).for_machines();
    let servers = [on().start().await, on().start().await];
    let here = Http::guest(&servers[0]).await;
    let mut there = Http::nobody(&servers[1]);
    there.token.clone_from(&here.token);
    let ask = async |number: usize| {
        let body = Setup::default().create(command_id());
        let http = if number.is_multiple_of(2) {
            &here
        } else {
            &there
        };
        http.post("/api/games", Some(&body)).await
    };
    let answers = join_all((0..200).map(ask)).await;
    assert_eq!(accepted(&answers, 201), 50);
    assert_eq!(open_games_of(&here).await, 50);
}

async fn i7_games_opened_and_aborted_are_so_many_an_hour(start: fn() -> Start) {
    const GAMES: usize = 20;
    let start = start().for_machines().with("--games-per-hour", GAMES);
    let server = start.start().await;
    let guest = Http::guest(&server).await;
    let open_and_abort = async |_| {
        let body = Setup::default().create(command_id());
        let answer = guest.post("/api/games", Some(&body)).await;
        if answer.status == 201 {
            let game: Value = answer.json();
            let game: GameId = serde_json::from_value(game["game"].clone()).unwrap();
            assert_eq!(guest.does(game, "abort", json!({})).await.status, 200);
        } else {
            assert_eq!(answer.refusal(), (429, ErrorCode::RateLimited));
            assert!(answer.headers.contains_key("retry-after"));
            assert!(answer.error().retry_in_ms.is_some());
        }
        answer.status
    };
    let mut opened = 0;
    for _ in 0..4 {
        let answers = join_all((0..50).map(open_and_abort)).await;
        opened += answers.iter().filter(|status| **status == 201).count();
    }
    // One more every three minutes.
    assert!((GAMES..GAMES + 3).contains(&opened), "{opened}");
    // Games that others open can be joined, and others open theirs.
    let other = Http::guest(&server).await;
    let game = other.opens(&Setup::default()).await;
    assert_eq!(guest.does(game, "join", json!({})).await.status, 200);
    assert_eq!(guest.does(game, "abort", json!({})).await.status, 200);
    // A rematch is a game as well.
    let offered = other.does(game, "rematch", json!({})).await;
    assert_eq!(offered.status, 200);
    let agreed = guest.does(game, "rematch", json!({})).await;
    assert_eq!(agreed.refusal(), (429, ErrorCode::RateLimited));
}

async fn i9_sixteen_guests_behind_one_address_open_no_more_games_than_it_may(start: fn() -> Start) {
    const GAMES: usize = 40;
    let start = start()
        .for_machines()
        .with("--seeks-per-address", 100)
        .with("--games-per-hour-per-address", GAMES);
    let server = start.start().await;
    let guests = join_all((0..16).map(|_| Http::guest(&server))).await;
    // A rematch to be agreed to when the address has opened all that it may.
    let (first, second) = (&guests[0], &guests[1]);
    let over = first.opens(&Setup::default()).await;
    for (http, command) in [(second, "join"), (second, "abort"), (first, "rematch")] {
        assert_eq!(http.does(over, command, json!({})).await.status, 200);
    }
    let open = async |guest: &Http| {
        let body = Setup::default().create(command_id());
        let answer = guest.post("/api/games", Some(&body)).await;
        if answer.status != 201 {
            assert_eq!(answer.refusal(), (429, ErrorCode::RateLimited));
            assert!(answer.headers.contains_key("retry-after"));
        }
        answer.status
    };
    let all = guests
        .iter()
        .flat_map(|guest| std::iter::repeat_n(guest, 10));
    let answers = join_all(all.map(open)).await;
    let opened = 1 + answers.iter().filter(|status| **status == 201).count();
    // One more every minute and a half.
    assert!((GAMES..GAMES + 3).contains(&opened), "{opened}");
    let agreed = second.does(over, "rematch", json!({})).await;
    assert_eq!(agreed.refusal(), (429, ErrorCode::RateLimited));
    // Nor does a seek become a game: its owner may not open one, so it is gone for the player who accepts it.
    let seek: Value = first
        .post("/api/lobby/seeks", Some(&seek_data(command_id())))
        .await
        .json();
    let accept = format!("/api/lobby/seeks/{}/accept", seek["seek"].as_str().unwrap());
    let body = json!({"command": command_id()});
    let accepted = second.post(&accept, Some(&body)).await;
    assert_eq!(accepted.refusal(), (409, ErrorCode::Gone));
    // What others have opened can be joined.
    let page: GamePage = first.get("/api/games?status=open").await.parsed();
    let game = page.games[0].game;
    let third = &guests[15];
    let by_others = async |game: GameId| third.does(game, "join", json!({})).await.status;
    assert!(matches!(by_others(game).await, 200 | 409));
    assert_eq!(guests[2].get("/api/me").await.status, 200);
}
