//! `docs/openapi.json` is the OpenAPI document that the server answers with, `docs/socket.schema.json` the schema of the socket's messages, and the web client is tested with the server's catalog.
//! `make types` writes both; the client's types are made from the document.

use std::{env, fs, path::Path};

use qiguan_protocol::catalog::Catalog;
use qiguan_tests::{Program, http::Http};
use serde_json::{Value, json};

/// Compares a committed file with what it has to be, or writes it.
fn committed(file: &str, mut text: String) {
    text.push('\n');
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    if env::var_os("QIGUAN_TYPES").is_some_and(|what| what == "write") {
        fs::write(file, text).unwrap();
        return;
    }
    let same = fs::read_to_string(&file).is_ok_and(|committed| committed == text);
    assert!(
        same,
        "{} is not what the server answers: run `make types` and commit it",
        file.display()
    );
}

/// JSON with a line for each field of the outer objects: an operation a line, a schema a line.
fn lines(value: &Value, outer: usize) -> String {
    let Some(object) = value.as_object().filter(|_| outer > 0) else {
        return value.to_string();
    };
    let fields: Vec<_> = object
        .iter()
        .map(|(name, field)| format!("{}: {}", json!(name), lines(field, outer - 1)))
        .collect();
    format!("{{\n{}\n}}", fields.join(",\n"))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_document_that_the_types_of_the_web_client_are_made_from_is_the_servers() {
    let program = Program::start().await;
    let document = Http::nobody(&program).get("/api/openapi.json").await.json();
    committed("docs/openapi.json", lines(&document, 3));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_schema_of_the_socket_that_is_committed_is_the_servers() {
    let program = Program::start().await;
    let schema = Http::nobody(&program)
        .get("/api/socket.schema.json")
        .await
        .json();
    committed("docs/socket.schema.json", lines(&schema, 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_catalog_that_the_web_client_is_tested_with_is_the_servers() {
    let program = Program::start().await;
    let catalog: Catalog = Http::nobody(&program).get("/api/catalog").await.parsed();
    let catalog = serde_json::to_string_pretty(&catalog).unwrap();
    committed("web/src/lib/rules/catalog.fixture.json", catalog);
}
