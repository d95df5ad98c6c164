//! The record as it lies on the disk, read past the server.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use qiguan_protocol::ids::{GameId, Millis};
use serde_json::Value;
use sqlx::{
    AssertSqlSafe, ConnectOptions, Connection, Executor, PgConnection, SqliteConnection,
    sqlite::SqliteConnectOptions,
};
use uuid::Uuid;

use crate::command::run;

/// Where a record is.
#[derive(Clone, Debug)]
pub enum Database {
    /// A file of SQLite.
    Sqlite(PathBuf),
    /// The URL of a database of Postgres.
    Postgres(String),
}

impl Database {
    /// As the program receives it.
    pub fn url(&self) -> String {
        match self {
            Self::Sqlite(file) => format!("sqlite:{}", file.display()),
            Self::Postgres(url) => url.clone(),
        }
    }

    /// The file of SQLite.
    ///
    /// # Panics
    /// When the record is in Postgres.
    pub fn file(&self) -> &Path {
        match self {
            Self::Sqlite(file) => file,
            Self::Postgres(url) => panic!("{url} is no file"),
        }
    }

    /// A session of Postgres beside the server.
    ///
    /// # Panics
    /// When it is another database.
    pub async fn session(&self) -> PgConnection {
        let connecting = PgConnection::connect(match self {
            Self::Sqlite(file) => panic!("{} is not in Postgres", file.display()),
            Self::Postgres(url) => url,
        });
        connecting.await.expect("the record can be opened")
    }
}

/// A stored event.
#[derive(Clone, Debug)]
pub struct Stored {
    /// Its number.
    pub seq: u32,
    /// The command behind it.
    pub command: Option<Uuid>,
    /// What happened.
    pub body: Value,
}

/// Somebody else who holds the record, so that the server can't write it.
pub enum Holder {
    /// The file's only lock for writing.
    Sqlite(SqliteConnection),
    /// Every table.
    Postgres(PgConnection),
}

impl Holder {
    /// Takes hold of the record, which everybody can still read.
    pub async fn holds(database: &Database) -> Self {
        match database {
            Database::Sqlite(_) => {
                let mut beside = open(database).await;
                let held = beside.execute("begin immediate").await;
                held.expect("the file can be held");
                Self::Sqlite(beside)
            }
            Database::Postgres(_) => {
                let mut beside = database.session().await;
                let tables = "begin; lock table meta, players, sessions, games, events, papers, setups in exclusive mode";
                let held = beside.execute(tables).await;
                held.expect("the tables can be held");
                Self::Postgres(beside)
            }
        }
    }

    /// Lets go of it.
    pub async fn lets_go(self) {
        let let_go = match self {
            Self::Sqlite(mut beside) => beside.execute("rollback").await.map(drop),
            Self::Postgres(mut beside) => beside.execute("rollback").await.map(drop),
        };
        let_go.expect("the record can be let go");
    }
}

/// Overwrites a part of what is stored of a game, past the server.
pub async fn damage(database: &Database, game: GameId, what: &str, with: &str) {
    let changed = match database {
        Database::Sqlite(_) => {
            let update = "update event_log set body = replace(body, $1, $2) where game_id = $3";
            let update = sqlx::query(update).bind(what).bind(with).bind(game.0);
            let done = update.execute(&mut open(database).await).await;
            done.map(|done| done.rows_affected())
        }
        Database::Postgres(_) => {
            let update = "update events set body = replace(body, $1, $2) where game_id = $3";
            let update = sqlx::query(update).bind(what).bind(with).bind(game.0);
            let done = update.execute(&mut database.session().await).await;
            done.map(|done| done.rows_affected())
        }
    };
    assert!(changed.expect("the record can be overwritten") > 0);
}

/// Opens the file of SQLite beside the server.
pub async fn open(database: &Database) -> SqliteConnection {
    let options = SqliteConnectOptions::new()
        .filename(database.file())
        .busy_timeout(std::time::Duration::from_secs(5));
    options.connect().await.expect("the record can be opened")
}

