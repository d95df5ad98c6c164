//! A record that a program of some day has made is opened by every later one: what it holds is what it was, and play goes on in it.
//!
//! `tests/records/` has such records, a folder each, with what the program said of it then. After changing what a record can hold, make
//! another (a month's name, and the name of the test that plays it through):
//!
//!     STORE_RECORD_IN=$PWD/tests/records/2026-11 cargo test -p qiguan-tests --test stories -- a_record_of_everything
//!
//! and leave those before as they are. Passwords and tokens in them belong to nobody.

mod everything;

use std::{
    io::{Read, Write},
    path::{Path, PathBuf},
};

use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use qiguan_protocol::ids::{GameId, PlayerId, Token};
use qiguan_tests::{
    Client, Cluster, Folder, Http, Program, Seats, Setup, Start,
    client::command_id,
    command::{run, run_with_faults},
    game::done,
    record::{self, Database},
};
use reqwest::Method;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sqlx::{AssertSqlSafe, Row};

use everything::Cast;

/// Words that travelled under another name when a record was made, the older first. All of them are in docs/protocol.md. What is stored
/// and what an archive says keep theirs.
const RENAMED: [(&str, &str); 4] = [
    ("acts", "entries"),
    ("act", "id"),
    ("attendance", "connections"),
    ("unheard", "shadow_muted"),
];

/// What tells of the time at which it is asked, or of what is asked now and not of the record.
const OF_NOW: [&str; 7] = [
    // It grows with the time since the last rated game; what it was then is in the archive.
    "deviation",
    "server_time",
    "epoch",
    "presence",
    "spectators",
    "notice",
    "connected",
];

/// What a program said of a record that it had made.
#[derive(Serialize, Deserialize)]
struct StoredGame {
    players: Vec<(String, PlayerId)>,
    bot: Token,
    running: GameId,
    setting_up: GameId,
    games: Vec<GameId>,
    answers: Vec<Answered>,
}

/// An answer over HTTP.
#[derive(Serialize, Deserialize)]
struct Answered {
    /// Who asked; nobody in particular if empty.
    by: String,
    path: String,
    status: u16,
    answer: Value,
}

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

