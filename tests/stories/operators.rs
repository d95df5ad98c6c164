//! What operators watch a server by: its log, its metrics, the alert rules and the dashboard.

use std::{collections::BTreeSet, path::Path, process::Command};

use qiguan_tests::{
    Client, Folder, Program, Seats, http::Http, program::Start, waiting::eventually,
};
use reqwest::Method;
use serde_json::{Value, json};

/// What has the program log JSON.
const JSON: [&str; 2] = ["env", "QIGUAN_LOG_JSON=true"];

/// The lines of the log about requests and signing in, as JSON.
fn lines(program: &Program, target: &str) -> Vec<Value> {
    let log = program.log();
    let lines = log.lines().map(|line| {
        let line = serde_json::from_str::<Value>(line);
        line.unwrap_or_else(|error| panic!("a line is no JSON: {error}: {log}"))
    });
    let of_it = lines.filter(|line| line["target"] == target);
    of_it.map(|line| line["fields"].clone()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn l25_the_log_has_each_request_by_its_route_and_nothing_that_a_visitor_has_written() {
    let program = Start::default()
        .behind(&JSON)
        .with("--log", "info,qiguan::requests=debug")
        .start()
        .await;
    let http = Http::nobody(&program);
    let secret = "hunter2-secret";
    let paths = [
        (
            "/api/games/018f-hunter2-secret?token=hunter2-secret".to_owned(),
            404,
        ),
        (format!("/api/{secret}"), 404),
        (format!("/{secret}?{secret}"), 404),
        ("/api/catalog".to_owned(), 200),
        ("/healthz".to_owned(), 200),
    ];
    for (path, status) in &paths {
        assert_eq!(http.get(path).await.status, *status, "{path}");
    }
    let conjured = Method::from_bytes(b"HUNTER2-SECRET").unwrap();
    assert_eq!(
        http.send(conjured, "/api/catalog", &[], None).await.status,
        405
    );
    let wrong = json!({"name": secret, "password": "hunter2-secret-too"});
    assert_eq!(http.post("/api/login", Some(&wrong)).await.status, 401);
    let recovered = json!({"name": secret, "code": secret, "password": "hunter2-secret-too"});
    http.post("/api/recover", Some(&recovered)).await;
    let mut seats = Seats::begin(&program).await;
    seats.play(1, &["a3a4", "g7g6"]).await;
    drop(seats);

    let requests = eventually("the sockets' lines", async || {
        let requests = lines(&program, "qiguan::requests");
        let sockets = requests.iter().filter(|line| line["status"] == 101);
        (sockets.count() >= 2).then_some(requests)
    })
    .await;
    let find = |method: &str, route: &str, status: u16| {
        let mut requests = requests.iter();
        let found = requests.find(|line| {
            line["method"] == method && line["route"] == route && line["status"] == status
        });
        found.unwrap_or_else(|| panic!("{method} {route} {status} is not in {requests:?}"))
    };
    assert_eq!(find("GET", "/api/games/{id}", 404)["error"], "not_found");
    assert_eq!(find("GET", "web", 404)["error"], "not_found");
    assert!(find("GET", "/api/catalog", 200)["ms"].is_number());
    assert_eq!(find("POST", "/api/login", 401)["error"], "bad_credentials");
    find("GET", "/healthz", 200);
    find("other", "/api/catalog", 405);
    find("GET", "/api/ws", 101);
    let failed = lines(&program, "qiguan::sign_in");
    assert_eq!(failed.len(), 2, "{failed:?}");
    for line in failed {
        let expected = json!({"message": "sign-in failed", "address": "127.0.0.1", "reason": "bad_credentials"});
        assert_eq!(line, expected);
    }
    assert!(
        !program.log().to_lowercase().contains("hunter2"),
        "{}",
        program.log()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn l25_by_default_the_log_leaves_out_what_is_asked_again_and_again_and_keeps_what_is_refused()
{
    let program = Start::default().behind(&JSON).start().await;
    let http = Http::nobody(&program);
    for path in ["/healthz", "/readyz", "/metrics", "/"] {
        assert_eq!(http.get(path).await.status, 200, "{path}");
    }
    assert_eq!(http.get("/nothing").await.status, 404);
    let seen = lines(&program, "qiguan::requests");
    assert_eq!(seen.len(), 1, "{seen:?}");
    assert_eq!(seen[0]["route"], "web");
}

#[tokio::test(flavor = "multi_thread")]
async fn l24_a_listener_of_its_own_has_metrics_and_nothing_else() {
    let folder = Folder::new();
    let token = folder.path().join("token");
    std::fs::write(&token, "0123456789abcdef").unwrap();
    let program = Start::default()
        .behind(&JSON)
        .with("--public-url", "https://qiguan.example.org")
        .with("--metrics-listen", "127.0.0.1:0")
        .with("--metrics-token-file", token.display())
        .start()
        .await;
    let ready = program.log();
    let ready = ready
        .lines()
        .find(|line| line.contains("\"ready\""))
        .unwrap();
    let ready: Value = serde_json::from_str(ready).unwrap();
    let own = format!("http://{}", ready["fields"]["metrics"].as_str().unwrap());
    let client = reqwest::Client::new();
    let asked = async |path: &str, token: &str| {
        let asked = client.get(format!("{own}{path}")).bearer_auth(token).send();
        let answer = asked.await.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    };
    let (status, text) = asked("/metrics", "0123456789abcdef").await;
    assert_eq!(status, 200);
    assert!(text.contains("qiguan_build_info{"), "{text}");
    assert_eq!(asked("/metrics", "another").await.0, 401);
    for path in ["/", "/api/catalog", "/healthz", "/api/ws"] {
        assert_eq!(asked(path, "0123456789abcdef").await.0, 404, "{path}");
    }
    assert_eq!(Http::nobody(&program).get("/metrics").await.status, 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn l26_what_happens_shows_in_the_metrics() {
    let program = Start::default().start().await;
    let mut seats = Seats::begin(&program).await;
    seats.play(1, &["a3a4", "g7g6"]).await;
    let game = seats.game;
    seats.first.plays(game, 3, "a1a9").await.unwrap_err();
    let metrics = program.metrics().await.concat();
    let value = |series: &str| {
        let mut lines = metrics.lines();
        let value = lines.find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
        let value = value.unwrap_or_else(|| panic!("{series} is not in {metrics}"));
        value.parse::<f64>().unwrap()
    };
    let at_least =
        |series: &str, least: f64| assert!(value(series) >= least, "{series} {}", value(series));
    at_least("qiguan_move_seconds_count", 3.0);
    at_least("qiguan_games_running", 1.0);
    at_least("qiguan_players_online", 2.0);
    at_least("qiguan_connections_open", 2.0);
    at_least("qiguan_connections_limit", 100.0);
    at_least(r#"qiguan_database_connections{for="write"}"#, 1.0);
    at_least("qiguan_database_acquire_seconds_count", 1.0);
    at_least("process_resident_memory_bytes", 1e6);
    at_least("process_open_fds", 5.0);
    at_least("process_max_fds", 5.0);
    at_least("process_start_time_seconds", 1.7e9);
    at_least(r#"qiguan_refusals_total{code="bad_move"}"#, 0.0);
    let refusals = metrics
        .lines()
        .filter(|line| line.starts_with("qiguan_refusals_total{"));
    let refusals: Vec<_> = refusals.filter(|line| !line.ends_with(" 0")).collect();
    assert_eq!(refusals.len(), 1, "{refusals:?}");
    drop(seats);
    eventually("the sockets have ended", async || {
        let ended = program
            .metric(r#"qiguan_sockets_closed_total{code="client"}"#)
            .await;
        (ended.iter().sum::<u64>() == 2).then_some(())
    })
    .await;
}

/// The folder of what operators copy.
fn examples() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/examples")
}

fn example(name: &str) -> String {
    std::fs::read_to_string(examples().join(name)).unwrap()
}

/// The queries of the dashboard.
fn queries() -> Vec<String> {
    let dashboard: Value = serde_json::from_str(&example("dashboard.json")).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let targets = panels
        .iter()
        .filter_map(|panel| panel["targets"].as_array());
    let queries = targets
        .flatten()
        .map(|target| target["expr"].as_str().unwrap().to_owned());
    queries.collect()
}

/// The names of metrics in a text.
fn names(text: &str) -> BTreeSet<&str> {
    let words =
        text.split(|character: char| !character.is_ascii_alphanumeric() && character != '_');
    let of_ours = |word: &&str| word.starts_with("qiguan_") || word.starts_with("process_");
    words.filter(of_ours).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn l27_every_metric_of_the_alert_rules_and_the_dashboard_is_there_before_anything_happens() {
    let program = Program::start().await;
    let metrics = program.metrics().await.concat();
    let series = metrics.lines().filter(|line| !line.starts_with('#'));
    let there: BTreeSet<_> = series
        .filter_map(|line| line.split(['{', ' ']).next())
        .collect();
    let queries = queries().join("\n");
    let rules = example("alerts.yml");
    let known = |name: &&str| there.contains(name);
    for (file, text) in [("dashboard.json", &queries), ("alerts.yml", &rules)] {
        let named = names(text);
        assert!(named.len() > 10, "{file}: {named:?}");
        let unknown: Vec<_> = named.iter().filter(|name| !known(name)).collect();
        assert!(unknown.is_empty(), "{file} names {unknown:?}");
    }
}

fn promtool(arguments: &[&str], folder: &Path) {
    let ran = Command::new("promtool")
        .args(arguments)
        .current_dir(folder)
        .output();
    let ran = ran.unwrap_or_else(|error| {
        panic!("promtool does not run ({error}): install the package prometheus (sudo apt-get install prometheus)")
    });
    let told = [ran.stdout, ran.stderr].concat();
    assert!(
        ran.status.success(),
        "promtool {arguments:?}: {}",
        String::from_utf8_lossy(&told)
    );
}

#[test]
fn l27_prometheus_takes_the_rules_and_they_fire_when_they_should() {
    promtool(&["check", "config", "prometheus.yml"], &examples());
    promtool(&["check", "rules", "alerts.yml"], &examples());
    promtool(&["test", "rules", "alerts.test.yml"], &examples());
    // The tests name every rule.
    let tests = example("alerts.test.yml");
    for line in example("alerts.yml").lines() {
        if let Some(alert) = line.trim().strip_prefix("- alert: ") {
            assert!(
                tests.contains(&format!("alertname: {alert}\n        exp_alerts")),
                "{alert} is not tried"
            );
        }
    }
    // So do the queries of the dashboard, with its variables filled in.
    let folder = Folder::new();
    let queries = queries();
    let filled = queries.iter().enumerate().map(|(number, query)| {
        let query = query
            .replace("$__rate_interval", "1m")
            .replace("$job", ".*")
            .replace("$instance", ".*");
        json!({"record": format!("query{number}"), "expr": query})
    });
    let rules = json!({"groups": [{"name": "dashboard", "rules": filled.collect::<Vec<_>>()}]});
    let file = folder.path().join("queries.yml");
    std::fs::write(&file, rules.to_string()).unwrap();
    promtool(&["check", "rules", "queries.yml"], folder.path());
}

/// `promtool check metrics` has opinions on names; what Prometheus itself needs is that it can read the text.
#[tokio::test(flavor = "multi_thread")]
async fn l26_prometheus_reads_the_metrics() {
    let program = Program::start().await;
    let _client = Client::guest(program.address()).await;
    let folder = Folder::new();
    for text in program.metrics().await {
        let file = folder.path().join("metrics");
        std::fs::write(&file, text).unwrap();
        let words = ["-c", "promtool check metrics < metrics"];
        let ran = Command::new("sh")
            .args(words)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(ran.status.success(), "{told}");
    }
}
