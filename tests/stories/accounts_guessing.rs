//! Guessing passwords, opening accounts and identities by the thousand, and hashing as a weapon.

use qiguan_protocol::{account::PasswordChanged, error::ErrorCode};
use qiguan_tests::{
    Client, Http, Program, Seats, Start,
    account::{PASSWORD, credentials},
    http::Response,
    waiting::in_time,
};
use serde_json::json;

/// How many hashes of passwords the server has computed.
async fn hashes(program: &Program) -> u64 {
    let hashes = program.metric("qiguan_password_hashes_total").await;
    hashes.iter().sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn d8_d11_an_attempt_costs_the_same_and_says_the_same_whether_or_not_the_name_exists() {
    let program = Start::default()
        .with("--attempts-per-name", 0)
        .with("--attempts-per-address", 0)
        .with("--attempts-per-minute", 0)
        .start()
        .await;
    let http = Http::registered(&program, "Anna").await;
    Http::guest(&program).await;
    let before = hashes(&program).await;
    let mut answers = Vec::new();
    let long = "x".repeat(5_000);
    for name in [
        "Anna",
        "Nobody_1",
        "",
        "admin",
        "(deleted)",
        "a\0b",
        long.as_str(),
    ] {
        let response = http.tries(name, "wrong horse").await;
        answers.push((response.status, response.text));
    }
    assert!(
        answers.iter().all(|answer| *answer == answers[0]),
        "{answers:?}"
    );
    assert_eq!(hashes(&program).await - before, answers.len() as u64);
}

#[tokio::test(flavor = "multi_thread")]
async fn d9_five_hundred_sign_ins_at_once_do_not_hold_up_a_game() {
    let program = Start::default()
        .for_machines()
        .with("--attempts-per-name", 0)
        .with("--attempts-per-address", 0)
        .with("--attempts-per-minute", 0)
        .with("--password-memory-kib", 19_456)
        .with("--password-passes", 2)
        .start()
        .await;
    let http = Http::registered(&program, "Anna").await;
    let mut seats = Seats::begin(&program).await;
    let mut asking = tokio::task::JoinSet::new();
    for _ in 0..500 {
        let http = http.clone();
        asking.spawn(async move { http.tries("Anna", PASSWORD).await });
    }
    // While they wait, forty moves are played, each within what the harness allows for one.
    let there_and_back = ["a3a4", "g7g6", "a4a3", "g6g7"];
    let playing = async {
        for ply in 1..=12 {
            let text = there_and_back[(ply as usize - 1) % 4];
            if let Err(error) = seats.plays(ply, text).await {
                assert_eq!(error.code, ErrorCode::BannedMove, "{error:?}");
                break;
            }
        }
    };
    in_time("moves go on", playing).await;
    let (mut right, mut busy) = (0, 0);
    while let Some(answer) = asking.join_next().await {
        let answer = answer.unwrap();
        match answer.status {
            200 => right += 1,
            503 => {
                assert_eq!(answer.error().code, ErrorCode::Busy);
                busy += 1;
            }
            _ => panic!("{answer:?}"),
        }
    }
    assert_eq!(right + busy, 500);
    assert!(right > 0 && busy > 0, "{right} right, {busy} busy");
}

#[tokio::test(flavor = "multi_thread")]
async fn f8_identities_and_accounts_are_limited_by_address() {
    let program = Start::default()
        .with("--guests-per-hour", 3)
        .with("--registrations-per-hour", 2)
        .start()
        .await;
    let nobody = Http::nobody(&program);
    // By HTTP and by socket out of one budget.
    assert_eq!(nobody.post("/api/guest", None).await.status, 201);
    assert_eq!(nobody.post("/api/guest", None).await.status, 201);
    let mut client = Client::guest(program.address()).await;
    client.asks("ping", json!({})).await;
    let refused = nobody.post("/api/guest", None).await;
    assert_eq!(refused.refusal(), (429, ErrorCode::RateLimited));
    let mut late = Client::connect(program.address()).await;
    let refused = late.request("guest", json!({})).await;
    assert_eq!(refused.err().unwrap().code, ErrorCode::RateLimited);
    for (name, status) in [("Anna", 201), ("Berta", 201), ("Carla", 429)] {
        let body = credentials(name, PASSWORD);
        let response = nobody.post("/api/register", Some(&body)).await;
        assert_eq!(response.status, status, "{name}: {response:?}");
    }
    // What is refused for its name costs nothing of it.
    let other = Http::nobody(&program);
    let body = credentials("Anna", PASSWORD);
    let headers = [("x-forwarded-for", "203.0.113.5")];
    for _ in 0..2 {
        let response = other
            .send(
                reqwest::Method::POST,
                "/api/register",
                &headers,
                Some(json!({"name": "x", "password": PASSWORD}).to_string()),
            )
            .await;
        assert_eq!(response.status, 400);
    }
    let taken = other
        .send(
            reqwest::Method::POST,
            "/api/register",
            &headers,
            Some(body.to_string()),
        )
        .await;
    assert_eq!(taken.refusal(), (409, ErrorCode::NameTaken));
}

#[tokio::test(flavor = "multi_thread")]
async fn f8_connections_are_limited_by_address_and_only_proxies_are_believed() {
    let program = Start::default()
        .with("--connections-per-address", 3)
        .with("--trusted-proxy", "192.0.2.0/24")
        .start()
        .await;
    let mut open = Vec::new();
    for number in 0..3 {
        let forged = format!("203.0.113.{number}");
        let headers = [("x-forwarded-for", forged.as_str())];
        open.push(
            Client::try_connect(program.address(), &headers)
                .await
                .ok()
                .unwrap(),
        );
    }
    assert!(
        Client::try_connect(program.address(), &[("x-forwarded-for", "203.0.113.9")])
            .await
            .is_err()
    );
    // There is room again when one has gone.
    open.pop().unwrap().leaves().await;
    loop {
        if Client::try_connect(program.address(), &[]).await.is_ok() {
            break;
        }
        tokio::task::yield_now().await;
    }

    // Behind a proxy sockets are counted by whom it names.
    let program = Start::default()
        .with("--connections-per-address", 2)
        .start()
        .await;
    let mut open = Vec::new();
    let connect = async |address: &str| {
        let headers = [("x-forwarded-for", address)];
        Client::try_connect(program.address(), &headers).await
    };
    for address in ["203.0.113.1", "203.0.113.1", "203.0.113.2"] {
        open.push(connect(address).await.ok().unwrap());
    }
    assert!(connect("203.0.113.1").await.is_err());
    assert!(connect("198.51.100.7, 203.0.113.1").await.is_err());
    assert!(connect("203.0.113.2").await.is_ok());
}

/// Wrong passwords from many forged addresses, until the limits of this name and of all are used up.
async fn guesses_from_everywhere(program: &Program, name: &str) {
    let nobody = Http::nobody(program);
    let mut last = 0;
    for number in 0..60 {
        let forged = format!("203.0.113.{number}");
        let headers = [("x-forwarded-for", forged.as_str())];
        let name = if number < 30 {
            name.to_owned()
        } else {
            format!("name_{number}")
        };
        let body = credentials(&name, "wrong horse").to_string();
        let answer = nobody.send(reqwest::Method::POST, "/api/login", &headers, Some(body));
        last = answer.await.status;
    }
    assert_eq!(last, 429);
}

#[tokio::test(flavor = "multi_thread")]
async fn h4_an_owner_is_not_locked_out_by_the_wrong_passwords_of_others() {
    let program = Start::default()
        .with("--attempts-per-name", 5)
        .with("--attempts-per-minute", 20)
        .start()
        .await;
    let http = Http::registered(&program, "Anna").await;
    guesses_from_everywhere(&program, "Anna").await;
    let again = http.signs_in("Anna").await;
    // Signed in, the owner can do what takes the password from anywhere.
    let headers = [("x-forwarded-for", "198.51.100.7")];
    let new = serde_json::json!({"old": PASSWORD, "new": "another horse battery"}).to_string();
    let path = "/api/account/password";
    let changed = again
        .send(reqwest::Method::POST, path, &headers, Some(new))
        .await;
    assert_eq!(changed.status, 200, "{changed:?}");
    let mut owner = Http::nobody(&program);
    owner.token = Some(changed.parsed::<PasswordChanged>().token);
    // After a restart it is enough that a session is used.
    let program = program.kill().await.restart().await;
    let token = owner.token.clone();
    owner = Http::nobody(&program);
    owner.token = token;
    owner.me().await;
    guesses_from_everywhere(&program, "Anna").await;
    assert_eq!(
        owner.tries("Anna", "another horse battery").await.status,
        200
    );
    // From there, too, only so many are tried.
    assert_eq!(owner.guesses("Anna", 8).await, 5);
    let body = serde_json::json!({"password": "another horse battery"}).to_string();
    let path = "/api/account/delete";
    let deleted = owner
        .send(reqwest::Method::POST, path, &headers, Some(body))
        .await;
    assert_eq!(deleted.status, 204, "{deleted:?}");
}

/// The cookie with the marks that a browser gets when somebody signs in.
fn marks_of(response: &Response) -> String {
    let cookies = response.headers.get_all("set-cookie").iter();
    let marks = cookies
        .filter_map(|cookie| cookie.to_str().ok())
        .find(|cookie| cookie.starts_with("qiguan-device="))
        .expect("a cookie with marks");
    assert!(marks.contains("; HttpOnly; SameSite=Strict"), "{marks}");
    marks.split(';').next().unwrap().to_owned()
}

/// Signs in from an address that nobody has signed in from, with this cookie.
async fn signs_in_from(
    program: &Program,
    address: &str,
    cookie: &str,
    name: &str,
    password: &str,
) -> Response {
    let headers = [("x-forwarded-for", address), ("cookie", cookie)];
    let body = credentials(name, password).to_string();
    Http::nobody(program)
        .send(reqwest::Method::POST, "/api/login", &headers, Some(body))
        .await
}

#[tokio::test(flavor = "multi_thread")]
async fn h6_an_owner_at_a_new_address_is_not_locked_out_by_the_wrong_passwords_of_others() {
    let program = Start::default()
        .with("--attempts-per-name", 5)
        .with("--attempts-per-minute", 20)
        .start()
        .await;
    let nobody = Http::nobody(&program);
    let registers = async |name| {
        let body = credentials(name, PASSWORD);
        let registered = nobody.post("/api/register", Some(&body)).await;
        assert_eq!(registered.status, 201);
        marks_of(&registered)
    };
    let (marks, others) = (registers("Anna").await, registers("Berta").await);
    // After a restart nobody has signed in from anywhere.
    let program = program.kill().await.restart().await;
    guesses_from_everywhere(&program, "Anna").await;
    let limited = (429, ErrorCode::RateLimited);
    for cookie in ["", others.as_str(), "qiguan-device=AAAA"] {
        let refused = signs_in_from(&program, "198.51.100.1", cookie, "Anna", PASSWORD).await;
        assert_eq!(refused.refusal(), limited, "{cookie}");
    }
    let welcome = signs_in_from(&program, "198.51.100.2", &marks, "Anna", PASSWORD).await;
    assert_eq!(welcome.status, 200, "{welcome:?}");
    assert_eq!(
        marks_of(&welcome),
        marks,
        "the same mark, and the same count"
    );

    // The cookie is no identity.
    let headers = [("cookie", marks.as_str())];
    let me = Http::nobody(&program);
    let me = me.send(reqwest::Method::GET, "/api/me", &headers, None);
    assert_eq!(me.await.refusal(), (401, ErrorCode::Unauthenticated));

    // With it, too, only so many passwords are tried, from whatever addresses.
    let mut codes = Vec::new();
    for number in 10..18 {
        let address = format!("198.51.100.{number}");
        let wrong = signs_in_from(&program, &address, &marks, "Anna", "wrong horse").await;
        codes.push(wrong.error().code);
    }
    let wrong = [ErrorCode::BadCredentials; 5];
    assert_eq!(codes, [&wrong[..], &[ErrorCode::RateLimited; 3]].concat());
}
