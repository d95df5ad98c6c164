//! A server with a public address: which pages may use it, and what its cookie is worth.

use qiguan_protocol::{answer::Answer, error::ErrorCode, event::ServerNoticeKind, limits::close};
use qiguan_tests::{
    Client, Frame, Program, Seats, Setup, Start, client::command_id, game::command_data,
    http::Http, raw::Raw,
};
use reqwest::Method;
use serde_json::json;

const PUBLIC: &str = "https://qiguan.example.org";
const FURTHER: &str = "http://localhost:5173";

async fn public_server() -> Program {
    Start::default()
        .with("--public-url", PUBLIC)
        .with("--allow-origin", FURTHER)
        .start()
        .await
}

#[tokio::test(flavor = "multi_thread")]
async fn l23_no_answer_of_a_server_with_an_https_address_lets_browsers_come_back_over_http() {
    for (public, expected) in [
        (Some(PUBLIC), Some("max-age=31536000")),
        (Some("http://qiguan.example.org"), None),
        (None, None),
    ] {
        let mut start = Start::default().with("--max-connections", 20);
        if let Some(public) = public {
            start = start.with("--public-url", public);
        }
        let program = start.start().await;
        let nobody = Http::nobody(&program);
        let asked = |answer: &qiguan_tests::http::Response| {
            let told = answer.headers.get_all("strict-transport-security").iter();
            let told: Vec<_> = told.map(|year| year.to_str().unwrap()).collect();
            assert_eq!(told, Vec::from_iter(expected), "{public:?}: {answer:?}");
        };
        for path in [
            "/",
            "/api/catalog",
            "/api/me",
            "/api/nothing",
            "/nothing",
            "/metrics",
            "/api/ready",
            "/api/ws",
        ] {
            asked(&nobody.get(path).await);
        }
        let large = Some("x".repeat(80_000));
        asked(&nobody.send(Method::POST, "/api/login", &[], large).await);
        let origin = [("origin", "https://evil.example")];
        asked(&nobody.send(Method::POST, "/api/guest", &origin, None).await);
        // No room for another connection.
        let mut open = Vec::new();
        while let Ok(client) = Client::try_connect(program.address(), &[]).await {
            open.push(client);
            assert!(open.len() <= 20, "there is always room");
        }
        let full = Http::nobody(&program).get("/").await;
        assert_eq!(full.status, 503, "{full:?}");
        asked(&full);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn d3_only_pages_of_the_listed_origins_get_in() {
    let program = public_server().await;
    let guest = Client::guest(program.address()).await;
    let token = guest.token.as_ref().unwrap().reveal();
    let cookie = format!("__Host-qiguan={token}");
    let own = format!("http://{}", program.address());
    let creation = Setup::default().create(command_id()).to_string();
    for (origin, fine) in [
        (PUBLIC, true),
        (FURTHER, true),
        (own.as_str(), false),
        ("http://qiguan.example.org", false),
        ("https://qiguan.example.org:8443", false),
        ("https://qiguan.example.org.evil.test", false),
        ("https://evil.test/https://qiguan.example.org", false),
        ("https://evilqiguan.example.org", false),
        ("https://QIGUAN.example.org", false),
        ("https://qiguan.example.org/", false),
        ("http://localhost:51730", false),
        ("null", false),
    ] {
        let headers = [("origin", origin), ("cookie", cookie.as_str())];
        let socket = Client::try_connect(program.address(), &headers).await;
        assert_eq!(socket.is_ok(), fine, "a socket of {origin}");
        let acted = Http::nobody(&program)
            .send(Method::POST, "/api/games", &headers, Some(creation.clone()))
            .await;
        assert_eq!(
            acted.status,
            if fine { 201 } else { 403 },
            "an action of {origin}: {acted:?}"
        );
    }
    // Two origins are invalid.
    let mut raw = Raw::connect(program.address()).await;
    let twice = format!(
        "GET /api/ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: qiguan.v1\r\nOrigin: {PUBLIC}\r\nOrigin: https://evil.test\r\n\r\n"
    );
    raw.sends(twice.as_bytes()).await;
    let answer = raw.reads_to_end().await;
    assert!(
        answer.starts_with(b"HTTP/1.1 403"),
        "{}",
        String::from_utf8_lossy(&answer)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn d4_a_token_in_the_url_identifies_nobody() {
    let program = Program::start().await;
    let guest = Client::guest(program.address()).await;
    let token = guest.token.as_ref().unwrap().reveal();
    let nobody = Http::nobody(&program);
    for path in [
        format!("/api/me?token={token}"),
        format!("/api/me?access_token={token}"),
    ] {
        assert_eq!(nobody.get(&path).await.status, 401, "{path}");
    }
    let mut spectator =
        Client::try_connect(&format!("{}/api/ws?token={token}&", program.address()), &[])
            .await
            .ok();
    if let Some(spectator) = &mut spectator {
        let Answer::Welcome(welcome) = spectator.asks("hello", json!({})).await else {
            panic!("no welcome")
        };
        assert_eq!(welcome.player, None);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn b17_while_it_ends_sockets_and_games_are_refused_with_a_time_to_come_back() {
    let program = Program::start().await;
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    let http = Http::guest(&program).await;
    // One who never says goodbye: the server waits a moment for it, and that is the time of this story.
    let mut rude = Raw::upgraded(program.address()).await;
    rude.sends_frame(0x81, br#"{"id":1,"type":"hello"}"#).await;
    program.terminate().await;
    loop {
        if let Ok(Frame::Server(ServerNoticeKind::Restarting { .. })) = seats.first.next().await {
            break;
        }
    }
    let creation = Setup::default().create(command_id());
    let headers = [
        ("connection", "Upgrade"),
        ("upgrade", "websocket"),
        ("sec-websocket-version", "13"),
        ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ("sec-websocket-protocol", "qiguan.v1"),
    ];
    // All at once: the moment is short.
    let (created, guest, ready, health, socket) = tokio::join!(
        http.post("/api/games", Some(&creation)),
        http.post("/api/guest", None),
        http.get("/api/ready"),
        http.get("/api/health"),
        http.send(Method::GET, "/api/ws", &headers, None),
    );
    for refused in [&created, &guest, &socket] {
        assert_eq!(refused.refusal(), (503, ErrorCode::Restarting));
    }
    assert_eq!((ready.status, health.status), (503, 200));
    assert!(socket.headers.contains_key("retry-after"));
    // A move under way is refused or stored, and in either case answered or closed.
    let data = command_data(game, command_id(), json!({"ply": 1, "move": "a3a4"}));
    match seats.first.try_request("move", data).await {
        Ok(Err(error)) => assert_eq!(error.code, ErrorCode::Restarting),
        Ok(Ok(_)) => {}
        Err(closed) => assert_eq!(closed.code, Some(close::RESTART)),
    }
    program.ends().await;
}
