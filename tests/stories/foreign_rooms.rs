//! Games of one program that clients of another play and watch, with NATS between the programs.

use qiguan_protocol::{
    error::ErrorCode, event::GameEvent, ids::GameId, lobby::PlayerPresence, names::Seat,
    view::GameView,
};
use qiguan_tests::{
    Client, Cluster, Nats, Program, Seats, Setup, Start,
    client::command_id,
    game::{done, fischer},
    record,
    secrets::{SECOND, a_game},
    slots::have_their_shares,
    waiting::eventually,
};
use serde_json::json;

use crate::own_games::told;

/// Moves that take nothing, up and down again.
pub(super) const MOVES: [&str; 4] = ["a3a4", "g7g6", "a4a3", "g6g7"];

pub(super) fn setup() -> Setup {
    Setup {
        options: json!({"quiet_limit": 0, "repetition_limit": 100}),
        ..Setup::default()
    }
    .time_control(fischer(600_000, 0))
}

/// A program on a record of several, which reach each other over NATS.
pub(super) fn on(url: &str, nats: &Nats) -> Start {
    let start = Start::default().at_database(url.to_owned()).for_machines();
    let settings = nats.settings().into_iter();
    settings.fold(start, |start, (flag, value)| start.with(flag, value))
}

/// Watches a game through a program that does not own it, as soon as that knows the way.
pub(super) async fn watches(client: &mut Client, game: GameId) -> GameView {
    eventually("the way to the owner", async || {
        client.tries_to_watch(game).await.ok()
    })
    .await
}

/// A game that the first program owns, whose second player has come through the other.
async fn across(one: &Program, two: &Program) -> Seats {
    have_their_shares(&one.database()).await;
    let mut seats = Seats::begin_with(one, &setup()).await;
    seats.second = seats.second.again(two.address()).await;
    watches(&mut seats.second, seats.game).await;
    seats
}

