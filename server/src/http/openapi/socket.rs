//! The WebSocket in the document: its messages, and the constants that no schema can hold.

use qiguan_protocol::{
    SUBPROTOCOL, client::Request, command::GameCommand, limits, lobby::LobbyRequest,
};
use serde_json::{Map, Value, json};

use super::{reference, variants};

/// The request's word, its data, and the kinds of its answer.
const REQUESTS: [(&str, &str, &[&str]); 32] = [
    ("hello", "Hello", &["welcome"]),
    ("guest", "Nothing", &["guest"]),
    ("ping", "Nothing", &["pong"]),
    ("create_game", "CreateGame", &["created"]),
    ("watch", "Watch", &["snapshot", "missed"]),
    ("unwatch", "Unwatch", &["unwatched"]),
    ("set_up", "SetUp", &["kept"]),
    ("note", "Note", &["kept"]),
    ("spectator_chat", "SpectatorChat", &["kept"]),
    ("own_games", "Nothing", &["own_games"]),
    ("enter_lobby", "Nothing", &["lobby"]),
    ("leave_lobby", "Nothing", &["left_lobby"]),
    ("seek", "AskSeek", &["seek"]),
    ("cancel_seek", "CancelSeek", &["seek"]),
    ("accept_seek", "AcceptSeek", &["paired"]),
    ("quick_pair", "QuickPair", &["seek"]),
    ("leave_pools", "Nothing", &["left_pools"]),
    ("join", "Plain", &["done"]),
    ("move", "Move", &["done"]),
    ("resign", "Plain", &["done"]),
    ("offer_draw", "Plain", &["done"]),
    ("accept_draw", "AnswerOffer", &["done"]),
    ("decline_draw", "AnswerOffer", &["done"]),
    ("request_takeback", "Plain", &["done"]),
    ("accept_takeback", "AnswerOffer", &["done"]),
    ("decline_takeback", "AnswerOffer", &["done"]),
    ("abort", "Plain", &["done"]),
    ("decline", "Plain", &["done"]),
    ("rematch", "Plain", &["done"]),
    ("claim_victory", "Plain", &["done"]),
    ("ready", "Plain", &["done"]),
    ("chat", "Chat", &["done"]),
];
/// Data without a required field may be left out.
const MAY_BE_EMPTY: [&str; 2] = ["Hello", "Nothing"];
/// What the server sends. Which one it is shows in its fields: `re`, `event`, `notice` or `lobby`.
const FRAMES: [&str; 5] = [
    "AnswerFrame",
    "EventFrame",
    "GameNotice",
    "ServerNotice",
    "LobbyNotice",
];

/// Declares all of it. Returns what the table names and the document does not have, or the requests if the table has others.
pub(super) fn declare(document: &mut Value) -> Vec<String> {
    document["x-subprotocol"] = json!(SUBPROTOCOL);
    document["x-limits"] = limits::by_name().into();
    document["x-close-codes"] = limits::close::by_name().into();
    let Some(schemas) = super::schemas(document) else {
        return vec!["schemas".to_owned()];
    };
    let mut missing = Vec::new();
    let known = [Request::TYPES, LobbyRequest::TYPES, GameCommand::TYPES].concat();
    if known != REQUESTS.map(|(word, ..)| word) {
        missing.push(format!("the requests {known:?}"));
    }
    let mut forms = Vec::new();
    let mut by_type = Map::new();
    for (word, data_name, answers) in REQUESTS {
        if !schemas.contains_key(data_name) {
            missing.push(data_name.to_owned());
        }
        let data = reference(data_name);
        let answers: Vec<_> = answers
            .iter()
            .map(|kind| reference(&variants::name_of("Answer", kind)))
            .collect();
        let mut form = object(&json!({
            "id": reference("RequestId"),
            "type": { "type": "string", "enum": [word] },
            "data": data,
        }));
        if MAY_BE_EMPTY.contains(&data_name) {
            form["required"] = json!(["id", "type"]);
        }
        forms.push(form);
        let table = json!({ "data": data, "answer": { "oneOf": answers } });
        by_type.insert(word.to_owned(), object(&table));
    }
    let frames = FRAMES.map(reference);
    for (name, description, mut schema) in [
        (
            "Request",
            "What a client sends on the socket.",
            json!({ "oneOf": forms }),
        ),
        (
            "Requests",
            "For each type of request what belongs to it, and what it is answered with: a table for those who read types, and nothing that travels.",
            object(&by_type.into()),
        ),
        (
            "ServerMessage",
            "What the server sends on the socket.",
            json!({ "oneOf": frames }),
        ),
    ] {
        schema["description"] = json!(description);
        schemas.insert(name.to_owned(), schema);
    }
    missing
}

/// An object that has all of these fields.
fn object(fields: &Value) -> Value {
    let names: Vec<_> = fields.as_object().into_iter().flat_map(Map::keys).collect();
    json!({ "type": "object", "properties": fields, "required": names, "additionalProperties": false })
}
