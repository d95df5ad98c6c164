//! What is read over HTTP is what the socket tells: views, events, positions, documents.

use qiguan_protocol::view::GameView;
use qiguan_tests::{Client, Program, Seats, Setup, http::Http};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn the_view_over_http_is_the_view_of_the_socket_for_every_viewer() {
    let program = Program::start().await;
    let mut seats = Seats::begin_with(
        &program,
        &Setup::default().time_control(json!({"clock": {"type": "none"}})),
    )
    .await;
    let game = seats.game;
    seats.play(1, &["a3a4", "g7g6"]).await;
    seats
        .first
        .does(game, "chat", json!({"text": "between us"}))
        .await
        .unwrap();
    let mut spectator = Client::spectator(program.address()).await;
    let Seats { first, second, .. } = &mut seats;
    for client in [first, second, &mut spectator] {
        let live = client.snapshot(game).await;
        let read = client.looks(&program, game).await;
        let same = |view: &GameView| GameView {
            server_time: live.server_time,
            clocks: live.clocks,
            presence: live.presence,
            ..view.clone()
        };
        assert_eq!(same(&read), live);
        assert_eq!(
            live.chat.len(),
            usize::from(live.you.is_some()),
            "the players alone see their chat"
        );
    }
    let events = Http::nobody(&program)
        .get(&format!("/api/games/{game}/events"))
        .await;
    assert!(events.text.contains("withheld") && !events.text.contains("between us"));
}

#[tokio::test(flavor = "multi_thread")]
async fn operators_and_visitors_find_what_they_look_for() {
    let program = Program::start().await;
    let http = Http::nobody(&program);
    assert_eq!(http.get("/api/health").await.status, 200);
    assert_eq!(http.get("/api/ready").await.status, 200);
    let page = http.get("/").await;
    assert_eq!(page.status, 200);
    assert!(
        page.text.contains("<title>Qiguan: ")
            && page.headers["content-type"]
                .to_str()
                .unwrap()
                .starts_with("text/html")
    );
    let _client = Client::guest(program.address()).await;
    let metrics = http.get("/metrics").await;
    for name in [
        "qiguan_sockets_open 1",
        "qiguan_rooms_open",
        "qiguan_room_rebuilds_total 0",
        "qiguan_rooms_parked_total 0",
        "qiguan_journal_batches_total 0",
        "qiguan_journal_failed_total 0",
        "qiguan_computer_threads_busy 0",
        r#"qiguan_computer_waiting{for="review"} 0"#,
    ] {
        assert!(
            metrics.text.contains(name),
            "{name} is not in {}",
            metrics.text
        );
    }
    let mut seats = Seats::begin(&program).await;
    let before = http.get("/metrics").await.text;
    seats.play(1, &["a3a4", "g7g6"]).await;
    let after = http.get("/metrics").await.text;
    let grown = |name: &str| count(&after, name) - count(&before, name);
    assert_eq!(grown("qiguan_journal_batches_total"), 2);
    assert_eq!(grown("qiguan_journal_failed_total"), 0);
    // What else the server notes meanwhile, as that it is alive, it commits too.
    let commits = grown("qiguan_journal_commit_seconds_count");
    assert!(commits >= 2, "{commits} commits for two moves");
    let within = count(&after, r#"qiguan_journal_commit_seconds_bucket{le="5"}"#);
    assert_eq!(within, count(&after, "qiguan_journal_commit_seconds_count"));
    for path in ["/", "/api/games", "/api/catalog", "/api/nothing"] {
        let headers = http.get(path).await.headers;
        assert_eq!(headers["x-content-type-options"], "nosniff", "{path}");
    }
    assert_eq!(
        http.get("/api/games").await.headers["cache-control"],
        "no-store"
    );
}

/// The value of a metric in the text for Prometheus.
fn count(metrics: &str, name: &str) -> u64 {
    let value = metrics.lines().find_map(|line| line.strip_prefix(name));
    let value = value.unwrap_or_else(|| panic!("{name} is not in {metrics}"));
    value.trim().parse().unwrap()
}
