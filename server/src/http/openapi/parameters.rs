//! The parameters in paths. What a path names is known from the word before it.

use serde_json::{Value, json};

/// A segment with a parameter behind it, what the parameter is, and its schema's format if it is an id.
const PARAMETERS: [(&str, &str, Option<&str>); 12] = [
    ("games/{id}", "the game", ID),
    ("players/{id}", "the player", ID),
    ("against/{other}", "the other player", ID),
    ("following/{player}", "the player", ID),
    ("blocks/{player}", "the player", ID),
    ("sessions/{id}", "the session", ID),
    ("tokens/{id}", "the token's id", ID),
    ("seeks/{id}", "the seek", ID),
    ("reports/{id}", "the report", ID),
    ("puzzles/{id}", "the puzzle", None),
    ("analyses/{id}", "the analysis", ID),
    ("setups/{name}", "the setup's name", None),
];
const ID: Option<&str> = Some("uuid");

/// Declares them, where a handler has not described its own. Returns the paths with others.
pub(super) fn declare(document: &mut Value) -> Vec<String> {
    let mut missing = Vec::new();
    for (operation, told) in super::operations(document) {
        let list = told.entry("parameters").or_insert_with(|| json!([]));
        let Some(list) = list.as_array_mut() else {
            continue;
        };
        let has = |name: &str| {
            list.iter()
                .any(|told| told["in"] == "path" && told["name"] == name)
        };
        let segments: Vec<_> = operation.split('/').collect();
        let mut declared = Vec::new();
        for pair in segments.windows(2) {
            let [before, braced] = pair else { continue };
            let name = braced.trim_start_matches('{').trim_end_matches('}');
            if name == *braced || has(name) {
                continue;
            }
            let both = format!("{before}/{braced}");
            let Some((_, description, format)) = PARAMETERS.iter().find(|(it, ..)| *it == both)
            else {
                missing.push(operation.clone());
                continue;
            };
            let mut schema = json!({ "type": "string" });
            if let Some(format) = format {
                schema["format"] = json!(format);
            }
            declared.push(json!({
                "name": name, "in": "path", "description": description, "required": true, "schema": schema,
            }));
        }
        list.splice(..0, declared);
        if list.is_empty() {
            told.remove("parameters");
        }
    }
    missing
}
