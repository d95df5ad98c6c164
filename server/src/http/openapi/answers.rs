//! The answers that the socket has in one type: over HTTP each operation has one of them, and names it at its handler.

use serde_json::{Map, Value, json};

use super::reference;

/// What a line of a game's stream can be.
const OF_A_GAME: [&str; 5] = [
    "AnswerSnapshot",
    "AnswerMissed",
    "EventFrame",
    "GameNotice",
    "ServerNotice",
];
/// What a line of a channel's stream can be.
const OF_A_CHANNEL: [&str; 5] = [
    "ChannelNotice",
    "AnswerSnapshot",
    "EventFrame",
    "GameNotice",
    "ServerNotice",
];

/// What a line of a player's stream can be.
const OF_A_PLAYER: [&str; 3] = ["ServerNotice", "LobbyNotice", "OwnStreamNotice"];

/// Declares bodies that are no JSON as a whole. Returns those that there are not.
pub(super) fn of_lines_and_bytes(document: &mut Value) -> Vec<String> {
    let lines = |of: &[&str]| {
        let forms: Vec<_> = of.iter().map(|name| reference(name)).collect();
        json!({ "oneOf": forms })
    };
    let mut missing = Vec::new();
    for (path, kind, schema) in [
        (
            "/api/games/{id}/stream",
            "application/x-ndjson",
            lines(&OF_A_GAME),
        ),
        (
            "/api/tv/{kind}",
            "application/x-ndjson",
            lines(&OF_A_CHANNEL),
        ),
        (
            "/api/me/stream",
            "application/x-ndjson",
            lines(&OF_A_PLAYER),
        ),
        (
            "/api/games/{id}/animation.gif",
            "image/gif",
            json!({ "type": "string", "format": "binary" }),
        ),
    ] {
        let told = document["paths"][path].pointer_mut("/get/responses/200/content");
        match told.and_then(|content| content.get_mut(kind)) {
            Some(told) => told["schema"] = schema,
            None => missing.push(path.to_owned()),
        }
    }
    missing
}

/// Gives each kind of answer a schema of its own; `Answer` becomes a list of references.
pub(super) fn name_kinds(schemas: &mut Map<String, Value>) {
    let kinds = schemas
        .get_mut("Answer")
        .and_then(|answer| answer.get_mut("oneOf"));
    let Some(kinds) = kinds.and_then(Value::as_array_mut).map(std::mem::take) else {
        return;
    };
    let mut references = Vec::new();
    let mut mapping = Map::new();
    for schema in kinds {
        let schema = whole(&schema, schemas).unwrap_or(schema);
        let kind = schema.pointer("/properties/type/enum/0");
        let Some(kind) = kind.and_then(Value::as_str).map(ToOwned::to_owned) else {
            references.push(schema);
            continue;
        };
        references.push(reference(&name_of(&kind)));
        mapping.insert(kind.clone(), reference(&name_of(&kind))["$ref"].take());
        schemas.insert(name_of(&kind), schema);
    }
    if let Some(answer) = schemas.get_mut("Answer").and_then(Value::as_object_mut) {
        answer.insert("oneOf".to_owned(), Value::Array(references));
        let discriminator = json!({ "propertyName": "type", "mapping": mapping });
        answer.insert("discriminator".to_owned(), discriminator);
    }
}

/// An answer made of a type and its `type`, as one object: the type alone allows no field more.
fn whole(schema: &Value, schemas: &Map<String, Value>) -> Option<Value> {
    let of = schema["allOf"][0]["$ref"].as_str()?.rsplit('/').next()?;
    let mut whole = schemas.get(of)?.clone();
    whole["properties"]["type"] = schema["allOf"][1]["properties"]["type"].clone();
    whole["required"].as_array_mut()?.push(json!("type"));
    Some(whole)
}

/// `left_pools` is `AnswerLeftPools`.
pub(super) fn name_of(kind: &str) -> String {
    let mut name = "Answer".to_owned();
    for word in kind.split('_') {
        let mut letters = word.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name
}
