//! Quick pairing: the server finds the opponent.

use std::collections::HashSet;

use qiguan_protocol::{
    error::ErrorCode,
    ids::{GameId, PlayerId},
    lobby::SeekState,
};
use qiguan_tests::{
    Client, Program, Start,
    account::PASSWORD,
    client::command_id,
    http::Http,
    lobby::{pool_data, state},
    on_every_database, record,
};
use serde_json::json;

on_every_database! { two_in_a_pool_are_paired_and_leave_every_other_pool }

async fn two_in_a_pool_are_paired_and_leave_every_other_pool(start: fn() -> Start) {
    let program = start().start().await;
    let mut anna = Client::guest(program.address()).await;
    let mut bert = Client::guest(program.address()).await;
    let other = anna.waits_in("10+5").await;
    let one = anna.waits_in("5+3").await;
    let lobby = anna.enters().await;
    assert_eq!((lobby.own_pools.len(), lobby.pools.len()), (2, 2));
    let two = bert.waits_in("5+3").await;
    let (game, of_anna) = anna.is_paired().await;
    assert_eq!(of_anna, Some(one));
    assert_eq!(bert.is_paired().await, (game, Some(two)));
    let lobby = anna.enters().await;
    assert!(lobby.own_pools.is_empty() && lobby.pools.is_empty());
    let gone = anna.request("cancel_seek", json!({"seek": other})).await;
    assert_eq!(state(gone), Ok((other, SeekState::Gone {})));
    let view = anna.snapshot(game).await;
    assert!(view.you.is_some() && !view.rated);
    let clock = json!(view.time_control.clock);
    assert_eq!(
        (&clock["initial_ms"], &clock["increment_ms"]),
        (&json!(300_000), &json!(3_000))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_luzhanqi_begins_with_secret_setups_of_both() {
    let program = Program::start().await;
    let mut anna = Client::guest(program.address()).await;
    let mut bert = Client::guest(program.address()).await;
    for client in [&mut anna, &mut bert] {
        let mut data = pool_data(command_id(), "15+10");
        data["ruleset"] = json!("luzhanqi/referee");
        state(client.request("quick_pair", data).await).unwrap();
    }
    let (game, _) = anna.is_paired().await;
    let of_anna = anna.snapshot(game).await.setup.unwrap();
    let of_bert = bert.snapshot(game).await.setup.unwrap();
    assert!(of_anna.until.is_some() && of_anna.yours.is_some());
    assert_ne!(of_anna.yours, of_bert.yours, "each sees only their own");
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_paired_with_himself_nor_twice_with_the_same() {
    let program = Program::start().await;
    let mut anna = Client::guest(program.address()).await;
    let mut bert = Client::guest(program.address()).await;
    let mut tab = anna.again(program.address()).await;
    let one = anna.waits_in("5+3").await;
    assert_eq!(tab.waits_in("5+3").await, one, "one place for one player");
    bert.waits_in("5+3").await;
    let (game, _) = anna.is_paired().await;
    assert_eq!(tab.is_paired().await.0, game);
    assert_eq!(bert.is_paired().await.0, game);
    // Both look for another game: not with each other, as long as this one goes on.
    anna.waits_in("5+3").await;
    bert.waits_in("5+3").await;
    let mut carl = Client::guest(program.address()).await;
    let of_carl = carl.waits_in("5+3").await;
    let (second, seek) = carl.is_paired().await;
    assert_eq!(seek, Some(of_carl));
    let players = anna.snapshot(second).await.players;
    let ids = [players.first, players.second].map(|player| player.unwrap().id);
    assert!(ids.contains(&carl.player.as_ref().unwrap().id));
    // Who was longer there was served; the other waits until the first game is over.
    assert!(ids.contains(&anna.player.as_ref().unwrap().id));
    bert.watches(game).await;
    bert.does(game, "abort", json!({})).await.unwrap();
    anna.waits_in("5+3").await;
    let (third, _) = bert.is_paired().await;
    assert_ne!(third, game);
    assert_eq!(record::games(&program.database()).await.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_hundred_each_is_in_one_game() {
    let program = Start::default()
        .with("--seeks-per-address", 1_000)
        .start()
        .await;
    let mut clients = Vec::new();
    for _ in 0..100 {
        clients.push(Client::guest(program.address()).await);
    }
    let mut asked = Vec::new();
    for client in &mut clients {
        let data = pool_data(command_id(), "3+2");
        asked.push(client.sends("quick_pair", data).await);
    }
    let mut games: Vec<(GameId, PlayerId)> = Vec::new();
    for (client, id) in clients.iter_mut().zip(asked) {
        state(client.answer(id).await).unwrap();
        let (game, _) = client.is_paired().await;
        games.push((game, client.player.as_ref().unwrap().id));
    }
    let different: HashSet<GameId> = games.iter().map(|(game, _)| *game).collect();
    assert_eq!(different.len(), 50);
    assert_eq!(record::games(&program.database()).await.len(), 50);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_who_leaves_the_pools_or_the_lobby_is_not_paired() {
    let program = Program::start().await;
    let mut anna = Client::guest(program.address()).await;
    let mut bert = Client::guest(program.address()).await;
    let mut carl = Client::guest(program.address()).await;
    let place = anna.waits_in("5+3").await;
    let left = anna.asks("leave_pools", json!({})).await;
    assert_eq!(json!(left)["seeks"], json!([place]));
    bert.waits_in("5+3").await;
    bert.asks("leave_lobby", json!({})).await;
    carl.waits_in("5+3").await;
    let mut dora = Client::guest(program.address()).await;
    dora.waits_in("5+3").await;
    let (game, _) = carl.is_paired().await;
    assert_eq!(dora.is_paired().await.0, game);
    assert_eq!(record::games(&program.database()).await, [game]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rated_pool_is_for_players_with_an_account() {
    let program = Program::start().await;
    let mut guest = Client::guest(program.address()).await;
    let rated = || {
        let mut data = pool_data(command_id(), "5+3");
        data["rated"] = json!(true);
        data
    };
    let refused = guest.request("quick_pair", rated()).await;
    assert_eq!(refused.err().unwrap().code, ErrorCode::NeedsAccount);
    let anna = Http::registered(&program, "Anna").await;
    let bert = Http::registered(&program, "Bert").await;
    let (mut anna, mut bert) = (anna.socket(&program).await, bert.socket(&program).await);
    guest.waits_in("5+3").await;
    state(anna.request("quick_pair", rated()).await).unwrap();
    state(bert.request("quick_pair", rated()).await).unwrap();
    let (game, _) = anna.is_paired().await;
    assert_eq!(bert.is_paired().await.0, game);
    let view = anna.snapshot(game).await;
    assert!(view.rated);
    let names = [view.players.first, view.players.second].map(|player| player.unwrap().name);
    assert!(names.contains(&"Anna".to_owned()) && names.contains(&"Bert".to_owned()));
    assert_eq!(guest.enters().await.own_pools.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seek_of_a_deleted_account_is_gone_at_once() {
    let program = Program::start().await;
    let anna = Http::registered(&program, "Anna").await;
    let placed = anna
        .post("/api/lobby/quick", Some(&pool_data(command_id(), "5+3")))
        .await;
    state(Ok(placed.parsed())).unwrap();
    let body = json!({"password": PASSWORD});
    let deleted = anna.post("/api/account/delete", Some(&body)).await;
    assert_eq!(deleted.status, 204, "{deleted:?}");
    let mut bert = Client::guest(program.address()).await;
    assert!(bert.enters().await.pools.is_empty());
}
