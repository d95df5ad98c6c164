//! The baseline of the records: how many rows a database commits when nobody asks anything else of it.
//!
//! One connection, one table as the record has it (in SQLite a log, in Postgres one with a key by game), rows as long as a move's event, so many in each transaction: what
//! is left when rules, rooms, sockets and the server's own store are taken away.

use std::time::Duration;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use sqlx::{
    Connection, PgConnection, Sqlite, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
};
use uuid::Uuid;

use crate::{load, machine, stopwatch::Stopwatch};

/// How many games take turns.
const GAMES: u64 = 200;
/// When every move is said to have been made.
const AT: i64 = 1_700_000_000_000;
/// As long as a move in the record.
const BODY: &str =
    r#"{"type":"moved","seat":"second","ply":117,"move":"a3a4","spent":1234,"lag":12}"#;
/// How many rows fit into one statement.
const ROWS: usize = 1_000;

/// What is measured.
#[derive(clap::Args)]
pub(crate) struct RawArgs {
    /// The database: `sqlite:` and a path, or `postgres://`.
    #[arg(long)]
    database: String,
    /// Rows in each transaction.
    #[arg(long)]
    rows: usize,
    /// How long, in seconds.
    #[arg(long, default_value_t = 4.0)]
    seconds: f64,
}

/// What came of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Raw {
    /// Rows that were committed.
    pub(crate) rows: u64,
    /// Within so many seconds.
    pub(crate) seconds: f64,
    /// Processor time of this process, user and system, in seconds.
    pub(crate) cpu: f64,
}

/// Commits, and prints what came of it as one line of JSON.
///
/// # Errors
/// When the database refuses anything.
pub(crate) fn run(args: &RawArgs) -> Result<()> {
    if args.rows == 0 || args.rows > ROWS {
        bail!("--rows is 1 to {ROWS}");
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    load::print(&runtime.block_on(measure(args))?)
}

async fn measure(args: &RawArgs) -> Result<Raw> {
    match args.database.strip_prefix("sqlite:") {
        Some(path) => commits(&mut InSqlite::open(path, args.rows).await?, args).await,
        None => commits(&mut InPostgres::open(&args.database).await?, args).await,
    }
}

/// Commits again and again.
async fn commits(table: &mut impl Table, args: &RawArgs) -> Result<Raw> {
    let (mut next, window) = (0, Duration::from_secs_f64(args.seconds));
    let mut commit = async || {
        let rows = (next..next + args.rows as u64).map(Row::new).collect();
        next += args.rows as u64;
        table.commit(rows).await?;
        anyhow::Ok(next)
    };
    // What is prepared once is not counted.
    let first = commit().await?;
    let mut last = first;
    let (before, clock) = (
        machine::cpu_seconds(std::process::id())?,
        Stopwatch::start(),
    );
    while clock.elapsed() < window {
        last = commit().await?;
    }
    Ok(Raw {
        rows: last - first,
        seconds: clock.elapsed().as_secs_f64(),
        cpu: machine::cpu_seconds(std::process::id())? - before,
    })
}

/// A move of one of the games.
struct Row {
    game: Uuid,
    seq: i64,
    command: Uuid,
}

impl Row {
    fn new(number: u64) -> Self {
        Self {
            game: Uuid::from_u64_pair(number % GAMES, 0x1234_5678),
            seq: (number / GAMES) as i64,
            command: Uuid::from_u64_pair(number, number),
        }
    }
}

/// A table of events, over one connection.
trait Table {
    /// Inserts rows in one transaction.
    async fn commit(&mut self, rows: Vec<Row>) -> Result<()>;
}

struct InSqlite {
    connection: SqliteConnection,
    /// One statement for as many rows as there are in each transaction.
    insert: &'static str,
}

impl InSqlite {
    async fn open(path: &str, rows: usize) -> Result<Self> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            // As the server has it: written back less often, the same pages cost less.
            .pragma("wal_autocheckpoint", "4000");
        let mut connection = SqliteConnection::connect_with(&options).await?;
        // A log, as the server has it.
        let create = "create table event_log (id integer primary key autoincrement, game_id blob not null, seq integer not null, \
                      at integer not null, command blob, body text not null) strict";
        sqlx::query(create).execute(&mut connection).await?;
        let insert =
            "insert into event_log (game_id, seq, at, command, body) values (?, ?, ?, ?, ?)";
        let insert = format!("{insert}{}", ", (?, ?, ?, ?, ?)".repeat(rows - 1));
        Ok(Self {
            connection,
            // One for the whole run.
            insert: insert.leak(),
        })
    }
}

impl Table for InSqlite {
    async fn commit(&mut self, rows: Vec<Row>) -> Result<()> {
        let mut transaction = self.connection.begin_with("begin immediate").await?;
        let mut query = sqlx::query::<Sqlite>(self.insert);
        for row in rows {
            query = query
                .bind(row.game)
                .bind(row.seq)
                .bind(AT)
                .bind(row.command)
                .bind(BODY);
        }
        query.execute(&mut *transaction).await?;
        Ok(transaction.commit().await?)
    }
}

struct InPostgres(PgConnection);

impl InPostgres {
    async fn open(url: &str) -> Result<Self> {
        let mut connection = PgConnection::connect(url).await?;
        let create = "create table events (game_id uuid not null, seq bigint not null, at bigint not null, command uuid, \
                      body text not null, primary key (game_id, seq))";
        sqlx::query(create).execute(&mut connection).await?;
        Ok(Self(connection))
    }
}

impl Table for InPostgres {
    async fn commit(&mut self, rows: Vec<Row>) -> Result<()> {
        let insert = "insert into events (game_id, seq, at, command, body) \
                      select game, seq, $4, command, $5 from unnest($1::uuid[], $2::bigint[], $3::uuid[]) as row (game, seq, command)";
        sqlx::query(insert)
            .bind(rows.iter().map(|row| row.game).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.seq).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.command).collect::<Vec<_>>())
            .bind(AT)
            .bind(BODY)
            .execute(&mut self.0)
            .await?;
        Ok(())
    }
}
