//! Tables of endings: `qiguan tables`, and a server that makes and uses them by itself.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
};

use qiguan_tests::{
    Client, Start,
    client::command_id,
    folder::Folder,
    http::Http,
    program::executable,
    waiting::{eventually, in_time},
};
use serde_json::{Value, json};
use tokio::process::Command;

/// Runs the command on a folder: whether it went well, and what it said.
async fn tables(folder: &Path, arguments: &[&str]) -> (bool, String) {
    let mut command = Command::new(executable());
    let booklet = ["--ruleset", "doushouqi/booklet"];
    command
        .args(["tables"])
        .args(booklet)
        .args(arguments)
        .arg("--tables")
        .arg(folder)
        .stdin(Stdio::null())
        .kill_on_drop(true);
    let output = in_time("the tables", command.output()).await.unwrap();
    let told = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(told).unwrap())
}

/// Changes a byte in the middle of a file.
fn damage(file: &Path) {
    let mut bytes = fs::read(file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    fs::write(file, bytes).unwrap();
}

#[tokio::test]
async fn tables_are_made_once_checked_and_played_by() {
    let folder = Folder::new();
    let (is_well, told) = tables(folder.path(), &["--pieces", "3"]).await;
    assert!(
        is_well && told.contains("52 tables (52 made now)"),
        "{told}"
    );
    fs::remove_file(folder.path().join("booklet/e-l.table")).unwrap();
    let (is_well, told) = tables(folder.path(), &["--pieces", "3", "--threads", "2"]).await;
    assert!(is_well && told.contains("52 tables (1 made now)"), "{told}");
    let (is_well, told) = tables(
        folder.path(),
        &["--pieces", "3", "--check", "--verify-random", "40"],
    )
    .await;
    assert!(is_well && told.contains("longest win 67 plies"), "{told}");
    assert!(told.contains("40 random positions"), "{told}");
}

#[tokio::test]
async fn a_damaged_or_missing_table_fails_the_check_by_name_and_is_made_again() {
    let folder = Folder::new();
    tables(folder.path(), &["--pieces", "2"]).await;
    let file = folder.path().join("booklet/r-r.table");
    damage(&file);
    let (is_well, told) = tables(folder.path(), &["--pieces", "2", "--check"]).await;
    assert!(
        !is_well && told.contains("r-r.table: the table is damaged"),
        "{told}"
    );
    fs::remove_file(&file).unwrap();
    let (is_well, told) = tables(folder.path(), &["--pieces", "2", "--check"]).await;
    assert!(!is_well && told.contains("r-r.table is missing"), "{told}");
    fs::write(&file, b"no table").unwrap();
    let (is_well, told) = tables(folder.path(), &["--pieces", "2"]).await;
    assert!(is_well && told.contains("10 tables (1 made now)"), "{told}");
}

#[tokio::test]
async fn rule_sets_without_tables_are_refused_with_those_that_have_them() {
    let folder = Folder::new();
    let (is_well, told) = tables(folder.path(), &["--ruleset", "xiangqi/standard"]).await;
    assert!(
        !is_well && told.contains("expected one of doushouqi/ancientchess"),
        "{told}"
    );
}

/// The tables of four animals that a server has made.
fn made(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder.join("ancientchess"));
    let files = files.into_iter().flatten().flatten();
    let mut files: Vec<_> = files.map(|file| file.path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "table"));
    files.sort();
    files
}

#[tokio::test]
async fn o3_a_server_makes_missing_tables_while_its_computers_wait_and_a_move_does_not_wait() {
    let folder = Folder::new();
    let making = || {
        Start::default()
            .with("--tables", folder.path().display())
            .with("--make-tables", true)
            .with("--engine-threads", 1)
            .with("--computer-pause-ms", 0)
    };
    let program = making().start().await;
    let first = eventually("a table", async || made(folder.path()).first().cloned()).await;
    let mut anna = Client::guest(program.address()).await;
    let asked = json!({
        "command": command_id(), "ruleset": "doushouqi/booklet", "time_control": {"clock": {"type": "none"}}, "seat": "second", "computer": 3,
    });
    let opened = anna.asks("create_game", asked).await;
    let qiguan_protocol::answer::Answer::Created { game } = opened else {
        panic!("not created");
    };
    eventually("the computer's move", async || {
        let view = anna.snapshot(game).await;
        (view.position.ply.0 > 0).then_some(())
    })
    .await;
    let program = program.kill().await;
    // What is damaged meanwhile is made again, with a line in the log.
    let whole = fs::read(&first).unwrap();
    fs::write(&first, &whole[..whole.len() / 2]).unwrap();
    let program = program.restart_as(making()).await;
    eventually("the table again", async || {
        (fs::read(&first).unwrap() == whole).then_some(())
    })
    .await;
    let log = program.log();
    assert!(log.contains("a table of endings can't be used"), "{log}");
}

#[tokio::test]
async fn everybody_can_ask_what_an_ending_is_worth() {
    let program = Start::default().start().await;
    let http = Http::guest(&program).await;
    let ending: Value = http
        .get("/api/tables?ruleset=doushouqi/booklet&position=7/7/7/7/7/7/3E3/7/c6%20w")
        .await
        .json();
    assert_eq!(
        (&ending["value"], &ending["turn"]),
        (&json!("win"), &json!("first"))
    );
    let moves = ending["moves"].as_array().unwrap();
    assert_eq!(
        moves[0]["plies"], ending["plies"],
        "the best move is the first"
    );
    // Played by the rules, the line ends the game.
    let line = &ending["line"];
    assert!(line.as_array().unwrap().len() as u64 >= ending["plies"].as_u64().unwrap());
    let judge = json!({"ruleset": "doushouqi/booklet", "start": "7/7/7/7/7/7/3E3/7/c6 w - - 0 1", "moves": line});
    let judged: Value = http.post("/api/positions/judge", Some(&judge)).await.json();
    assert_eq!(judged["outcome"]["winner"], "first", "{judged}");
}
