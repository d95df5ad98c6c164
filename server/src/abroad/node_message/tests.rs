//! What programs of earlier releases have said is still read. `frames/` has a list of messages for each version: one that is there never
//! changes, and a new version has one of its own.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use qiguan_game::event::Player;
use qiguan_protocol::{error::ErrorCode, names::Role};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::*;
use crate::abroad::lenient;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/abroad/frames")
}

/// The messages of all versions.
fn messages() -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for file in std::fs::read_dir(folder()).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let list: Vec<Value> =
            serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        assert!(!list.is_empty());
        let named = |(at, message)| (format!("{name}, message {at}"), message);
        all.extend(list.into_iter().enumerate().map(named));
    }
    all
}

fn read(message: &Value) -> serde_json::Result<NodeMessage> {
    lenient::from_str(&message.to_string())
}

/// Whether everything that stands in one value stands in another as well.
fn holds(value: &Value, all_of: &Value) -> bool {
    match (value, all_of) {
        (Value::Object(value), Value::Object(all_of)) => all_of
            .iter()
            .all(|(key, of)| value.get(key).is_some_and(|value| holds(value, of))),
        (Value::Array(value), Value::Array(all_of)) => {
            let mut pairs = value.iter().zip(all_of);
            value.len() == all_of.len() && pairs.all(|(value, of)| holds(value, of))
        }
        (value, all_of) => value == all_of,
    }
}

#[test]
fn messages_of_every_version_are_read_and_mean_what_they_did() {
    for (name, message) in messages() {
        let again = read(&message).unwrap_or_else(|error| panic!("{name}: {error}"));
        let again = serde_json::to_value(&again).unwrap();
        assert!(holds(&again, &message), "{name}: {message} became {again}");
    }
}

/// Adds a field to each object of a message that a program of the next release could add one to: not beside a `type`, and not among options,
/// totals or the variants of an enum, which are known by their only field.
fn add_fields(message: &mut Value, key: &str) {
    match message {
        Value::Object(fields) => {
            for (key, value) in fields.iter_mut() {
                add_fields(value, key);
            }
            let is_named = [
                "options", "totals", "request", "what", "list", "player", "question", "reply",
                "review", "which", "asked",
            ];
            let is_variant = is_named.contains(&key) && fields.len() == 1;
            let is_map = ["options", "totals"].contains(&key);
            if !(is_variant || is_map || key.is_empty() || fields.contains_key("type")) {
                fields.insert("of_next_release".to_owned(), json!({"any": [1, null]}));
            }
        }
        Value::Array(values) => values
            .iter_mut()
            .for_each(|value| add_fields(value, "element")),
        _ => {}
    }
}

#[test]
fn fields_that_a_newer_program_adds_are_skipped_in_every_message() {
    for (name, message) in messages() {
        let mut newer = message.clone();
        add_fields(&mut newer, "");
        assert_ne!(newer, message, "{name}");
        let again = read(&newer).unwrap_or_else(|error| panic!("{name}: {error} in {newer}"));
        let again = serde_json::to_value(&again).unwrap();
        assert!(holds(&again, &message), "{name}: {newer} became {again}");
    }
}

/// The names of an enum's variants: what serde expected.
fn variants<T: DeserializeOwned>(unknown: &Value) -> BTreeSet<String> {
    let read = serde_json::from_value::<T>(unknown.clone());
    let error = read.err().unwrap().to_string();
    let (_, expected) = error.split_once("expected ").unwrap();
    let names = expected.split('`').skip(1).step_by(2);
    names.map(str::to_owned).collect()
}

/// The name of the variant that a value is, and what it holds.
fn variant(value: &Value) -> (String, Value) {
    match value {
        Value::String(name) => (name.clone(), Value::Null),
        Value::Object(fields) => {
            let (name, inner) = fields.iter().next().unwrap();
            (name.clone(), inner.clone())
        }
        other => panic!("{other} is no variant"),
    }
}

