//! The terminal client and servers behind TLS: everything goes over it, and nothing that is secret goes anywhere else unasked.

use qiguan_tests::{
    Program,
    account::PASSWORD,
    command::{Ran, run_at_home},
    folder::Folder,
    http::Http,
    terminal::Terminal,
    tls_proxy::{Certificate, TlsProxy},
};

/// Two lines: a password is asked for twice on a terminal, and once from a pipe.
fn password() -> String {
    format!("{PASSWORD}\n")
}

async fn typed(home: &Folder, words: &[&str], lines: &str) -> Ran {
    run_at_home(home, &[], words, lines).await
}

#[tokio::test(flavor = "multi_thread")]
async fn k1_the_terminal_registers_signs_in_plays_and_watches_over_tls() {
    let program = Program::start().await;
    let proxy = TlsProxy::before(program.address()).await;
    let (server, ca) = (proxy.url(""), proxy.authority());
    let ca = ca.to_str().expect("a path");
    let homes = [Folder::new(), Folder::new(), Folder::new()];
    let words = ["register", "--ca", ca, &server, "Anna"];
    let registered = typed(&homes[0], &words, &password()).await.well();
    assert_eq!(registered.out, "you are Anna\n");
    let words = ["logout", "--ca", ca, &server];
    typed(&homes[0], &words, "").await.well();
    let words = ["login", "--ca", ca, &server, "Anna"];
    typed(&homes[0], &words, &password()).await.well();

    let words = [
        "play",
        "--plain",
        "--ca",
        ca,
        "--new",
        "doushouqi/booklet",
        "--seat",
        "first",
        &server,
    ];
    let mut first = Terminal::start(&homes[0], &words);
    let line = first.shows("your game: ").await;
    let game = line.trim_start_matches("your game: ").to_owned();
    assert!(game.starts_with(&server), "{game}");
    // The certificates of the system stand in a file that the environment may name.
    let environment = [("SSL_CERT_FILE", ca)];
    let words = ["play", "--plain", &game];
    let mut second = Terminal::start_in(&homes[1], &environment, &words);
    let words = ["watch", "--plain", &game];
    let mut watcher = Terminal::start_in(&homes[2], &environment, &words);
    first.shows("the game begins").await;
    watcher.shows("Blue to move").await;
    // A move before the other has sat down and connected is shown as made, not live.
    second.shows("Blue to move").await;
    first.types("a3a4").await;
    second.shows("1. Blue a3a4").await;
    watcher.shows("1. Blue a3a4").await;
    let mut tv = Terminal::start_in(
        &homes[2],
        &environment,
        &["tv", "doushouqi", "--plain", "--server", &server],
    );
    tv.shows("Blue Anna").await;
    let listed = run_at_home(&homes[2], &environment, &["seeks", &server], "").await;
    assert!(listed.well().out.contains("1 game is being played"));
    first.types("resign yes").await;
    second.shows("Red wins (resignation)").await;
    let replayed = run_at_home(&homes[2], &environment, &["replay", "--plain", &game], "").await;
    assert!(replayed.well().out.contains("ply 1 of 1: a3a4"));

    // Moderation commands go the same way.
    let order = Http::moderator(&program, "Solomon").await;
    let token = order.token.as_ref().expect("a session").reveal();
    let environment = [("QIGUAN_SERVER", server.as_str()), ("QIGUAN_TOKEN", token)];
    let words = ["admin", "mute", "Anna", "spam", "--ca", ca, "--server"];
    let muted = run_at_home(&homes[2], &environment, &words, "")
        .await
        .well();
    assert_eq!(muted.out, "Anna can't chat now\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn k2_a_server_with_a_wrong_certificate_is_refused_and_it_is_said_what_to_do() {
    let program = Program::start().await;
    let home = Folder::new();
    let target = program.address();
    let good = TlsProxy::before(target).await;
    let foreign = TlsProxy::with(
        target,
        Certificate {
            names: vec!["qiguan.example.org".to_owned()],
            ..Certificate::default()
        },
    )
    .await;
    let old = TlsProxy::with(
        target,
        Certificate {
            expired: true,
            ..Certificate::default()
        },
    )
    .await;
    for (proxy, authority, told) in [
        (
            &good,
            &old,
            "give the file of that authority's certificate with --ca FILE",
        ),
        (
            &foreign,
            &foreign,
            "type the address that the certificate is for",
        ),
        (
            &old,
            &old,
            "has expired; the server's operator must renew it",
        ),
    ] {
        let ca = authority.authority();
        let ca = ca.to_str().expect("a path");
        let server = proxy.url("");
        let new = ["play", "--new", "doushouqi/booklet", "--ca", ca, &server];
        let login = ["login", "--ca", ca, &server, "Anna"];
        for words in [&new[..], &login] {
            let refused = typed(&home, words, &password()).await;
            assert!(!refused.ok && refused.err.contains(told), "{refused:?}");
        }
    }
    let plain = format!("https://{target}");
    let refused = typed(
        &home,
        &[
            "seeks",
            "--ca",
            good.authority().to_str().expect("a path"),
            &plain,
        ],
        "",
    )
    .await;
    assert!(
        refused.err.contains("does not speak TLS at this port"),
        "{refused:?}"
    );
    let encrypted = format!("http://127.0.0.1:{}", good.port());
    let refused = typed(&home, &["seeks", &encrypted], "").await;
    assert!(
        refused
            .err
            .contains("perhaps its address begins with https://"),
        "{refused:?}"
    );
    let nothing = home.path().join("nothing.pem");
    std::fs::write(&nothing, "no certificate").expect("a file");
    let words = [
        "seeks",
        "--ca",
        nothing.to_str().expect("a path"),
        &good.url(""),
    ];
    let refused = typed(&home, &words, "").await;
    assert!(
        refused
            .err
            .contains("expected a file of certificates in PEM"),
        "{refused:?}"
    );
}

/// The addresses are of nets for documentation: nobody is there, and nobody is asked.
#[tokio::test(flavor = "multi_thread")]
async fn k3_a_password_or_a_moderators_token_does_not_leave_the_machine_unencrypted() {
    let home = Folder::new();
    let server = "http://192.0.2.1:8080";
    let token = [("QIGUAN_SERVER", server), ("QIGUAN_TOKEN", "secret")];
    for words in [
        &["login", server, "Anna"][..],
        &["register", server, "Anna"],
        &["register", "http://[2001:db8::1]", "Anna"],
        &["login", "http://localhost.example.org", "Anna"],
        &["admin", "unban", "Anna", "--server", server],
    ] {
        let refused = run_at_home(&home, &token, words, &password()).await;
        assert!(!refused.ok, "{refused:?}");
        assert!(
            refused
                .err
                .contains("Use https://, or allow it with --unencrypted"),
            "{refused:?}"
        );
    }
}
