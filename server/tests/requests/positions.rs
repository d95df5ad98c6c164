//! Judging games that are stored nowhere.

use qiguan_protocol::error::ErrorCode;
use serde_json::{Value, json};

use crate::server::{Http, TestServer};

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_judged_as_the_rules_judge_it() {
    let server = TestServer::start().await;
    let http = Http::nobody(&server);
    let judged = |body: Value| {
        let http = &http;
        async move { http.post("/api/positions/judge", Some(&body)).await.json() }
    };
    let start = judged(json!({"ruleset": "xiangqi/standard", "moves": []})).await;
    assert_eq!(start["legal"].as_array().unwrap().len(), 44);
    assert_eq!(start["turn"], "first");
    assert_eq!(start["outcome"], Value::Null);

    let banned =
        judged(json!({"ruleset": "doushouqi/ancientchess", "moves": ["a1b1", "a7a6", "b1a1"]}))
            .await;
    assert_eq!(
        banned["banned"],
        json!([{"move": "a6a7", "reason": "repetition"}])
    );

    let won = judged(json!({
        "ruleset": "doushouqi/booklet", "start": "7/3C3/7/7/7/7/7/7/6r w - - 0 1", "moves": ["d8d9"],
    }))
    .await;
    assert_eq!(won["outcome"], json!({"winner": "first", "reason": "den"}));
    assert_eq!(won["legal"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_names_its_field() {
    let server = TestServer::start().await;
    let http = Http::nobody(&server);
    let booklet = "doushouqi/booklet";
    for (body, status, code, field) in [
        (
            json!({"ruleset": "chess", "moves": []}),
            400,
            ErrorCode::UnknownRuleset,
            "ruleset",
        ),
        (
            json!({"ruleset": booklet, "moves": [], "options": {"quiet_limit": -1}}),
            400,
            ErrorCode::BadOption,
            "options.quiet_limit",
        ),
        (
            json!({"ruleset": booklet, "moves": [], "start": "7 w - - 0 1"}),
            400,
            ErrorCode::BadValue,
            "start",
        ),
        (
            json!({"ruleset": "luzhanqi/referee", "moves": []}),
            400,
            ErrorCode::BadRequest,
            "setups",
        ),
        (
            json!({"ruleset": booklet, "moves": ["a3a4", "z9z9"]}),
            400,
            ErrorCode::BadMove,
            "moves[1]",
        ),
        (
            json!({"ruleset": booklet, "moves": ["a3a5"]}),
            409,
            ErrorCode::IllegalMove,
            "moves[0]",
        ),
        (
            json!({"ruleset": "doushouqi/ancientchess", "moves": ["a1b1", "a7a6", "b1a1", "a6a7"]}),
            409,
            ErrorCode::BannedMove,
            "moves[3]",
        ),
        (
            json!({"ruleset": booklet, "moves": vec!["a3a4"; 2_001]}),
            400,
            ErrorCode::BadValue,
            "moves",
        ),
        (
            json!({"ruleset": booklet, "moves": [], "more": 1}),
            400,
            ErrorCode::BadRequest,
            "more",
        ),
    ] {
        let refused = http.post("/api/positions/judge", Some(&body)).await;
        assert_eq!(refused.refusal(), (status, code), "{body}");
        assert_eq!(refused.error().field.as_deref(), Some(field), "{body}");
    }
}
