//! Leavers wait, players who do not want to meet do not, and moderators read reports.

use qiguan_protocol::{
    error::ErrorCode,
    profile::Blocks,
    report::{ReportPage, ReportReason},
};
use qiguan_tests::{
    Setup,
    account::PASSWORD,
    client::command_id,
    lobby::{paired, seek_data, state},
};
use reqwest::Method;
use serde_json::json;

use crate::server::{Http, TestServer};

#[tokio::test(flavor = "multi_thread")]
async fn who_leaves_games_again_and_again_waits_before_the_next_rated_one() {
    let server = TestServer::start().await;
    let anna = Http::registered(&server, "Anna").await;
    let bodo = Http::registered(&server, "Bodo").await;
    let rated = async || {
        let asked = Setup::rated().create(command_id());
        anna.post("/api/games", Some(&asked)).await
    };
    for left in 0..3 {
        let opened = rated().await;
        if left < 2 {
            assert_eq!(opened.status, 201, "after {left}: {opened:?}");
        } else {
            assert_eq!(opened.refusal(), (403, ErrorCode::Paused));
            assert!(opened.error().message.contains("2 minutes"), "{opened:?}");
        }
        let game = anna.opens(&Setup::default()).await;
        assert_eq!(bodo.does(game, "join", json!({})).await.status, 200);
        assert_eq!(anna.does(game, "abort", json!({})).await.status, 200);
    }
    let refused = rated().await;
    assert!(
        refused.error().message.contains("10 minutes"),
        "{refused:?}"
    );
    let game = bodo.opens(&Setup::rated()).await;
    let refused = anna.does(game, "join", json!({})).await;
    assert_eq!(refused.refusal(), (403, ErrorCode::Paused));
    let by_link = Setup {
        visibility: "link",
        ..Setup::default()
    };
    for _ in 0..3 {
        let game = bodo.opens(&by_link).await;
        assert_eq!(anna.does(game, "join", json!({})).await.status, 200);
        assert_eq!(bodo.does(game, "abort", json!({})).await.status, 200);
    }
    let asked = Setup::rated().create(command_id());
    let opened = bodo.post("/api/games", Some(&asked)).await;
    assert_eq!(
        opened.status, 201,
        "among friends nobody counts: {opened:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_blocked_does_not_join_and_is_not_told_by_whom() {
    let server = TestServer::start().await;
    let anna = Http::registered(&server, "Anna").await;
    let bodo = Http::registered(&server, "Bodo").await;
    let (one, other) = (anna.id().await, bodo.id().await);
    let path = format!("/api/account/blocks/{other}");
    let blocked = anna.send(Method::PUT, &path, &[], None).await;
    assert_eq!(blocked.status, 204, "{blocked:?}");
    let mut told = Vec::new();
    for (opens, joins) in [(&anna, &bodo), (&bodo, &anna)] {
        let game = opens.opens(&Setup::default()).await;
        let refused = joins.does(game, "join", json!({})).await;
        assert_eq!(refused.refusal(), (403, ErrorCode::Blocked));
        told.push(refused.error().message);
    }
    assert_eq!(told[0], told[1], "both are told the same");
    let blocks: Blocks = anna.get("/api/account/blocks").await.parsed();
    assert_eq!(blocks.players.len(), 1);
    assert_eq!(blocks.players[0].name, "Bodo");
    let blocks: Blocks = bodo.get("/api/account/blocks").await.parsed();
    assert_eq!(blocks.players, []);
    let unblocked = anna.send(Method::DELETE, &path, &[], None).await;
    assert_eq!(unblocked.status, 204, "{unblocked:?}");
    let game = anna.opens(&Setup::default()).await;
    assert_eq!(bodo.does(game, "join", json!({})).await.status, 200);

    let own = format!("/api/account/blocks/{one}");
    let refused = anna.send(Method::PUT, &own, &[], None).await;
    assert_eq!(refused.refusal(), (400, ErrorCode::BadValue));
    let nobody = "/api/account/blocks/00000000-0000-0000-0000-000000000001";
    let refused = anna.send(Method::PUT, nobody, &[], None).await;
    assert_eq!(refused.refusal(), (404, ErrorCode::NotFound));
    let guest = Http::guest(&server).await;
    let refused = guest.send(Method::PUT, &path, &[], None).await;
    assert_eq!(refused.refusal(), (403, ErrorCode::NeedsAccount));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_block_counts_for_seeks_that_are_open_already() {
    let server = TestServer::start().await;
    let anna = Http::registered(&server, "Anna").await;
    let bodo = Http::registered(&server, "Bodo").await;
    let placed = anna
        .post("/api/lobby/seeks", Some(&seek_data(command_id())))
        .await;
    let (seek, _) = state(Ok(placed.parsed())).unwrap();
    let accepts = format!("/api/lobby/seeks/{seek}/accept");
    let block = format!("/api/account/blocks/{}", bodo.id().await);
    assert_eq!(anna.send(Method::PUT, &block, &[], None).await.status, 204);
    let accept = json!({"command": command_id()});
    let refused = bodo.post(&accepts, Some(&accept)).await;
    assert_eq!(refused.refusal(), (403, ErrorCode::Blocked));
    assert_eq!(
        anna.send(Method::DELETE, &block, &[], None).await.status,
        204
    );
    let accepted = bodo.post(&accepts, Some(&accept)).await;
    paired(Ok(accepted.parsed())).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_who_agrees_to_a_rematch_enters_a_new_game_under_the_same_conditions() {
    let server = TestServer::start().await;
    let anna = Http::registered(&server, "Anna").await;
    let bodo = Http::registered(&server, "Bodo").await;
    let game = anna.opens(&Setup::default()).await;
    assert_eq!(bodo.does(game, "join", json!({})).await.status, 200);
    assert_eq!(anna.does(game, "resign", json!({})).await.status, 200);
    assert_eq!(anna.does(game, "rematch", json!({})).await.status, 200);
    let block = format!("/api/account/blocks/{}", bodo.id().await);
    assert_eq!(anna.send(Method::PUT, &block, &[], None).await.status, 204);
    let refused = bodo.does(game, "rematch", json!({})).await;
    assert_eq!(refused.refusal(), (403, ErrorCode::Blocked));
    let unblocked = anna.send(Method::DELETE, &block, &[], None).await;
    assert_eq!(unblocked.status, 204);
    let deleted = anna
        .post("/api/account/delete", Some(&json!({"password": PASSWORD})))
        .await;
    assert_eq!(deleted.status, 204, "{deleted:?}");
    let refused = bodo.does(game, "rematch", json!({})).await;
    assert_eq!(refused.refusal(), (409, ErrorCode::Gone));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_waits_for_a_moderator_who_closes_it() {
    let server = TestServer::start().await;
    let anna = Http::registered(&server, "Anna").await;
    let bodo = Http::registered(&server, "Bodo").await;
    let judge = Http::moderator(&server, "Solomon").await;
    let game = anna.opens(&Setup::default()).await;
    let accused = bodo.id().await;
    let report = |game| json!({"player": accused, "game": game, "seq": 3, "reason": "chat", "text": "rude\nand loud"});
    let elsewhere = anna.post("/api/reports", Some(&report(game))).await;
    assert_eq!(
        elsewhere.refusal(),
        (404, ErrorCode::NotFound),
        "Bodo was not there"
    );
    assert_eq!(bodo.does(game, "join", json!({})).await.status, 200);
    let kept = anna.post("/api/reports", Some(&report(game))).await;
    assert_eq!(kept.status, 204, "{kept:?}");
    for wrong in [
        json!({"player": accused, "reason": "boredom"}),
        json!({"player": accused, "reason": "other", "seq": 1}),
        json!({"player": accused, "reason": "other", "text": "x".repeat(1001)}),
    ] {
        assert_eq!(
            anna.post("/api/reports", Some(&wrong)).await.status,
            400,
            "{wrong}"
        );
    }
    let refused = anna.get("/api/reports").await;
    assert_eq!(refused.refusal(), (403, ErrorCode::Forbidden));
    let page: ReportPage = judge.get("/api/reports").await.parsed();
    let [open] = &page.reports[..] else {
        panic!("{page:?}");
    };
    assert_eq!((open.player, open.game), (accused, Some(game)));
    assert_eq!(open.reason, ReportReason::Chat);
    let close = format!(
        "/api/reports/{}/close",
        serde_json::to_value(open.report).unwrap().as_str().unwrap()
    );
    let upheld = Some(&json!({"outcome": "upheld"}));
    let refused = bodo.post(&close, upheld).await;
    assert_eq!(refused.refusal(), (403, ErrorCode::Forbidden));
    assert_eq!(judge.post(&close, upheld).await.status, 204);
    let again = judge.post(&close, upheld).await;
    assert_eq!(again.refusal(), (404, ErrorCode::NotFound));
    let page: ReportPage = judge.get("/api/reports").await.parsed();
    assert_eq!(page.reports, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_reports_a_day_are_read() {
    let server = TestServer::start().await;
    let anna = Http::registered(&server, "Anna").await;
    let bodo = Http::registered(&server, "Bodo").await;
    let report = json!({"player": bodo.id().await, "reason": "other"});
    for _ in 0..10 {
        assert_eq!(anna.post("/api/reports", Some(&report)).await.status, 204);
    }
    let refused = anna.post("/api/reports", Some(&report)).await;
    assert_eq!(refused.refusal(), (429, ErrorCode::LimitReached));
}
