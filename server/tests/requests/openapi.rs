//! The OpenAPI document is what generators of clients can build on.

use std::collections::{BTreeMap, BTreeSet};

use qiguan_protocol::error::ErrorCode;
use reqwest::Method;
use serde_json::{Map, Value, json};

use crate::server::{Http, TestServer};

async fn document(server: &TestServer) -> Value {
    Http::nobody(server).get("/api/openapi.json").await.json()
}

/// Every operation, as `GET /api/games`.
fn operations(document: &Value) -> impl Iterator<Item = (String, &Map<String, Value>)> {
    let paths = document["paths"].as_object().unwrap();
    paths.iter().flat_map(|(path, methods)| {
        let methods = methods.as_object().unwrap();
        methods.iter().map(move |(method, operation)| {
            let name = format!("{} {path}", method.to_uppercase());
            (name, operation.as_object().unwrap())
        })
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn l1_no_two_operations_have_one_name_and_every_name_is_readable() {
    let server = TestServer::start().await;
    let document = document(&server).await;
    let mut names = BTreeMap::new();
    for (operation, told) in operations(&document) {
        let name = told["operationId"].as_str().unwrap().to_owned();
        assert!(
            name.starts_with(|first: char| first.is_ascii_lowercase())
                && name.bytes().all(|byte| byte.is_ascii_alphabetic())
                && name.len() > 4
                && name != "handler",
            "{operation}: {name}"
        );
        if let Some(other) = names.insert(name.clone(), operation.clone()) {
            panic!("{other} and {operation} are both {name}");
        }
    }
    assert!(names.len() > 80, "{} operations", names.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn l2_the_document_names_no_code_or_answer_that_does_not_travel() {
    let server = TestServer::start().await;
    let document = document(&server).await;
    let codes = &document["components"]["schemas"]["ErrorCode"]["enum"];
    let travelling: Vec<_> = ErrorCode::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(codes, &json!(travelling));
    // Over HTTP each operation has one answer; the list of all of them is the socket's alone.
    for (operation, told) in operations(&document) {
        let text = json!(told).to_string();
        assert!(!text.contains("schemas/Answer\""), "{operation}: {text}");
    }
    let created = "/components/schemas/AnswerCreated/properties/type/const";
    assert_eq!(document.pointer(created), Some(&json!("created")));
}

#[tokio::test(flavor = "multi_thread")]
async fn l3_no_status_that_a_request_is_refused_with_is_missing_from_the_document() {
    let server = TestServer::start().await;
    let document = document(&server).await;
    for (operation, told) in operations(&document) {
        let responses = told["responses"].as_object().unwrap();
        let mut statuses = vec!["400", "413", "429", "500", "503"];
        if told.contains_key("security") {
            statuses.extend(["401", "403"]);
        }
        if operation.contains('{') {
            statuses.push("404");
        }
        for status in statuses {
            assert!(responses.contains_key(status), "{operation}: no {status}");
        }
        for response in responses.values() {
            let at = response["$ref"].as_str().map(|at| &at[1..]);
            assert!(at.is_none_or(|at| document.pointer(at).is_some()), "{at:?}");
        }
        let optional = operation.starts_with("DELETE");
        if let Some(body) = told.get("requestBody") {
            assert_eq!(body["required"], json!(!optional), "{operation}");
        }
    }
    // Tokens that are not known are refused also where none is needed.
    let mut http = Http::nobody(&server);
    http.token = Some(qiguan_protocol::ids::Token::new("nobody's"));
    let mut refused = 0;
    for (operation, told) in operations(&document) {
        let (method, path) = operation.split_once(' ').unwrap();
        // Pictures are everybody's, and no text.
        if path.contains("preview.") {
            continue;
        }
        let path = ["{id}", "{player}", "{other}"]
            .iter()
            .fold(path.to_owned(), |path, name| {
                path.replace(name, "00000000-0000-7000-8000-000000000000")
            });
        let method: Method = method.parse().unwrap();
        let body = (method != Method::GET).then(|| "{}".to_owned());
        let answered = http.send(method, &path, &[], body).await;
        if answered.status == 401 && operation != "POST /api/login" {
            assert_eq!(
                answered.refusal(),
                (401, ErrorCode::BadToken),
                "{operation}"
            );
            assert!(told["responses"]["401"].is_object(), "{operation}");
            refused += 1;
        }
    }
    assert!(refused > 80, "{refused} operations");
    let unblocked = Method::DELETE;
    let guest = Http::guest(&server).await;
    let refused = guest
        .send(unblocked, "/api/account/blocks/nobody", &[], None)
        .await;
    assert_eq!(refused.status, 404);
}

/// What is not limited by its schema, because what it means cannot be.
const UNLIMITED: [&str; 1] = [
    // An option's value; the catalog has the words and the ranges of each rule set.
    "OptionValue",
];

/// Every text and number in a schema, by its path, that is not limited.
fn unlimited(
    document: &Value,
    schema: &Value,
    at: &str,
    seen: &mut BTreeSet<String>,
) -> Vec<String> {
    let mut found = Vec::new();
    let has = |keyword: &str| schema.get(keyword).is_some();
    let is = |kind: &str| {
        schema["type"] == kind
            || schema["type"]
                .as_array()
                .is_some_and(|kinds| kinds.contains(&json!(kind)))
    };
    let free_text = is("string")
        && !(has("const") || has("enum") || has("pattern") || schema["format"] == "uuid")
        && !has("maxLength");
    // What holds 64 bits has no limit but that.
    let free_number = is("integer")
        && !(has("minimum") && has("maximum"))
        && !(schema["format"] == "int64" && at.ends_with("Millis"));
    if free_text || free_number {
        found.push(at.to_owned());
    }
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap();
        let is_limited = has("minimum") || has("maxLength");
        if !is_limited && !UNLIMITED.contains(&name) && seen.insert(name.to_owned()) {
            let inner = &document["components"]["schemas"][name];
            found.extend(unlimited(document, inner, &format!("{at}/{name}"), seen));
        }
    }
    for keyword in ["oneOf", "allOf"] {
        for (index, form) in schema[keyword].as_array().into_iter().flatten().enumerate() {
            let at = format!("{at}/{index}");
            found.extend(unlimited(document, form, &at, seen));
        }
    }
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let at = format!("{at}.{name}");
        found.extend(unlimited(document, field, &at, seen));
    }
    found.extend(match schema.get("items") {
        Some(items) => unlimited(document, items, &format!("{at}[]"), seen),
        None => Vec::new(),
    });
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn l4_no_limit_of_what_a_request_brings_is_missing_from_the_document() {
    let server = TestServer::start().await;
    let document = document(&server).await;
    let mut seen = BTreeSet::new();
    let mut free = Vec::new();
    for (operation, told) in operations(&document) {
        for parameter in told
            .get("parameters")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            let at = format!("{operation}?{}", parameter["name"].as_str().unwrap());
            free.extend(unlimited(&document, &parameter["schema"], &at, &mut seen));
        }
        let body = told.get("requestBody");
        let schema = body.map(|body| &body["content"]["application/json"]["schema"]);
        if let Some(schema) = schema {
            free.extend(unlimited(&document, schema, &operation, &mut seen));
        }
    }
    assert!(free.is_empty(), "{free:#?}");
    assert!(
        seen.contains("CreateGame") && seen.contains("Clock"),
        "{seen:?}"
    );
    let days = "/components/schemas/NewToken/properties/days/maximum";
    assert_eq!(document.pointer(days), Some(&json!(3_650)));
}
