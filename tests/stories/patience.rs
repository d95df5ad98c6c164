//! What the server puts up with, and for how long: slow bodies, silent sockets, steady floods, monstrous headers.

use std::time::Duration;

use qiguan_protocol::{
    error::ErrorCode,
    event::ServerNoticeKind,
    ids::{GameId, Millis},
    limits::{self, close},
};
use qiguan_tests::{
    Client, Frame, Program, Seats, Start,
    client::command_id,
    http::Http,
    raw::{Raw, resident_kib},
    waiting::in_time,
};
use reqwest::Method;
use serde_json::json;
use uuid::Uuid;

const TEXT: u8 = 0x81;
const PING: u8 = 0x89;
const PONG: u8 = 0x8a;
/// After so long without a refusal a flood is over, in milliseconds.
const CALM_MS: i64 = 500;

#[tokio::test(flavor = "multi_thread")]
async fn c6_a_slow_body_is_cut_off() {
    let program = Program::start().await;
    let http = Http::guest(&program).await;
    let token = http.token.as_ref().unwrap().reveal();
    let mut raw = Raw::connect(program.address()).await;
    let head = format!(
        "POST /api/games HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\nContent-Length: 1000\r\n\r\n{{",
        program.address()
    );
    raw.sends(head.as_bytes()).await;
    // The rest never comes.
    raw.reads_to_end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c7_a_socket_that_never_answers_pings_is_closed_and_one_that_does_is_not() {
    let program = Start::default().with("--ping-ms", 2_000).start().await;
    let mut quiet = Client::spectator(program.address()).await;
    // For as long as two others, one after the other, are borne with.
    for _ in 0..2 {
        let mut deaf = Raw::upgraded(program.address()).await;
        deaf.sends_frame(TEXT, br#"{"id":1,"type":"hello"}"#).await;
        let code = tokio::select! {
            code = deaf.close_code() => code,
            // The harness reads, and so answers pings, while it waits for something that does not come.
            heard = quiet.next() => panic!("{heard:?}"),
        };
        assert_eq!(code, Some(close::SILENT));
    }
    quiet.asks("ping", json!({})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c8_floods_of_control_frames_count_against_the_credit() {
    let program = Program::start().await;
    let mut seats = Seats::begin(&program).await;
    for (kind, what) in [(PING, "pings"), (PONG, "pongs")] {
        let mut raw = Raw::upgraded(program.address()).await;
        raw.sends_frame(TEXT, br#"{"id":1,"type":"hello"}"#).await;
        for _ in 0..2_000 {
            raw.sends_frame(kind, b"").await;
        }
        let code = raw.close_code().await;
        assert!(
            matches!(code, Some(close::POLICY) | None),
            "{what}: {code:?}"
        );
    }
    seats.play(1, &["a3a4", "g7g6"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c9_monstrous_headers_are_refused_at_once_and_memory_stays_flat() {
    let program = Program::start().await;
    let before = resident_kib(program.pid());
    let one = format!("X-Long: {}\r\n", "x".repeat(20_000_000));
    let many: Vec<_> = (0..10_000)
        .map(|number| format!("X-{number}: 1\r\n"))
        .collect();
    let many = many.concat();
    let requests = [
        (
            "a header of 20 MB",
            format!("GET / HTTP/1.1\r\nHost: x\r\n{one}\r\n"),
        ),
        (
            "10,000 headers",
            format!("GET / HTTP/1.1\r\nHost: x\r\n{many}\r\n"),
        ),
        (
            "a path of 64 KB",
            format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "x".repeat(64_000)),
        ),
    ];
    for (what, request) in requests {
        let mut raw = Raw::connect(program.address()).await;
        raw.sends(request.as_bytes()).await;
        let answer = raw.reads_to_end().await;
        let answer = String::from_utf8_lossy(&answer);
        // A reset may swallow the answer, since the server does not read the rest.
        let told = answer.is_empty()
            || answer.starts_with("HTTP/1.1 431")
            || answer.starts_with("HTTP/1.1 414");
        assert!(
            told,
            "{what}: {}",
            answer.lines().next().unwrap_or_default()
        );
    }
    let grown = resident_kib(program.pid()).saturating_sub(before);
    assert!(grown < 4 * 1024, "the server has grown by {grown} KiB");
}

#[tokio::test(flavor = "multi_thread")]
async fn c11_a_compressed_body_is_not_unpacked() {
    let program = Program::start().await;
    let http = Http::guest(&program).await;
    let headers = [("content-encoding", "gzip")];
    let refused = http
        .send(
            Method::POST,
            "/api/games",
            &headers,
            Some("\u{1f}\u{8b}".to_owned()),
        )
        .await;
    assert!(matches!(refused.status, 400 | 415), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn c13_numbers_at_the_edges_are_refused_by_their_bounds() {
    let program = Program::start().await;
    let mut client = Client::guest(program.address()).await;
    for number in [
        json!(i64::MIN),
        json!(i64::MAX),
        json!(u64::MAX),
        json!(1e300),
        json!(0.5),
        json!("300000"),
    ] {
        for clock in [
            json!({"type": "fischer", "initial_ms": number, "increment_ms": 0}),
            json!({"type": "fischer", "initial_ms": 1_000, "increment_ms": number}),
            json!({"type": "byoyomi", "main_ms": number, "period_ms": 1_000, "periods": 1}),
            json!({"type": "byoyomi", "main_ms": 0, "period_ms": 1_000, "periods": number}),
            json!({"type": "per_move", "move_ms": number}),
        ] {
            let data = json!({"command": command_id(), "ruleset": "doushouqi/booklet", "time_control": {"clock": clock}});
            let code = client
                .request("create_game", data)
                .await
                .err()
                .unwrap()
                .code;
            assert!(
                matches!(code, ErrorCode::BadValue | ErrorCode::BadRequest),
                "{clock}: {code:?}"
            );
        }
        let data = json!({"command": command_id(), "ruleset": "doushouqi/booklet", "options": {"quiet_limit": number}, "time_control": {"clock": {"type": "none"}}});
        let code = client
            .request("create_game", data)
            .await
            .err()
            .unwrap()
            .code;
        assert!(
            matches!(code, ErrorCode::BadOption | ErrorCode::BadRequest),
            "{number}: {code:?}"
        );
        let watch = json!({"game": Uuid::nil(), "since": {"epoch": number, "seq": number}});
        let code = client.request("watch", watch).await.err().unwrap().code;
        assert_eq!(code, ErrorCode::BadRequest, "{number}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn f6_a_steady_flood_is_warned_and_closed_as_a_sudden_one_is() {
    let program = Program::start().await;
    let mut flood = Client::guest(program.address()).await;
    let mut other = Client::guest(program.address()).await;
    let began = other.server_time().await;
    // Twenty times what is allowed in the long run, so that now and then one message is within the allowance.
    let mut every = tokio::time::interval(Duration::from_micros(2_500));
    let flooding = async {
        loop {
            every.tick().await;
            flood.sends("ping", json!({})).await;
            if flood.is_closed().await {
                return;
            }
        }
    };
    in_time("the flood to be ended", flooding).await;
    let took = (other.server_time().await - began).0;
    let warnings = flood
        .received
        .iter()
        .filter(|text| text.contains("slow_down"))
        .count();
    let warnings = i64::try_from(warnings).unwrap();
    // A busy machine may let the flood rest for so long that it begins again.
    assert!(
        (1..=1 + took / CALM_MS).contains(&warnings),
        "{warnings} warnings come before the end, after {took} ms"
    );
    assert_eq!(flood.end().await.code, Some(close::POLICY));
}

#[tokio::test(flavor = "multi_thread")]
async fn f6_a_client_that_slows_down_after_the_warning_stays_connected() {
    let program = Start::default()
        .with("--message-burst", 10)
        .with("--messages-per-second", 20)
        .start()
        .await;
    let mut client = Client::guest(program.address()).await;
    let mut other = Client::guest(program.address()).await;
    for round in 0..5 {
        let mut refused = 0;
        // A burst is more than is allowed, unless a busy machine takes long over it.
        while refused == 0 {
            let mut ids = Vec::new();
            for _ in 0..15 {
                ids.push(client.sends("ping", json!({})).await);
            }
            for id in ids {
                if let Err(error) = client.answer(id).await {
                    assert_eq!(error.code, ErrorCode::RateLimited);
                    refused += 1;
                }
            }
        }
        loop {
            match client.next().await {
                Ok(Frame::Server(ServerNoticeKind::SlowDown {})) => break,
                Ok(_) => {}
                Err(closed) => panic!("round {round}: {closed:?}"),
            }
        }
        // Going slower is what was asked for: the whole allowance comes back.
        other.lets_pass(Millis(700)).await;
    }
    client.asks("ping", json!({})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn games_that_are_not_there_take_no_place_among_those_watched() {
    let program = Start::default().for_machines().start().await;
    let mut seats = Seats::begin(&program).await;
    let mut spectator = Client::spectator(program.address()).await;
    for number in 0..limits::WATCHED_GAMES {
        let unknown = GameId(Uuid::from_u128(number as u128));
        let refused = spectator
            .request("watch", json!({"game": unknown}))
            .await
            .err()
            .unwrap();
        assert_eq!(refused.code, ErrorCode::NotFound);
    }
    spectator.watches(seats.game).await;
    seats.play(1, &["a3a4"]).await;
    in_time("the move", spectator.event(seats.game)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_watches_as_many_games_as_allowed_and_no_more() {
    let program = Start::default()
        .for_machines()
        .with("--games-per-player", 100)
        .start()
        .await;
    let http = Http::guest(&program).await;
    let mut spectator = Client::spectator(program.address()).await;
    let mut games = Vec::new();
    for _ in 0..=limits::WATCHED_GAMES {
        games.push(http.opens(&qiguan_tests::Setup::default()).await);
    }
    let last = games.pop().unwrap();
    for game in &games {
        spectator.watches(*game).await;
    }
    let refused = spectator
        .request("watch", json!({"game": last}))
        .await
        .err()
        .unwrap();
    assert_eq!(refused.code, ErrorCode::LimitReached);
    spectator.watches(games[0]).await;
    spectator.asks("unwatch", json!({"game": games[0]})).await;
    spectator.watches(last).await;
}