#[test]
fn there_is_a_message_of_every_kind() {
    let [
        mut outer,
        mut asked,
        mut lobby,
        mut player,
        mut commands,
        mut listed,
        mut questions,
        mut replies,
    ] = [const { BTreeSet::new() }; 8];
    for (_, message) in messages() {
        let (name, inner) = variant(&message);
        if name == "ask" {
            let (what, inner) = variant(&inner["what"]);
            if what == "lobby" {
                let (request, inner) = variant(&inner["request"]);
                if request == "player" {
                    player.insert(variant(&inner).0);
                }
                lobby.insert(request);
            } else if what == "command" {
                commands.insert(inner["command"]["type"].as_str().unwrap().to_owned());
            }
            asked.insert(what);
        } else if name == "list" {
            listed.insert(variant(&inner).0);
        } else if name == "question" {
            questions.insert(variant(&inner["question"]).0);
        } else if name == "reply" {
            replies.insert(variant(&inner["reply"]).0);
        }
        outer.insert(name);
    }
    let unknown = json!({"?": {}});
    assert_eq!(outer, variants::<NodeMessage>(&unknown));
    assert_eq!(asked, variants::<RemoteRequest>(&unknown));
    assert_eq!(listed, variants::<ListMessage>(&unknown));
    assert_eq!(questions, variants::<Question>(&unknown));
    assert_eq!(replies, variants::<Reply>(&unknown));
    assert_eq!(lobby, variants::<VisitorRequest>(&unknown));
    assert_eq!(player, variants::<PlayerRequest>(&unknown));
    assert_eq!(commands, variants::<Command>(&json!({"type": "?"})));
}

#[test]
fn of_a_list_everything_is_read_but_what_is_not_known() {
    let list = r#"[{"slots_moved": {}}, {"of_next_release": {"any": 1}}, {"names_changed": {}}]"#;
    let all = super::read(list.as_bytes()).unwrap();
    let [Ok(first), Err((unknown, _)), Ok(last)] = all.as_slice() else {
        panic!("one of three is unknown")
    };
    assert!(matches!(first, NodeMessage::SlotsMoved {}));
    assert_eq!(unknown.get(), r#"{"of_next_release": {"any": 1}}"#);
    assert!(matches!(last, NodeMessage::NamesChanged {}));
    let known = super::read(br#"[{"slots_moved": {}}, {"names_changed": {}}]"#).unwrap();
    assert!(known.iter().all(Result::is_ok) && known.len() == 2);
    assert!(super::read(br#"{"slots_moved": {}}"#).is_err());
}

#[test]
fn what_can_t_be_read_is_still_answered() {
    let newer = r#"{"ask": {"call": 8, "game": "g", "re": 3, "what": {"of_next_release": {}}}}"#;
    assert!(lenient::from_str::<NodeMessage>(newer).is_err());
    let UnknownAsk::Ask { call, re } = lenient::from_str(newer).unwrap();
    assert_eq!((call, re.is_some()), (8, true));
    let other = json!({"of_next_release": Map::new()}).to_string();
    assert!(lenient::from_str::<UnknownAsk>(&other).is_err());
}

#[tokio::test]
async fn p25_a_decision_from_elsewhere_gets_a_permit_only_for_a_role_that_may_make_it() {
    for (role, may) in [(Role::Player, false), (Role::Moderator, true)] {
        let who = Identity {
            role,
            ..Identity::guest(Player::named(
                PlayerId(Uuid::from_u128(1)),
                "Solomon".to_owned(),
            ))
        };
        let audit = AuditId(Uuid::from_u128(2));
        let asked = RemoteRequest::Adjudicate {
            who: who.clone(),
            id: CommandId(Uuid::from_u128(3)),
            result: ResultWord::Draw,
            reason: "a computer helped".to_owned(),
            audit,
        };
        let (reply, answer) = RoomReply::to_call();
        let game = GameId(Uuid::from_u128(4));
        let delivery = asked.into_delivery(game, None, None, Millis(5), reply);
        let Some(Delivery::Room(RoomMessage::Command(request))) = delivery else {
            assert!(!may, "{role:?}");
            let refused = answer.await.unwrap().err().unwrap();
            assert_eq!(refused.code, ErrorCode::Forbidden);
            continue;
        };
        assert!(may, "{role:?}");
        let Command::Adjudicate(adjudication) = request.command else {
            panic!("another command");
        };
        let entry = adjudication.audit_entry();
        assert_eq!(
            (entry.id, entry.at, entry.game),
            (audit, Millis(5), Some(game))
        );
        assert_eq!(adjudication.permit().by(), Some(who.id));
        request.reply.withdraw();
    }
}
