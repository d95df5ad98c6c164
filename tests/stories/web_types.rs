//! What the web client believes that there is over HTTP is what there is.

use std::{collections::BTreeSet, fs, path::Path};

use qiguan_tests::{Program, http::Http};
use serde_json::Value;

/// What a path takes and gives, as `protocol.ts` writes it.
type Entry = (String, Vec<String>, String, String);

/// `"GET /api/games": { query: GamesQuery; body: null; answer: GamePage };`
fn told(line: &str) -> Option<(String, String, String, String)> {
    let (path, rest) = line.trim().strip_prefix('"')?.split_once("\": { query: ")?;
    let (query, rest) = rest.split_once("; body: ")?;
    let (body, rest) = rest.split_once("; answer: ")?;
    let answer = rest.strip_suffix(" };")?;
    Some([path, query, body, answer].map(ToOwned::to_owned).into())
}

/// The name of the type that a schema refers to; `null` for none.
fn name(schema: &Value) -> String {
    let reference = schema["$ref"].as_str();
    let name = reference.and_then(|reference| reference.rsplit('/').next());
    name.unwrap_or("null").to_owned()
}

/// `AnswerOf<"left_pools">` is `AnswerLeftPools` in the document.
fn one_answer(answer: &str) -> Option<String> {
    let kind = answer.strip_prefix("AnswerOf<\"")?.strip_suffix("\">")?;
    let words = kind.split('_').map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    });
    Some(format!("Answer{}", words.collect::<String>()))
}

/// The fields of a query type of `protocol.ts`.
fn fields(types: &str, query: &str) -> Vec<String> {
    let head = format!("export type {query} = {{");
    let body = types.lines().skip_while(|line| *line != head).skip(1);
    let mut fields: Vec<_> = body
        .take_while(|line| *line != "};")
        .filter_map(|line| line.split_once(": "))
        .filter(|(name, _)| !name.contains('*'))
        .map(|(name, _)| name.trim().trim_end_matches('?').to_owned())
        .collect();
    fields.sort();
    fields
}

#[tokio::test(flavor = "multi_thread")]
async fn the_paths_of_the_web_client_are_those_of_the_openapi_document() {
    let program = Program::start().await;
    let document = Http::nobody(&program).get("/api/openapi.json").await.json();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/src/lib/protocol/protocol.ts");
    let types = fs::read_to_string(file).unwrap();

    let client: BTreeSet<Entry> = types
        .lines()
        .filter_map(told)
        .map(|(path, query, body, answer)| {
            let answer = one_answer(&answer).unwrap_or(answer);
            (path, fields(&types, &query), body, answer)
        })
        .collect();
    assert!(client.len() > 40, "{} paths are found", client.len());

    let mut server = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, what) in methods.as_object().unwrap() {
            let parameters = what["parameters"].as_array();
            let mut query: Vec<_> = parameters
                .into_iter()
                .flatten()
                .filter(|parameter| parameter["in"] == "query")
                .map(|parameter| parameter["name"].as_str().unwrap().to_owned())
                .collect();
            query.sort();
            let body = name(&what["requestBody"]["content"]["application/json"]["schema"]);
            let responses = what["responses"].as_object().unwrap();
            let success = responses
                .iter()
                .find(|(status, _)| status.starts_with('2'))
                .unwrap();
            let content = &success.1["content"];
            let answer = name(&content["application/json"]["schema"]);
            // Text and pictures are opened by an address, and whether the server is well is asked by machines.
            if content.is_null() || content["application/json"].is_object() {
                let method = method.to_uppercase();
                server.insert((format!("{method} {path}"), query, body, answer));
            }
        }
    }
    let differing: Vec<_> = client.symmetric_difference(&server).collect();
    assert!(differing.is_empty(), "{differing:#?}");
}
