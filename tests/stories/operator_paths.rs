//! What machines that watch over a server find at the addresses where they look.

use qiguan_tests::{Program, http::Http, record::Holder};

#[tokio::test(flavor = "multi_thread")]
async fn l5_no_address_that_leads_nowhere_looks_like_one_that_is_well() {
    let program = Program::start().await;
    let http = Http::nobody(&program);
    let page = http.get("/").await;
    assert_eq!(page.status, 200);
    // What is nowhere has no address that could be shown to others.
    let address = format!(
        "<meta property=\"og:url\" content=\"{}\"/>",
        program.url("/")
    );
    assert!(page.text.contains(&address), "{}", page.text);
    let nowhere = page.text.replace(&address, "");
    for path in [
        "/healthcheck",
        "/status",
        "/lobby",
        "/game",
        "/wp-login",
        "/a/b/c",
    ] {
        let response = http.get(path).await;
        assert_eq!(response.status, 404, "{path}");
        // The page itself says that there is nothing; a tag of the page is not taken for it.
        assert_eq!(response.text, nowhere, "{path}");
        let tag = page.headers["etag"].to_str().unwrap().to_owned();
        let asked = [("if-none-match", tag.as_str())];
        let again = http.send(reqwest::Method::GET, path, &asked, None).await;
        assert_eq!(again.status, 404, "{path}");
    }
    for path in ["/api", "/api/health/", "/api/healthz", "/api/games/"] {
        let response = http.get(path).await;
        assert_eq!(response.status, 404, "{path}");
        assert_eq!(response.json()["error"]["code"], "not_found", "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn l6_no_orchestrator_misses_that_the_server_is_there_or_going() {
    let program = Program::start().await;
    let http = Http::nobody(&program);
    for (path, text) in [
        ("/healthz", "alive"),
        ("/livez", "alive"),
        ("/api/health", "alive"),
        ("/readyz", "ready"),
        ("/api/ready", "ready"),
    ] {
        let response = http.get(path).await;
        assert_eq!(
            (response.status, response.text.as_str()),
            (200, text),
            "{path}"
        );
        let head = http.send(reqwest::Method::HEAD, path, &[], None).await;
        assert_eq!((head.status, head.text.as_str()), (200, ""), "{path}");
    }
    // Nobody has the record from now on: alive, and not ready.
    let database = program.database();
    let holder = Holder::holds(&database).await;
    for (path, status) in [("/healthz", 200), ("/livez", 200), ("/readyz", 503)] {
        assert_eq!(http.get(path).await.status, status, "{path}");
    }
    holder.lets_go().await;
}