/// When the server that keeps this record has last noted that it is alive.
///
/// # Panics
/// When it has never.
pub async fn alive_at(database: &Database) -> Millis {
    let noted: Result<i64, _> = match database {
        Database::Sqlite(_) => {
            let mut connection = open(database).await;
            sqlx::query_scalar(ALIVE_AT)
                .fetch_one(&mut connection)
                .await
        }
        Database::Postgres(_) => {
            let mut session = database.session().await;
            sqlx::query_scalar(ANY_ALIVE_AT)
                .fetch_one(&mut session)
                .await
        }
    };
    Millis(noted.expect("a heartbeat"))
}

const EVENTS: &str = "select seq, command, body from events where game_id = $1 order by seq";
/// SQLite has a log beside what older programs have written.
const EVENTS_IN_SQLITE: &str = "select seq, command, body from events where game_id = $1 \
     union all select seq, command, body from event_log where game_id = $1 order by seq";
/// How far a game is packed.
const THROUGH: &str = "select through from packed_games where game_id = $1";
const GAMES: &str =
    "select game_id from events where seq = 1 union select game_id from packed_games order by 1";
const GAMES_IN_SQLITE: &str = "select game_id from events where seq = 1 \
     union select game_id from event_log where seq = 1 union select game_id from packed_games order by 1";
const ALIVE_AT: &str = "select value from meta where key = 'heartbeat'";
const ANY_ALIVE_AT: &str = "select max(at) from (select alive_at as at from nodes union all select charged_to from slots) as beats";

/// Whether the clocks of a game were held since nothing could be stored, and for nothing else before that.
///
/// # Panics
/// When they were not.
pub async fn was_held_for_storage(database: &Database, game: GameId) {
    let events = events(database, game).await;
    let held = events
        .iter()
        .find(|event| event.body["t"] == "clocks_held")
        .expect("the clock was held");
    assert_eq!(held.body["reason"], "storage");
}

/// The events of a game in the order of their numbers, which have no gap.
pub async fn events(database: &Database, game: GameId) -> Vec<Stored> {
    // One that is packed in between is read once more.
    let events = loop {
        let packed = packed_through(database, game).await;
        let mut events = match packed {
            Some(_) => exported(database, game).await,
            None => Vec::new(),
        };
        let last = events.last().map_or(0, |event| event.seq);
        let rows = unpacked_events(database, game).await;
        events.extend(rows.into_iter().filter(|event| event.seq > last));
        if packed == packed_through(database, game).await {
            break events;
        }
    };
    for (event, seq) in events.iter().zip(1..) {
        assert_eq!(event.seq, seq, "the record has no gap");
    }
    events
}

/// The number of the last event of a game that is packed; none if it is not.
pub async fn packed_through(database: &Database, game: GameId) -> Option<i64> {
    let through = match database {
        Database::Sqlite(_) => {
            let mut connection = open(database).await;
            let query = sqlx::query_scalar(THROUGH).bind(game.0);
            query.fetch_optional(&mut connection).await
        }
        Database::Postgres(_) => {
            let mut session = database.session().await;
            let query = sqlx::query_scalar(THROUGH).bind(game.0);
            query.fetch_optional(&mut session).await
        }
    };
    through.expect("the record can be read")
}

/// The events of a game as the program exports them.
async fn exported(database: &Database, game: GameId) -> Vec<Stored> {
    let url = database.url();
    // The words are gone before it is waited for: the whole is a task that any thread can carry on.
    let running = run(&[&"export", &"--database", &url, &"--status", &"any", &"-"]);
    let ran = running.await.well();
    let lines = ran.out.lines().map(|line| {
        let line: Value = serde_json::from_str(line).expect("a line is JSON");
        line
    });
    let id = game.to_string();
    let line = lines.into_iter().find(|line| line["game"] == id.as_str());
    let line = line.expect("the game is exported");
    let events = line["events"].as_array().expect("events").iter();
    let stored = |event: &Value| Stored {
        seq: event["seq"].as_u64().expect("a number") as u32,
        command: event["command"]
            .as_str()
            .map(|id| id.parse().expect("an id")),
        body: event["body"].clone(),
    };
    events.map(stored).collect()
}

