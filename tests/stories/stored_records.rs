//! A record that a program of some day has made is opened by every later one: what it holds is what it was, and play goes on in it.
//!
//! `tests/records/` has such records, a folder each, with what the program said of it then. After changing what a record can hold, make
//! another (a month's name, and the name of the test that plays it through):
//!
//!     STORE_RECORD_IN=$PWD/tests/records/2026-11 cargo test -p qiguan-tests --test stories -- a_record_of_everything
//!
//! and leave those before as they are. Passwords and tokens in them belong to nobody.

mod answers;
mod everything;
mod files;

use std::path::{Path, PathBuf};

use qiguan_protocol::ids::GameId;
use qiguan_tests::{
    Client, Folder, Program, Seats, Setup, Start,
    command::{run, run_with_faults},
    game::done,
    record::{self, Database},
};
use reqwest::Method;
use serde_json::{Value, json};

use answers::{Answered, People, StoredGame, asked, renamed, steady};
use files::{exported, file, made, packed, rows_of, store, text_of, unpacked};

#[tokio::test(flavor = "multi_thread")]
async fn a_record_of_november_2026_in_sqlite_is_what_it_was_and_is_played_on() {
    is_what_it_was(&made("2026-11"), sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_of_november_2026_in_postgres_is_what_it_was_and_is_played_on() {
    is_what_it_was(&made("2026-11"), postgres()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_with_packed_games_in_sqlite_is_what_it_was_and_is_played_on() {
    is_what_it_was(&made("2026-11-packed"), sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_with_packed_games_in_postgres_is_what_it_was_and_is_played_on() {
    is_what_it_was(&made("2026-11-packed"), postgres()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_of_everything_in_sqlite_can_be_opened_by_every_later_program() {
    holds_everything(sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_of_everything_in_postgres_can_be_opened_by_every_later_program() {
    holds_everything(postgres()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a23_a_migration_of_a_record_in_sqlite_killed_again_and_again_loses_nothing() {
    is_packed_in_spite_of_kills(&made("2026-11"), sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a23_a_migration_of_a_record_in_postgres_killed_again_and_again_loses_nothing() {
    is_packed_in_spite_of_kills(&made("2026-11"), postgres()).await;
}

fn sqlite() -> Start {
    at_leisure(Start::default())
}

fn postgres() -> Start {
    at_leisure(Start::on_postgres())
}

/// Everything is asked at once, a record may have lain for years, and its clocks stand for longer than the questions take.
fn at_leisure(start: Start) -> Start {
    start
        .for_machines()
        .with("--keep-aborted-games-days", 0)
        .with("--restart-grace-ms", 600_000)
}

/// Makes a record and opens a copy of it.
async fn holds_everything(start: Start) {
    let program = start.start().await;
    let cast = everything::happens(&program).await;
    program.terminate().await;
    let stopped = program.ends().await;
    let database = stopped.database();
    let url = database.url();
    run(&[&"migrate", &"--database", &url]).await.well();
    for (table, rows) in rows_of(&database).await {
        // Which programs run: none by now.
        let is_nobodys = table == "nodes";
        // In SQLite only older programs have written into it.
        let is_left = table == "events" && matches!(database, Database::Sqlite(_));
        assert!(
            rows > 0 || is_left || is_nobodys,
            "{table} is empty: play something that fills it"
        );
    }
    let temporary = Folder::new();
    let named = std::env::var_os("STORE_RECORD_IN").map(PathBuf::from);
    let folder = named.as_deref().unwrap_or(temporary.path());
    std::fs::create_dir_all(folder).unwrap();
    store(&database, folder).await;
    let archive = exported(&database).await;
    packed(&file(folder, &database, "jsonl"), archive.as_bytes());
    let program = stopped.restart().await;
    let told = asked(&program, cast).await;
    drop(program);
    let told = serde_json::to_vec_pretty(&told).unwrap();
    packed(&file(folder, &database, "json"), &told);
    let start = match database {
        Database::Sqlite(_) => sqlite(),
        Database::Postgres(_) => postgres(),
    };
    is_what_it_was(folder, start).await;
}

/// Opens the record of a folder, compares everything with what was told of it, and plays on.
async fn is_what_it_was(folder: &Path, start: Start) {
    let (start, records) = unpacked(folder, start);
    let database = start.database_in(&records);
    let url = database.url();
    run(&[&"migrate", &"--database", &url]).await.well();
    let sound = record::is_sound(&database).await;
    is_all_there(folder, &database).await;

    let told = renamed(&text_of(&file(folder, &database, "json")));
    let told: StoredGame = serde_json::from_str(&told).unwrap();
    assert_eq!(told.games.len() as u64, sound);
    let program = start.start_in(records).await;
    let people = People::sign_in(&program, &told).await;
    let mut others = Vec::new();
    for before in &told.answers {
        let now = people.asks(&before.by, &before.path).await;
        let answered = (now.status, steady(now.json()));
        if answered != (before.status, steady(before.answer.clone())) {
            let Answered {
                by, path, answer, ..
            } = before;
            others.push(format!("{path} by {by:?}:\n{answer}\n{}", now.json()));
        }
    }
    assert!(others.is_empty(), "{}", others.join("\n"));
    plays_on(&program, &people, &told).await;
    // One was opened since.
    assert_eq!(record::is_sound(&program.database()).await, sound + 1);
}

/// Compares what is exported with what was when the record was made.
async fn is_all_there(folder: &Path, database: &Database) {
    let archive = text_of(&file(folder, database, "jsonl"));
    let lines = |archive: &str| -> Vec<Value> {
        let parsed = |line| serde_json::from_str(line).unwrap();
        // The first line names the program and the time.
        archive.lines().skip(1).map(parsed).collect()
    };
    let (before, now) = (lines(&archive), lines(&exported(database).await));
    assert_eq!(before.len(), now.len());
    for (mut before, now) in before.into_iter().zip(&now) {
        forgets_commands(&mut before, now);
        assert_eq!(before, *now);
    }
}

/// Packs the record of a folder with a program that dies again and again while it does so.
async fn is_packed_in_spite_of_kills(folder: &Path, start: Start) {
    let (start, records) = unpacked(folder, start);
    let database = start.database_in(&records);
    let url = database.url();
    let mut kills = 0;
    // Each time a few games are packed, and it dies before or after the next few are.
    for point in ["before_commit", "after_commit"].into_iter().cycle() {
        let faults = format!("{point}/pack_games=abort@2");
        let migrated = run_with_faults(&[&"migrate", &"--database", &url], &faults).await;
        if migrated.ok {
            break;
        }
        assert_eq!(migrated.status, None, "{migrated:?}");
        kills += 1;
        record::is_sound(&database).await;
    }
    assert!(kills >= 2, "{kills}");
    is_all_there(folder, &database).await;
    let again = run(&[&"migrate", &"--database", &url]).await.well();
    assert!(!again.out.contains("packed"), "{again:?}");
}

/// Takes the ids of those commands out of a game that are forgotten since it is packed: neither the first, nor one of the newest.
fn forgets_commands(before: &mut Value, now: &Value) {
    let events = before.get_mut("events").and_then(Value::as_array_mut);
    let (Some(events), Some(kept)) = (events, now["events"].as_array()) else {
        return;
    };
    let newest = kept.iter().filter(|event| event["command"].is_string());
    assert!(newest.count() > 0, "{now}");
    let last = events.len().saturating_sub(1);
    for (place, (event, kept)) in events.iter_mut().zip(kept).enumerate() {
        if place > 0 && place < last && kept["command"].is_null() {
            event.as_object_mut().map(|event| event.remove("command"));
        }
    }
}

/// Both games under way go on with the pieces and drafts that were there.
async fn plays_on(program: &Program, people: &People, told: &StoredGame) {
    let (anna, bodo) = (people.named("Anna"), people.named("Bodo"));
    let ratings = async || anna.get(&told.profile("Anna")).await.json()["ratings"].clone();
    let before = ratings().await;
    let mut seats = seated(program, people, told.running).await;
    seats.play(3, &["a4a5", "g6g5"]).await;
    let resigned = seats.second.does(told.running, "resign", json!({})).await;
    done(resigned).unwrap();
    let mut spectator = Client::spectator(program.address()).await;
    qiguan_tests::waiting::eventually("the ratings", async || {
        spectator.snapshot(told.running).await.ratings
    })
    .await;
    assert_ne!(ratings().await, before);

    let mut seats = seated(program, people, told.setting_up).await;
    let ready = seats.second.does(told.setting_up, "ready", json!({})).await;
    done(ready).unwrap();
    seats.start().await;
    seats.play(1, &["a6a7"]).await;
    let notes = "still there";
    seats.first.notes(told.setting_up, notes).await.unwrap();

    let chief = people.named("Chief");
    let path = "/api/admin/maintenance";
    let ended = chief.send(Method::DELETE, path, &[], None).await;
    assert_eq!(ended.status, 204, "{ended:?}");
    let game = people.named("Robot").opens(&Setup::default()).await;
    let joined = bodo.does(game, "join", json!({})).await;
    assert_eq!(joined.status, 200, "{joined:?}");
}

async fn seated(program: &Program, people: &People, game: GameId) -> Seats {
    let mut seats = Seats {
        game,
        first: people.named("Anna").socket(program).await,
        second: people.named("Bodo").socket(program).await,
    };
    seats.first.watches(game).await;
    seats.second.watches(game).await;
    seats
}
