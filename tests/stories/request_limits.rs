//! One visitor who takes too much: over HTTP, on many sockets, or with bytes that never become a message. And those who only play.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use futures_util::future::join_all;
use qiguan_protocol::{
    answer::Answer,
    error::ErrorCode,
    limits::{self, close},
};
use qiguan_tests::{
    Client, Program, Seats, Setup, Start,
    client::command_id,
    http::Http,
    raw::Raw,
    waiting::{eventually, in_time},
};
use reqwest::Method;
use serde_json::json;
use tokio::io::AsyncWriteExt;

const TEXT: u8 = 0x81;
/// The first part of a text.
const TEXT_BEGINS: u8 = 0x01;
/// A further part, which is not the last.
const GOES_ON: u8 = 0x00;
/// More than the system keeps for a connection on both of its ends.
const TRIED_BYTES: usize = 64 << 20;

/// A server as it is by default, also where the harness otherwise makes room for the many clients of one machine.
fn as_by_default() -> Start {
    Start::default()
        .with("--guests-per-hour", 300)
        .with("--registrations-per-hour", 30)
        .with("--connections-per-address", 500)
        .with("--request-burst-per-address", 1_000)
        .with("--requests-per-second-per-address", 200)
        .with("--games-per-hour", 1_000)
        .with("--games-per-hour-per-address", 5_000)
}

#[tokio::test(flavor = "multi_thread")]
#[expect(
    clippy::disallowed_methods,
    reason = "the test measures how much may come in its own time"
)]
async fn h1_one_guest_on_forty_connections_gets_no_more_than_one_player_may() {
    let program = as_by_default().start().await;
    let guest = Http::guest(&program).await;
    let begun = tokio::time::Instant::now();
    let (passed, refused) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
    let mut connections = Vec::new();
    for _ in 0..40 {
        let mut http = Http::nobody(&program);
        http.token.clone_from(&guest.token);
        let (passed, refused) = (Arc::clone(&passed), Arc::clone(&refused));
        connections.push(tokio::spawn(async move {
            for _ in 0..12 {
                let setup = Setup::default().create(command_id());
                let answer = http.post("/api/games", Some(&setup)).await;
                let Answer::Created { game } = (match answer.status {
                    201 => answer.parsed(),
                    429 => {
                        let error = answer.error();
                        // The limit on games is another one.
                        if error.code == ErrorCode::RateLimited {
                            let wait = error.retry_in_ms.expect("when to try again");
                            assert!(wait.0 > 0, "{answer:?}");
                            let seconds: u64 = answer.headers["retry-after"]
                                .to_str()
                                .unwrap()
                                .parse()
                                .unwrap();
                            assert_eq!(seconds, (wait.0 as u64).div_ceil(1_000));
                            refused.fetch_add(1, Ordering::Relaxed);
                        }
                        continue;
                    }
                    _ => panic!("{answer:?}"),
                }) else {
                    panic!("{answer:?}")
                };
                passed.fetch_add(1, Ordering::Relaxed);
                if http.does(game, "abort", json!({})).await.status == 200 {
                    passed.fetch_add(1, Ordering::Relaxed);
                }
            }
        }));
    }
    for connection in connections {
        connection.await.unwrap();
    }
    let seconds = begun.elapsed().as_secs() as u32 + 1;
    let passed = passed.load(Ordering::Relaxed);
    assert!(
        passed <= 100 + 20 * seconds,
        "{passed} requests of one player passed in {seconds} s"
    );
    let refused = refused.load(Ordering::Relaxed);
    assert!(refused > 0, "{passed} passed, and none was refused");
}

