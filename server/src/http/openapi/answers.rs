//! The answers whose bodies are no JSON as a whole: lines and pictures.

use serde_json::{Value, json};

use super::reference;

/// What a line of a game's stream can be.
const OF_A_GAME: &[&str] = &[
    "AnswerSnapshot",
    "AnswerMissed",
    "EventFrame",
    "GameNotice",
    "ServerNotice",
];
/// What a line of a channel's stream can be.
const OF_A_CHANNEL: &[&str] = &[
    "ChannelNotice",
    "AnswerSnapshot",
    "EventFrame",
    "GameNotice",
    "ServerNotice",
];
/// What a line of a player's stream can be.
const OF_A_PLAYER: &[&str] = &["ServerNotice", "LobbyNotice", "OwnStreamNotice"];

/// The paths that answer with JSON texts, one on each line, and what a line can be.
const OF_LINES: [(&str, &[&str]); 4] = [
    ("/api/games/export/ndjson", &["ExportedGame"]),
    ("/api/games/{id}/stream", OF_A_GAME),
    ("/api/me/stream", OF_A_PLAYER),
    ("/api/tv/{kind}", OF_A_CHANNEL),
];
const LINES: &str = "application/x-ndjson";

/// Declares them. A schema describes a body as a whole, so that lines are a text to it; what each line is stands beside it, as
/// `x-item-schema`. Returns the paths that there are not.
pub(super) fn declare(document: &mut Value) -> Vec<String> {
    let mut missing = Vec::new();
    for (path, lines) in OF_LINES {
        let responses = document["paths"][path].pointer_mut("/get/responses/200/content");
        let Some(lines_of) = responses.and_then(|content| content.get_mut(LINES)) else {
            missing.push(path.to_owned());
            continue;
        };
        let forms: Vec<_> = lines.iter().map(|name| reference(name)).collect();
        lines_of["schema"] = json!({ "type": "string" });
        lines_of["x-item-schema"] = match forms.as_slice() {
            [form] => form.clone(),
            _ => json!({ "oneOf": forms }),
        };
    }
    for (_, operation) in super::operations(document) {
        let responses = operation
            .get_mut("responses")
            .and_then(Value::as_object_mut);
        for response in responses.into_iter().flat_map(serde_json::Map::values_mut) {
            let contents = response.get_mut("content").and_then(Value::as_object_mut);
            for (kind, content) in contents.into_iter().flatten() {
                // An SVG is text.
                if kind.starts_with("image/") && kind != "image/svg+xml" {
                    content["schema"] = json!({ "type": "string", "format": "binary" });
                }
            }
        }
    }
    missing
}