const fn is_ply(event: &GameEvent, wanted: u32) -> bool {
    matches!(event, GameEvent::Moved { ply, .. } if ply.0 == wanted)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_played_through_two_programs_and_watched_at_both() {
    let nats = Nats::start().await;
    let url = Cluster::shared().database();
    let (one, two) = (on(&url, &nats).start().await, on(&url, &nats).start().await);
    let mut seats = across(&one, &two).await;
    let game = seats.game;
    let mut spectators = [
        Client::spectator(one.address()).await,
        Client::spectator(two.address()).await,
    ];
    for spectator in &mut spectators {
        watches(spectator, game).await;
    }
    for ply in 1..=8 {
        seats
            .plays(ply, MOVES[(ply as usize - 1) % 4])
            .await
            .unwrap();
        for spectator in &mut spectators {
            spectator
                .event_where(game, |event| is_ply(event, ply))
                .await;
        }
    }
    // What is refused there is refused here, with the same words.
    let ahead = json!({"ply": 20, "move": "a3a4"});
    assert_eq!(
        seats.second.is_refused(game, "move", ahead).await,
        ErrorCode::Ahead
    );
    // A command that comes again through another program is the same.
    let command = command_id();
    let mv = |ply| json!({"ply": ply, "move": MOVES[0]});
    let first = seats.first.does_as(game, "move", mv(9), command).await;
    let mut there = seats.first.again(two.address()).await;
    watches(&mut there, game).await;
    let again = there.does_as(game, "move", mv(9), command).await;
    assert_eq!(done(first).unwrap(), done(again).unwrap());
    // Over HTTP as well, and chat.
    seats
        .second
        .does(game, "chat", json!({"text": "hello"}))
        .await
        .unwrap();
    let said = |event: &GameEvent| matches!(event, GameEvent::Chat { text, .. } if text == "hello");
    there.event_where(game, said).await;
    let resigned = there.does(game, "resign", json!({})).await;
    done(resigned).unwrap();
    for spectator in &mut spectators {
        let ended = |event: &GameEvent| matches!(event, GameEvent::Ended { .. });
        spectator.event_where(game, ended).await;
    }
    let events = record::events(&one.database(), game).await;
    assert_eq!(record::moves(&events).len(), 9);
    record::is_sound(&one.database()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn p1_without_nats_moves_are_refused_and_none_is_lost_and_it_goes_on_when_it_is_back() {
    let mut nats = Nats::start().await;
    let url = Cluster::shared().database();
    let (one, two) = (on(&url, &nats).start().await, on(&url, &nats).start().await);
    let mut seats = across(&one, &two).await;
    let game = seats.game;
    seats.plays(1, MOVES[0]).await.unwrap();
    seats.plays(2, MOVES[1]).await.unwrap();
    seats.plays(3, MOVES[2]).await.unwrap();
    nats.is_killed();
    let command = command_id();
    let mv = json!({"ply": 4, "move": MOVES[3]});
    let refused = seats
        .second
        .does_as(game, "move", mv.clone(), command)
        .await;
    let refused = done(refused).unwrap_err();
    let codes = [ErrorCode::Internal, ErrorCode::Busy, ErrorCode::NotStored];
    assert!(codes.contains(&refused.code), "{refused}");
    // At the owner it goes on.
    let mut beside = Seats::begin_with(&one, &setup()).await;
    beside.plays(1, MOVES[0]).await.unwrap();
    nats.comes_back().await;
    watches(&mut seats.second, game).await;
    let again = eventually("the move to be stored", async || {
        let again = seats
            .second
            .does_as(game, "move", mv.clone(), command)
            .await;
        done(again).ok()
    });
    again.await;
    seats
        .first
        .event_where(game, |event| is_ply(event, 4))
        .await;
    seats.plays(5, MOVES[0]).await.unwrap();
    let events = record::events(&one.database(), game).await;
    assert_eq!(record::moves(&events).len(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn p2_a_game_whose_owner_is_killed_goes_on_at_the_program_that_its_player_is_connected_to() {
    let nats = Nats::start().await;
    let url = Cluster::shared().database();
    let (one, two) = (on(&url, &nats).start().await, on(&url, &nats).start().await);
    let mut seats = across(&one, &two).await;
    let game = seats.game;
    seats.plays(1, MOVES[0]).await.unwrap();
    one.kill().await;
    // Asked while nobody owns the game: it is answered once somebody does.
    let mv = json!({"ply": 2, "move": MOVES[1]});
    let command = command_id();
    let played = eventually("the move to be stored", async || {
        let played = seats
            .second
            .does_as(game, "move", mv.clone(), command)
            .await;
        done(played).ok()
    });
    played.await;
    let view = watches(&mut seats.second, game).await;
    assert_eq!(view.moves.len(), 2);
    let events = record::events(&two.database(), game).await;
    assert_eq!(record::moves(&events), &MOVES[..2]);
    record::is_sound(&two.database()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_at_another_program_is_online_and_told_how_their_games_go_on() {
    let nats = Nats::start().await;
    let url = Cluster::shared().database();
    let (one, two) = (on(&url, &nats).start().await, on(&url, &nats).start().await);
    let mut seats = across(&one, &two).await;
    let id = seats.second.player.as_ref().expect("a player").id;
    let mut page = seats.second.again(two.address()).await;
    page.asks("own_games", json!({})).await;
    seats.plays(1, MOVES[0]).await.unwrap();
    let called = told(&mut page, seats.game, |own| own.your_turn);
    assert_eq!(called.await.you, Seat::Second);
    // Once all of their connections are gone, so are they, also there.
    let online = async |wanted: bool| {
        let path = format!("/api/players/{id}/presence");
        eventually("the other program to know", async || {
            let (_, presence) = one.get(&path).await;
            let presence: PlayerPresence = serde_json::from_str(&presence).expect("a presence");
            (presence.online == wanted).then_some(())
        })
        .await;
    };
    online(true).await;
    drop((page, seats.second));
    online(false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nats_asks_programs_for_tls_and_an_nkey() {
    let nats = Nats::guarded().await;
    let url = Cluster::shared().database();
    let (one, two) = (on(&url, &nats).start().await, on(&url, &nats).start().await);
    let mut seats = across(&one, &two).await;
    seats.plays(1, MOVES[0]).await.unwrap();
    seats.plays(2, MOVES[1]).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn p3_who_reads_all_that_goes_through_nats_learns_no_setup() {
    let nats = Nats::start().await;
    let mut tapped = nats.is_tapped().await;
    let url = Cluster::shared().database();
    let (one, two) = (on(&url, &nats).start().await, on(&url, &nats).start().await);
    let mut seats = Seats::setting_up(&one, &a_game("luzhanqi/referee")).await;
    let game = seats.game;
    seats.second = seats.second.again(two.address()).await;
    watches(&mut seats.second, game).await;
    seats.second.sets_up(game, SECOND).await.unwrap();
    seats.are_ready().await;
    let started = |event: &GameEvent| matches!(event, GameEvent::Started { .. });
    seats.second.event_where(game, started).await;
    let resigned = seats.second.does(game, "resign", json!({})).await;
    done(resigned).unwrap();
    let ended = |event: &GameEvent| matches!(event, GameEvent::Ended { .. });
    seats.second.event_where(game, ended).await;
    tapped.catches_up().await;
    // Where frames go can be read, and what they say can't.
    assert!(tapped.has("MSG qiguan."));
    for secret in [SECOND, "setup", "resign", "command", &game.to_string()] {
        assert!(!tapped.has(secret), "{secret}");
    }
}
