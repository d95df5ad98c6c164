//! The terminal client at servers that mean harm.

use qiguan_tests::{
    command::run_at_home,
    folder::Folder,
    hostile_server::{HostileServer, Reply},
};

/// What a terminal would obey, what turns text around, and what nobody would read.
const EVIL: &str = r"\u001b]0;owned\u0007\u001b[2J\r\u009b31m\u202egnp\u2066\u061c";

/// Every way to ask a server.
fn subcommands(server: &str) -> Vec<Vec<String>> {
    let game = format!("{server}/games/01890000-0000-7000-8000-000000000001");
    let all: [&[&str]; 13] = [
        &["play", "--new", "doushouqi/booklet", server],
        &["play", "--seek", "doushouqi/booklet", server],
        &["play", &game],
        &["play", "--as", "anna", "--decline", &game],
        &["watch", server],
        &["watch", &game],
        &["tv", "--server", server],
        &["seeks", server],
        &["replay", &game],
        &["register", server, "Anna"],
        &["login", server, "Anna"],
        &["logout", server, "--as", "anna"],
        &["admin", "unban", "Anna", "--as", "anna", "--server", server],
    ];
    all.map(|words| words.iter().map(|word| (*word).to_owned()).collect())
        .into()
}

/// Somebody who has a token for the server.
fn home(server: &str) -> Folder {
    let home = Folder::new();
    std::fs::create_dir(home.path().join("qiguan")).expect("a folder");
    let kept = format!("{{\"{server} as anna\": \"secret\", \"{server}\": \"secret\"}}");
    std::fs::write(home.path().join("qiguan/identities.json"), kept).expect("a file");
    home
}

async fn outcome(home: &Folder, words: &[String]) -> qiguan_tests::command::Ran {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    run_at_home(home, &[], &words, "a good password\n").await
}

#[tokio::test(flavor = "multi_thread")]
async fn k10_a_server_that_asks_to_wait_is_not_asked_at_once_again_nor_waited_for_long() {
    use std::sync::atomic::{AtomicUsize, Ordering};

    let limited = |after: &str| {
        let body = r#"{"error": {"code": "rate_limited", "message": "too many requests"}}"#;
        Reply::http(
            "429 Too Many Requests",
            &format!("retry-after: {after}\r\n"),
            body,
        )
    };
    // Twice a moment, then the answer.
    let asked = AtomicUsize::new(0);
    let server = HostileServer::start(move |_| match asked.fetch_add(1, Ordering::SeqCst) {
        0 | 1 => limited("1"),
        _ => Reply::http("403 Forbidden", "", r#"{"error": {"message": "the end"}}"#),
    })
    .await;
    let words = ["seeks".to_owned(), server.url("")];
    let ended = outcome(&Folder::new(), &words).await;
    assert!(ended.err.contains("the end"), "{ended:?}");
    assert_eq!(server.heard().len(), 3);

    // An hour is for somebody to decide on.
    let server = HostileServer::start(move |_| limited("3600")).await;
    let words = ["seeks".to_owned(), server.url("")];
    let ended = outcome(&Folder::new(), &words).await;
    let told = "too many requests; try again in 60 minutes";
    assert!(ended.err.contains(told), "{ended:?}");
    assert_eq!(server.heard().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn k7_no_answer_of_a_server_makes_the_terminal_obey_or_fills_it() {
    let long = "y".repeat(20_000);
    let unknown = format!("{{\"{EVIL}{long}\": 1}}");
    let wrong =
        format!("{{\"games\": \"{EVIL}{long}\", \"seeks\": \"{EVIL}\", \"player\": \"{EVIL}\"}}");
    let refused = format!(
        "{{\"error\": {{\"code\": \"{EVIL}\", \"field\": \"{EVIL}\", \"message\": \"{EVIL}{long}\"}}}}"
    );
    for reply in [
        Reply::http("200 OK", "", &unknown),
        Reply::http("200 OK", "", &wrong),
        Reply::http("403 Forbidden", "", &refused),
        Reply::http(
            "307 Temporary Redirect",
            "location: http://\u{202e}/\u{9b}31m\r\n",
            "",
        ),
        Reply::Bytes(b"\x1b[2J\x07\r\n\r\n".to_vec()),
    ] {
        let server = HostileServer::start(move |_| reply.clone()).await;
        let home = home(&server.url(""));
        for words in subcommands(&server.url("")) {
            let ended = outcome(&home, &words).await;
            let shown = ended.out + &ended.err;
            let bad = |sign: char| {
                sign.is_control() && sign != '\n'
                    || matches!(sign, '\u{61c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
            };
            assert!(!shown.contains(bad), "{words:?}: {shown:?}");
            assert!(shown.len() < 4_000, "{words:?}: {} bytes", shown.len());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn k8_an_answer_without_end_is_not_read_to_its_end() {
    // Neither a body nor the head of an answer.
    let body = b"HTTP/1.1 200 OK\r\n\r\n\"".to_vec();
    let refusal = b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec();
    for (bytes, most) in [
        (body, 64 << 20),
        (refusal, 32 << 20),
        (b"HTTP/1.1 200 OK\r\nx-long: ".to_vec(), 32 << 20),
    ] {
        let server = HostileServer::start(move |_| Reply::Endless(bytes.clone())).await;
        let home = home(&server.url(""));
        for words in subcommands(&server.url("")) {
            let before = server.sent();
            let ended = outcome(&home, &words).await;
            assert!(!ended.ok, "{words:?}");
            let sent = server.sent() - before;
            assert!(sent < most, "{words:?}: {sent} bytes were taken");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn k9_a_redirect_takes_no_name_no_password_and_no_token_elsewhere() {
    for status in [
        "301 Moved Permanently",
        "302 Found",
        "307 Temporary Redirect",
        "308 Permanent Redirect",
    ] {
        let elsewhere = HostileServer::start(|_| Reply::http("200 OK", "", "{}")).await;
        let to = elsewhere.url("");
        let location = format!("location: {to}/games/01890000-0000-7000-8000-000000000001\r\n");
        let server = HostileServer::start(move |_| Reply::http(status, &location, "")).await;
        let home = home(&server.url(""));
        for words in subcommands(&server.url("")) {
            let ended = outcome(&home, &words).await;
            let told = format!("redirects to {to}, which this client does not follow");
            assert!(
                !ended.ok && ended.err.contains(&told),
                "{words:?}: {ended:?}"
            );
        }
        assert_eq!(elsewhere.heard(), Vec::<String>::new());
    }
}
