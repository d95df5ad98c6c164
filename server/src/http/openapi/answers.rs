//! The answers that the socket has in one type: over HTTP each operation has one of them.

use serde_json::{Map, Value, json};

/// Which answer an operation has, by its id.
const ANSWERS: [(&str, &str); 9] = [
    ("createGame", "created"),
    ("sendCommand", "done"),
    ("adjudicateGame", "done"),
    ("createSeek", "seek"),
    ("getSeek", "seek"),
    ("cancelSeek", "seek"),
    ("joinPool", "seek"),
    ("acceptSeek", "paired"),
    ("leavePools", "left_pools"),
];
const ANSWER: &str = "#/components/schemas/Answer";

/// Gives each kind of answer a schema of its own, and each operation the kind that it answers with. Returns the operations
/// that have an answer and are not in the table.
pub(super) fn split(document: &mut Value) -> Vec<String> {
    if let Some(schemas) = super::schemas(document) {
        name_kinds(schemas);
    }
    let mut missing = Vec::new();
    for (name, operation) in super::operations(document) {
        let id = operation.get("operationId").and_then(Value::as_str);
        let kind = ANSWERS.iter().find(|(of, _)| Some(*of) == id);
        let kind = kind.map(|(_, kind)| reference(kind));
        let responses = operation
            .get_mut("responses")
            .and_then(Value::as_object_mut);
        for response in responses.into_iter().flat_map(Map::values_mut) {
            // Bytes are no list of numbers.
            if let Some(picture) = response.pointer_mut("/content/image~1gif/schema") {
                *picture = json!({ "type": "string", "format": "binary" });
            }
            let schema = response.pointer_mut("/content/application~1json/schema/$ref");
            let Some(schema) = schema.filter(|schema| *schema == ANSWER) else {
                continue;
            };
            match &kind {
                Some(kind) => *schema = json!(kind),
                None => missing.push(format!("the response of {name}")),
            }
        }
    }
    missing
}

/// `Answer` becomes a list of references.
fn name_kinds(schemas: &mut Map<String, Value>) {
    let kinds = schemas
        .get_mut("Answer")
        .and_then(|answer| answer.get_mut("oneOf"));
    let Some(kinds) = kinds.and_then(Value::as_array_mut).map(std::mem::take) else {
        return;
    };
    let mut references = Vec::new();
    let mut mapping = Map::new();
    for schema in kinds {
        let Some(kind) = kind_of(&schema) else {
            references.push(schema);
            continue;
        };
        references.push(json!({ "$ref": reference(&kind) }));
        mapping.insert(kind.clone(), json!(reference(&kind)));
        schemas.insert(name_of(&kind), schema);
    }
    if let Some(answer) = schemas.get_mut("Answer").and_then(Value::as_object_mut) {
        answer.insert("oneOf".to_owned(), Value::Array(references));
        let discriminator = json!({ "propertyName": "type", "mapping": mapping });
        answer.insert("discriminator".to_owned(), discriminator);
    }
}

/// The word in a schema's `type`.
fn kind_of(schema: &Value) -> Option<String> {
    let parts = schema.get("allOf").and_then(Value::as_array);
    let parts = parts.map_or(std::slice::from_ref(schema), Vec::as_slice);
    let word = |part: &Value| {
        let word = part.pointer("/properties/type/enum/0")?;
        Some(word.as_str()?.to_owned())
    };
    parts.iter().find_map(word)
}

/// `left_pools` is `AnswerLeftPools`.
fn name_of(kind: &str) -> String {
    let mut name = "Answer".to_owned();
    for word in kind.split('_') {
        let mut letters = word.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name
}

fn reference(kind: &str) -> String {
    format!("#/components/schemas/{}", name_of(kind))
}
