//! Accounts as their owners know them: registering, signing in and out, passwords, sessions, tokens, and the end.

use std::time::{Duration, Instant};

use qiguan_protocol::{
    account::{SessionList, TokenList},
    error::ErrorCode,
    limits::close,
    names::Role,
    view::GameView,
};
use qiguan_tests::{
    Client, Http, Program, Seats, Setup, Start,
    account::{PASSWORD, credentials},
    record,
};
use reqwest::Method;
use serde_json::{Value, json};

on_every_database! {
    a_guest_registers_and_keeps_the_games,
    d5_a_session_that_ends_closes_its_sockets_within_a_second,
    d5_a_new_password_ends_all_other_sessions,
    d13_a_deleted_account_leaves_its_games_without_its_name,
    d13_a_name_leaves_its_games_also_if_the_server_dies_on_the_way,
}

/// Longer than that no socket of an ended session stays open.
const SECOND: Duration = Duration::from_secs(1);

/// Waits for the end of a connection, which comes with this code within a second.
async fn is_closed(client: &mut Client, since: Instant, code: u16) {
    let closed = client.end().await;
    assert_eq!(closed.code, Some(code), "{closed:?}");
    assert!(
        since.elapsed() < SECOND,
        "closed after {:?}",
        since.elapsed()
    );
}

#[expect(
    clippy::disallowed_methods,
    reason = "a test measures what a user would"
)]
fn now() -> Instant {
    Instant::now()
}

async fn a_guest_registers_and_keeps_the_games(start: fn() -> Start) {
    let program = start().start().await;
    let mut http = Http::guest(&program).await;
    let guest = http.me().await;
    assert!(guest.guest && guest.role == Role::Guest);
    let game = http.opens(&Setup::default()).await;
    let old = http.clone();
    let mut socket = old.socket(&program).await;
    let signed_in = http.registers("棋手王").await;
    assert_eq!(
        (signed_in.player.id, signed_in.player.name.as_str()),
        (guest.id, "棋手王")
    );
    let me = http.me().await;
    assert_eq!((me.id, me.role, me.guest), (guest.id, Role::Player, false));
    // What proved the guest proves nothing any more, on any road.
    assert_eq!(old.is_nobody().await, ErrorCode::BadToken);
    assert_eq!(socket.end().await.code, Some(close::SIGNED_OUT));
    let mut again = Client::connect(program.address()).await;
    let hello = json!({"token": old.token});
    assert_eq!(
        again.request("hello", hello).await.err().unwrap().code,
        ErrorCode::BadToken
    );
    // The game is still the player's own.
    assert_eq!(http.does(game, "abort", json!({})).await.status, 200);
    // And the account is there after a restart, under its name in any case.
    let stopped = program.kill().await;
    let program = stopped.restart().await;
    let nobody = Http::nobody(&program);
    assert_eq!(nobody.signs_in("棋手王").await.id().await, guest.id);
}

async fn d5_a_session_that_ends_closes_its_sockets_within_a_second(start: fn() -> Start) {
    let program = start().start().await;
    let http = Http::registered(&program, "Anna").await;
    // Signed out.
    let leaving = http.signs_in("anna").await;
    let (mut one, mut other) = (leaving.socket(&program).await, http.socket(&program).await);
    let since = now();
    assert_eq!(leaving.post("/api/logout", None).await.status, 204);
    is_closed(&mut one, since, close::SIGNED_OUT).await;
    assert_eq!(leaving.is_nobody().await, ErrorCode::BadToken);
    assert!(!other.is_closed().await, "the other session goes on");
    // Ended from elsewhere, one and all others.
    let second = http.signs_in("Anna").await;
    let third = http.signs_in("ANNA").await;
    let list: SessionList = http.get("/api/account/sessions").await.parsed();
    assert_eq!(list.sessions.len(), 3);
    assert_eq!(
        list.sessions
            .iter()
            .filter(|session| session.current)
            .count(),
        1
    );
    let mine: SessionList = second.get("/api/account/sessions").await.parsed();
    let second_id = mine
        .sessions
        .iter()
        .find(|session| session.current)
        .unwrap()
        .id;
    let (mut one, mut two) = (second.socket(&program).await, third.socket(&program).await);
    let since = now();
    let path = format!("/api/account/sessions/{second_id}");
    assert_eq!(
        http.send(Method::DELETE, &path, &[], None).await.status,
        204
    );
    is_closed(&mut one, since, close::SIGNED_OUT).await;
    assert!(!two.is_closed().await);
    assert_eq!(
        http.send(Method::DELETE, &path, &[], None).await.refusal(),
        (404, ErrorCode::NotFound)
    );
    let since = now();
    let path = "/api/account/sessions";
    assert_eq!(http.send(Method::DELETE, path, &[], None).await.status, 204);
    is_closed(&mut two, since, close::SIGNED_OUT).await;
    assert!(!other.is_closed().await);
    assert_eq!(third.is_nobody().await, ErrorCode::BadToken);
    // A token that is revoked.
    let bot = http.issues(&["play"]).await;
    let mut socket = bot.socket(&program).await;
    let tokens: TokenList = http.get("/api/account/tokens").await.parsed();
    let since = now();
    let path = format!("/api/account/tokens/{}", tokens.tokens[0].id);
    assert_eq!(
        http.send(Method::DELETE, &path, &[], None).await.status,
        204
    );
    is_closed(&mut socket, since, close::SIGNED_OUT).await;
    assert_eq!(bot.is_nobody().await, ErrorCode::BadToken);
}