async fn unpacked_events(database: &Database, game: GameId) -> Vec<Stored> {
    let rows: Result<Vec<(i64, Option<Uuid>, String)>, _> = match database {
        Database::Sqlite(_) => {
            let mut connection = open(database).await;
            let query = sqlx::query_as(EVENTS_IN_SQLITE).bind(game.0);
            query.fetch_all(&mut connection).await
        }
        Database::Postgres(_) => {
            let mut session = database.session().await;
            let query = sqlx::query_as(EVENTS).bind(game.0);
            query.fetch_all(&mut session).await
        }
    };
    let rows = rows.expect("the record can be read").into_iter();
    let stored = |(seq, command, body): (i64, _, String)| Stored {
        seq: u32::try_from(seq).expect("a number"),
        command,
        body: serde_json::from_str(&body).expect("a body is JSON"),
    };
    rows.map(stored).collect()
}

/// Every game that has an event, in the order of opening.
pub async fn games(database: &Database) -> Vec<GameId> {
    let ids: Result<Vec<Uuid>, _> = match database {
        Database::Sqlite(_) => {
            let mut connection = open(database).await;
            let query = sqlx::query_scalar(GAMES_IN_SQLITE);
            query.fetch_all(&mut connection).await
        }
        Database::Postgres(_) => {
            let mut session = database.session().await;
            sqlx::query_scalar(GAMES).fetch_all(&mut session).await
        }
    };
    let ids = ids.expect("the record can be read");
    ids.into_iter().map(GameId).collect()
}

/// Every game is one that the referee has let happen, as `qiguan verify` judges it. How many there are.
pub async fn is_sound(database: &Database) -> u64 {
    let url = database.url();
    let ran = run(&[&"verify", &"--json", &"--database", &url])
        .await
        .well();
    let summary: Value = serde_json::from_str(ran.out.trim()).expect("a summary");
    assert_eq!(summary["bad"], 0, "{ran:?}");
    summary["games"].as_u64().expect("a number")
}

/// Where in the whole record a text stands, in any case of its letters: each column of each table that holds it, and in how many rows.
pub async fn places_of(database: &Database, text: &str) -> BTreeMap<String, i64> {
    let text = text.to_lowercase();
    let places = match database {
        Database::Sqlite(_) => places_in_sqlite(&mut open(database).await, &text).await,
        Database::Postgres(_) => places_in_postgres(&mut database.session().await, &text).await,
    };
    let mut places = places.expect("the tables can be searched");
    assert!(places.len() > 50, "{places:?}");
    places.retain(|_, rows| *rows > 0);
    places
}

async fn places_in_sqlite(
    file: &mut SqliteConnection,
    text: &str,
) -> Result<BTreeMap<String, i64>, sqlx::Error> {
    let columns: Vec<(String, String)> = sqlx::query_as(
        "select m.name, c.name from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table'",
    )
    .fetch_all(&mut *file)
    .await?;
    let mut places = BTreeMap::new();
    for (table, column) in columns {
        let count = format!(
            "select count(*) from \"{table}\" where instr(lower(cast(\"{column}\" as text)), $1) > 0"
        );
        let count = sqlx::query_scalar(AssertSqlSafe(count)).bind(text);
        let rows: i64 = count.fetch_one(&mut *file).await?;
        // Events are events, in the log or not.
        let table = table.replace("event_log", "events");
        *places.entry(format!("{table}.{column}")).or_default() += rows;
    }
    Ok(places)
}

async fn places_in_postgres(
    session: &mut PgConnection,
    text: &str,
) -> Result<BTreeMap<String, i64>, sqlx::Error> {
    let columns: Vec<(String, String, String)> = sqlx::query_as(
        "select table_name::text, column_name::text, data_type::text from information_schema.columns where table_schema = 'public'",
    )
    .fetch_all(&mut *session)
    .await?;
    let mut places = BTreeMap::new();
    for (table, column, kind) in columns {
        // Bytes are read as the letters that they are, as far as they are any.
        let value = if kind == "bytea" {
            format!("encode(\"{column}\", 'escape')")
        } else {
            format!("\"{column}\"::text")
        };
        let count =
            format!("select count(*) from \"{table}\" where position($1 in lower({value})) > 0");
        let count = sqlx::query_scalar(AssertSqlSafe(count)).bind(text);
        places.insert(
            format!("{table}.{column}"),
            count.fetch_one(&mut *session).await?,
        );
    }
    Ok(places)
}

/// The moves of a game as stored.
pub fn moves(events: &[Stored]) -> Vec<String> {
    let moves = events.iter().filter(|event| event.body["t"] == "m");
    moves
        .map(|event| event.body["m"].as_str().expect("a move").to_owned())
        .collect()
}
