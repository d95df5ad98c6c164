//! `qiguan check` as a second opinion.

use std::process::Stdio;

use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt, process::Command};

use crate::{program::executable, waiting::in_time};

/// What `qiguan check` says to a game.
pub async fn check(ruleset: &str, options: &Value, moves: &[String]) -> Value {
    judge(json!({"ruleset": ruleset, "options": options, "moves": moves})).await
}

/// What `qiguan check` says to a line.
pub async fn judge(line: Value) -> Value {
    let mut child = Command::new(executable())
        .arg("check")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    stdin
        .write_all(line.to_string().as_bytes())
        .await
        .expect("standard input is read");
    drop(stdin);
    let output = in_time("qiguan check", child.wait_with_output())
        .await
        .expect("it answers");
    serde_json::from_slice(&output.stdout).expect("it answers in JSON")
}
