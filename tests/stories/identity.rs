//! Who may do what: seats come from the identity, never from a message; no secret is in a URL or a log.

use qiguan_protocol::{error::ErrorCode, ids::GameId};
use qiguan_tests::{Client, Program, Seats, Setup, client::command_id, game::command_data, record};
use serde_json::{Value, json};

/// Every command with data of the right shape.
fn commands() -> Vec<(&'static str, Value)> {
    vec![
        ("move", json!({"ply": 1, "move": "a3a4"})),
        ("resign", json!({})),
        ("offer_draw", json!({})),
        ("accept_draw", json!({"offer": 3})),
        ("decline_draw", json!({"offer": 3})),
        ("abort", json!({})),
        ("rematch", json!({})),
        ("claim_victory", json!({})),
        ("chat", json!({"text": "hello"})),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn d1_a_foreign_game_and_an_unknown_one_are_no_way_in() {
    let program = Program::start().await;
    let seats = Seats::begin(&program).await;
    let before = record::events(&program.database(), seats.game).await.len();
    let mut stranger = Client::guest(program.address()).await;
    let unknown: GameId = "01890000-0000-7000-8000-000000000001".parse().unwrap();
    for (kind, extra) in commands() {
        let refused = stranger.is_refused(seats.game, kind, extra.clone()).await;
        assert_eq!(refused, ErrorCode::NotAPlayer, "{kind}");
        assert_eq!(
            stranger.is_refused(unknown, kind, extra.clone()).await,
            ErrorCode::NotFound,
            "{kind}"
        );
        // A seat or a player named in the message is not even read.
        let mut forged = command_data(seats.game, command_id(), extra);
        forged["seat"] = json!("first");
        forged["player"] = json!(seats.first.player.as_ref().unwrap().id);
        assert_eq!(
            stranger.request(kind, forged).await.err().unwrap().code,
            ErrorCode::BadRequest,
            "{kind}"
        );
    }
    assert_eq!(
        stranger.is_refused(seats.game, "join", json!({})).await,
        ErrorCode::Gone
    );
    assert_eq!(
        stranger
            .request("watch", json!({"game": unknown}))
            .await
            .err()
            .unwrap()
            .code,
        ErrorCode::NotFound
    );
    assert_eq!(
        record::events(&program.database(), seats.game).await.len(),
        before,
        "nothing has changed"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn d2_spectators_and_players_of_other_games_change_nothing() {
    let program = Program::start().await;
    let seats = Seats::begin(&program).await;
    let mut other = Seats::begin(&program).await;
    let mut spectator = Client::spectator(program.address()).await;
    spectator.watches(seats.game).await;
    let before = record::events(&program.database(), seats.game).await.len();
    for (kind, extra) in commands() {
        let refused = spectator.is_refused(seats.game, kind, extra.clone()).await;
        assert_eq!(refused, ErrorCode::Unauthenticated, "{kind}");
        let refused = other.first.is_refused(seats.game, kind, extra).await;
        assert_eq!(refused, ErrorCode::NotAPlayer, "{kind}");
    }
    assert_eq!(
        record::events(&program.database(), seats.game).await.len(),
        before,
        "nothing has changed"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn d3_sockets_of_other_sites_pages_are_refused() {
    let program = Program::start().await;
    let address = program.address();
    let guest = Client::guest(address).await;
    let cookie = format!("qiguan={}", guest.token.as_ref().unwrap().reveal());
    let own = format!("http://{address}");
    let port = format!("{own}0");
    let suffix = format!("{own}.evil.test");
    let secure = own.replace("http", "https");
    let upper = own.to_uppercase();
    for (origin, fine) in [
        (own.as_str(), true),
        ("null", false),
        ("", false),
        ("http://evil.test", false),
        (port.as_str(), false),
        (suffix.as_str(), false),
        (secure.as_str(), false),
        (upper.as_str(), false),
        ("file://", false),
    ] {
        let headers = [("origin", origin), ("cookie", cookie.as_str())];
        let opened = Client::try_connect(address, &headers).await;
        assert_eq!(opened.is_ok(), fine, "origin {origin:?} with a cookie");
        let opened = Client::try_connect(address, &[("origin", origin)]).await;
        assert_eq!(opened.is_ok(), fine, "origin {origin:?} without a cookie");
    }
    assert!(
        Client::try_connect(address, &[("cookie", &cookie)])
            .await
            .is_err(),
        "a cookie without an origin"
    );

    // The cookie of the server's own page is an identity.
    let headers = [("origin", own.as_str()), ("cookie", cookie.as_str())];
    let mut page = Client::try_connect(address, &headers).await.ok().unwrap();
    let qiguan_protocol::answer::Answer::Welcome(welcome) = page.asks("hello", json!({})).await
    else {
        panic!()
    };
    assert_eq!(welcome.player, guest.player);

    // And by HTTP: another site's page can neither act with the cookie nor open an identity.
    let client = reqwest::Client::new();
    for (path, body) in [
        ("/api/guest", json!({})),
        ("/api/games", Setup::default().create(command_id())),
    ] {
        let request = client
            .post(program.url(path))
            .header("origin", "http://evil.test")
            .header("cookie", &cookie);
        assert_eq!(
            request.json(&body).send().await.unwrap().status(),
            403,
            "{path}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn d4_no_token_is_in_a_log_a_metric_or_the_record() {
    let program = qiguan_tests::Start::default()
        .with("--log", "trace")
        .start()
        .await;
    let mut seats = Seats::begin(&program).await;
    seats.play(1, &["a3a4", "g7g6"]).await;
    let again = seats.first.again(program.address()).await;
    let response = reqwest::Client::new()
        .post(program.url("/api/guest"))
        .send()
        .await
        .unwrap();
    let guest: Value = response.json().await.unwrap();
    let secrets = [
        seats.first.token.clone().unwrap().reveal().to_owned(),
        seats.second.token.clone().unwrap().reveal().to_owned(),
        guest["token"].as_str().unwrap().to_owned(),
    ];
    let me = reqwest::Client::new()
        .get(program.url("/api/me"))
        .bearer_auth(&secrets[2])
        .send()
        .await
        .unwrap();
    assert_eq!(me.status(), 200);
    again.leaves().await;
    let (_, metrics) = program.get("/metrics").await;
    let database = program.database().file().to_owned();
    let stopped = program.kill().await;
    let log = stopped.folder.log();
    assert!(log.contains("ready"), "the log was read");
    for secret in &secrets {
        assert!(secret.len() > 40);
        assert!(!log.contains(secret.as_str()), "a token is in the log");
        assert!(
            !metrics.contains(secret.as_str()),
            "a token is in the metrics"
        );
        for file in [database.clone(), database.with_extension("db-wal")] {
            let bytes = std::fs::read(file).unwrap_or_default();
            assert!(
                !bytes
                    .windows(secret.len())
                    .any(|window| window == secret.as_bytes()),
                "a token is in the record"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn games_by_link_are_listed_for_their_players_alone_and_open_to_who_knows_the_link() {
    let program = Program::start().await;
    let mut creator = Client::guest(program.address()).await;
    let hidden = Setup {
        visibility: "link",
        ..Setup::default()
    };
    let created = creator
        .asks("create_game", hidden.create(command_id()))
        .await;
    let qiguan_protocol::answer::Answer::Created { game } = created else {
        panic!()
    };
    let (_, public) = program.get("/api/games").await;
    assert!(!public.contains(&game.to_string()));
    let own = reqwest::Client::new().get(program.url("/api/games"));
    let own = own
        .bearer_auth(creator.token.as_ref().unwrap().reveal())
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    assert!(own.contains(&game.to_string()));
    let mut friend = Client::guest(program.address()).await;
    friend.does(game, "join", json!({})).await.ok().unwrap();
}