async fn d5_a_new_password_ends_all_other_sessions(start: fn() -> Start) {
    let program = start().start().await;
    let http = Http::registered(&program, "Anna").await;
    let thief = http.signs_in("Anna").await;
    let bot = http.issues(&["play"]).await;
    let (mut stolen, mut own) = (thief.socket(&program).await, http.socket(&program).await);
    let mut robot = bot.socket(&program).await;
    let change = |old: &str, new: &str| json!({"old": old, "new": new});
    let path = "/api/account/password";
    let wrong = http
        .post(path, Some(&change("wrong horse", "another horse")))
        .await;
    assert_eq!(wrong.refusal(), (401, ErrorCode::BadCredentials));
    let weak = http.post(path, Some(&change(PASSWORD, "password1"))).await;
    assert_eq!(
        (weak.status, weak.error().field.as_deref()),
        (400, Some("new"))
    );
    assert!(!stolen.is_closed().await);
    let since = now();
    let changed = http
        .post(path, Some(&change(PASSWORD, "another horse")))
        .await;
    assert_eq!(changed.status, 200, "{changed:?}");
    is_closed(&mut stolen, since, close::SIGNED_OUT).await;
    is_closed(&mut own, since, close::SIGNED_OUT).await;
    for old in [&thief, &http] {
        assert_eq!(old.is_nobody().await, ErrorCode::BadToken);
    }
    assert!(
        !robot.is_closed().await,
        "tokens for programs stay until they are revoked"
    );
    let mut new = http.clone();
    new.token = Some(changed.parsed::<qiguan_protocol::account::SignedIn>().token);
    assert_eq!(new.me().await.name, "Anna");
    assert_eq!(
        http.tries("Anna", PASSWORD).await.refusal(),
        (401, ErrorCode::BadCredentials)
    );
    assert_eq!(http.tries("Anna", "another horse").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn d6_every_sign_in_begins_a_session_that_nobody_knew_before() {
    let program = Program::start().await;
    let owner = Http::registered(&program, "Anna").await;
    // Somebody has planted a cookie of a session of their own in the browser.
    let planted = Http::guest(&program).await;
    let cookie = format!("qiguan={}", planted.token.as_ref().unwrap().reveal());
    let origin = format!("http://{}", program.address());
    let headers = [("cookie", cookie.as_str()), ("origin", origin.as_str())];
    let nobody = Http::nobody(&program);
    let mut seen = vec![planted.token.clone().unwrap(), owner.token.clone().unwrap()];
    for _ in 0..2 {
        let body = credentials("Anna", PASSWORD).to_string();
        let response = nobody
            .send(Method::POST, "/api/login", &headers, Some(body))
            .await;
        let signed_in: qiguan_protocol::account::SignedIn = response.parsed();
        assert!(!seen.contains(&signed_in.token));
        let set = response.headers["set-cookie"].to_str().unwrap();
        assert!(
            set.contains(signed_in.token.reveal()),
            "the cookie is the new one"
        );
        assert!(
            set.contains("HttpOnly") && set.contains("SameSite=Lax"),
            "{set}"
        );
        seen.push(signed_in.token);
    }
    // The planted one is still the guest it was, and nobody else.
    assert!(planted.me().await.guest);
    // Registering with it makes it void as well.
    let body = credentials("Berta", PASSWORD).to_string();
    let response = nobody
        .send(Method::POST, "/api/register", &headers, Some(body))
        .await;
    assert_eq!(response.status, 201, "{response:?}");
    assert_eq!(planted.is_nobody().await, ErrorCode::BadToken);
    assert_eq!(
        response
            .parsed::<qiguan_protocol::account::SignedIn>()
            .player
            .name,
        "Berta"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn d7_whoever_signs_out_among_a_hundred_requests_stays_signed_out() {
    let program = Program::start().await;
    let http = Http::registered(&program, "Anna").await;
    let mut asking = tokio::task::JoinSet::new();
    for number in 0..100 {
        let http = http.clone();
        asking.spawn(async move {
            if number == 50 {
                return http.post("/api/logout", None).await.status;
            }
            http.get("/api/account/sessions").await.status
        });
    }
    let answers = asking.join_all().await;
    assert!(
        answers
            .iter()
            .all(|status| [200, 204, 401].contains(status)),
        "{answers:?}"
    );
    for _ in 0..5 {
        assert_eq!(http.is_nobody().await, ErrorCode::BadToken);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn d10_names_that_look_alike_or_disturb_are_refused() {
    let program = Program::start().await;
    Http::registered(&program, "Bill_Boswell").await;
    let nobody = Http::nobody(&program);
    let register = async |name: &str| {
        let body = credentials(name, PASSWORD);
        nobody.post("/api/register", Some(&body)).await
    };
    for taken in [
        "Bill_Boswell",
        "bill_boswell",
        "BILL_BOSWELL",
        "BiIl-B0swell",
        "Bi11Bosvvell",
        "billboswe1l",
    ] {
        let refused = register(taken).await;
        assert_eq!(refused.refusal(), (409, ErrorCode::NameTaken), "{taken}");
    }
    let long = "x".repeat(21);
    let longer = "x".repeat(10_000);
    for bad in [
        "ab",
        long.as_str(),
        longer.as_str(),
        "Admin",
        "adm1n",
        "abc\u{202e}cba",
        "שלום_שלום",
        "ab\u{200b}cd",
        "ab cd",
        "pаypal",
        "a__b",
        "x\u{300}\u{301}\u{302}yz",
        "<script>",
        "../etc",
        "",
    ] {
        let refused = register(bad).await;
        assert_eq!(refused.refusal(), (400, ErrorCode::BadValue), "{bad:?}");
        assert_eq!(refused.error().field.as_deref(), Some("name"), "{bad:?}");
    }
    assert_eq!(register("Bill_Bosworth").await.status, 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn passwords_that_are_guessed_first_are_refused() {
    let program = Program::start().await;
    let nobody = Http::nobody(&program);
    for bad in [
        "",
        "1234567",
        "password",
        "Passw0rd",
        "annaannaanna",
        &"x".repeat(257),
    ] {
        let refused = nobody
            .post("/api/register", Some(&credentials("Anna", bad)))
            .await;
        assert_eq!(refused.refusal(), (400, ErrorCode::BadValue), "{bad:?}");
        assert_eq!(
            refused.error().field.as_deref(),
            Some("password"),
            "{bad:?}"
        );
    }
}

/// A game that `http` plays as the first seat, and one move of it.
async fn a_game(program: &Program, http: &Http) -> Seats {
    let first = http.socket(program).await;
    let second = Client::guest(program.address()).await;
    let mut seats = Seats::sit(first, second, &Setup::default()).await;
    seats.play(1, &["a3a4", "g7g6"]).await;
    seats
}

/// Waits until a name is nowhere in a game any more.
async fn is_unnamed(program: &Program, seats: &Seats, name: &str) -> GameView {
    let http = Http::nobody(program);
    loop {
        let view = http.get(&format!("/api/games/{}", seats.game)).await;
        let events = http.get(&format!("/api/games/{}/events", seats.game)).await;
        let list = http.get("/api/games").await;
        if [&view, &events, &list]
            .iter()
            .all(|told| !told.text.contains(name))
        {
            return view.parsed();
        }
        tokio::task::yield_now().await;
    }
}

async fn d13_a_deleted_account_leaves_its_games_without_its_name(start: fn() -> Start) {
    let program = start().start().await;
    let http = Http::registered(&program, "Zacharias").await;
    let mut over = a_game(&program, &http).await;
    over.first
        .does(over.game, "resign", json!({}))
        .await
        .unwrap();
    let mut running = a_game(&program, &http).await;
    let open = http.opens(&Setup::default()).await;
    let mut socket = http.socket(&program).await;
    let wrong = http
        .post(
            "/api/account/delete",
            Some(&json!({"password": "wrong horse"})),
        )
        .await;
    assert_eq!(wrong.refusal(), (401, ErrorCode::BadCredentials));
    let since = now();
    let deleted = http
        .post("/api/account/delete", Some(&json!({"password": PASSWORD})))
        .await;
    assert_eq!(deleted.status, 204, "{deleted:?}");
    is_closed(&mut socket, since, close::SIGNED_OUT).await;
    assert_eq!(http.is_nobody().await, ErrorCode::BadToken);
    // Nobody signs in, and nobody gets the name.
    assert_eq!(
        http.tries("Zacharias", PASSWORD).await.refusal(),
        (401, ErrorCode::BadCredentials)
    );
    let again = Http::nobody(&program)
        .post("/api/register", Some(&credentials("zacharias", PASSWORD)))
        .await;
    assert_eq!(again.refusal(), (409, ErrorCode::NameTaken));
    // The opponent wins the game that was going on, and both games are still there.
    running
        .second
        .event_where(running.game, |event| {
            matches!(event, qiguan_protocol::event::GameEvent::Ended { .. })
        })
        .await;
    for seats in [&over, &running] {
        let view = is_unnamed(&program, seats, "Zacharias").await;
        assert_eq!(view.players.first.as_ref().unwrap().name, "(deleted)");
        assert!(view.outcome.is_some(), "{view:?}");
    }
    let gone = Http::nobody(&program)
        .get(&format!("/api/games/{open}"))
        .await;
    assert_eq!(gone.json()["status"], "ended", "{gone:?}");
    assert!(record::events(&program.database(), over.game).await.len() > 4);
}

async fn d13_a_name_leaves_its_games_also_if_the_server_dies_on_the_way(start: fn() -> Start) {
    // The fourth change of accounts after the registration is in the middle of leaving: the server dies there.
    let program = start()
        .faults("before_commit/change_people=abort@4")
        .start()
        .await;
    let http = Http::registered(&program, "Zacharias").await;
    let mut games = Vec::new();
    for _ in 0..3 {
        games.push(a_game(&program, &http).await);
    }
    let deleted = http
        .post("/api/account/delete", Some(&json!({"password": PASSWORD})))
        .await;
    assert_eq!(deleted.status, 204);
    let stopped = program.dies().await;
    let program = stopped.restart().await;
    for seats in &games {
        is_unnamed(&program, seats, "Zacharias").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_never_played_becomes_a_bots() {
    let program = Program::start().await;
    let http = Http::registered(&program, "Robot").await;
    let refused = http
        .post(
            "/api/account/tokens",
            Some(&json!({"name": "x", "scopes": ["bot"]})),
        )
        .await;
    assert_eq!(refused.refusal(), (403, ErrorCode::Forbidden));
    assert_eq!(http.post("/api/account/bot", None).await.status, 204);
    assert_eq!(http.is_nobody().await, ErrorCode::BadToken);
    let http = http.signs_in("Robot").await;
    assert_eq!(http.me().await.role, Role::Bot);
    let bot = http.issues(&["bot"]).await;
    let game = bot.opens(&Setup::default()).await;
    let view: Value = bot.get(&format!("/api/games/{game}")).await.json();
    assert!(view.to_string().contains("\"bot\":true"), "{view}");
    // Who has played stays a person.
    let person = Http::registered(&program, "Person").await;
    person.opens(&Setup::default()).await;
    let refused = person.post("/api/account/bot", None).await;
    assert_eq!(refused.refusal(), (409, ErrorCode::Conflict));
}

#[tokio::test(flavor = "multi_thread")]
async fn d5_sessions_and_tokens_end_by_themselves() {
    const DAY_MS: i64 = 86_400_000;
    let program = Program::start().await;
    let http = Http::registered(&program, "Anna").await;
    let asked = json!({"name": "for a day", "scopes": ["read"], "days": 1});
    let issued = http.post("/api/account/tokens", Some(&asked)).await;
    let mut short = http.clone();
    short.token = Some(
        issued
            .parsed::<qiguan_protocol::account::IssuedToken>()
            .token,
    );
    let long = http.issues(&["read"]).await;
    let mut stopped = program.kill().await;
    // Used after 50 days, the session lasts for another 90; then it is over.
    for (days, session, token) in [(50, true, false), (130, true, false), (230, false, false)] {
        let start = Start::default().with("--clock-offset-ms", days * DAY_MS);
        let program = stopped.restart_as(start).await;
        let later = |http: &Http| {
            let mut later = Http::nobody(&program);
            later.token.clone_from(&http.token);
            later
        };
        assert_eq!(
            later(&short).get("/api/me").await.status == 200,
            token,
            "{days} days"
        );
        assert_eq!(
            later(&http).get("/api/me").await.status == 200,
            session,
            "{days} days"
        );
        assert_eq!(
            later(&long).me().await.name,
            "Anna",
            "a token without days has no end"
        );
        if session {
            // That it is in use is noted beside the answer.
            let seen = async {
                loop {
                    let list: SessionList =
                        later(&http).get("/api/account/sessions").await.parsed();
                    let [session] = &list.sessions[..] else {
                        panic!("{list:?}")
                    };
                    if (session.expires_at - session.last_seen_at).0 == 90 * DAY_MS
                        && (session.last_seen_at - session.created_at).0 > (days - 1) * DAY_MS
                    {
                        return;
                    }
                }
            };
            tokio::time::timeout(Duration::from_secs(20), seen)
                .await
                .expect("it is noted");
        }
        stopped = program.kill().await;
    }
}
