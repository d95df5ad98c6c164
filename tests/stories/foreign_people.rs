//! What is decided about players at one program holds at all: bans, ended sessions, mutes, shadowbans, blocks and new names.

use qiguan_protocol::{error::ErrorCode, limits::close, moderation::Renamed};
use qiguan_tests::{
    Client, Http, Nats, Seats, Setup,
    account::PASSWORD,
    client::command_id,
    game::done,
    slots::{LOBBY, with_the_owner_first},
    waiting::eventually,
};
use reqwest::Method;
use serde_json::json;

use crate::one_lobby::two;

/// Decides something about a player, at a program.
async fn decides(staff: &Http, player: &Http, what: &str) {
    let path = format!("/api/players/{}/{what}", player.id().await);
    let decided = staff.post(&path, Some(&json!({"reason": "rude"}))).await;
    assert_eq!(decided.status, 204, "{decided:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn p13_sessions_that_end_at_one_program_end_at_all_and_a_ban_does_so() {
    let nats = Nats::start().await;
    let [one, two] = two(&nats).await;
    let moderator = Http::moderator(&one, "Solomon").await;
    let mut told = Vec::new();
    for name in ["Anna", "Bodo", "Carl"] {
        let here = Http::registered(&one, name).await;
        let mut page = here.signs_in(name).await.socket(&two).await;
        let new = json!({"old": PASSWORD, "new": "a quite different horse"});
        let changed = here.post("/api/account/password", Some(&new)).await;
        assert_eq!(changed.status, 200, "{changed:?}");
        let end = page.end().await;
        assert_eq!(end.code, Some(close::SIGNED_OUT));
        told.push(end.reason);
    }
    // Who finds out from the record does not know why, and does so once in two seconds.
    let knows_why = |reason: &String| reason.contains("password");
    assert!(told.iter().any(knows_why), "{told:?}");
    let dora = Http::registered(&one, "Dora").await;
    let mut page = dora.socket(&two).await;
    decides(&moderator, &dora, "ban").await;
    assert_eq!(page.end().await.code, Some(close::BANNED));
}

#[tokio::test(flavor = "multi_thread")]
async fn mutes_shadowbans_and_blocks_hold_at_every_program() {
    let nats = Nats::start().await;
    let programs = two(&nats).await;
    let [lobby, other] = with_the_owner_first(LOBBY, programs).await;
    let moderator = Http::moderator(&other, "Solomon").await;
    let anna = Http::registered(&lobby, "Anna").await;
    let bodo = Http::registered(&other, "Bodo").await;
    let (first, second) = (anna.socket(&lobby).await, bodo.socket(&lobby).await);
    let mut seats = Seats::sit(first, second, &Setup::default()).await;
    decides(&moderator, &anna, "mute").await;
    let said = seats
        .first
        .does(seats.game, "chat", json!({"text": "hello"}));
    assert_eq!(done(said.await).unwrap_err().code, ErrorCode::Muted);
    // A seek leaves the board that everybody sees.
    let carl = Http::registered(&lobby, "Carl").await;
    let mut page = carl.socket(&lobby).await;
    let mut watcher = Client::guest(lobby.address()).await;
    watcher.enters().await;
    let seek = page.seeks().await;
    watcher.sees_seek(seek).await;
    decides(&moderator, &carl, "limit").await;
    watcher.sees_gone(seek).await;
    // Who is blocked, wherever that was asked for, accepts no seek of the other.
    let emil = Http::registered(&lobby, "Emil").await;
    let dora = Http::registered(&other, "Dora").await;
    let path = format!("/api/account/blocks/{}", emil.id().await);
    let blocked = dora.send(Method::PUT, &path, &[], None).await;
    assert_eq!(blocked.status, 204);
    let (mut dora, mut emil) = (dora.socket(&other).await, emil.socket(&lobby).await);
    let seek = dora.seeks().await;
    let refused = emil.accepts(seek, command_id()).await;
    assert!(refused.is_err(), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_name_comes_into_the_games_of_every_program() {
    let nats = Nats::start().await;
    let [one, two] = two(&nats).await;
    let moderator = Http::moderator(&two, "Solomon").await;
    let anna = Http::registered(&one, "Anna").await;
    let game = anna.opens(&Setup::default()).await;
    let path = format!("/api/players/{}/name", anna.id().await);
    let asked = json!({"reason": "rude", "name": "Berta"}).to_string();
    let renamed = moderator.send(Method::PUT, &path, &[], Some(asked)).await;
    let Renamed { name } = renamed.parsed();
    assert_eq!(name, "Berta");
    for program in [&one, &two] {
        let nobody = Http::nobody(program);
        eventually("the new name in the game", async || {
            let game = nobody.get(&format!("/api/games/{game}")).await;
            game.text.contains("Berta").then_some(())
        })
        .await;
    }
}
