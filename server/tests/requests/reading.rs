//! What is read over HTTP is what the socket tells: views, events, positions, documents.

use std::collections::BTreeSet;

use qiguan_protocol::{
    account::{Me, Scope},
    answer::{Answer, Guest},
    catalog::Catalog,
    error::ErrorCode,
    event::{EventFrame, GameEvent},
    names::{EndReason, Role, Seat, Status},
    view::{GamePage, GameView, Positions},
};
use qiguan_tests::{Setup, client::command_id, game::command_data};
use reqwest::Method;
use serde_json::json;

use crate::server::{Http, TestServer};

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_is_known_by_token_and_by_cookie() {
    let server = TestServer::start().await;
    let nobody = Http::nobody(&server);
    assert_eq!(
        nobody.get("/api/me").await.refusal(),
        (401, ErrorCode::Unauthenticated)
    );

    let opened = nobody.post("/api/guest", None).await;
    assert_eq!(opened.status, 201);
    let cookie = opened.headers["set-cookie"].to_str().unwrap();
    for mark in ["HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(cookie.contains(mark), "{cookie} is not {mark}");
    }
    let guest: Guest = opened.parsed();

    let mut by_token = nobody.clone();
    by_token.token = Some(guest.token.clone());
    assert_eq!(
        by_token.me().await,
        Me {
            id: guest.player.id,
            name: guest.player.name.clone(),
            role: Role::Guest,
            guest: true,
            scopes: Scope::ALL.to_vec(),
        }
    );
    let cookie = format!("qiguan={}", guest.token.reveal());
    let by_cookie = nobody
        .send(Method::GET, "/api/me", &[("cookie", &cookie)], None)
        .await;
    assert_eq!(by_cookie.parsed::<Me>(), by_token.me().await);
    for authorization in ["Bearer nobody", "Basic bm9ib2R5", "Bearer", ""] {
        let refused = nobody
            .send(
                Method::GET,
                "/api/me",
                &[("authorization", authorization)],
                None,
            )
            .await;
        assert_eq!(
            refused.refusal(),
            (401, ErrorCode::BadToken),
            "{authorization:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_played_over_http_alone() {
    let server = TestServer::start().await;
    let [first, second, nobody] = [
        Http::guest(&server).await,
        Http::guest(&server).await,
        Http::nobody(&server),
    ];
    let game = first
        .opens(&Setup::default().time_control(json!({"clock": {"type": "none"}})))
        .await;
    assert_eq!(second.does(game, "join", json!({})).await.status, 200);
    for (mover, ply, text) in [(&first, 1, "a3a4"), (&second, 2, "g7g6")] {
        let data = command_data(game, command_id(), json!({"ply": ply, "move": text}));
        let body = json!({"type": "move", "data": data});
        let path = format!("/api/games/{game}/commands");
        let played = mover.post(&path, Some(&body)).await;
        assert_eq!(played.status, 200, "{played:?}");
        let again = mover.post(&path, Some(&body)).await;
        assert_eq!(
            (again.status, again.text),
            (200, played.text),
            "the same command gets the same answer"
        );
    }
    assert_eq!(first.does(game, "resign", json!({})).await.status, 200);

    let view: GameView = second.get(&format!("/api/games/{game}")).await.parsed();
    assert_eq!((view.status, view.you), (Status::Ended, Some(Seat::Second)));
    assert_eq!(
        view.outcome.map(|outcome| outcome.reason),
        Some(EndReason::Resignation)
    );
    let shown: Vec<_> = view
        .moves
        .iter()
        .map(|played| played.text.as_str())
        .collect();
    assert_eq!(shown, ["a3a4", "g7g6"]);

    let all = nobody.get(&format!("/api/games/{game}/events")).await;
    let all: Vec<EventFrame> = serde_json::from_value(all.json()["events"].clone()).unwrap();
    assert!(
        all.iter()
            .map(|event| event.seq.0)
            .eq(1..=view.cursor.seq.0),
        "every number once"
    );
    assert!(matches!(all.last().unwrap().event, GameEvent::Ended { .. }));
    let some = nobody
        .get(&format!("/api/games/{game}/events?since=3"))
        .await;
    let some: Vec<EventFrame> = serde_json::from_value(some.json()["events"].clone()).unwrap();
    assert_eq!(some, all[3..]);

    let positions: Positions = nobody
        .get(&format!("/api/games/{game}/positions"))
        .await
        .parsed();
    assert_eq!(positions.positions.len(), 3);
    assert_eq!(positions.positions[2].fen, view.position.fen);
    assert_eq!(positions.positions[1].text.as_deref(), Some("a3a4"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_opening_sent_twice_opens_one_game() {
    let server = TestServer::start().await;
    let http = Http::guest(&server).await;
    let opening = Setup::default().create(command_id());
    let opened = http.post("/api/games", Some(&opening)).await;
    let again = http.post("/api/games", Some(&opening)).await;
    assert_eq!((opened.status, &opened.text), (again.status, &again.text));
    let page: GamePage = http.get("/api/games").await.parsed();
    assert_eq!(page.games.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::too_many_lines, reason = "a list of paths")]
async fn the_documents_describe_what_is_there() {
    let server = TestServer::start().await;
    let http = Http::nobody(&server);
    let openapi = http.get("/api/openapi.json").await.json();
    let paths: BTreeSet<_> = openapi["paths"]
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let expected = BTreeSet::from([
        "/api/analyses",
        "/api/analyses/{id}",
        "/api/analyses/{id}/preview.png",
        "/api/admin/analyses/{id}",
        "/api/guest",
        "/api/me",
        "/api/register",
        "/api/login",
        "/api/logout",
        "/api/recover",
        "/api/account/recovery_codes",
        "/api/players/search",
        "/api/account/password",
        "/api/account/sessions",
        "/api/account/sessions/{id}",
        "/api/account/tokens",
        "/api/account/tokens/{id}",
        "/api/account/bot",
        "/api/account/delete",
        "/api/account/push",
        "/api/push/key",
        "/api/players/{id}/ban",
        "/api/players/{id}/limit",
        "/api/players/{id}/mute",
        "/api/players/{id}/name",
        "/api/admin/players/{id}",
        "/api/players/{id}/role",
        "/api/catalog",
        "/api/computers",
        "/api/games",
        "/api/games/{id}",
        "/api/games/{id}/events",
        "/api/games/{id}/fens",
        "/api/games/{id}/position.svg",
        "/api/games/{id}/positions",
        "/api/games/{id}/commands",
        "/api/games/{id}/setup",
        "/api/games/{id}/notes",
        "/api/live",
        "/api/tv",
        "/api/tv/{kind}",
        "/api/games/{id}/stream",
        "/api/me/stream",
        "/api/openings",
        "/api/tables",
        "/api/games/{id}/spectator_chat",
        "/api/games/{id}/text",
        "/api/games/{id}/verify",
        "/api/games/{id}/animation.gif",
        "/api/games/export/ndjson",
        "/api/games/export/text",
        "/api/lobby",
        "/api/lobby/pools",
        "/api/lobby/quick",
        "/api/lobby/seeks",
        "/api/lobby/seeks/{id}",
        "/api/lobby/seeks/{id}/accept",
        "/api/players/{id}/presence",
        "/api/players",
        "/api/players/{id}",
        "/api/players/{id}/ratings",
        "/api/players/{id}/against/{other}",
        "/api/leaderboards/{game}/{set}",
        "/api/players/online",
        "/api/account/following",
        "/api/account/following/{player}",
        "/api/account/presence",
        "/api/account/settings",
        "/api/account/blocks",
        "/api/account/blocks/{player}",
        "/api/positions/judge",
        "/api/positions/hint",
        "/api/positions/read",
        "/api/games/{id}/hint",
        "/api/games/{id}/preview.png",
        "/api/preview.png",
        "/api/games/{id}/review",
        "/api/games/{id}/review/try",
        "/api/tables",
        "/api/puzzles/daily",
        "/api/puzzles/drills",
        "/api/puzzles/next",
        "/api/puzzles/results",
        "/api/puzzles/{id}",
        "/api/puzzles/{id}/attempts",
        "/api/puzzles/{id}/preview.png",
        "/api/reports",
        "/api/reports/{id}/close",
        "/api/admin/audit",
        "/api/admin/games",
        "/api/admin/games/{id}",
        "/api/admin/games/{id}/chat",
        "/api/admin/maintenance",
        "/api/admin/notice",
        "/api/announcements",
        "/api/games/{id}/withdraw",
        "/api/games/{id}/restore",
        "/api/games/{id}/adjudicate",
        "/api/setups",
        "/api/setups/{name}",
        "/api/health",
        "/api/ready",
    ]);
    assert_eq!(paths, expected);
    // Every reference leads somewhere.
    let text = openapi.to_string();
    for reference in text.split("\"$ref\":\"#").skip(1) {
        let pointer = reference.split('"').next().unwrap();
        assert!(
            openapi.pointer(pointer).is_some(),
            "{pointer} is not described"
        );
    }

    let catalog: Catalog = http.get("/api/catalog").await.parsed();
    let guest = Http::guest(&server).await;
    for ruleset in catalog.games.iter().flat_map(|game| &game.rulesets) {
        let mut creation = Setup::default().create(command_id());
        creation["ruleset"] = json!(ruleset.id);
        let opened = guest.post("/api/games", Some(&creation)).await;
        let Answer::Created { game } = opened.parsed() else {
            panic!("not created")
        };
        let view: GameView = guest.get(&format!("/api/games/{game}")).await.parsed();
        assert_eq!(
            (&view.options, &view.position.fen),
            (&ruleset.options, &ruleset.start)
        );
    }
    let ids: Vec<_> = catalog
        .games
        .iter()
        .flat_map(|game| &game.rulesets)
        .map(|ruleset| ruleset.id.as_str())
        .collect();
    assert_eq!(
        ids,
        [
            "doushouqi/ancientchess",
            "doushouqi/booklet",
            "doushouqi/tierschach",
            "luzhanqi/modern",
            "luzhanqi/northern",
            "luzhanqi/referee",
            "luzhanqi/showdown",
            "xiangqi/grunfeld",
            "xiangqi/standard",
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn positions_are_downloaded_as_text_and_as_pictures() {
    let server = TestServer::start().await;
    let [first, second] = [Http::guest(&server).await, Http::guest(&server).await];
    let game = first.opens(&Setup::default()).await;
    assert_eq!(second.does(game, "join", json!({})).await.status, 200);
    for (mover, ply, text) in [(&first, 1, "a3a4"), (&second, 2, "g7g6")] {
        let mv = json!({"ply": ply, "move": text});
        assert_eq!(mover.does(game, "move", mv).await.status, 200);
    }
    let nobody = Http::nobody(&server);
    let path = |rest: &str| format!("/api/games/{game}/{rest}");
    let positions: Positions = nobody.get(&path("positions")).await.parsed();
    let text = nobody.get(&path("fens")).await;
    assert_eq!(text.status, 200);
    assert!(
        text.headers["content-type"]
            .to_str()
            .unwrap()
            .starts_with("text/plain")
    );
    let fens: Vec<_> = positions
        .positions
        .iter()
        .map(|position| position.fen.as_str())
        .collect();
    assert_eq!(text.text.lines().collect::<Vec<_>>(), fens);
    assert_eq!(fens.len(), 3);

    let mut pictures = Vec::new();
    for query in ["?ply=0", "?ply=1", "?ply=2", "", "?pieces=characters"] {
        let picture = nobody.get(&path(&format!("position.svg{query}"))).await;
        assert_eq!(picture.status, 200, "{query}");
        assert_eq!(picture.headers["content-type"], "image/svg+xml");
        assert_eq!(
            picture.headers["content-security-policy"],
            "default-src 'none'"
        );
        pictures.push(picture.text.clone());
    }
    assert!(pictures[0] != pictures[1] && pictures[1] != pictures[2]);
    assert_eq!(pictures[2], pictures[3], "without a ply it is the last one");
    assert_ne!(pictures[3], pictures[4]);
    for (query, code) in [
        ("?ply=3", ErrorCode::BadValue),
        ("?ply=-1", ErrorCode::BadRequest),
        ("?pieces=runes", ErrorCode::BadRequest),
        ("?size=9", ErrorCode::BadRequest),
    ] {
        let refused = nobody.get(&path(&format!("position.svg{query}"))).await;
        assert_eq!(refused.refusal(), (400, code), "{query}");
    }
    let refused = nobody.get(&path("position.svg?as=referee")).await;
    assert_eq!(refused.refusal(), (409, ErrorCode::GameRunning));
}
