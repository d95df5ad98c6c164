//! `docs/protocol.md` is true: its example is replayed, its lists are the program's.

use std::collections::HashMap;

use futures_util::{SinkExt, StreamExt};
use qiguan_protocol::{SUBPROTOCOL, error::ErrorCode, limits};
use qiguan_tests::{Program, waiting::in_time};
use serde_json::Value;
use tokio::net::TcpStream;
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream,
    tungstenite::{Message, client::IntoClientRequest},
};

const DOCUMENT: &str = include_str!("../../docs/protocol.md");

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

#[tokio::test(flavor = "multi_thread")]
async fn the_example_session_happens_as_it_is_written() {
    let program = Program::start().await;
    let session = DOCUMENT
        .split("```session\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .unwrap();
    let mut people: HashMap<&str, Socket> = HashMap::new();
    let mut names: HashMap<String, Value> = HashMap::new();
    let mut lines = 0;
    for line in session.lines() {
        let (who, rest) = line.split_once(' ').unwrap();
        let (direction, text) = rest.split_once(' ').unwrap();
        let written: Value =
            serde_json::from_str(text).unwrap_or_else(|error| panic!("{line}: {error}"));
        if !people.contains_key(who) {
            people.insert(who, connect(&program).await);
        }
        let socket = people.get_mut(who).unwrap();
        match direction {
            ">" => socket
                .send(Message::text(filled(&written, &names).to_string()))
                .await
                .unwrap(),
            "<" => {
                let heard = next(socket).await;
                fits(&written, &heard, &mut names)
                    .unwrap_or_else(|why| panic!("{line}\nbut came {heard}\n{why}"));
            }
            other => panic!("{other:?} is no direction"),
        }
        lines += 1;
    }
    assert!(lines > 40, "the example was read");
}

async fn connect(program: &Program) -> Socket {
    let mut request = format!("ws://{}/api/ws", program.address())
        .into_client_request()
        .unwrap();
    request
        .headers_mut()
        .insert("sec-websocket-protocol", SUBPROTOCOL.parse().unwrap());
    tokio_tungstenite::connect_async(request).await.unwrap().0
}

/// The next message that is no notice.
async fn next(socket: &mut Socket) -> Value {
    loop {
        let message = in_time("a message", socket.next()).await.unwrap().unwrap();
        let Message::Text(text) = message else {
            continue;
        };
        let value: Value = serde_json::from_str(&text).unwrap();
        if value.get("notice").is_none() {
            return value;
        }
    }
}

fn name_of(value: &Value) -> Option<&str> {
    value.as_str()?.strip_prefix('<')?.strip_suffix('>')
}

/// What is written, with the names filled in.
fn filled(written: &Value, names: &HashMap<String, Value>) -> Value {
    match written {
        Value::Object(fields) => fields
            .iter()
            .map(|(field, value)| (field.clone(), filled(value, names)))
            .collect(),
        Value::Array(values) => values.iter().map(|value| filled(value, names)).collect(),
        value => name_of(value).map_or_else(|| value.clone(), |name| names[name].clone()),
    }
}

/// Whether what came is what is written; new names are learnt.
fn fits(written: &Value, heard: &Value, names: &mut HashMap<String, Value>) -> Result<(), String> {
    match (written, heard) {
        (Value::String(any), _) if any == "*" => Ok(()),
        (Value::Object(fields), Value::Object(found)) => {
            let keys = |fields: &serde_json::Map<String, Value>| {
                fields.keys().cloned().collect::<Vec<_>>()
            };
            let (mut expected, mut there) = (keys(fields), keys(found));
            expected.sort();
            there.sort();
            if expected != there {
                return Err(format!(
                    "written are the fields {expected:?}, there are {there:?}"
                ));
            }
            fields
                .iter()
                .try_for_each(|(field, value)| fits(value, &found[field], names))
        }
        (Value::Array(values), Value::Array(found)) if values.len() == found.len() => values
            .iter()
            .zip(found)
            .try_for_each(|(value, found)| fits(value, found, names)),
        (value, found) => {
            if let Some(name) = name_of(value) {
                let known = names
                    .entry(name.to_owned())
                    .or_insert_with(|| found.clone());
                return if known == found {
                    Ok(())
                } else {
                    Err(format!("<{name}> is {known}, not {found}"))
                };
            }
            if value == found {
                Ok(())
            } else {
                Err(format!("written is {value}, there is {found}"))
            }
        }
    }
}

#[test]
fn the_list_of_errors_is_the_programs() {
    let table = DOCUMENT
        .split("## Errors")
        .nth(1)
        .and_then(|rest| rest.split("## ").next())
        .unwrap();
    let written: Vec<_> = table
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .collect();
    let there: Vec<_> = ErrorCode::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(written, there);
}

#[test]
fn the_limits_are_the_programs() {
    let table = DOCUMENT
        .split("## Limits")
        .nth(1)
        .and_then(|rest| rest.split("## ").next())
        .unwrap();
    let written: Vec<u64> = table
        .lines()
        .filter_map(|line| {
            line.trim_end_matches('|')
                .rsplit('|')
                .next()?
                .trim()
                .parse()
                .ok()
        })
        .collect();
    let there = [
        limits::MESSAGE_BYTES as u64,
        limits::BODY_BYTES as u64,
        limits::CHAT_CHARACTERS as u64,
        limits::CHAT_BURST.into(),
        limits::CHAT_REFILL_MS.into(),
        limits::DRAW_OFFERS.into(),
        limits::WATCHED_GAMES as u64,
        limits::RESUME_EVENTS as u64,
        limits::HELLO_MS,
        limits::PING_MS,
        limits::SILENCE_MS,
        limits::WRITE_MS,
        limits::OUTBOX_MESSAGES as u64,
        limits::OUTBOX_BYTES as u64,
        limits::PAGE_GAMES.into(),
    ];
    assert_eq!(written, there);
}
