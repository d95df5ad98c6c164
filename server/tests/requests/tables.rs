//! What can be asked of tables of endings, and what is refused.

use qiguan_protocol::error::ErrorCode;
use serde_json::json;

use crate::server::{Http, TestServer};

#[tokio::test(flavor = "multi_thread")]
async fn an_ending_is_answered_with_every_move_the_best_first() {
    let server = TestServer::start().await;
    let http = Http::nobody(&server);
    let path =
        "/api/tables?ruleset=doushouqi/booklet&position=7/3C3/7/7/7/7/7/7/6r%20w%20-%20-%207%2030";
    let ending = http.get(path).await.json();
    assert_eq!(ending["position"], "7/3C3/7/7/7/7/7/7/6r w");
    assert_eq!(ending["value"], "win");
    assert_eq!(ending["plies"], 1);
    assert_eq!(
        ending["moves"][0],
        json!({"move": "d8d9", "value": "win", "plies": 1})
    );
    assert_eq!(ending["moves"].as_array().unwrap().len(), 4);
    assert_eq!(ending["line"], json!(["d8d9"]));
    let lost = http
        .get("/api/tables?ruleset=doushouqi/booklet&position=7/3C3/7/7/7/7/7/7/6r%20b")
        .await
        .json();
    assert_eq!(
        (&lost["value"], &lost["plies"]),
        (&json!("loss"), &json!(2))
    );
    assert_eq!(lost["turn"], "second");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draw_has_no_plies_and_no_line() {
    let server = TestServer::start().await;
    let http = Http::nobody(&server);
    let drawn = http
        .get("/api/tables?ruleset=doushouqi/booklet&position=7/1l5/T6/7/7/7/7/7/7%20b")
        .await
        .json();
    assert_eq!(drawn["value"], "draw", "{drawn}");
    assert_eq!(
        (&drawn["plies"], &drawn["line"]),
        (&json!(null), &json!([]))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_in_no_table_is_refused_by_name() {
    let server = TestServer::start().await;
    let http = Http::nobody(&server);
    let two = "7/3C3/7/7/7/7/7/7/6r%20w";
    for (query, status, code, field) in [
        (String::new(), 400, ErrorCode::BadRequest, "query"),
        (
            format!("ruleset=chess&position={two}"),
            400,
            ErrorCode::UnknownRuleset,
            "ruleset",
        ),
        (
            format!("ruleset=xiangqi/standard&position={two}"),
            400,
            ErrorCode::BadValue,
            "ruleset",
        ),
        (
            "ruleset=doushouqi/booklet&position=7%20w".to_owned(),
            400,
            ErrorCode::BadValue,
            "position",
        ),
        // Five animals; a game that is over; a text that is too long.
        (
            "ruleset=doushouqi/booklet&position=7/3C3/7/7/7/7/7/1L1T3/l5r%20w".to_owned(),
            400,
            ErrorCode::BadValue,
            "position",
        ),
        (
            "ruleset=doushouqi/booklet&position=3C3/7/7/7/7/7/7/7/6r%20b".to_owned(),
            400,
            ErrorCode::BadValue,
            "position",
        ),
        (
            format!("ruleset=doushouqi/booklet&position={}", "7".repeat(2_000)),
            400,
            ErrorCode::BadValue,
            "position",
        ),
        // Four animals, of which this server has made no tables.
        (
            "ruleset=doushouqi/booklet&position=7/3C3/7/7/7/7/7/1L1T3/6r%20w".to_owned(),
            404,
            ErrorCode::NotFound,
            "position",
        ),
        (
            format!("ruleset=doushouqi/booklet&position={two}&depth=3"),
            400,
            ErrorCode::BadRequest,
            "depth",
        ),
    ] {
        let refused = http.get(&format!("/api/tables?{query}")).await;
        assert_eq!(refused.refusal(), (status, code), "{query}");
        assert_eq!(refused.error().field.as_deref(), Some(field), "{query}");
    }
}
