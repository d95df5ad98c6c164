//! One lobby for several programs on one record: players of each meet those of all.

use qiguan_protocol::lobby::LobbyNoticeKind;
use qiguan_tests::{
    Client, Cluster, Nats, Program,
    client::command_id,
    lobby::{pool_data, state},
    slots::{LOBBY, have_their_shares, with_the_owner_first},
    waiting::eventually,
};
use serde_json::json;

use crate::foreign_rooms::on;

/// Two programs on one record, with NATS between them, of which each has its share.
pub(super) async fn two(nats: &Nats) -> [Program; 2] {
    let url = Cluster::shared().database();
    let programs = [on(&url, nats).start().await, on(&url, nats).start().await];
    have_their_shares(&programs[0].database()).await;
    programs
}

#[tokio::test(flavor = "multi_thread")]
async fn players_of_two_programs_meet_in_a_pool_and_play() {
    let nats = Nats::start().await;
    let [one, two] = two(&nats).await;
    let mut anna = Client::guest(one.address()).await;
    let mut bert = Client::guest(two.address()).await;
    let of_anna = anna.waits_in("5+3").await;
    let of_bert = bert.waits_in("5+3").await;
    let (game, seek) = anna.is_paired().await;
    assert_eq!(seek, Some(of_anna));
    assert_eq!(bert.is_paired().await, (game, Some(of_bert)));
    for client in [&mut anna, &mut bert] {
        client.watches(game).await;
    }
    let first = anna.snapshot(game).await.you;
    let second = bert.snapshot(game).await.you;
    assert!(first.is_some() && second.is_some() && first != second);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seek_is_shown_and_accepted_at_another_program_and_ends_with_its_connection() {
    let nats = Nats::start().await;
    let programs = two(&nats).await;
    let [owner, other] = with_the_owner_first(LOBBY, programs).await;
    // From the program that has no lobby to the one that has it, and back.
    for (here, there) in [(&other, &owner), (&owner, &other)] {
        let mut anna = Client::guest(here.address()).await;
        let mut bert = Client::guest(there.address()).await;
        bert.enters().await;
        let gone = anna.seeks().await;
        bert.sees_seek(gone).await;
        drop(anna);
        bert.sees_gone(gone).await;
        let mut anna = Client::guest(here.address()).await;
        anna.enters().await;
        let seek = anna.seeks().await;
        bert.sees_seek(seek).await;
        let command = command_id();
        let game = bert.accepts(seek, command).await.unwrap();
        assert_eq!(anna.is_paired().await, (game, Some(seek)));
        assert_eq!(bert.accepts(seek, command).await, Ok(game));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn p4_when_the_program_with_the_lobby_is_killed_everybody_comes_to_it_again() {
    let nats = Nats::start().await;
    let programs = two(&nats).await;
    let [owner, other] = with_the_owner_first(LOBBY, programs).await;
    let mut anna = Client::guest(other.address()).await;
    let mut bert = Client::guest(other.address()).await;
    anna.enters().await;
    anna.waits_in("5+3").await;
    owner.kill().await;
    anna.lobby_where(|notice| matches!(notice, LobbyNoticeKind::Reset {}))
        .await;
    for client in [&mut anna, &mut bert] {
        let command = command_id();
        eventually("the lobby to be there again", async || {
            let data = pool_data(command, "5+3");
            state(client.request("quick_pair", data).await).ok()
        })
        .await;
    }
    assert_eq!(anna.is_paired().await.0, bert.is_paired().await.0);
    let lobby = anna.request("enter_lobby", json!({})).await;
    assert!(lobby.is_ok());
}
