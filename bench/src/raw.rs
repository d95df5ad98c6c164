//! The baseline of the records: how many rows a database commits when nobody asks anything else of it.
//!
//! One connection, one table with the key of the record, rows as long as a move's event, so many in each transaction: what
//! is left when rules, rooms, sockets and the server's own store are taken away.

use std::{io::Write, time::Duration};

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use sqlx::{
    Connection, Sqlite, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
};

use crate::{machine, stopwatch::Stopwatch};

/// How many games take turns.
const GAMES: u128 = 200;
/// As long as a move in the record.
const BODY: &str =
    r#"{"type":"moved","seat":"second","ply":117,"move":"a3a4","spent":1234,"lag":12}"#;
/// How many rows fit into one statement.
const ROWS: usize = 1_000;

/// What is measured.
#[derive(clap::Args)]
pub(crate) struct RawArgs {
    /// The database: `sqlite:` and a path.
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
    let raw = runtime.block_on(measure(args))?;
    writeln!(std::io::stdout(), "{}", serde_json::to_string(&raw)?)?;
    Ok(())
}

async fn measure(args: &RawArgs) -> Result<Raw> {
    let Some(path) = args.database.strip_prefix("sqlite:") else {
        bail!("--database is sqlite: and a path");
    };
    let mut database = Rows::open(path, args.rows).await?;
    let (mut next, window) = (0, Duration::from_secs_f64(args.seconds));
    // What is prepared once is not counted.
    database.commit(&mut next).await?;
    let (before, clock) = (
        machine::cpu_seconds(std::process::id())?,
        Stopwatch::start(),
    );
    let first = next;
    while clock.elapsed() < window {
        database.commit(&mut next).await?;
    }
    Ok(Raw {
        rows: (next - first) as u64,
        seconds: clock.elapsed().as_secs_f64(),
        cpu: machine::cpu_seconds(std::process::id())? - before,
    })
}

/// One connection, and the statement that inserts a transaction's rows.
struct Rows {
    connection: SqliteConnection,
    insert: &'static str,
    together: usize,
}

impl Rows {
    async fn open(path: &str, rows: usize) -> Result<Self> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full);
        let mut connection = SqliteConnection::connect_with(&options).await?;
        let create = "create table events (game_id blob not null, seq integer not null, at integer not null, command blob, \
                      body text not null, primary key (game_id, seq)) strict, without rowid";
        sqlx::query(create).execute(&mut connection).await?;
        let insert = "insert into events (game_id, seq, at, command, body) values (?, ?, ?, ?, ?)";
        let insert = format!("{insert}{}", ", (?, ?, ?, ?, ?)".repeat(rows - 1));
        Ok(Self {
            connection,
            // One statement for the whole run.
            insert: insert.leak(),
            together: rows,
        })
    }

    async fn commit(&mut self, next: &mut u128) -> Result<()> {
        let mut transaction = self.connection.begin_with("begin immediate").await?;
        let mut query = sqlx::query::<Sqlite>(self.insert);
        for number in *next..*next + self.together as u128 {
            let (game, seq) = (number % GAMES, number / GAMES);
            query = query
                .bind(uuid::Uuid::from_u128(game << 64 | 0x1234_5678))
                .bind(seq as i64)
                .bind(1_700_000_000_000_i64)
                .bind(uuid::Uuid::from_u128(number))
                .bind(BODY);
        }
        query.execute(&mut *transaction).await?;
        transaction.commit().await?;
        *next += self.together as u128;
        Ok(())
    }
}
