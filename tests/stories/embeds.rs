//! Pages for frames of other sites have a policy of their own; all others can't be framed.

use qiguan_tests::{Program, http::Http, program::Start};

const GAME: &str = "/embed/01890000-0000-7000-8000-000000000001";

/// Who may frame a page.
async fn ancestors(program: &Program, path: &str) -> String {
    let page = Http::nobody(program).get(path).await;
    assert_eq!(page.status, 200, "{path}");
    let policy = page.headers["content-security-policy"].to_str().unwrap();
    let (_, ancestors) = policy.split_once("; frame-ancestors ").unwrap();
    ancestors.to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn games_are_shown_in_frames_of_the_sites_that_the_operator_allows_and_nothing_else_is() {
    let program = Program::start().await;
    for path in [GAME, "/embed/tv", "/embed/tv?game=luzhanqi"] {
        assert_eq!(ancestors(&program, path).await, "*", "{path}");
    }
    for path in [
        "/",
        "/game/01890000-0000-7000-8000-000000000001",
        "/settings",
        "/?x=/embed/tv",
    ] {
        assert_eq!(ancestors(&program, path).await, "'none'", "{path}");
    }
    let page = Http::nobody(&program).get("/embed").await;
    let policy = page.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.ends_with("; frame-ancestors 'none'"), "{policy}");
    for (setting, allowed) in [
        ("none", "'none'"),
        (
            "https://a.example,https://b.example",
            "https://a.example https://b.example",
        ),
    ] {
        let program = Start::default().with("--embed", setting).start().await;
        assert_eq!(ancestors(&program, GAME).await, allowed);
        assert_eq!(ancestors(&program, "/").await, "'none'");
    }
}