/// Everything is asked at once, and a record may have lain for years.
fn at_leisure(start: Start) -> Start {
    start.for_machines().with("--keep-aborted-games-days", 0)
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

/// Those who have an account, signed in, and nobody.
struct People(Vec<(String, Http)>);

impl People {
    async fn sign_in(program: &Program, told: &StoredGame) -> Self {
        let nobody = Http::nobody(program);
        let mut people = Vec::new();
        for (name, _) in &told.players {
            let http = if name == "Robot" {
                let mut robot = nobody.clone();
                robot.token = Some(told.bot.clone());
                robot
            } else {
                nobody.signs_in(name).await
            };
            people.push((name.clone(), http));
        }
        people.push((String::new(), nobody));
        Self(people)
    }

    fn named(&self, name: &str) -> &Http {
        let mut people = self.0.iter();
        &people.find(|(known, _)| known == name).expect("somebody").1
    }

    async fn asks(&self, by: &str, path: &str) -> qiguan_tests::http::Response {
        self.named(by).get(path).await
    }
}

impl StoredGame {
    fn profile(&self, name: &str) -> String {
        let (_, id) = self
            .players
            .iter()
            .find(|(known, _)| known == name)
            .expect("somebody");
        format!("/api/players/{id}")
    }
}

/// Asks for everything that can be asked for, by everybody whom it looks different to.
async fn asked(program: &Program, cast: Cast) -> StoredGame {
    let mut told = StoredGame {
        players: cast
            .players
            .into_iter()
            .map(|(name, id)| (name.to_owned(), id))
            .collect(),
        bot: cast.bot,
        running: cast.running,
        setting_up: cast.setting_up,
        games: cast.games,
        answers: Vec::new(),
    };
    let people = People::sign_in(program, &told).await;
    for (by, path) in questions(&told) {
        let response = people.asks(by, &path).await;
        told.answers.push(Answered {
            by: by.to_owned(),
            path,
            status: response.status,
            answer: steady(response.json()),
        });
    }
    told
}

fn questions(told: &StoredGame) -> Vec<(&'static str, String)> {
    // The audit log first: to look at some of the rest is an entry in it.
    let mut questions = vec![("Chief", "/api/admin/audit?limit=100".to_owned())];
    for query in [
        "?limit=100",
        "?status=playing",
        "?status=open",
        "?ruleset=xiangqi/standard",
    ] {
        questions.push(("", format!("/api/games{query}")));
        questions.push(("Chief", format!("/api/admin/games{query}")));
    }
    for path in [
        "/api/reports",
        "/api/announcements",
        "/api/leaderboards/doushouqi/ancientchess",
        "/api/openings?ruleset=doushouqi/booklet",
    ] {
        questions.push(("Solomon", path.to_owned()));
    }
    for by in ["Anna", "Bodo", "Clara", "Solomon", "Robot"] {
        questions.push((by, "/api/me".to_owned()));
    }
    for path in [
        "/api/account/blocks",
        "/api/account/tokens",
        "/api/setups",
        "/api/setups/%E6%94%BB",
        "/api/lobby",
    ] {
        questions.push(("Anna", path.to_owned()));
    }
    for (name, id) in &told.players {
        questions.push(("", told.profile(name)));
        questions.push((
            "",
            format!("/api/players/{id}/ratings?ruleset=doushouqi/ancientchess"),
        ));
        questions.push(("Chief", format!("/api/admin/players/{id}")));
    }
    for game in &told.games {
        for by in ["", "Anna", "Bodo"] {
            questions.push((by, format!("/api/games/{game}")));
            questions.push((by, format!("/api/games/{game}/events")));
            questions.push((by, format!("/api/games/{game}/positions")));
        }
        questions.push(("", format!("/api/games/{game}/spectator_chat")));
        questions.push(("", format!("/api/games/{game}/verify")));
        questions.push(("Chief", format!("/api/admin/games/{game}")));
        questions.push(("Chief", format!("/api/admin/games/{game}/chat")));
    }
    questions
}

/// An answer without what is only of now.
fn steady(mut answer: Value) -> Value {
    match &mut answer {
        Value::Object(fields) => {
            fields.retain(|name, _| !OF_NOW.contains(&name.as_str()));
            // How an error is worded may change.
            if fields.contains_key("code") {
                fields.remove("message");
            }
            // What the start has made that is asked, and what goes on.
            let made = |name: &str, word: &str| match name {
                "type" => ["clocks_held", "setup_extended"].contains(&word),
                "what" => word == "server_started",
                _ => false,
            };
            let is_made = |fields: &Map<String, Value>| {
                let mut words = fields.iter();
                words.any(|(name, word)| word.as_str().is_some_and(|word| made(name, word)))
            };
            if is_made(fields) {
                fields.remove("until");
                fields.remove("at");
            }
            if let Some(Value::Object(event)) = fields.get("event")
                && is_made(event)
            {
                fields.remove("at");
            }
            for (name, goes_on) in [
                ("clocks", "at"),
                ("held", "until"),
                ("setup", "until"),
                ("turn", "after_ms"),
                ("turn", "away_ms"),
            ] {
                if let Some(Value::Object(within)) = fields.get_mut(name) {
                    within.remove(goes_on);
                }
            }
            for value in fields.values_mut() {
                *value = steady(value.take());
            }
        }
        Value::Array(values) => {
            for value in values {
                *value = steady(value.take());
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    answer
}

fn renamed(text: &str) -> String {
    let words = RENAMED.iter();
    words.fold(text.to_owned(), |text, (old, new)| {
        text.replace(&format!("\"{old}\""), &format!("\"{new}\""))
    })
}

/// The folder of a stored record.
fn made(when: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("records")
        .join(when)
}

/// What was stored of a record, by the database that it was in.
fn file(folder: &Path, database: &Database, kind: &str) -> PathBuf {
    let name = match database {
        Database::Sqlite(_) => "sqlite",
        Database::Postgres(_) => "postgres",
    };
    folder.join(format!("{name}.{kind}.gz"))
}

fn packed(file: &Path, bytes: &[u8]) {
    let mut packing = GzEncoder::new(Vec::new(), Compression::best());
    packing.write_all(bytes).unwrap();
    std::fs::write(file, packing.finish().unwrap()).unwrap();
}

fn bytes_of(file: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    let packed =
        std::fs::File::open(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    GzDecoder::new(packed).read_to_end(&mut bytes).unwrap();
    bytes
}

fn text_of(file: &Path) -> String {
    String::from_utf8(bytes_of(file)).unwrap()
}

/// Everything that an archive holds, a line each.
async fn exported(database: &Database) -> String {
    let url = database.url();
    let words: [&dyn AsRef<std::ffi::OsStr>; 5] =
        [&"export", &"-", &"--everything", &"--database", &url];
    run(&words).await.well().out
}

/// Packs a record that nobody uses.
async fn store(database: &Database, folder: &Path) {
    match database {
        Database::Sqlite(_) => {
            let whole = Folder::new();
            let copy = whole.path().join("copy.db");
            run(&[&"backup", &copy, &"--database", &database.url()])
                .await
                .well();
            packed(&file(folder, database, "db"), &std::fs::read(copy).unwrap());
        }
        Database::Postgres(url) => {
            let cluster = Cluster::shared();
            let dump = cluster.folder().join("everything.sql");
            let to = format!("--file={}", dump.display());
            cluster.run("pg_dump", &["--no-owner", "--no-privileges", &to, url]);
            let text = std::fs::read_to_string(&dump).unwrap();
            // Older programs of Postgres don't know these.
            let newer = ["\\restrict ", "\\unrestrict ", "SET transaction_timeout "];
            let known = |line: &&str| !newer.iter().any(|newer| line.starts_with(newer));
            let text: Vec<_> = text.lines().filter(known).collect();
            packed(&file(folder, database, "sql"), text.join("\n").as_bytes());
        }
    }
}

/// Unpacks a record where a program can be started on it.
fn unpacked(folder: &Path, start: Start) -> (Start, Folder) {
    let records = Folder::new();
    match start.database_in(&records) {
        Database::Sqlite(to) => {
            let database = Database::Sqlite(to.clone());
            std::fs::write(&to, bytes_of(&file(folder, &database, "db"))).unwrap();
        }
        database @ Database::Postgres(_) => {
            let cluster = Cluster::shared();
            let dump = cluster.folder().join(format!("{}.sql", command_id().0));
            std::fs::write(&dump, bytes_of(&file(folder, &database, "sql"))).unwrap();
            let dump = dump.display().to_string();
            let url = database.url();
            cluster.run("psql", &["-v", "ON_ERROR_STOP=1", "-f", &dump, &url]);
        }
    }
    (start, records)
}

/// How many rows each table has.
async fn rows_of(database: &Database) -> Vec<(String, i64)> {
    let mut counted = Vec::new();
    match database {
        Database::Sqlite(_) => {
            let mut file = record::open(database).await;
            let tables =
                "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'";
            let tables = sqlx::query(tables).fetch_all(&mut file).await.unwrap();
            for table in tables {
                let table: String = table.get(0);
                let count = format!("select count(*) from \"{table}\"");
                let count = sqlx::query_scalar(AssertSqlSafe(count));
                counted.push((table, count.fetch_one(&mut file).await.unwrap()));
            }
        }
        Database::Postgres(_) => {
            let mut session = database.session().await;
            let tables = "select table_name::text from information_schema.tables where table_schema = 'public'";
            let tables = sqlx::query(tables).fetch_all(&mut session).await.unwrap();
            for table in tables {
                let table: String = table.get(0);
                let count = format!("select count(*) from \"{table}\"");
                let count = sqlx::query_scalar(AssertSqlSafe(count));
                counted.push((table, count.fetch_one(&mut session).await.unwrap()));
            }
        }
    }
    assert!(counted.len() > 15, "{counted:?}");
    counted
}
