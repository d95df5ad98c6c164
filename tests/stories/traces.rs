//! Traces of moves, as a collector of OpenTelemetry gets them.

use std::collections::BTreeSet;

use axum::{Router, body::Bytes, extract::State, http::Uri, routing::post};
use qiguan_tests::{Client, Program, Seats, Setup, Start, http::Http, waiting::in_time};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::mpsc};

/// What was sent to a collector.
struct Collector {
    port: u16,
    batches: mpsc::UnboundedReceiver<Value>,
    spans: Vec<Value>,
}

impl Collector {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (sender, batches) = mpsc::unbounded_channel();
        let take =
            async |State(sender): State<mpsc::UnboundedSender<Value>>, uri: Uri, body: Bytes| {
                assert_eq!(uri.path(), "/v1/traces");
                sender.send(serde_json::from_slice(&body).unwrap()).unwrap();
                "{}"
            };
        let router = Router::new()
            .route("/v1/traces", post(take))
            .with_state(sender);
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self {
            port,
            batches,
            spans: Vec::new(),
        }
    }

    /// Spans until there are so many moves.
    async fn moves(&mut self, count: usize) -> Vec<Value> {
        loop {
            let moves = self.spans.iter().filter(|span| span["name"] == "move");
            let moves: Vec<_> = moves.cloned().collect();
            if moves.len() >= count {
                assert_eq!(moves.len(), count, "{moves:?}");
                return moves;
            }
            let batch = in_time("traces", self.batches.recv()).await.unwrap();
            for resource in batch["resourceSpans"].as_array().unwrap() {
                let named = json!({"key": "service.name", "value": {"stringValue": "qiguan"}});
                let attributes = resource["resource"]["attributes"].as_array().unwrap();
                assert!(attributes.contains(&named), "{attributes:?}");
                for scope in resource["scopeSpans"].as_array().unwrap() {
                    self.spans
                        .extend(scope["spans"].as_array().unwrap().iter().cloned());
                }
            }
        }
    }

    /// The names of what a move consisted of.
    fn parts(&self, of: &Value) -> BTreeSet<&str> {
        let parts = self
            .spans
            .iter()
            .filter(|span| span["parentSpanId"] == of["spanId"]);
        let parts = parts.inspect(|part| assert_eq!(part["traceId"], of["traceId"]));
        parts.filter_map(|part| part["name"].as_str()).collect()
    }
}

fn attribute<'a>(span: &'a Value, key: &str) -> Option<&'a str> {
    let mut attributes = span["attributes"].as_array()?.iter();
    attributes.find(|attribute| attribute["key"] == key)?["value"]["stringValue"].as_str()
}

async fn traced(port: u16) -> Program {
    let endpoint = format!("OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:{port}");
    let words = ["env", &endpoint, "OTEL_BSP_SCHEDULE_DELAY=20"];
    Start::default().behind(&words).start().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_gets_where_the_time_of_each_move_went_and_nothing_that_is_secret() {
    let mut collector = Collector::start().await;
    let program = traced(collector.port).await;
    let first = Client::guest(program.address()).await;
    let second = Client::guest(program.address()).await;
    let mut seats = Seats::sit(first, second, &Setup::default()).await;
    seats.play(1, &["a3a4", "g7g6"]).await;
    let moves = collector.moves(2).await;
    for of in &moves {
        assert_eq!(attribute(of, "game"), Some(seats.game.to_string().as_str()));
        assert_eq!(attribute(of, "error"), None);
        let parts: Vec<_> = collector.parts(of).into_iter().collect();
        assert_eq!(parts, ["judge", "publish", "store"]);
    }
    // A move that is refused, over HTTP.
    let guest = Http::guest(&program).await;
    let game = seats.game;
    let body = json!({"type": "move", "data": {"game": game, "command": uuid::Uuid::from_u128(7), "ply": 3, "move": "a4a5"}});
    let path = format!("/api/games/{game}/commands");
    let refused = guest
        .send(Method::POST, &path, &[], Some(body.to_string()))
        .await;
    assert_eq!(refused.status, 403, "{refused:?}");
    let moves = collector.moves(3).await;
    let error = moves.iter().find_map(|of| attribute(of, "error"));
    assert_eq!(error, refused.json()["error"]["code"].as_str());
    // What there is of them.
    let keys = collector
        .spans
        .iter()
        .filter_map(|span| span["attributes"].as_array());
    let keys = keys
        .flatten()
        .filter_map(|attribute| attribute["key"].as_str());
    let keys: Vec<_> = keys.collect::<BTreeSet<_>>().into_iter().collect();
    assert_eq!(keys, ["command", "error", "game"]);
    assert!(!program.log().contains("judge"), "{}", program.log());
}

#[tokio::test(flavor = "multi_thread")]
async fn l33_a_collector_that_is_not_there_costs_nobody_a_move() {
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let program = traced(port).await;
    let first = Client::guest(program.address()).await;
    let second = Client::guest(program.address()).await;
    let mut seats = Seats::sit(first, second, &Setup::default()).await;
    seats.play(1, &["a3a4", "g7g6", "a4a5"]).await;
    program.terminate().await;
    let log = program.ends().await.folder.log();
    assert!(log.contains("telemetry data will be lost"), "{log}");
}
