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

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_repeats_the_beginning_of_what_was_sent() {
    let server = TestServer::start().await;
    let guest = Http::guest(&server).await;
    let long = "棋".repeat(1_500);
    let opens = |ruleset: &str, options: Value| {
        json!({
            "command": "01890000-0000-7000-8000-000000000001", "ruleset": ruleset, "options": options,
            "time_control": {"clock": {"type": "none"}},
        })
    };
    let judges = |ruleset: &str, options: Value, mv: &str| json!({"ruleset": ruleset, "options": options, "moves": [mv]});
    let booklet = "doushouqi/booklet";
    let named = Value::Object([(long.clone(), json!(1))].into_iter().collect());
    for (path, body) in [
        ("/api/positions/judge", judges(&long, json!({}), "a1a2")),
        ("/api/positions/judge", judges(booklet, json!({}), &long)),
        (
            "/api/positions/judge",
            judges(booklet, named.clone(), "a1a2"),
        ),
        ("/api/positions/judge", named.clone()),
        (
            "/api/positions/read",
            json!({"ruleset": booklet, "text": format!("[RuleSet \"{long}\"]")}),
        ),
        (
            "/api/positions/read",
            json!({"ruleset": booklet, "text": format!("1. {long}")}),
        ),
        ("/api/games", opens(&long, json!({}))),
        ("/api/games", opens(booklet, named.clone())),
    ] {
        let refused = guest.post(path, Some(&body)).await;
        assert_eq!(refused.status, 400, "{path}: {refused:?}");
        let repeated = refused
            .text
            .chars()
            .filter(|letter| *letter == '棋')
            .count();
        assert!(repeated <= 2 * 64, "{path}: {}", refused.text);
    }
    let refused = guest.get(&format!("/api/games?{long}=1")).await;
    assert!(refused.text.chars().count() < 2_000, "{}", refused.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_best_moves_of_a_position_are_told_with_the_chance_to_win() {
    let server = TestServer::start().await;
    let http = Http::nobody(&server);
    let advised = |body: Value| {
        let http = &http;
        async move { http.post("/api/positions/hint", Some(&body)).await.json() }
    };
    // The side to move mates at once.
    let mate = advised(json!({
        "ruleset": "xiangqi/standard", "start": "4k4/9/9/9/9/9/9/1R7/R8/3K5 b - - 0 1", "moves": ["e10f10", "a2a9", "f10f9"],
    }))
    .await;
    assert_eq!(mate["error"]["code"], "illegal_move");
    assert_eq!(mate["error"]["field"], "moves[2]");
    let mate = advised(json!({
        "ruleset": "xiangqi/standard", "start": "4k4/9/9/9/9/9/9/1R7/R8/3K5 b - - 0 1", "moves": ["e10f10", "a2a9", "f10e10"],
    }))
    .await;
    assert_eq!(mate["turn"], "first");
    assert_eq!(
        mate["best"][0],
        json!({"line": ["b3b10"], "chance": 1000}),
        "{mate}"
    );
    assert_eq!(mate["best"].as_array().unwrap().len(), 3);

    // Of three moves one is banned, and two are advised.
    let banned = advised(json!({
        "ruleset": "doushouqi/ancientchess", "start": "w6/7/7/7/7/7/7/7/C6 w - - 0 1", "moves": ["a1b1", "a9a8", "b1a1"],
    }))
    .await;
    let mut first: Vec<_> = banned["best"]
        .as_array()
        .unwrap()
        .iter()
        .map(|best| &best["line"][0])
        .collect();
    first.sort_by_key(|mv| mv.as_str());
    assert_eq!(first, ["a8a7", "a8b8"], "{banned}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_position_without_advice_says_why() {
    let server = TestServer::start().await;
    let http = Http::nobody(&server);
    let over = "7/3C3/7/7/7/7/7/7/6r w - - 0 1";
    let setups = json!({"first": "MKBJC/G1D1E/KL1BD/N1E1J/LCXLN/EXCFX", "second": "xfcxe/elxcl/j1e1n/db1lk/n1m1g/cjbkd"});
    for (body, status, code, field) in [
        (
            json!({"ruleset": "doushouqi/booklet", "start": over, "moves": ["d8d9"]}),
            409,
            ErrorCode::GameOver,
            None,
        ),
        (
            json!({"ruleset": "luzhanqi/referee", "setups": setups, "moves": []}),
            400,
            ErrorCode::BadValue,
            Some("ruleset"),
        ),
        (
            json!({"ruleset": "luzhanqi/referee", "start": "3f1/5/5/5/5/5/1gU2/5/5/5/5/1F3 w", "moves": []}),
            400,
            ErrorCode::BadValue,
            Some("ruleset"),
        ),
        (
            json!({"ruleset": "chess", "moves": []}),
            400,
            ErrorCode::UnknownRuleset,
            Some("ruleset"),
        ),
        (
            json!({"ruleset": "doushouqi/booklet", "moves": vec!["a3a4"; 2_001]}),
            400,
            ErrorCode::BadValue,
            Some("moves"),
        ),
    ] {
        let refused = http.post("/api/positions/hint", Some(&body)).await;
        assert_eq!(refused.refusal(), (status, code), "{body}");
        assert_eq!(refused.error().field.as_deref(), field, "{body}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_covered_piece_may_do_what_some_piece_could_and_who_asks_says_how_attacks_end() {
    let server = TestServer::start().await;
    let http = Http::nobody(&server);
    let asked = |moves: Value, removed: Value| {
        json!({
            "ruleset": "luzhanqi/referee", "start": "3f1/5/5/5/5/5/1gU2/5/5/5/5/1F3 w - - 0 1",
            "moves": moves, "removed": removed,
        })
    };
    let path = "/api/positions/judge";
    let start = http
        .post(path, Some(&asked(json!([]), json!([]))))
        .await
        .json();
    let all = json!(["defender", "attacker", "both"]);
    assert_eq!(start["attacks"], json!([{"move": "c6b6", "removed": all}]));
    assert_eq!(start["views"], Value::Null);
    // An Engineer would turn the corner.
    assert!(start["legal"].as_array().unwrap().contains(&json!("c6a2")));

    let won = asked(json!(["c6b6"]), json!(["defender"]));
    let won = http.post(path, Some(&won)).await.json();
    assert_eq!(won["fen"], "3f1/5/5/5/5/5/1M3/5/5/5/5/1F3 b - - 0 1");

    for (moves, removed, status, code, field) in [
        (
            json!(["c6b6"]),
            json!([]),
            400,
            ErrorCode::BadRequest,
            "removed[0]",
        ),
        (
            json!(["c6b6"]),
            json!([null, null]),
            400,
            ErrorCode::BadRequest,
            "removed",
        ),
        (
            json!(["c6c7"]),
            json!(["both"]),
            400,
            ErrorCode::BadRequest,
            "removed[0]",
        ),
        (
            json!(["c6c9"]),
            json!([]),
            409,
            ErrorCode::IllegalMove,
            "moves[0]",
        ),
        (
            json!(["z9z1"]),
            json!([]),
            400,
            ErrorCode::BadMove,
            "moves[0]",
        ),
    ] {
        let answer = http.post(path, Some(&asked(moves, removed))).await;
        assert_eq!(answer.refusal(), (status, code), "{field}");
        assert_eq!(answer.error().field.as_deref(), Some(field));
    }
    // Where every piece is known, what is told is held against the rules.
    let known = |removed: Value| {
        json!({
            "ruleset": "luzhanqi/referee", "start": "3fl/5/5/5/5/5/1gM2/5/5/5/5/1F3 w - - 0 1",
            "moves": ["c6b6", "e12e11"], "removed": removed,
        })
    };
    for removed in [json!([]), json!([null]), json!(["defender", null])] {
        let answer = http.post(path, Some(&known(removed))).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.json().get("attacks"), None);
    }
    for (removed, field) in [
        (json!(["both"]), "removed[0]"),
        (json!([null, "both"]), "removed[1]"),
        (json!([null, null, null]), "removed"),
    ] {
        let answer = http.post(path, Some(&known(removed))).await;
        assert_eq!(answer.refusal(), (400, ErrorCode::BadRequest), "{field}");
        assert_eq!(answer.error().field.as_deref(), Some(field));
    }
}
