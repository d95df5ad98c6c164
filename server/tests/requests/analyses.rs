//! Shared analyses: stored as they are, refused with the field, deleted by their players and by moderators.

use qiguan_protocol::{
    analysis::{Analysis, SharedAnalyses, SharedAnalysis},
    error::ErrorCode,
    limits,
};
use qiguan_tests::sharing::{analysis, has_shared, shares};
use reqwest::Method;
use serde_json::{Value, json};

use crate::server::{Http, TestServer};

#[tokio::test(flavor = "multi_thread")]
async fn an_analysis_is_read_back_by_everybody_as_it_was_shared() {
    let server = TestServer::start().await;
    let guest = Http::guest(&server).await;
    let id = has_shared(&guest, "The <b>central</b> Cannon").await;
    let answer = Http::nobody(&server)
        .get(&format!("/api/analyses/{id}"))
        .await;
    assert_eq!(answer.headers["cache-control"], "no-store");
    let read: SharedAnalysis = answer.parsed();
    let sent: Analysis = serde_json::from_value(analysis("The <b>central</b> Cannon")).unwrap();
    assert_eq!((&read.content, read.by.id), (&sent, guest.id().await));
    assert_eq!(has_shared(&guest, "The <b>central</b> Cannon").await, id);
    let other = has_shared(&guest, "another").await;
    assert_ne!(other, id);
    let mine: SharedAnalyses = guest.get("/api/analyses").await.parsed();
    let mine: Vec<_> = mine
        .analyses
        .iter()
        .map(|one| (one.analysis, one.moves))
        .collect();
    assert_eq!(mine.len(), 2);
    assert!(mine.contains(&(id, 3)) && mine.contains(&(other, 3)));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_analysis_is_refused_with_its_field() {
    let server = TestServer::start().await;
    let with = |field: &str, value: Value| {
        let mut changed = analysis("");
        changed["at"] = json!(0);
        changed[field] = value;
        changed
    };
    let many = vec![json!({}); limits::ANALYSIS_NODES + 1];
    for (body, status, code, field) in [
        (json!({}), 400, ErrorCode::BadRequest, "body"),
        (
            with("nodes", json!([[]])),
            400,
            ErrorCode::BadRequest,
            "nodes",
        ),
        (with("nodes", json!([])), 400, ErrorCode::BadValue, "nodes"),
        (
            with("nodes", json!(many)),
            400,
            ErrorCode::BadValue,
            "nodes",
        ),
        (
            with("nodes", json!([{}, {"move": "a1a1a1"}])),
            400,
            ErrorCode::BadRequest,
            "nodes[1].move",
        ),
        (
            with("nodes", json!([{}, {"move": "a1a4"}])),
            409,
            ErrorCode::IllegalMove,
            "nodes[1].move",
        ),
        (
            with("nodes", json!([{"extra": 1}])),
            400,
            ErrorCode::BadRequest,
            "nodes[0].extra",
        ),
        (with("at", json!(9)), 400, ErrorCode::BadValue, "at"),
        (with("start", json!("x")), 400, ErrorCode::BadValue, "start"),
        (
            with("ruleset", json!("chess")),
            400,
            ErrorCode::UnknownRuleset,
            "ruleset",
        ),
        (
            with("options", json!({"x": 1})),
            400,
            ErrorCode::BadOption,
            "options.x",
        ),
        (
            with("title", json!("a\nb")),
            400,
            ErrorCode::BadValue,
            "title",
        ),
        (
            with("title", json!("a\u{202e}b")),
            400,
            ErrorCode::BadValue,
            "title",
        ),
        (
            with(
                "nodes",
                json!([{}, {"move": "h3e3", "comment": "a\u{202e}b"}]),
            ),
            400,
            ErrorCode::BadValue,
            "nodes[1].comment",
        ),
        (
            with("nodes", json!([{}, {"after": 1, "move": "h3e3"}])),
            400,
            ErrorCode::BadValue,
            "nodes[1].after",
        ),
        (with("game", json!("x")), 400, ErrorCode::BadRequest, "game"),
    ] {
        // All of it from one player would be too much at once.
        let guest = Http::guest(&server).await;
        let refused = shares(&guest, &body).await;
        assert_eq!(refused.refusal(), (status, code), "{body}: {refused:?}");
        let told = refused.error().field.unwrap_or_default().into_owned();
        assert!(told.starts_with(field), "{body}: {told}");
    }
    let nobody = shares(&Http::nobody(&server), &analysis("")).await;
    assert_eq!(nobody.refusal(), (401, ErrorCode::Unauthenticated));
    let unknown = Http::nobody(&server)
        .get("/api/analyses/01890000-0000-4000-8000-000000000001")
        .await;
    assert_eq!(unknown.refusal(), (404, ErrorCode::NotFound));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_analysis_is_deleted_by_its_player_or_a_moderator() {
    let server = TestServer::start().await;
    let (player, other) = (
        Http::registered(&server, "Anna").await,
        Http::guest(&server).await,
    );
    let moderator = Http::moderator(&server, "Solomon").await;
    let (one, two) = (
        has_shared(&player, "one").await,
        has_shared(&player, "two").await,
    );
    let path = |id| format!("/api/analyses/{id}");
    let deletes = async |who: &Http, path: &str| who.send(Method::DELETE, path, &[], None).await;
    let refused = deletes(&other, &path(one)).await;
    assert_eq!(refused.refusal(), (404, ErrorCode::NotFound));
    assert_eq!(deletes(&player, &path(one)).await.status, 204);
    assert_eq!(player.get(&path(one)).await.status, 404);
    let door = format!("/api/admin/analyses/{two}");
    let refused = deletes(&player, &door).await;
    assert_eq!(refused.refusal(), (403, ErrorCode::Forbidden));
    assert_eq!(deletes(&moderator, &door).await.status, 204);
    assert_eq!(player.get(&path(two)).await.status, 404);
    assert_eq!(
        deletes(&moderator, &door).await.refusal(),
        (404, ErrorCode::NotFound)
    );
    let chief = Http::admin(&server, "Chief").await;
    let log = chief
        .get("/api/admin/audit?operation=delete_analysis")
        .await
        .text;
    assert!(log.contains(&two.to_string()), "{log}");
}
