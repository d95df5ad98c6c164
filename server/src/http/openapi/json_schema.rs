//! The messages of the WebSocket as one JSON Schema, from the schemas of the OpenAPI document.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// What clients send, and what the server does.
const MESSAGES: [&str; 2] = ["Request", "ServerMessage"];
const IN_OPENAPI: &str = "#/components/schemas/";
const HERE: &str = "#/$defs/";

/// The schema of all messages: of clients at `#/$defs/Request`, of the server at `#/$defs/ServerMessage`. The OpenAPI document is the
/// finished one.
pub fn of(openapi: &Value) -> Value {
    let schemas = &openapi["components"]["schemas"];
    let mut found = BTreeMap::new();
    let mut waiting = MESSAGES.map(ToOwned::to_owned).to_vec();
    while let Some(name) = waiting.pop() {
        if found.contains_key(&name) {
            continue;
        }
        let mut schema = schemas[&name].clone();
        move_here(&mut schema, &mut waiting);
        found.insert(name, schema);
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Messages of the WebSocket of Qiguan",
        "description": "A message of a client satisfies `#/$defs/Request`, one of the server `#/$defs/ServerMessage`.",
        "anyOf": MESSAGES.map(|name| json!({ "$ref": format!("{HERE}{name}") })),
        "$defs": found,
    })
}

/// Makes a schema of OpenAPI one of JSON Schema alone, and tells of what it refers to.
fn move_here(schema: &mut Value, names: &mut Vec<String>) {
    match schema {
        Value::Object(object) => {
            let name = object.get("$ref").and_then(Value::as_str);
            let name = name.and_then(|place| place.strip_prefix(IN_OPENAPI));
            if let Some(name) = name.map(ToOwned::to_owned) {
                object.insert("$ref".to_owned(), json!(format!("{HERE}{name}")));
                names.push(name);
            }
            // JSON Schema has no such keyword: which form it is follows from the constants.
            if object.contains_key("oneOf") {
                object.remove("discriminator");
            }
            object
                .values_mut()
                .for_each(|inner| move_here(inner, names));
        }
        Value::Array(list) => list.iter_mut().for_each(|inner| move_here(inner, names)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
