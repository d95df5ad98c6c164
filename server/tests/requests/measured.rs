//! What is measured of requests, and who may read it.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use qiguan_server::metric_names;
use qiguan_tests::Folder;
use reqwest::Method;

use crate::server::{Http, Start, TestServer};

/// The names with their labels, without the values. Buckets, sums and counts are series of their own.
fn series(text: &str) -> BTreeSet<String> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let named = lines.filter_map(|line| Some(line.rsplit_once(' ')?.0.to_owned()));
    named.filter(|name| !name.is_empty()).collect()
}

fn value(text: &str, series: &str) -> u64 {
    let mut lines = text.lines();
    let value = lines.find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    let value = value.unwrap_or_else(|| panic!("{series} is not in {text}"));
    value.parse().unwrap()
}

#[tokio::test]
async fn l26_ten_thousand_players_and_paths_add_no_series() {
    let recorder = metric_names::builder().unwrap().build_recorder();
    // All tasks of this test share its thread.
    let _gathering = metrics::set_default_local_recorder(&recorder);
    let server = Start::default().gathering(recorder.handle()).start().await;
    let nobody = Http::nobody(&server);
    let scraped = async || nobody.get("/metrics").await.text;
    let before = scraped().await;

    let mut players = Vec::new();
    for _ in 0..100 {
        let guests = (0..100).map(|_| nobody.post("/api/guest", None));
        players.extend(join_all(guests).await.into_iter().map(|guest| guest.status));
    }
    assert!(players.iter().all(|status| *status == 201));
    let methods = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONJURE",
    ];
    for number in 0..10_000_u32 {
        let method = methods[number as usize % methods.len()];
        let path = match number % 7 {
            0 => format!("/{number}"),
            1 => format!("/api/{number}"),
            2 => format!("/api/games/{number}"),
            3 => format!("/api/players/{number}/ratings?x={number}"),
            4 => format!("/api/puzzles/{number}"),
            5 => "/healthz".to_owned(),
            _ => format!("/api/catalog?{number}"),
        };
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        nobody.send(method, &path, &[], None).await;
    }

    let after = scraped().await;
    let added = &series(&after) - &series(&before);
    assert_eq!(added, BTreeSet::new());
    let grown = |series: &str| value(&after, series) - value(&before, series);
    let guests = r#"{method="POST",route="/api/guest"}"#;
    assert_eq!(
        grown(&format!("qiguan_http_request_seconds_count{guests}")),
        10_000
    );
    let guests = r#"{method="POST",route="/api/guest",status="2xx"}"#;
    assert_eq!(
        grown(&format!("qiguan_http_requests_total{guests}")),
        10_000
    );
    let others = r#"{method="other",route="other",status="4xx"}"#;
    assert!(grown(&format!("qiguan_http_requests_total{others}")) > 1_000);
    assert!(grown(r#"qiguan_refusals_total{code="not_found"}"#) > 1_000);
    let all = series(&after).len();
    assert!(all < 3_000, "{all} series");
}

/// The status of `GET /metrics` with these headers.
async fn status(server: &TestServer, headers: &[(&str, &str)]) -> u16 {
    let nobody = Http::nobody(server);
    let answer = nobody.send(Method::GET, "/metrics", headers, None).await;
    assert_eq!(
        answer.status == 200,
        !answer.text.contains("forbidden") && !answer.text.contains("token"),
        "{answer:?}"
    );
    answer.status
}

#[tokio::test(flavor = "multi_thread")]
async fn l24_programs_on_the_same_machine_read_metrics_and_what_comes_through_a_proxy_does_not() {
    let server = TestServer::start().await;
    for fine in [
        "localhost",
        "localhost:8080",
        "127.0.0.1:8080",
        "[::1]:8080",
    ] {
        assert_eq!(status(&server, &[("host", fine)]).await, 200, "{fine}");
    }
    for forged in [
        "qiguan.example.org",
        "localhost.example.org",
        "10.0.0.7",
        "",
        "[",
    ] {
        assert_eq!(status(&server, &[("host", forged)]).await, 403, "{forged}");
    }
    for forwarded in [
        "x-forwarded-for",
        "forwarded",
        "via",
        "x-real-ip",
        "x-forwarded-proto",
    ] {
        let headers = [(forwarded, "127.0.0.1")];
        assert_eq!(status(&server, &headers).await, 403, "{forwarded}");
    }
    let text = Http::nobody(&server).get("/metrics").await;
    assert_eq!(
        text.headers["content-type"],
        "text/plain; version=0.0.4; charset=utf-8"
    );
    assert_eq!(text.headers["cache-control"], "no-store");

    let elsewhere = TestServer::start().await.asked_from([192, 0, 2, 7]);
    assert_eq!(status(&elsewhere, &[]).await, 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn l24_a_public_server_shows_metrics_to_nobody_without_the_token() {
    let public = || Start::default().with("--public-url", "https://qiguan.example.org");
    let server = public().start().await;
    assert_eq!(status(&server, &[]).await, 403);

    let folder = Folder::new();
    let file = folder.path().join("token");
    std::fs::write(&file, "0123456789abcdef\n").unwrap();
    let server = public()
        .with("--metrics-token-file", file.display())
        .start()
        .await;
    let bearer = |token: &'static str| [("authorization", token)];
    assert_eq!(
        status(&server, &bearer("Bearer 0123456789abcdef")).await,
        200
    );
    for wrong in [
        "Bearer 0123456789abcdeg",
        "Bearer ",
        "0123456789abcdef",
        "Basic 0123456789abcdef",
    ] {
        assert_eq!(status(&server, &bearer(wrong)).await, 401, "{wrong}");
    }
    assert_eq!(status(&server, &[]).await, 401);

    let server = Start::default()
        .with("--metrics-listen", "127.0.0.1:0")
        .start()
        .await;
    assert_eq!(status(&server, &[]).await, 403);
}
