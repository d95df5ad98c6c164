//! Pages that follow their player's own games, at a program that does not own these.

use qiguan_protocol::{ids::GameId, names::Status, own_game::OwnGame};
use qiguan_tests::{Cluster, Nats, Program, Seats, http::Http, slots::have_their_shares};
use serde_json::json;

use crate::{
    foreign_rooms::{MOVES, on, setup, watches},
    own_games::{own_games, told},
};

/// A game of this program, both of whose players are connected to it.
async fn begins(at: &Program) -> Seats {
    have_their_shares(&at.database()).await;
    Seats::begin_with(at, &setup()).await
}

/// A game as a page first has it.
fn first(games: &[OwnGame], game: GameId) -> OwnGame {
    let found = games.iter().find(|own| own.game == game);
    found.expect("the game is running").clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn who_begins_to_follow_their_games_while_moves_are_made_misses_none() {
    let nats = Nats::start().await;
    let url = Cluster::shared().database();
    let (one, two) = (on(&url, &nats).start().await, on(&url, &nats).start().await);
    let mut seats = begins(&one).await;
    let game = seats.game;
    let second = seats.second.again(two.address()).await;
    for ply in 1..=12 {
        let mut page = second.again(two.address()).await;
        let mv = MOVES[(ply as usize - 1) % 4];
        let (games, played) = tokio::join!(own_games(&mut page), seats.plays(ply, mv));
        played.unwrap();
        let is_after = |own: &OwnGame| own.your_turn == (ply % 2 == 1);
        if !is_after(&first(&games, game)) {
            told(&mut page, game, is_after).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn p27_what_happens_in_own_games_without_nats_is_told_once_it_is_back() {
    let mut nats = Nats::start().await;
    let url = Cluster::shared().database();
    let (one, two) = (on(&url, &nats).start().await, on(&url, &nats).start().await);
    let mut seats = begins(&one).await;
    let mut over = begins(&one).await;
    let mut pages = Vec::new();
    for player in [&seats.second, &over.second] {
        let mut page = player.again(two.address()).await;
        assert_eq!(own_games(&mut page).await.len(), 1);
        pages.push(page);
    }
    // It is known that they follow: they are told.
    seats.plays(1, MOVES[0]).await.unwrap();
    told(&mut pages[0], seats.game, |own| own.your_turn).await;
    nats.is_killed();
    seats.plays(2, MOVES[1]).await.unwrap();
    over.first
        .does(over.game, "resign", json!({}))
        .await
        .expect("resigned");
    nats.comes_back().await;
    told(&mut pages[0], seats.game, |own| !own.your_turn).await;
    told(&mut pages[1], over.game, |own| own.status == Status::Ended).await;
    // And of what comes next.
    seats.plays(3, MOVES[2]).await.unwrap();
    told(&mut pages[0], seats.game, |own| own.your_turn).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn p27_who_follows_a_game_is_told_by_its_next_owner_when_its_program_is_killed() {
    let nats = Nats::start().await;
    let url = Cluster::shared().database();
    let [one, two, three] = [
        on(&url, &nats).start().await,
        on(&url, &nats).start().await,
        on(&url, &nats).start().await,
    ];
    let mut seats = begins(&one).await;
    let game = seats.game;
    let mut page = seats.second.again(two.address()).await;
    let before = first(&own_games(&mut page).await, game);
    one.kill().await;
    // Its clocks are held, which is an event.
    let held = told(&mut page, game, |own| own.seq > before.seq).await;
    seats.first = seats.first.again(three.address()).await;
    seats.second = seats.second.again(three.address()).await;
    for client in [&mut seats.first, &mut seats.second] {
        watches(client, game).await;
    }
    seats.plays(1, MOVES[0]).await.unwrap();
    let called = told(&mut page, game, |own| own.your_turn).await;
    assert!(called.seq > held.seq);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_another_program_is_played_over_plain_http_alone() {
    let nats = Nats::start().await;
    let url = Cluster::shared().database();
    let (one, two) = (on(&url, &nats).start().await, on(&url, &nats).start().await);
    let mut seats = begins(&one).await;
    let game = seats.game;
    let mut second = Http::nobody(&two);
    second.token.clone_from(&seats.second.token);
    let mut own = second.streams("/api/me/stream", &[]).await;
    let current = own.message().await;
    assert_eq!(current["notice"]["game"]["game"], json!(game));
    let seat = format!("/api/games/{game}/stream?as=me");
    let mut played = second.streams(&seat, &[]).await;
    assert_eq!(played.message().await["view"]["you"], "second");
    // The stream alone holds the seat by now.
    let Seats {
        first,
        second: socket,
        ..
    } = &mut seats;
    socket.asks("unwatch", json!({"game": game})).await;
    let view = first.looks(&one, game).await;
    assert!(view.presence.players.second.connected);

    for ply in [1, 3] {
        seats
            .first
            .plays(game, ply, MOVES[ply as usize - 1])
            .await
            .unwrap();
        own.message_where(|told| told["notice"]["game"]["your_turn"] == true)
            .await;
        let called = played
            .message_where(|told| told["event"]["ply"] == ply)
            .await;
        let mv = MOVES[ply as usize];
        let legal = called["position"]["legal"].as_array().unwrap();
        assert!(legal.contains(&json!(mv)), "{called}");
        let mv = json!({"ply": ply + 1, "move": mv});
        assert_eq!(second.does(game, "move", mv).await.status, 200);
        own.message_where(|told| told["notice"]["game"]["your_turn"] == false)
            .await;
    }
    drop(played);
    let is_away = |presence: &qiguan_protocol::view::Presence| !presence.players.second.connected;
    seats.first.presence_where(game, is_away).await;
    seats
        .first
        .does(game, "resign", json!({}))
        .await
        .expect("resigned");
    own.message_where(|told| told["notice"]["game"]["status"] == "ended")
        .await;
}
