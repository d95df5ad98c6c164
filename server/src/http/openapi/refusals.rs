//! What requests can be refused with, whatever they are about. A handler describes only what is its own, and the body of no
//! refusal: it is always the same.

use serde_json::{Map, Value, json};

/// What any request can be refused with: its status, the name in the document, and what it means.
const OF_ALL: [(&str, &str, &str); 5] = [
    (
        "400",
        "BadRequest",
        "a field, a header or the body is invalid",
    ),
    ("413", "BodyTooLarge", "the body is too large"),
    (
        "429",
        "TooManyRequests",
        "too many requests, or a limit is reached; wait for the time in Retry-After, if it is given",
    ),
    (
        "500",
        "Internal",
        "server error; the request may or may not have taken effect",
    ),
    (
        "503",
        "Unavailable",
        "busy, restarting, or the records can't be reached: try again, with the same command id if there is one",
    ),
];
/// What can refuse those requests that may say who asks.
const OF_IDENTITIES: [(&str, &str, &str); 2] = [
    (
        "401",
        "Unauthenticated",
        "an identity is required, or the token is unknown",
    ),
    (
        "403",
        "Forbidden",
        "an account is required, the account is closed, the token lacks the scope, or a page of another origin sent the request",
    ),
];
/// What can refuse those requests that name something in their path.
const OF_PATHS: (&str, &str, &str) = ("404", "NotFound", "not found");

/// Declares them, wherever a handler has not said something more precise; and that the body of a `DELETE` may be left out.
pub(super) fn declare(document: &mut Value) {
    for (name, operation) in super::operations(document) {
        let identities = operation.get("security").is_some();
        let named = name.contains('{');
        if name.starts_with("DELETE")
            && let Some(body) = operation.get_mut("requestBody")
        {
            body["required"] = json!(false);
        }
        let responses = operation.entry("responses").or_insert_with(|| json!({}));
        let Some(responses) = responses.as_object_mut() else {
            continue;
        };
        for (status, response) in responses.iter_mut() {
            if status.starts_with(['4', '5']) && response.get("content").is_none() {
                response["content"] = body();
            }
        }
        add(responses, &OF_ALL);
        add(responses, &[("431", "HeadTooLong", "")]);
        if identities {
            add(responses, &OF_IDENTITIES);
        }
        if named {
            add(responses, &[OF_PATHS]);
        }
    }
    if let Some(components) = document.get_mut("components") {
        components["responses"] = OF_ALL
            .iter()
            .chain(&OF_IDENTITIES)
            .chain([&OF_PATHS])
            .map(|(_, name, description)| ((*name).to_owned(), refusal(description)))
            .chain([("HeadTooLong".to_owned(), head_too_long())])
            .collect::<Map<_, _>>()
            .into();
    }
}

fn add(responses: &mut Map<String, Value>, refusals: &[(&str, &str, &str)]) {
    for (status, name, _) in refusals {
        responses
            .entry(*status)
            .or_insert_with(|| json!({ "$ref": format!("#/components/responses/{name}") }));
    }
}

/// The one refusal that comes before anything is known of the request, and has no body.
fn head_too_long() -> Value {
    json!({ "description": "the address and the headers are too long" })
}

fn refusal(description: &str) -> Value {
    json!({ "description": description, "content": body() })
}

fn body() -> Value {
    json!({ "application/json": { "schema": super::reference("ErrorBody") } })
}