#[tokio::test(flavor = "multi_thread")]
#[expect(
    clippy::disallowed_methods,
    reason = "the test measures how much may come in its own time"
)]
async fn h1_sockets_and_http_share_one_budget() {
    let program = Start::default()
        .with("--message-burst", 20)
        .with("--messages-per-second", 1)
        .start()
        .await;
    let first = Client::guest(program.address()).await;
    let begun = tokio::time::Instant::now();
    let mut sockets = vec![];
    for _ in 0..4 {
        sockets.push(first.again(program.address()).await);
    }
    sockets.push(first);
    let mut passed = 0;
    for socket in &mut sockets {
        let mut ids = Vec::new();
        for _ in 0..5 {
            ids.push(socket.sends("ping", json!({})).await);
        }
        for id in ids {
            match socket.answer(id).await {
                Ok(_) => passed += 1,
                Err(error) => {
                    assert_eq!(error.code, ErrorCode::RateLimited);
                    assert!(
                        error.retry_in_ms.is_some_and(|wait| wait.0 > 0),
                        "{error:?}"
                    );
                }
            }
        }
    }
    let seconds = begun.elapsed().as_secs() as u32 + 1;
    assert!(passed <= 20 + seconds, "{passed} pings in {seconds} s");
    let mut http = Http::nobody(&program);
    http.token.clone_from(&sockets[0].token);
    // The budget is spent, whatever is knocked at; a second is far away from all that a budget of twenty needs to come back.
    let refused = eventually("a refusal over HTTP", async || {
        let answer = http.get("/api/me").await;
        (answer.status == 429).then_some(answer)
    })
    .await;
    assert_eq!(refused.error().code, ErrorCode::RateLimited);
    let other = Http::guest(&program).await;
    assert_eq!(
        other.get("/api/me").await.status,
        200,
        "others have their own"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn h1_visitors_without_identity_share_the_budget_of_their_address() {
    let program = Start::default()
        .with("--request-burst-per-address", 20)
        .with("--requests-per-second-per-address", 1)
        .start()
        .await;
    let nobody = Http::nobody(&program);
    let from = |address: &'static str| {
        let nobody = nobody.clone();
        async move {
            let headers = [("x-forwarded-for", address)];
            nobody.send(Method::GET, "/api/live", &headers, None).await
        }
    };
    let refused = eventually("a refusal", async || {
        let answer = from("203.0.113.7").await;
        (answer.status == 429).then_some(answer)
    })
    .await;
    assert_eq!(refused.error().code, ErrorCode::RateLimited);
    assert!(refused.headers.contains_key("retry-after"));
    assert_eq!(from("203.0.113.8").await.status, 200);
    // What is forged stands further left and changes nothing.
    let forged = eventually("a refusal", async || {
        let headers = [("x-forwarded-for", "198.51.100.1, 203.0.113.7")];
        let answer = nobody.send(Method::GET, "/api/live", &headers, None).await;
        (answer.status == 429).then_some(answer)
    });
    forged.await;
    // Files cost next to nothing.
    for _ in 0..30 {
        let headers = [("x-forwarded-for", "203.0.113.9")];
        let file = nobody.send(Method::GET, "/", &headers, None).await;
        assert_ne!(file.status, 429);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn h1_the_budget_of_an_address_does_not_hang_on_one_player_who_floods() {
    let program = as_by_default().start().await;
    let flooding = Http::guest(&program).await;
    let bystander = Http::guest(&program).await;
    // All at once, so that no machine is too slow to be refused.
    let asked = (0..300).map(async |_| flooding.get("/api/me").await.status);
    assert!(join_all(asked).await.contains(&429));
    for _ in 0..50 {
        assert_eq!(bystander.get("/api/me").await.status, 200);
    }
}

/// A game in which pieces may go to and fro.
fn for_long() -> Setup {
    Setup {
        options: json!({"repetition_limit": 100}),
        ..Setup::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn h2_a_class_behind_one_address_signs_up_plays_and_chats_at_once() {
    let program = as_by_default().start().await;
    let lessons = (0..15).map(|pair| {
        let web = Http::nobody(&program);
        let program = &program;
        async move {
            let mut pupils = Vec::new();
            for pupil in 0..2 {
                // The page and what it loads.
                for _ in 0..40 {
                    assert_ne!(web.get("/").await.status, 429);
                }
                for path in [
                    "/api/catalog",
                    "/api/live",
                    "/api/lobby",
                    "/api/lobby/pools",
                ] {
                    assert_eq!(web.get(path).await.status, 200, "{path}");
                }
                let name = format!("Pupil_{pair}_{pupil}");
                let http = Http::registered(program, &name).await;
                assert_eq!(http.get("/api/me").await.status, 200);
                pupils.push(http.socket(program).await);
            }
            let (second, first) = (pupils.pop().unwrap(), pupils.pop().unwrap());
            let setup = for_long();
            let mut seats = Seats::sit(first, second, &setup).await;
            let walk = ["a3a4", "g7g6", "a4a3", "g6g7"];
            let game = seats.game;
            for ply in 1..=12 {
                seats.play(ply, &[walk[(ply as usize - 1) % 4]]).await;
                if ply % 4 == 0 {
                    for client in seats.both() {
                        let line = json!({"text": "good luck"});
                        client.does(game, "chat", line).await.expect("a line");
                    }
                }
            }
        }
    });
    futures_util::future::join_all(lessons).await;
    assert!(!program.log().contains("rate"), "nobody was limited");
}

#[tokio::test(flavor = "multi_thread")]
async fn h2_a_bot_plays_twenty_games_at_once_within_the_documented_limits() {
    let program = as_by_default().start().await;
    let owner = Http::registered(&program, "Twenty_Games").await;
    assert!((200..300).contains(&owner.post("/api/account/bot", None).await.status));
    let mut bot = owner.signs_in("Twenty_Games").await.socket(&program).await;
    let mut games = Vec::new();
    for _ in 0..20 {
        let setup = for_long();
        let data = setup.create(command_id());
        let Ok(Answer::Created { game }) = patient(&mut bot, "create_game", data).await else {
            panic!("not created")
        };
        bot.watches(game).await;
        let mut opponent = Client::guest(program.address()).await;
        opponent.watches(game).await;
        opponent.does(game, "join", json!({})).await.unwrap();
        games.push((game, opponent));
    }
    let walk = ["a3a4", "g7g6", "a4a3", "g6g7"];
    for ply in 1..=12 {
        let text = walk[(ply as usize - 1) % 4];
        for (game, opponent) in &mut games {
            if ply % 2 == 0 {
                opponent.plays(*game, ply, text).await.unwrap();
                continue;
            }
            let data = json!({"game": game, "command": command_id(), "ply": ply, "move": text});
            patient(&mut bot, "move", data).await.unwrap();
        }
    }
    assert!(!bot.is_closed().await);
}

/// Asks, and again when the server says so.
async fn patient(
    client: &mut Client,
    kind: &str,
    data: serde_json::Value,
) -> Result<Answer, qiguan_protocol::error::ApiError> {
    loop {
        let answer = client.request(kind, data.clone()).await;
        match &answer {
            Err(error) if error.code == ErrorCode::RateLimited => {
                let wait = error.retry_in_ms.expect("when to try again");
                tokio::time::sleep(Duration::from_millis(wait.0 as u64)).await;
            }
            Ok(_) | Err(_) => return answer,
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn h3_frames_that_never_become_a_message_end_the_connection() {
    let program = Program::start().await;
    let mut bystanders = Seats::begin(&program).await;
    // What is not empty makes a message that is too long before.
    for (what, payload, expected) in [
        ("empty", &b""[..], close::POLICY),
        ("of one byte", b" ", close::TOO_BIG),
    ] {
        let mut raw = Raw::upgraded(program.address()).await;
        raw.sends_frame(TEXT, br#"{"id":1,"type":"hello"}"#).await;
        raw.sends_frame(TEXT_BEGINS, b"{").await;
        // As many as fit below the limit are borne.
        let frame = 6 + payload.len() as u64;
        let fine = if payload.is_empty() {
            limits::UNFINISHED_BYTES / frame - 1_000
        } else {
            4_000
        };
        for _ in 0..fine {
            raw.sends_frame(GOES_ON, payload).await;
        }
        raw.sends_frame(0x80, br#""id":2,"type":"ping"}"#).await;
        // The answer to the ping has come when the next message is cut off.
        raw.sends_frame(TEXT_BEGINS, b"{").await;
        let some = [&[GOES_ON, 0x80 | payload.len() as u8, 0, 0, 0, 0], payload].concat();
        let some = some.repeat(10_000);
        let mut taken = 0;
        while taken < TRIED_BYTES {
            if in_time("bytes to go out", raw.0.write_all(&some))
                .await
                .is_err()
            {
                break;
            }
            taken += some.len();
        }
        // What the system keeps for a server that reads no more is all that goes out.
        assert!(taken < TRIED_BYTES, "{what}: the server reads on and on");
        // The goodbye may be lost where more was on its way.
        let code = raw.close_code().await;
        assert!(code.is_none_or(|code| code == expected), "{what}: {code:?}");
    }
    bystanders.play(1, &["a3a4", "g7g6"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn h3_a_message_byte_by_byte_is_read() {
    let program = Program::start().await;
    let mut raw = Raw::upgraded(program.address()).await;
    let hello = br#"{"id":1,"type":"hello"}"#;
    raw.sends_frame(TEXT_BEGINS, &hello[..1]).await;
    for byte in &hello[1..] {
        raw.sends_frame(GOES_ON, &[*byte]).await;
    }
    raw.sends_frame(0x80, b"").await;
    // A ping may come first.
    let mut answer = raw.reads_frame().await;
    if !answer.starts_with('{') {
        answer = raw.reads_frame().await;
    }
    assert!(answer.contains("\"re\":1"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn h3_a_client_that_is_cut_off_pays_for_what_became_no_message_before_it_comes_back() {
    let program = Start::default()
        .with("--request-burst-per-address", 60)
        .with("--requests-per-second-per-address", 1)
        .start()
        .await;
    let mut parts = vec![TEXT_BEGINS, 0x81, 0, 0, 0, 0, b'{'];
    parts.extend([GOES_ON, 0x80, 0, 0, 0, 0].repeat(20_000));
    let mut sockets = 0;
    loop {
        let mut raw = Raw::connect(program.address()).await;
        let head = raw.asks_upgrade(program.address()).await;
        if head.starts_with("HTTP/1.1 429") {
            break;
        }
        assert!(head.starts_with("HTTP/1.1 101"), "{head}");
        sockets += 1;
        raw.sends(&parts).await;
        raw.close_code().await;
    }
    // Each has cost sixteen messages and one for the upgrade.
    assert!((1..=6).contains(&sockets), "{sockets} sockets");
}

#[tokio::test(flavor = "multi_thread")]
async fn h3_a_flooded_socket_is_not_read_on_while_it_is_closed() {
    let program = Program::start().await;
    let mut raw = Raw::upgraded(program.address()).await;
    let mut message = b"\x81\xfe\xea\x60\0\0\0\0".to_vec();
    message.resize(8 + 60_000, b' ');
    let mut taken = 0;
    while taken < TRIED_BYTES {
        if in_time("bytes to go out", raw.0.write_all(&message))
            .await
            .is_err()
        {
            break;
        }
        taken += message.len();
    }
    assert!(taken < TRIED_BYTES, "the server reads on and on");
}

#[tokio::test(flavor = "multi_thread")]
async fn h3_an_address_that_sends_rubbish_again_and_again_is_not_listened_to() {
    let program = Start::default()
        .with("--trusted-proxy", "192.0.2.1")
        .with("--request-burst-per-address", 60)
        .with("--requests-per-second-per-address", 1)
        .with("--message-burst", 5)
        .start()
        .await;
    let mut answered = 0;
    loop {
        let mut raw = Raw::connect(program.address()).await;
        raw.sends(b"\0rubbish\r\n\r\n").await;
        let answer = raw.reads_to_end().await;
        if answer.is_empty() {
            break;
        }
        answered += 1;
        assert!(answered < 60, "rubbish is answered on and on");
    }
    assert!(answered >= 5, "{answered} answers");
}
