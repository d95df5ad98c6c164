//! How connections to the SQLite file are opened and verified.

use std::{path::Path, time::Duration};

use anyhow::Context;
use sqlx::{
    ConnectOptions, SqliteConnection, SqlitePool,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

/// How long a write waits for another process that holds the file.
pub(crate) const BUSY: Duration = Duration::from_secs(5);
/// How many readers there are.
const READERS: u32 = 4;
/// The first SQLite without the fault in which a commit racing a checkpoint is lost.
const OLDEST_SQLITE: [u32; 3] = [3, 51, 3];
/// Bytes in a page.
const PAGE: u64 = 4_096;
/// Pages that gather in the write-ahead log before they are moved into the file.
const CHECKPOINT_PAGES: i64 = 4_000;

/// What a connection keeps of the file in its own memory at most, in KiB; SQLite's own 2 MiB are less than the upper pages of the
/// indexes of a large record.
const CACHE_KIB: i64 = 16 * 1_024;

/// How many rows a connection's thread reads ahead of its consumer: all of a game's, so that the two do not wait for each other
/// at every row.
const ROWS_AHEAD: usize = 1_024;

/// What a connection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The one that writes.
    Writer,
    /// One of those that read.
    Reader,
}

/// Opens and verifies one connection outside of the pools: a pool tries again until its time is over, and then tells of the
/// time alone. The file has to be there.
///
/// # Errors
/// When the file can't be opened, or the connection is not as it has to be.
pub(crate) async fn plain(path: &Path, role: Role) -> anyhow::Result<SqliteConnection> {
    let mut connection = options(path, role, None)
        .connect()
        .await
        .context("opening the file")?;
    check_version(&mut connection).await?;
    verify(&mut connection, role).await?;
    Ok(connection)
}

/// Opens the pool of a role, which verifies every connection it opens.
///
/// # Errors
/// When no connection comes about.
pub(crate) async fn pool(
    path: &Path,
    role: Role,
    max_mib: Option<u64>,
) -> Result<SqlitePool, sqlx::Error> {
    let connections = match role {
        Role::Writer => 1,
        Role::Reader => READERS,
    };
    SqlitePoolOptions::new()
        .max_connections(connections)
        .min_connections(1)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        .acquire_timeout(BUSY * 2)
        .after_connect(move |connection, _| Box::pin(verify(connection, role)))
        .connect_with(options(path, role, max_mib))
        .await
}

fn options(path: &Path, role: Role, max_mib: Option<u64>) -> SqliteConnectOptions {
    let options = SqliteConnectOptions::new()
        .filename(path)
        // Who makes it sees to it that nobody else can read it (`sqlite_files`).
        .create_if_missing(false)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(BUSY)
        .pragma("wal_autocheckpoint", CHECKPOINT_PAGES.to_string())
        // Negative: KiB, not pages.
        .pragma("cache_size", (-CACHE_KIB).to_string())
        // The journal of a statement for many rows stays out of the file system; what is durable is the log alone.
        .pragma("temp_store", "memory")
        // What the file says of itself calls no function that it could do harm with.
        .pragma("trusted_schema", "off")
        .row_buffer_size(ROWS_AHEAD)
        .disable_statement_logging();
    match (role, max_mib) {
        (Role::Reader, _) => options.pragma("query_only", "on"),
        (Role::Writer, Some(mib)) => {
            options.pragma("max_page_count", (mib * 1024 * 1024 / PAGE).to_string())
        }
        (Role::Writer, None) => options,
    }
}

/// A connection that is not durable, or that could write where it should only read, is of no use, whatever made it so.
async fn verify(connection: &mut SqliteConnection, role: Role) -> Result<(), sqlx::Error> {
    let wrong = |what: String| sqlx::Error::Configuration(what.into());
    let journal: String = sqlx::query_scalar("pragma journal_mode")
        .fetch_one(&mut *connection)
        .await?;
    if !journal.eq_ignore_ascii_case("wal") {
        return Err(wrong(
            "SQLite can't keep a write-ahead log here; the file must be on a local disk".to_owned(),
        ));
    }
    let query_only = match role {
        Role::Writer => 0,
        Role::Reader => 1,
    };
    for (pragma, meant) in [
        // FULL: flushed before a commit returns.
        ("synchronous", 2),
        ("foreign_keys", 1),
        ("query_only", query_only),
        // Memory.
        ("temp_store", 2),
        ("trusted_schema", 0),
        ("busy_timeout", BUSY.as_millis() as i64),
        ("wal_autocheckpoint", CHECKPOINT_PAGES),
    ] {
        let text = sqlx::AssertSqlSafe(format!("pragma {pragma}"));
        let is: i64 = sqlx::query_scalar(text).fetch_one(&mut *connection).await?;
        if is != meant {
            return Err(wrong(format!(
                "SQLite is set to {pragma}={is} and not to {meant}"
            )));
        }
    }
    Ok(())
}

async fn check_version(connection: &mut SqliteConnection) -> anyhow::Result<()> {
    let version: String = sqlx::query_scalar("select sqlite_version()")
        .fetch_one(connection)
        .await?;
    anyhow::ensure!(
        is_new_enough(&version),
        "SQLite {version} can lose commits; 3.51.3 is needed"
    );
    Ok(())
}

/// Whether a version of SQLite is without the fault.
fn is_new_enough(version: &str) -> bool {
    let numbers = version.split('.').map(|part| part.parse().ok());
    let numbers: Option<Vec<u32>> = numbers.collect();
    numbers.is_some_and(|numbers| numbers.as_slice() >= OLDEST_SQLITE.as_slice())
}

#[cfg(test)]
mod tests;
