//! Players follow others, see who is online, and choose whether they are seen.

use qiguan_protocol::{
    error::ErrorCode,
    following::{Following, OnlinePlayers, PlayerNow, PresenceShown},
    ids::PlayerId,
    lobby::PlayerPresence,
};
use qiguan_tests::Setup;
use reqwest::Method;
use serde_json::json;

use crate::server::{Http, TestServer};

async fn follow(http: &Http, whom: PlayerId) -> qiguan_tests::http::Response {
    let path = format!("/api/account/following/{whom}");
    http.send(Method::PUT, &path, &[], None).await
}

async fn following(http: &Http) -> Vec<PlayerNow> {
    let answer: Following = http.get("/api/account/following").await.parsed();
    answer.players
}

#[tokio::test(flavor = "multi_thread")]
async fn following_is_for_accounts_and_of_accounts() {
    let server = TestServer::start().await;
    let anna = Http::registered(&server, "Anna").await;
    let bodo = Http::registered(&server, "Bodo").await;
    let guest = Http::guest(&server).await;
    let (one, other, nobody) = (anna.id().await, bodo.id().await, guest.id().await);
    assert_eq!(follow(&anna, other).await.status, 204);
    assert_eq!(follow(&anna, other).await.status, 204, "once more");
    let [bodo_now] = &following(&anna).await[..] else {
        panic!("one is followed");
    };
    assert_eq!(
        (bodo_now.player.id, bodo_now.player.name.as_str()),
        (other, "Bodo")
    );
    assert!(!bodo_now.online && bodo_now.playing.is_empty());
    assert_eq!(following(&bodo).await, [], "Bodo learns nothing of it");

    for wrong in [one, nobody] {
        let refused = follow(&anna, wrong).await;
        assert_eq!(refused.refusal(), (400, ErrorCode::BadValue), "{refused:?}");
    }
    let computers: serde_json::Value = anna.get("/api/computers").await.json();
    if let Some(computer) = computers["computers"][0]["player"]["id"].as_str() {
        let refused = follow(&anna, computer.parse().unwrap()).await;
        assert_eq!(refused.refusal(), (400, ErrorCode::BadValue), "{refused:?}");
    }
    let unknown = follow(
        &anna,
        "00000000-0000-0000-0000-000000000001".parse().unwrap(),
    )
    .await;
    assert_eq!(unknown.refusal(), (404, ErrorCode::NotFound));
    assert_eq!(
        follow(&guest, one).await.refusal(),
        (403, ErrorCode::NeedsAccount)
    );
    let token = anna.issues(&["play"]).await;
    assert_eq!(
        follow(&token, other).await.refusal(),
        (403, ErrorCode::Forbidden)
    );

    let block = format!("/api/account/blocks/{one}");
    assert_eq!(bodo.send(Method::PUT, &block, &[], None).await.status, 204);
    assert_eq!(following(&anna).await, []);
    for (who, whom) in [(&anna, other), (&bodo, one)] {
        let refused = follow(who, whom).await;
        assert_eq!(refused.refusal(), (403, ErrorCode::Blocked));
    }
    assert_eq!(
        bodo.send(Method::DELETE, &block, &[], None).await.status,
        204
    );
    assert_eq!(follow(&anna, other).await.status, 204);
    let path = format!("/api/account/following/{other}");
    assert_eq!(
        anna.send(Method::DELETE, &path, &[], None).await.status,
        204
    );
    assert_eq!(following(&anna).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_by_link_is_not_told_to_followers() {
    let server = TestServer::start().await;
    let anna = Http::registered(&server, "Anna").await;
    let bodo = Http::registered(&server, "Bodo").await;
    let carla = Http::registered(&server, "Carla").await;
    assert_eq!(follow(&anna, bodo.id().await).await.status, 204);
    let by_link = Setup {
        visibility: "link",
        ..Setup::default()
    };
    let hidden = bodo.opens(&by_link).await;
    let public = bodo.opens(&Setup::default()).await;
    for game in [hidden, public] {
        assert_eq!(carla.does(game, "join", json!({})).await.status, 200);
    }
    assert_eq!(following(&anna).await[0].playing, [public]);
    let path = format!("/api/players/{}/presence", bodo.id().await);
    let presence: PlayerPresence = anna.get(&path).await.parsed();
    assert_eq!(presence.playing, [public]);

    // Who does not want to be shown is as one who is not here, but for themselves.
    let hide = json!(PresenceShown { shown: false }).to_string();
    let stored = bodo
        .send(Method::PUT, "/api/account/presence", &[], Some(hide))
        .await;
    assert_eq!(stored.status, 204, "{stored:?}");
    let shown: PresenceShown = bodo.get("/api/account/presence").await.parsed();
    assert!(!shown.shown);
    assert_eq!(following(&anna).await[0].playing, []);
    let presence: PlayerPresence = anna.get(&path).await.parsed();
    assert_eq!(presence.playing, []);
    let presence: PlayerPresence = bodo.get(&path).await.parsed();
    assert_eq!(presence.playing, [hidden, public]);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_who_is_not_connected_is_listed_as_online() {
    let server = TestServer::start().await;
    let anna = Http::registered(&server, "Anna").await;
    let path = "/api/players/online";
    for who in [&anna, &Http::nobody(&server)] {
        let online: OnlinePlayers = who.get(path).await.parsed();
        assert_eq!(online.players, []);
    }
}
