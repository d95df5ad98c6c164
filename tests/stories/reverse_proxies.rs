//! Behind nginx, Caddy and HAProxy, set up as the documents show it.

use qiguan_tests::{
    Client, Program, Seats, Setup, Start, http::Http, reverse_proxy::ReverseProxy, stream::Stream,
    waiting::in_time,
};
use reqwest::Method;
use tokio::process::Command;

const PUBLIC: &str = "https://qiguan.example.org";

/// A server with room for few guests from one address.
async fn server() -> Program {
    Start::default()
        .with("--public-url", PUBLIC)
        .with("--trusted-proxy", "127.0.0.1/32")
        .with("--guests-per-hour", 5)
        .start()
        .await
}

async fn before(name: &str, program: &Program) -> ReverseProxy {
    match name {
        "nginx" => ReverseProxy::nginx(program).await,
        "haproxy" => ReverseProxy::haproxy(program).await,
        _ => ReverseProxy::caddy(program).await,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn l20_no_visitor_of_a_documented_proxy_chooses_the_address_that_they_are_counted_by() {
    for name in ["nginx", "caddy", "haproxy"] {
        let program = server().await;
        let proxy = before(name, &program).await;
        let http = Http::at(&format!("http://{}", proxy.address()));
        let mut opened = 0;
        for forged in 1..=8 {
            let forged = format!("203.0.113.{forged}");
            let headers = [("x-forwarded-for", forged.as_str()), ("origin", PUBLIC)];
            let answer = http.send(Method::POST, "/api/guest", &headers, None).await;
            assert!(matches!(answer.status, 201 | 429), "{name}: {answer:?}");
            opened += usize::from(answer.status == 201);
        }
        assert_eq!(opened, 5, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn l21_nothing_is_lost_and_nothing_inside_is_shown_behind_a_documented_proxy() {
    for name in ["nginx", "caddy", "haproxy"] {
        let program = server().await;
        let proxy = before(name, &program).await;
        let http = Http::at(&format!("http://{}", proxy.address()));
        // The page, and that it is to be asked for over TLS alone, said once.
        let page = http.get("/").await;
        assert_eq!(page.status, 200, "{name}: {page:?}");
        let years = page.headers.get_all("strict-transport-security").iter();
        let years: Vec<_> = years.map(|year| year.to_str().unwrap()).collect();
        assert_eq!(years, ["max-age=31536000"], "{name}");
        assert!(
            page.headers.contains_key("content-security-policy"),
            "{name}"
        );
        // The cookie, and what it is worth.
        let origin = [("origin", PUBLIC)];
        let guest = http.send(Method::POST, "/api/guest", &origin, None).await;
        let cookie = guest.headers["set-cookie"].to_str().unwrap().to_owned();
        assert!(
            cookie.starts_with("__Host-qiguan=") && cookie.contains("Secure"),
            "{name}: {cookie}"
        );
        let cookie = cookie.split(';').next().unwrap();
        let headers = [("cookie", cookie), ("origin", PUBLIC)];
        let me = http.send(Method::GET, "/api/me", &headers, None).await;
        assert_eq!(me.status, 200, "{name}: {me:?}");
        let foreign = [("cookie", cookie), ("origin", "https://evil.example")];
        let out = http.send(Method::POST, "/api/logout", &foreign, None).await;
        assert_eq!(out.status, 403, "{name}: {out:?}");
        // A whole game over sockets, and a stream of it while it goes on.
        let first = Client::guest(proxy.address()).await;
        let second = Client::guest(proxy.address()).await;
        let mut seats = Seats::sit(first, second, &Setup::default()).await;
        let game = seats.game;
        let path = format!("/api/games/{game}/stream");
        let mut stream = http
            .streams(&path, &[("accept", "text/event-stream")])
            .await;
        assert_eq!(stream.status(), 200, "{name}");
        passes(&mut stream, "\"game\"").await;
        seats.play(1, &["a3a4"]).await;
        passes(&mut stream, "a3a4").await;
        seats.play(2, &["g7g6"]).await;
        passes(&mut stream, "g7g6").await;
        // Errors are the program's own, also of bodies that are too large.
        let large = Some("x".repeat(80_000));
        let refused = http.send(Method::POST, "/api/login", &origin, large).await;
        assert_eq!(refused.status, 413, "{name}: {refused:?}");
        assert_eq!(refused.json()["error"]["code"], "bad_request", "{name}");
        // What only the operator reads.
        for path in [
            "/metrics",
            "//metrics",
            "/metrics?x",
            "/%6detrics",
            "/./metrics",
        ] {
            let hidden = raw(proxy.address(), path).await;
            assert!(
                hidden.starts_with("HTTP/1.1 4") || hidden.starts_with("HTTP/1.1 3"),
                "{name} {path}: {hidden}"
            );
            assert!(
                !hidden.starts_with("HTTP/1.1 403"),
                "{name} {path}: {hidden}"
            );
            assert!(!hidden.contains("qiguan_"), "{name} {path}: {hidden}");
        }
        // The program itself answers 403: it has a public address, and no listener or token for metrics.
        assert_eq!(Http::nobody(&program).get("/metrics").await.status, 403);
    }
}

/// Waits for a line with these words.
async fn passes(stream: &mut Stream, words: &str) {
    loop {
        let line = stream.line().await.expect("the stream goes on");
        let line = line.unwrap_or_else(|| panic!("{words} never came"));
        if line.contains(words) {
            return;
        }
    }
}

/// What a path is answered that no client would send as it is.
async fn raw(address: &str, path: &str) -> String {
    let mut raw = qiguan_tests::raw::Raw::connect(address).await;
    let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    raw.sends(request.as_bytes()).await;
    let answer = raw.reads_to_end().await;
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn l22_no_documented_configuration_is_refused_by_its_proxy_as_it_stands() {
    let folder = qiguan_tests::Folder::new();
    let place = folder.path().display().to_string();
    let example = qiguan_tests::reverse_proxy::example("nginx.conf");
    let certificate = format!("{place}/x");
    let made = Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-subj",
            "/CN=x",
        ])
        .args([
            "-keyout",
            &format!("{certificate}.key"),
            "-out",
            &format!("{certificate}.pem"),
        ])
        .output();
    let made = in_time("a certificate", made).await.unwrap();
    assert!(made.status.success(), "{made:?}");
    let example = example.replace("/etc/ssl/qiguan.example.org", &certificate);
    // As nobody in particular may not listen below 1024, the ports are others.
    let example = example
        .replace(":80;", ":18080;")
        .replace(":443 ", ":18443 ");
    let example = example
        .replace("listen 80;", "listen 18080;")
        .replace("listen 443 ", "listen 18443 ");
    let example = example.lines().filter(|line| !line.contains("listen [::]"));
    let example: Vec<_> = example.collect();
    let example = example.join("\n");
    let whole = format!("pid {place}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{example}\n}}\n");
    let file = format!("{place}/nginx.conf");
    std::fs::write(&file, whole).unwrap();
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/examples");
    let caddyfile = examples.join("Caddyfile").display().to_string();
    let haproxy = examples.join("haproxy.cfg").display().to_string();
    let path = format!("{}:/usr/sbin", std::env::var("PATH").unwrap());
    for (program, words) in [
        ("nginx", vec!["-t", "-c", &file, "-e", "stderr"]),
        (
            "caddy",
            vec!["adapt", "--config", &caddyfile, "--adapter", "caddyfile"],
        ),
        ("haproxy", vec!["-c", "-f", &haproxy]),
    ] {
        let judged = Command::new(program)
            .args(words)
            .env("PATH", &path)
            .output();
        let judged = in_time("a judgement", judged).await.unwrap();
        assert!(judged.status.success(), "{judged:?}");
    }
}
