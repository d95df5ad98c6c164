//! Everything that works without a socket.

use qiguan_protocol::{
    catalog::Catalog,
    error::ErrorCode,
    ids::Token,
    names::Status,
    view::{GamePage, GameView},
};
use qiguan_tests::{Setup, client::command_id};
use reqwest::Method;
use serde_json::{Value, json};

use crate::server::{Http, TestServer};

#[tokio::test(flavor = "multi_thread")]
async fn a_game_can_be_opened_joined_and_played_without_a_socket() {
    let server = TestServer::start().await;
    let (first, second) = (Http::guest(&server).await, Http::guest(&server).await);
    let game = first.opens(&Setup::default()).await;
    assert_eq!(second.does(game, "join", json!({})).await.status, 200);
    let moved = first
        .does(game, "move", json!({"ply": 1, "move": "a3a4"}))
        .await;
    assert_eq!((moved.status, &moved.json()["type"]), (200, &json!("done")));
    let mv = |text| json!({"ply": 2, "move": text});
    for (who, kind, extra, refusal) in [
        (&first, "move", mv("g7g6"), (409, ErrorCode::NotYourTurn)),
        (&second, "move", mv("g7g5"), (409, ErrorCode::IllegalMove)),
        (&second, "move", mv("g7"), (400, ErrorCode::BadMove)),
        (&second, "fly", json!({}), (400, ErrorCode::UnknownType)),
    ] {
        let refused = who.does(game, kind, extra).await;
        assert_eq!(refused.refusal(), refusal, "{refused:?}");
    }
    let path = format!("/api/games/{game}/commands");
    let without_data = second.post(&path, Some(&json!({"type": "resign"}))).await;
    assert_eq!(without_data.refusal(), (400, ErrorCode::BadRequest));
    let mut nobody = Http::nobody(&server);
    let view: GameView = nobody.get(&format!("/api/games/{game}")).await.parsed();
    assert_eq!(
        (view.moves.len(), view.status, view.you),
        (1, Status::Playing, None)
    );
    let events = nobody
        .get(&format!("/api/games/{game}/events?since=2"))
        .await;
    assert_eq!(events.json()["events"][0]["seq"], 3);
    nobody.token = Some(Token::new("qg_nobody"));
    assert_eq!(nobody.does(game, "resign", json!({})).await.status, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn games_are_listed_by_every_filter_and_page_by_page() {
    let server = TestServer::start().await;
    let player = Http::guest(&server).await;
    for _ in 0..5 {
        player
            .opens(&Setup::default().ruleset("doushouqi/booklet"))
            .await;
    }
    let [first, second] = [Http::guest(&server).await, Http::guest(&server).await];
    let game = first.opens(&Setup::default()).await;
    assert_eq!(second.does(game, "join", json!({})).await.status, 200);
    assert_eq!(first.does(game, "resign", json!({})).await.status, 200);
    let (id, second) = (player.id().await, second.id().await);
    let nobody = Http::nobody(&server);
    for (query, expected) in [
        (String::new(), 6),
        ("status=open".to_owned(), 5),
        ("status=playing".to_owned(), 0),
        ("status=ended&result=second".to_owned(), 1),
        ("result=first".to_owned(), 0),
        ("result=draw".to_owned(), 0),
        ("result=aborted".to_owned(), 0),
        ("ruleset=doushouqi/booklet".to_owned(), 5),
        (format!("player={id}"), 5),
        (format!("player={second}&status=ended"), 1),
        ("clock=fischer".to_owned(), 6),
        ("clock=none".to_owned(), 0),
        ("from=0&until=1".to_owned(), 0),
    ] {
        let page: GamePage = nobody.get(&format!("/api/games?{query}")).await.parsed();
        assert_eq!(page.games.len(), expected, "{query}");
    }
    let mut seen = Vec::new();
    let mut before = String::new();
    loop {
        let path = format!("/api/games?limit=2{before}");
        let page: GamePage = nobody.get(&path).await.parsed();
        seen.extend(page.games.iter().map(|game| game.game));
        match page.before {
            Some(last) => before = format!("&before={last}"),
            None => break,
        }
    }
    let mut sorted = seen.clone();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    sorted.dedup();
    assert_eq!(
        (seen.len(), &seen),
        (6, &sorted),
        "every game once, the newest first"
    );
    for bad in [
        "limit=0",
        "limit=101",
        "limit=x",
        "status=lost",
        "player=me",
        "colour=red",
        "before=7",
    ] {
        let refused = nobody.get(&format!("/api/games?{bad}")).await;
        assert_eq!(refused.status, 400, "{bad}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_object_where_one_belongs_is_refused_with_its_field() {
    let server = TestServer::start().await;
    let guest = Http::guest(&server).await;
    let create = Setup::default().create(command_id());
    let create_with = |field: &str, value: Value| {
        let mut changed = create.clone();
        changed[field] = value;
        changed
    };
    let game = "01890000-0000-7000-8000-000000000001";
    let commands = format!("/api/games/{game}/commands");
    for (path, body, field) in [
        (
            "/api/games",
            json!([command_id(), "doushouqi/booklet", {}, {"clock": {"type": "none"}}, "first", "link"]),
            "body",
        ),
        ("/api/games", json!("text"), "body"),
        (
            "/api/games",
            create_with("time_control", json!([{"type": "none"}, null, null])),
            "time_control",
        ),
        (
            "/api/games",
            create_with("time_control", json!({"clock": ["none"]})),
            "time_control.clock",
        ),
        (
            &commands,
            json!(["resign", {"game": game, "command": command_id()}]),
            "body",
        ),
        (
            &commands,
            json!({"type": "resign", "data": [game, command_id()]}),
            "data",
        ),
    ] {
        let refused = guest.post(path, Some(&body)).await;
        assert_eq!(refused.refusal(), (400, ErrorCode::BadRequest), "{body}");
        assert_eq!(refused.error().field.as_deref(), Some(field), "{body}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_option_comes_once_and_of_its_kind() {
    let server = TestServer::start().await;
    let guest = Http::guest(&server).await;
    let (command, allowed) = (command_id(), "allowed: a whole number from 0 to 100000");
    for (options, code, field, message) in [
        (
            r#"{"quiet_limit":1.5}"#,
            ErrorCode::BadOption,
            "options.quiet_limit",
            allowed,
        ),
        (
            r#"{"quiet_limit":null}"#,
            ErrorCode::BadOption,
            "options.quiet_limit",
            allowed,
        ),
        (
            r#"{"quiet_limit":[1]}"#,
            ErrorCode::BadOption,
            "options.quiet_limit",
            allowed,
        ),
        (
            r#"{"quiet_limit":1000000000000000000000000000000}"#,
            ErrorCode::BadOption,
            "options.quiet_limit",
            allowed,
        ),
        (
            r#"{"quiet_limit":9,"quiet_limit":9}"#,
            ErrorCode::BadRequest,
            "options",
            "duplicate field `quiet_limit`",
        ),
        (
            r#"{"quiet_limit":9,"qu\u0069et_limit":9}"#,
            ErrorCode::BadRequest,
            "options",
            "duplicate field `quiet_limit`",
        ),
        (
            "[9]",
            ErrorCode::BadRequest,
            "options",
            "invalid type: sequence, expected an object",
        ),
    ] {
        let clock = r#"{"clock":{"type":"none"}}"#;
        let body = format!(
            r#"{{"command":"{command}","ruleset":"doushouqi/booklet","options":{options},"time_control":{clock}}}"#
        );
        let refused = guest
            .send(Method::POST, "/api/games", &[], Some(body))
            .await;
        assert_eq!(refused.refusal(), (400, code), "{options}");
        let error = refused.error();
        assert_eq!(error.field.as_deref(), Some(field), "{options}");
        assert!(error.message.starts_with(message), "{options} {error:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_catalog_and_the_openapi_document_tell_what_there_is() {
    let server = TestServer::start().await;
    let nobody = Http::nobody(&server);
    let catalog: Catalog = nobody.get("/api/catalog").await.parsed();
    let game = &catalog.games[0];
    assert_eq!(
        (
            game.id.as_str(),
            game.board.files,
            game.board.ranks,
            game.pieces.len()
        ),
        ("doushouqi", 7, 9, 8)
    );
    assert_eq!(game.rulesets.len(), 3);
    assert_eq!(game.board.marks.len(), 12 + 6 + 2);
    let game = &catalog.games[1];
    assert_eq!(
        (
            game.id.as_str(),
            game.board.files,
            game.board.ranks,
            game.pieces.len()
        ),
        ("luzhanqi", 5, 12, 12)
    );
    assert_eq!(game.rulesets.len(), 4);
    assert_eq!(game.board.marks.len(), 2 * 5 + 2 * 2);
    let railways = game.board.ways.iter().filter(|way| way.railway);
    assert_eq!(railways.count(), 4 * 4 + 2 * 9 + 1);
    let game = &catalog.games[2];
    assert_eq!(
        (
            game.id.as_str(),
            game.board.files,
            game.board.ranks,
            game.pieces.len()
        ),
        ("xiangqi", 9, 10, 7)
    );
    assert_eq!(game.rulesets.len(), 2);
    assert_eq!(game.board.marks.len(), 2 * 9 + 2 * 9);
    let document = nobody.get("/api/openapi.json").await.json();
    for path in [
        "/api/guest",
        "/api/me",
        "/api/catalog",
        "/api/setups",
        "/api/setups/{name}",
        "/api/games",
        "/api/games/{id}",
        "/api/games/{id}/events",
        "/api/games/{id}/positions",
        "/api/games/{id}/commands",
        "/api/games/{id}/setup",
        "/api/games/{id}/notes",
        "/api/health",
        "/api/ready",
    ] {
        assert!(
            document["paths"].get(path).is_some(),
            "{path} is not in the document"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c12_paths_that_name_no_game_are_not_found() {
    let server = TestServer::start().await;
    let nobody = Http::nobody(&server);
    for id in [
        "x",
        "..%2f..%2fetc",
        "%00",
        "'%20or%201=1",
        "01890000-0000-7000-8000-000000000001",
        &"9".repeat(3_000),
    ] {
        let missing = nobody.get(&format!("/api/games/{id}")).await;
        assert_eq!(missing.refusal(), (404, ErrorCode::NotFound), "{id}");
    }
    assert_eq!(nobody.get("/api/nothing").await.status, 404);
    let guest = Http::guest(&server).await;
    let large = Some("x".repeat(70_000));
    let refused = guest.send(Method::POST, "/api/games", &[], large).await;
    assert_eq!(refused.status, 413, "{refused:?}");
}
