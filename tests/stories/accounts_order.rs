//! What moderators, admins and the operator may do; what no other site's page may.

use qiguan_protocol::{error::ErrorCode, limits::close, names::Role};
use qiguan_tests::{
    Client, Folder, Http, Program, Seats, Setup, Start, Terminal,
    account::{PASSWORD, credentials},
    client::command_id,
    on_every_database,
    raw::Raw,
};
use reqwest::Method;
use serde_json::{Value, json};

use crate::sessions::is_closed;

on_every_database! {
    d5_a_ban_closes_every_door_before_it_is_answered,
    d5_what_another_program_changes_in_the_record_closes_sockets_at_the_next_look,
}

#[tokio::test(flavor = "multi_thread")]
async fn d5_who_keeps_a_body_back_is_not_let_in_by_what_held_before() {
    let program = Program::start().await;
    let http = Http::registered(&program, "Anna").await;
    let token = http.token.as_ref().expect("a token").reveal().to_owned();
    let body = Setup::default().create(command_id()).to_string();
    let mut raw = Raw::connect(program.address()).await;
    let head = format!(
        "POST /api/games HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    raw.sends(head.as_bytes()).await;
    let (first, rest) = body.split_at(1);
    raw.sends(first.as_bytes()).await;
    let left = http.post("/api/logout", None).await;
    assert_eq!(left.status, 204, "{left:?}");
    raw.sends(rest.as_bytes()).await;
    let answer = raw.reads_to_end().await;
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
}

/// Runs `qiguan admin` on the record of a program, and types a line. What it says.
pub(super) async fn admin(program: &Program, arguments: &[&str], line: &str) -> String {
    let home = Folder::new();
    let url = program.database().url();
    let all: Vec<_> = ["admin"]
        .iter()
        .chain(arguments)
        .copied()
        .chain(["--database", &url])
        .collect();
    let mut terminal = Terminal::start(&home, &all);
    if !line.is_empty() {
        terminal.types(line).await;
    }
    let said = terminal.shows("").await;
    terminal.ends().await;
    said
}

/// The first admin, signed in.
async fn first_admin(program: &Program) -> Http {
    let said = admin(program, &["create", "Chief"], PASSWORD).await;
    assert!(said.contains("Chief is an admin now"), "{said}");
    Http::nobody(program).signs_in("Chief").await
}

async fn set_role(admin: &Http, of: &Http, role: &str) -> u16 {
    let path = format!("/api/players/{}/role", of.id().await);
    let body = json!({"role": role}).to_string();
    admin.send(Method::PUT, &path, &[], Some(body)).await.status
}

async fn d5_a_ban_closes_every_door_before_it_is_answered(start: fn() -> Start) {
    let program = start().start().await;
    let chief = first_admin(&program).await;
    assert_eq!(chief.me().await.role, Role::Admin);
    let rude = Http::registered(&program, "Rude").await;
    let id = rude.id().await;
    let mut socket = rude.socket(&program).await;
    let bot = rude.issues(&["play"]).await;
    let path = format!("/api/players/{id}/ban");
    let banned = chief.post(&path, Some(&json!({"reason": "rude"}))).await;
    assert_eq!(banned.status, 204, "{banned:?}");
    is_closed(&mut socket, close::BANNED).await;
    for http in [&rude, &bot] {
        let refused = http.get("/api/me").await;
        assert_eq!(refused.refusal(), (403, ErrorCode::Banned));
        assert!(refused.text.contains("rude"), "the reason is told");
    }
    assert_eq!(
        rude.tries("Rude", PASSWORD).await.refusal(),
        (403, ErrorCode::Banned)
    );
    assert_eq!(
        rude.tries("Rude", "wrong horse").await.refusal().1,
        ErrorCode::BadCredentials
    );
    let mut again = Client::connect(program.address()).await;
    let refused = again.request("hello", json!({"token": rude.token})).await;
    assert_eq!(refused.err().unwrap().code, ErrorCode::Banned);
    let unbanned = chief.send(Method::DELETE, &path, &[], None).await;
    assert_eq!(unbanned.status, 204);
    assert_eq!(rude.me().await.id, id);
}

async fn d5_what_another_program_changes_in_the_record_closes_sockets_at_the_next_look(
    start: fn() -> Start,
) {
    let program = start().start().await;
    let (anna, berta, carla) = (
        Http::registered(&program, "Anna").await,
        Http::registered(&program, "Berta").await,
        Http::registered(&program, "Carla").await,
    );
    let mut sockets = [
        anna.socket(&program).await,
        berta.socket(&program).await,
        carla.socket(&program).await,
    ];
    let mut guest = Client::guest(program.address()).await;
    admin(&program, &["ban", "anna", "rude"], "").await;
    assert_eq!(sockets[0].end().await.code, Some(close::BANNED));
    admin(&program, &["role", "berta", "moderator"], "").await;
    assert_eq!(sockets[1].end().await.code, Some(close::SIGNED_OUT));
    admin(&program, &["password", "carla"], "another horse").await;
    assert_eq!(sockets[2].end().await.code, Some(close::SIGNED_OUT));
    assert!(!guest.is_closed().await, "nobody else is");
    assert_eq!(
        berta.signs_in("Berta").await.me().await.role,
        Role::Moderator
    );
    assert_eq!(carla.tries("Carla", "another horse").await.status, 200);
    admin(&program, &["unban", "anna"], "").await;
    assert_eq!(anna.me().await.name, "Anna");
    let said = admin(&program, &["create", "Anna"], "").await;
    assert!(said.contains("admin"), "{said}");
    assert_eq!(anna.signs_in("Anna").await.me().await.role, Role::Admin);
}

#[tokio::test(flavor = "multi_thread")]
async fn d12_nobody_goes_beyond_the_own_rank() {
    let program = Program::start().await;
    let chief = first_admin(&program).await;
    let mut people = Vec::new();
    for (name, role) in [
        ("Player", "player"),
        ("Mod_One", "moderator"),
        ("Mod_Two", "moderator"),
        ("Boss", "admin"),
    ] {
        let http = Http::registered(&program, name).await;
        if role == "player" {
            people.push(http);
            continue;
        }
        assert_eq!(set_role(&chief, &http, role).await, 204);
        // A new role begins with a new session.
        assert_eq!(http.is_nobody().await, ErrorCode::BadToken);
        people.push(http.signs_in(name).await);
    }
    people.push(chief);
    let guest = Http::guest(&program).await;
    people.push(guest);
    let rank = |role: Role| match role {
        Role::Guest => 0,
        Role::Player | Role::Bot => 1,
        Role::Moderator => 2,
        Role::Admin => 3,
    };
    for who in &people {
        for other in &people {
            let (mine, theirs) = (who.me().await, other.me().await);
            let path = format!("/api/players/{}/ban", theirs.id);
            let may = rank(mine.role) >= 2 && rank(mine.role) > rank(theirs.role);
            let response = who.post(&path, Some(&json!({"reason": "a test"}))).await;
            assert_eq!(
                response.status == 204,
                may,
                "{mine:?} bans {theirs:?}: {response:?}"
            );
            if may {
                assert_eq!(who.send(Method::DELETE, &path, &[], None).await.status, 204);
            }
            if mine.role != Role::Admin {
                assert_eq!(
                    set_role(who, other, "moderator").await,
                    403,
                    "{mine:?} {theirs:?}"
                );
            }
        }
    }
    // An admin raises nobody who is above, and no guest.
    assert_eq!(set_role(&people[4], &people[3], "player").await, 403);
    assert_eq!(set_role(&people[4], &people[5], "player").await, 400);
    // A token of an admin is no admin.
    let token = people[4].issues(&["play", "read"]).await;
    assert_eq!(set_role(&token, &people[0], "moderator").await, 403);
    // And no role sees more of a game than anybody else.
    let game = people[0].opens(&Setup::default()).await;
    for who in [&people[1], &people[4]] {
        assert_eq!(
            who.does(game, "resign", json!({})).await.refusal(),
            (403, ErrorCode::NotAPlayer)
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn d15_no_other_sites_page_signs_anybody_in_or_changes_an_account() {
    let program = Program::start().await;
    let http = Http::registered(&program, "Anna").await;
    let cookie = format!("qiguan={}", http.token.as_ref().unwrap().reveal());
    let own = format!("http://{}", program.address());
    let nobody = Http::nobody(&program);
    let (upper, port, suffix) = (
        own.to_uppercase(),
        format!("{own}0"),
        format!("{own}.evil.test"),
    );
    let secure = own.replace("http", "https");
    let origins = [
        "null",
        "",
        "file://",
        "http://evil.test",
        "https://evil.test",
        upper.as_str(),
        port.as_str(),
        suffix.as_str(),
        secure.as_str(),
        "http://127.0.0.1",
        "http://localhost",
        "http://evil.test, http://127.0.0.1",
    ];
    for origin in origins {
        for (path, body) in [
            ("/api/login", credentials("Anna", PASSWORD)),
            ("/api/register", credentials("Berta", PASSWORD)),
            ("/api/logout", json!({})),
            ("/api/account/delete", json!({"password": PASSWORD})),
            (
                "/api/account/password",
                json!({"old": PASSWORD, "new": "another horse"}),
            ),
            (
                "/api/account/tokens",
                json!({"name": "x", "scopes": ["play"]}),
            ),
        ] {
            let headers = [("origin", origin), ("cookie", cookie.as_str())];
            let refused = nobody
                .send(Method::POST, path, &headers, Some(body.to_string()))
                .await;
            assert_eq!(
                refused.refusal(),
                (403, ErrorCode::BadOrigin),
                "{origin:?} {path}"
            );
        }
    }
    // A form that a browser sends without an origin tells the site.
    let headers = [("sec-fetch-site", "cross-site")];
    let body = credentials("Anna", PASSWORD).to_string();
    let refused = nobody
        .send(Method::POST, "/api/login", &headers, Some(body))
        .await;
    assert_eq!(refused.refusal(), (403, ErrorCode::BadOrigin));
    // The server's own page may.
    let headers = [("origin", own.as_str()), ("cookie", cookie.as_str())];
    let response = nobody
        .send(Method::POST, "/api/logout", &headers, None)
        .await;
    assert_eq!(response.status, 204, "{response:?}");
    let cleared = response.headers["set-cookie"].to_str().unwrap();
    assert!(cleared.contains("Max-Age=0"), "{cleared}");
    assert_eq!(http.is_nobody().await, ErrorCode::BadToken);
}

#[tokio::test(flavor = "multi_thread")]
async fn d4_no_password_and_no_token_for_programs_is_in_a_log_a_metric_or_the_record() {
    let program = Start::default().with("--log", "trace").start().await;
    let http = Http::registered(&program, "Anna").await;
    http.tries("Anna", "a wrong horse of mine").await;
    let bot = http.issues(&["play"]).await;
    assert_eq!(bot.me().await.name, "Anna");
    let changed = json!({"old": PASSWORD, "new": "another horse of mine"});
    assert_eq!(
        http.post("/api/account/password", Some(&changed))
            .await
            .status,
        200
    );
    let secrets = [
        PASSWORD.to_owned(),
        "a wrong horse of mine".to_owned(),
        "another horse of mine".to_owned(),
        bot.token.as_ref().unwrap().reveal().to_owned(),
        http.token.as_ref().unwrap().reveal().to_owned(),
    ];
    let (_, metrics) = program.get("/metrics").await;
    let database = program.database().file().to_owned();
    let stopped = program.kill().await;
    let log = stopped.folder.log();
    assert!(log.contains("ready"), "the log was read");
    let mut all = vec![log.into_bytes(), metrics.into_bytes()];
    for file in [database.clone(), database.with_extension("db-wal")] {
        all.push(std::fs::read(file).unwrap_or_default());
    }
    for secret in &secrets {
        for bytes in &all {
            let found = bytes
                .windows(secret.len())
                .any(|window| window == secret.as_bytes());
            assert!(!found, "a secret is where it should not be");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn d14_the_address_of_a_game_proves_nothing() {
    let program = Program::start().await;
    let link = Setup {
        visibility: "link",
        ..Setup::default()
    };
    let first = Client::guest(program.address()).await;
    let second = Client::guest(program.address()).await;
    let seats = Seats::sit(first, second, &link).await;
    let stranger = Http::guest(&program).await;
    let path = format!("/api/games/{}", seats.game);
    let seen = stranger.get(&path).await;
    for secret in [&seats.first, &seats.second] {
        assert!(!seen.text.contains(secret.token.as_ref().unwrap().reveal()));
    }
    assert_eq!(
        stranger
            .does(seats.game, "resign", json!({}))
            .await
            .refusal(),
        (403, ErrorCode::NotAPlayer)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_from_the_terminal() {
    let program = Program::start().await;
    let (home, url) = (Folder::new(), program.url(""));
    let run = async |arguments: &[&str], line: &str, wanted: &str| {
        let mut terminal = Terminal::start(&home, arguments);
        // Who asks for nothing may be gone before anything is typed.
        if !line.is_empty() {
            terminal.types(line).await;
        }
        terminal.shows(wanted).await;
        terminal.ends().await;
    };
    run(&["register", &url, "棋手王"], PASSWORD, "you are 棋手王").await;
    run(&["logout", &url], "", "signed out").await;
    run(&["logout", &url], "", "not signed in").await;
    run(&["login", &url, "棋手王"], PASSWORD, "you are 棋手王").await;
    let kept = std::fs::read_to_string(home.path().join("qiguan/identities.json")).unwrap();
    let kept: Value = serde_json::from_str(&kept).unwrap();
    let mut http = Http::nobody(&program);
    http.token = Some(qiguan_protocol::ids::Token::new(
        kept[url.as_str()].as_str().unwrap(),
    ));
    assert_eq!(http.me().await.name, "棋手王");
}
