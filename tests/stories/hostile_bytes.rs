//! Bytes that no decent client sends: each gets its typed error or a clean close, and everybody else plays on.

use qiguan_protocol::{
    error::ErrorCode,
    event::ServerNoticeKind,
    limits::{self, close},
};
use qiguan_tests::{
    Client, Frame, Program, Seats, Start,
    client::Closed,
    random::Random,
    raw::{Raw, resident_kib},
    waiting::in_time,
};
use serde_json::json;
use tokio::io::AsyncWriteExt;

const TEXT: u8 = 0x81;
const BINARY: u8 = 0x82;
const PING: u8 = 0x89;

#[tokio::test(flavor = "multi_thread")]
async fn c1_a_message_that_is_too_big_is_closed_1009_and_memory_stays_flat() {
    let program = Program::start().await;
    let mut bystanders = Seats::begin(&program).await;
    let before = resident_kib(program.pid());
    for _ in 0..10 {
        let mut one_frame = Raw::upgraded(program.address()).await;
        one_frame.sends_frame(TEXT, &vec![b'x'; 1_000_000]).await;
        assert_eq!(
            one_frame.close_code().await,
            Some(close::TOO_BIG),
            "a frame of 1 MB"
        );

        // Only the header of 64 MB: refused before a byte of it has come.
        let mut header = Raw::upgraded(program.address()).await;
        header
            .sends(&[TEXT, 0xff, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0])
            .await;
        assert_eq!(
            header.close_code().await,
            Some(close::TOO_BIG),
            "the header of 64 MB"
        );

        let mut fragments = Raw::upgraded(program.address()).await;
        fragments.sends_frame(0x01, &[b'x'; 4_000]).await;
        for _ in 0..5 {
            fragments.sends_frame(0x00, &[b'x'; 4_000]).await;
        }
        assert_eq!(
            fragments.close_code().await,
            Some(close::TOO_BIG),
            "endless fragments"
        );
    }
    let grown = resident_kib(program.pid()).saturating_sub(before);
    assert!(grown < 16 * 1024, "the server has grown by {grown} KiB");
    bystanders.play(1, &["a3a4", "g7g6"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c2_bytes_that_are_no_websocket_protocol_are_closed_1002() {
    let program = Program::start().await;
    let mask = [0_u8; 4];
    let with_mask = |head: &[u8]| [head, &mask[..]].concat();
    for (what, bytes) in [
        ("a reserved bit", with_mask(&[0xc1, 0x80])),
        ("an unknown kind", with_mask(&[0x83, 0x80])),
        ("no mask", vec![TEXT, 0x02, b'h', b'i']),
        ("a fragmented ping", with_mask(&[0x09, 0x80])),
        ("a continuation of nothing", with_mask(&[0x80, 0x80])),
        (
            "a ping of 126 bytes",
            [&[PING, 0xfe, 0, 126][..], &mask, &[0; 126]].concat(),
        ),
    ] {
        let mut raw = Raw::upgraded(program.address()).await;
        raw.sends(&bytes).await;
        assert_eq!(raw.close_code().await, Some(close::PROTOCOL), "{what}");
    }
    let mut monstrous = Raw::upgraded(program.address()).await;
    monstrous
        .sends(&[TEXT, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        .await;
    let code = monstrous.close_code().await;
    assert!(
        matches!(code, Some(close::PROTOCOL | close::TOO_BIG)),
        "2^63 bytes: {code:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn c3_text_that_is_not_utf8_is_closed_1007_and_odd_escapes_are_errors() {
    let program = Program::start().await;
    for bytes in [
        &b"\xff\xfe"[..],
        b"{\"id\":1,\"type\":\"ping\xc0\xaf\"}",
        b"\xed\xa0\x80",
    ] {
        let mut raw = Raw::upgraded(program.address()).await;
        raw.sends_frame(TEXT, bytes).await;
        assert_eq!(raw.close_code().await, Some(close::NOT_UTF8), "{bytes:?}");
    }
    let mut client = Client::guest(program.address()).await;
    client.sends_text(r#"{"id": 99, "type": "\ud800"}"#).await;
    assert_eq!(
        client.answer(99).await.err().unwrap().code,
        ErrorCode::BadRequest
    );
    client.asks("ping", json!({})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c4_json_bombs_are_refused_and_the_connection_lives() {
    let program = Program::start().await;
    let mut client = Client::guest(program.address()).await;
    let deep = "[".repeat(4_000) + &"]".repeat(4_000);
    let keys = (0..600)
        .map(|number| format!("\"k{number}\":1"))
        .collect::<Vec<_>>()
        .join(",");
    for text in [
        deep.clone(),
        format!(r#"{{"id":1,"type":"ping","data":{deep}}}"#)
            .chars()
            .take(8_000)
            .collect(),
        format!("{{{keys}}}"),
        r#"{"type":"ping","type":"ping"}"#.to_owned(),
        format!(r#"{{"id":{},"type":"ping"}}"#, "9".repeat(7_000)),
        r#"{"id":NaN,"type":"ping"}"#.to_owned(),
        r#"{"id":-0.5,"type":"ping"}"#.to_owned(),
        r#"{"id":1e999,"type":"ping"}"#.to_owned(),
    ] {
        client.sends_text(text.clone()).await;
        let refused = in_time("a refusal", client.refusal_without_id()).await;
        assert_eq!(
            refused.code,
            ErrorCode::BadRequest,
            "{}",
            &text[..text.len().min(60)]
        );
    }
    client.asks("ping", json!({})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c5_binary_is_closed_1003_and_empty_text_is_an_error() {
    let program = Program::start().await;
    let mut raw = Raw::upgraded(program.address()).await;
    raw.sends_frame(BINARY, b"{}").await;
    assert_eq!(raw.close_code().await, Some(close::UNSUPPORTED));
    let mut client = Client::guest(program.address()).await;
    for text in ["", "   \n\t", "\0", "{}", "[]", "7", "\"hello\""] {
        client.sends_text(text).await;
        assert_eq!(
            client.refusal_without_id().await.code,
            ErrorCode::BadRequest,
            "{text:?}"
        );
    }
    client.asks("ping", json!({})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c6_slow_headers_and_slow_bodies_are_cut_off_while_others_play() {
    let program = Program::start().await;
    let mut slow = Vec::new();
    for _ in 0..200 {
        let mut raw = Raw::connect(program.address()).await;
        raw.sends(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ").await;
        slow.push(raw);
    }
    let mut seats = Seats::begin(&program).await;
    seats.play(1, &["a3a4", "g7g6"]).await;
    for mut raw in slow {
        // Cut off in the middle of the header, or answered with an error and cut off.
        let answer = raw.reads_to_end().await;
        assert!(
            answer.is_empty() || answer.starts_with(b"HTTP/1.1 4"),
            "{}",
            String::from_utf8_lossy(&answer)
        );
    }
    seats.play(3, &["g1g2", "a9a8"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c7_upgraded_and_then_silent_is_closed_for_want_of_a_hello() {
    let program = Start::default().with("--ping-ms", 2_000).start().await;
    let mut raw = Raw::upgraded(program.address()).await;
    assert_eq!(raw.close_code().await, Some(close::NO_HELLO));
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_messages_in_a_burst_are_refused_then_closed_and_rooms_go_on() {
    let program = Program::start().await;
    let mut seats = Seats::begin(&program).await;
    let mut flood = Client::guest(program.address()).await;
    for _ in 0..10_000 {
        flood.sends_text(r#"{"type": "ping"}"#).await;
    }
    let mut warned = false;
    let closed = loop {
        match flood.next().await {
            Ok(Frame::Server(ServerNoticeKind::SlowDown {})) => warned = true,
            Ok(_) => {}
            Err(closed) => break closed,
        }
    };
    assert!(warned, "a warning comes before the end");
    assert!(
        matches!(
            closed,
            Closed {
                code: Some(close::POLICY) | None,
                ..
            }
        ),
        "{closed:?}"
    );
    let refused = flood
        .received
        .iter()
        .filter(|text| text.contains("rate_limited"))
        .count();
    assert!(refused > 0, "those over the limit are refused one by one");
    seats.play(1, &["a3a4", "g7g6", "g1g2"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c14_who_is_refused_while_still_sending_a_body_can_send_all_of_it_and_read_the_answer() {
    const HALF: usize = 200_000;
    let program = Program::start().await;
    for (head, status) in [
        (
            "POST /a b c HTTP/1.1\r\nHost: x\r\nContent-Length: 400000",
            "400",
        ),
        (
            "POST /api/%00%ff HTTP/1.1\r\nHost: x\r\nContent-Length: 400000",
            "413",
        ),
        // A chunk of 400,000 bytes.
        (
            "POST /api/guest HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n61a80",
            "400",
        ),
    ] {
        let mut raw = Raw::connect(program.address()).await;
        raw.sends(
            format!(
                "{head}\r\n{}",
                if head.ends_with("61a80") { "" } else { "\r\n" }
            )
            .as_bytes(),
        )
        .await;
        let mut answer = Vec::new();
        raw.sends(&vec![b'x'; HALF]).await;
        if status == "400" {
            // It is refused, and the server has said that nothing more comes.
            answer = raw.reads_to_end().await;
        }
        for _ in 0..HALF / 1_000 {
            let sent = in_time("a piece of the body", raw.0.write_all(&[b'x'; 1_000])).await;
            sent.unwrap_or_else(|error| panic!("{head}: {error}"));
        }
        if answer.is_empty() {
            answer = raw.reads_to_end().await;
        }
        let begins = String::from_utf8_lossy(&answer[..answer.len().min(12)]).into_owned();
        assert_eq!(begins, format!("HTTP/1.1 {status}"), "{head}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c15_random_bytes_are_answered_or_closed_in_the_time_of_a_header() {
    let program = Program::start().await;
    let mut random = Random::new(15);
    let mut junk = || {
        let length = *random.pick(&[0, 1, 2, 16, 100, 5_000, 20_000]);
        let bytes: Vec<_> = (0..length).map(|_| random.next() as u8).collect();
        match random.below(4) {
            0 => bytes,
            1 => [b"GET ".as_slice(), &bytes, b" HTTP/1.1\r\nHost: x\r\n\r\n"].concat(),
            2 => [b"POST / HTTP/1.1\r\n".as_slice(), &bytes].concat(),
            _ => [b"\r\n".repeat(length.min(50)), bytes].concat(),
        }
    };
    let mut connections = Vec::new();
    for _ in 0..500 {
        let mut raw = Raw::connect(program.address()).await;
        raw.sends(&junk()).await;
        connections.push(raw);
    }
    for mut raw in connections {
        let answer = raw.reads_to_end().await;
        let is_answer = answer.starts_with(b"HTTP/1.1 4") || answer.starts_with(b"HTTP/1.1 2");
        assert!(answer.is_empty() || is_answer, "{answer:?}");
    }
    Seats::begin(&program)
        .await
        .play(1, &["a3a4", "g7g6"])
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_input_names_the_field_and_what_is_allowed() {
    let program = Program::start().await;
    let mut client = Client::guest(program.address()).await;
    let create = |change: fn(&mut serde_json::Value)| {
        let mut data = qiguan_tests::Setup::default().create(qiguan_tests::client::command_id());
        change(&mut data);
        data
    };
    for (data, code, field) in [
        (
            create(|data| data["ruleset"] = json!("go/stones")),
            ErrorCode::UnknownRuleset,
            "ruleset",
        ),
        (
            create(|data| data["options"] = json!({"cannon": "standard"})),
            ErrorCode::BadOption,
            "options.cannon",
        ),
        (
            create(|data| data["options"] = json!({"quiet_limit": 100_001})),
            ErrorCode::BadOption,
            "options.quiet_limit",
        ),
        (
            create(|data| data["time_control"]["clock"]["initial_ms"] = json!(0)),
            ErrorCode::BadValue,
            "time_control.clock.initial_ms",
        ),
        (
            create(|data| data["time_control"]["clock"]["increment_ms"] = json!(-1)),
            ErrorCode::BadValue,
            "time_control.clock.increment_ms",
        ),
        (
            create(|data| data["seat"] = json!("third")),
            ErrorCode::BadRequest,
            "seat",
        ),
        (
            create(|data| data["colour"] = json!("red")),
            ErrorCode::BadRequest,
            "colour",
        ),
        (
            create(|data| data["command"] = json!("7")),
            ErrorCode::BadRequest,
            "command",
        ),
    ] {
        let refused = client
            .request("create_game", data.clone())
            .await
            .err()
            .unwrap();
        assert_eq!(
            (refused.code, refused.field.as_deref()),
            (code, Some(field)),
            "{data}"
        );
        assert!(!refused.message.is_empty());
    }
    let unknown = client.request("fly", json!({})).await.err().unwrap();
    assert_eq!(unknown.code, ErrorCode::UnknownType);
    assert!(
        unknown.message.contains("create_game"),
        "what is known is told"
    );
    let long = "x".repeat(limits::CHAT_CHARACTERS + 1);
    let mut seats = Seats::begin(&program).await;
    let game = seats.game;
    assert_eq!(
        seats
            .first
            .is_refused(game, "chat", json!({"text": long}))
            .await,
        ErrorCode::BadValue
    );
}
