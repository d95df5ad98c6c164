//! A server with a public address: which pages may use it, and what its cookie is worth.

use qiguan_protocol::answer::Guest;
use reqwest::Method;

use crate::server::{Http, Start, TestServer};

const PUBLIC: &str = "https://qiguan.example.org";
const FURTHER: &str = "http://localhost:5173";

async fn public_server() -> TestServer {
    Start::default()
        .with("--public-url", PUBLIC)
        .with("--allow-origin", FURTHER)
        .start()
        .await
}

#[tokio::test(flavor = "multi_thread")]
async fn d3_behind_tls_the_cookie_is_bound_to_the_host_and_secure() {
    let server = public_server().await;
    let nobody = Http::nobody(&server);
    let opened = nobody
        .send(Method::POST, "/api/guest", &[("origin", PUBLIC)], None)
        .await;
    assert_eq!(opened.status, 201, "{opened:?}");
    let cookie = opened.headers["set-cookie"].to_str().unwrap();
    let guest: Guest = opened.parsed();
    let token = guest.token.reveal();
    assert!(
        cookie.starts_with(&format!("__Host-qiguan={token};")),
        "{cookie}"
    );
    for mark in ["Secure", "HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(
            cookie.split("; ").any(|part| part == mark),
            "{cookie} is not {mark}"
        );
    }
    assert!(!cookie.contains("Domain"), "{cookie}");
    // A cookie of the plain name may have been set by anybody, and is worth nothing.
    for (name, status) in [("__Host-qiguan", 200), ("qiguan", 401)] {
        let cookie = format!("{name}={token}");
        let me = nobody
            .send(Method::GET, "/api/me", &[("cookie", &cookie)], None)
            .await;
        assert_eq!(me.status, status, "{name}");
    }
}
