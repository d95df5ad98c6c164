//! Everything that works without a socket.

use qiguan_protocol::{
    catalog::Catalog,
    names::Status,
    view::{GamePage, GameView},
};
use qiguan_tests::{Client, Program, Seats, Setup, client::command_id, game::command_data};
use reqwest::StatusCode;
use serde_json::{Value, json};

async fn guest(program: &Program) -> String {
    let response = reqwest::Client::new()
        .post(program.url("/api/guest"))
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), StatusCode::CREATED);
    let cookie = response.headers()["set-cookie"].to_str().unwrap();
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"),
        "{cookie}"
    );
    let body: Value = response.json().await.unwrap();
    body["token"].as_str().unwrap().to_owned()
}

async fn post(program: &Program, token: &str, path: &str, body: &Value) -> (StatusCode, Value) {
    let request = reqwest::Client::new()
        .post(program.url(path))
        .bearer_auth(token)
        .json(body);
    let response = request.send().await.unwrap();
    (response.status(), response.json().await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_can_be_opened_joined_and_played_without_a_socket() {
    let program = Program::start().await;
    let (first, second) = (guest(&program).await, guest(&program).await);
    let (status, created) = post(
        &program,
        &first,
        "/api/games",
        &Setup::default().create(command_id()),
    )
    .await;
    assert_eq!(status, StatusCode::CREATED);
    let game: qiguan_protocol::ids::GameId = created["game"].as_str().unwrap().parse().unwrap();
    let path = format!("/api/games/{game}/commands");
    let command = |kind: &str, extra: Value| json!({"type": kind, "data": command_data(game, command_id(), extra)});
    assert_eq!(
        post(&program, &second, &path, &command("join", json!({})))
            .await
            .0,
        StatusCode::OK
    );
    let (status, done) = post(
        &program,
        &first,
        &path,
        &command("move", json!({"ply": 1, "move": "a3a4"})),
    )
    .await;
    assert_eq!(
        (status, done["type"].as_str()),
        (StatusCode::OK, Some("done"))
    );
    for (token, body, status, code) in [
        (
            &first,
            command("move", json!({"ply": 2, "move": "g7g6"})),
            StatusCode::CONFLICT,
            "not_your_turn",
        ),
        (
            &second,
            command("move", json!({"ply": 2, "move": "g7g5"})),
            StatusCode::CONFLICT,
            "illegal_move",
        ),
        (
            &second,
            command("move", json!({"ply": 2, "move": "g7"})),
            StatusCode::BAD_REQUEST,
            "bad_move",
        ),
        (
            &second,
            command("fly", json!({})),
            StatusCode::BAD_REQUEST,
            "unknown_type",
        ),
        (
            &second,
            json!({"type": "resign"}),
            StatusCode::BAD_REQUEST,
            "bad_request",
        ),
    ] {
        let (found, answer) = post(&program, token, &path, &body).await;
        assert_eq!(
            (found, answer["error"]["code"].as_str()),
            (status, Some(code)),
            "{body}"
        );
    }
    let (status, _) = post(&program, "qg_nobody", &path, &command("resign", json!({}))).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    let (_, view) = program.get(&format!("/api/games/{game}")).await;
    let view: GameView = serde_json::from_str(&view).unwrap();
    assert_eq!(
        (view.moves.len(), view.status, view.you),
        (1, Status::Playing, None)
    );
    let (_, events) = program
        .get(&format!("/api/games/{game}/events?since=2"))
        .await;
    let events: Value = serde_json::from_str(&events).unwrap();
    assert_eq!(events["events"][0]["seq"], 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn games_are_listed_by_every_filter_and_page_by_page() {
    let program = Program::start().await;
    let mut player = Client::guest(program.address()).await;
    for _ in 0..5 {
        player
            .asks(
                "create_game",
                Setup::default()
                    .ruleset("doushouqi/booklet")
                    .create(command_id()),
            )
            .await;
    }
    let mut seats = Seats::begin(&program).await;
    seats
        .first
        .does(seats.game, "resign", json!({}))
        .await
        .ok()
        .unwrap();
    let id = player.player.as_ref().unwrap().id;
    let second = seats.second.player.as_ref().unwrap().id;
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
        let (status, page) = program.get(&format!("/api/games?{query}")).await;
        let page: GamePage = serde_json::from_str(&page).unwrap();
        assert_eq!((status, page.games.len()), (200, expected), "{query}");
    }
    let mut seen = Vec::new();
    let mut before = String::new();
    loop {
        let (_, page) = program.get(&format!("/api/games?limit=2{before}")).await;
        let page: GamePage = serde_json::from_str(&page).unwrap();
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
        assert_eq!(
            program.get(&format!("/api/games?{bad}")).await.0,
            400,
            "{bad}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_object_where_one_belongs_is_refused_with_its_field() {
    let program = Program::start().await;
    let token = guest(&program).await;
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
        let (status, answer) = post(&program, &token, path, &body).await;
        let error = &answer["error"];
        assert_eq!(
            (status, error["code"].as_str(), error["field"].as_str()),
            (StatusCode::BAD_REQUEST, Some("bad_request"), Some(field)),
            "{body} {answer}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_option_comes_once_and_of_its_kind() {
    let program = Program::start().await;
    let token = guest(&program).await;
    let (command, allowed) = (command_id(), "allowed: a whole number from 0 to 100000");
    for (options, code, field, message) in [
        (
            r#"{"quiet_limit":1.5}"#,
            "bad_option",
            "options.quiet_limit",
            allowed,
        ),
        (
            r#"{"quiet_limit":null}"#,
            "bad_option",
            "options.quiet_limit",
            allowed,
        ),
        (
            r#"{"quiet_limit":[1]}"#,
            "bad_option",
            "options.quiet_limit",
            allowed,
        ),
        (
            r#"{"quiet_limit":1000000000000000000000000000000}"#,
            "bad_option",
            "options.quiet_limit",
            allowed,
        ),
        (
            r#"{"quiet_limit":9,"quiet_limit":9}"#,
            "bad_request",
            "options",
            "duplicate field `quiet_limit`",
        ),
        (
            r#"{"quiet_limit":9,"qu\u0069et_limit":9}"#,
            "bad_request",
            "options",
            "duplicate field `quiet_limit`",
        ),
        (
            "[9]",
            "bad_request",
            "options",
            "invalid type: sequence, expected an object",
        ),
    ] {
        let clock = r#"{"clock":{"type":"none"}}"#;
        let body = format!(
            r#"{{"command":"{command}","ruleset":"doushouqi/booklet","options":{options},"time_control":{clock}}}"#
        );
        let response = reqwest::Client::new()
            .post(program.url("/api/games"))
            .bearer_auth(&token)
            .body(body)
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), StatusCode::BAD_REQUEST, "{options}");
        let answer: Value = response.json().await.unwrap();
        let error = &answer["error"];
        assert_eq!(
            (error["code"].as_str(), error["field"].as_str()),
            (Some(code), Some(field)),
            "{options} {answer}"
        );
        assert!(
            error["message"].as_str().unwrap().starts_with(message),
            "{options} {answer}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_catalog_and_the_openapi_document_tell_what_there_is() {
    let program = Program::start().await;
    let (_, catalog) = program.get("/api/catalog").await;
    let catalog: Catalog = serde_json::from_str(&catalog).unwrap();
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
    let (_, document) = program.get("/api/openapi.json").await;
    let document: Value = serde_json::from_str(&document).unwrap();
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
    let (status, page) = program.get("/").await;
    assert!(status == 200 && page.contains("<title>Qiguan</title>"));
}

#[tokio::test(flavor = "multi_thread")]
async fn c12_paths_that_name_no_game_are_not_found() {
    let program = Program::start().await;
    for id in [
        "x",
        "..%2f..%2fetc",
        "%00",
        "'%20or%201=1",
        "01890000-0000-7000-8000-000000000001",
        &"9".repeat(3_000),
    ] {
        let (status, body) = program.get(&format!("/api/games/{id}")).await;
        assert_eq!(status, 404, "{id}: {body}");
        assert!(body.contains("not_found"), "{body}");
    }
    assert_eq!(program.get("/api/nothing").await.0, 404);
    let big = reqwest::Client::new()
        .post(program.url("/api/games"))
        .body(vec![b'x'; 70_000]);
    let token = guest(&program).await;
    let status = big.bearer_auth(token).send().await.unwrap().status();
    assert!(status == 413 || status == 400, "{status}");
}
