//! Copies of an SQLite record: made while a server runs, checked, and put in place of a lost one.
//!
//! **Invariant:** under the name that was asked for there is a whole and checked copy on the disk, or nothing.

use std::{
    fs::File,
    path::{Path, PathBuf},
};

use anyhow::Context;
use qiguan_protocol::ids::Epoch;
use sqlx::{
    ConnectOptions, Connection, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
};

use crate::sqlite::{
    connection::{Role, plain},
    files::{self, folder_of, with_ending},
    schema,
};

/// A copy that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    /// How many games are in it.
    pub games: u64,
    /// How many bytes it has.
    pub bytes: u64,
}

/// Copies a record as it is at one moment into a new file. A server that runs on it goes on writing meanwhile.
///
/// # Errors
/// When there is no record or there is such a file already, when the copy can't be written, or is not whole.
pub(crate) async fn backup(record: &Path, to: &Path) -> anyhow::Result<Copied> {
    anyhow::ensure!(record.exists(), "there is no file {}", record.display());
    files::is_writable(record)?;
    is_free(to)?;
    let half_done = HalfDone::beside(to)?;
    let mut source = plain(record, Role::Writer)
        .await
        .with_context(|| record.display().to_string())?;
    let copied = sqlx::query("vacuum into $1")
        .bind(half_done.text()?)
        .execute(&mut source)
        .await;
    source.close().await?;
    copied.context("copying")?;
    let mut copy = alone(&half_done.0).await?;
    let games = check(&mut copy).await?;
    copy.close().await?;
    half_done.becomes(to, games)
}

/// Puts a copy in place of a record that is not there any more, under a number that `draw` gives: what clients have seen of
/// the record before may not be in it.
///
/// # Errors
/// When the copy is not whole, there is a record already, or it can't be written.
pub(crate) async fn restore(
    copy: &Path,
    record: &Path,
    mut draw: impl FnMut() -> Epoch,
) -> anyhow::Result<Copied> {
    let log = with_ending(copy, "-wal");
    anyhow::ensure!(
        log.metadata().map_or(0, |log| log.len()) == 0,
        "{} is there: the copy is in use, or was not made by `qiguan backup`",
        log.display()
    );
    for file in [
        record.to_owned(),
        with_ending(record, "-wal"),
        with_ending(record, "-shm"),
    ] {
        is_free(&file)?;
    }
    files::make_folder_of(record)?;
    let half_done = HalfDone::beside(record)?;
    half_done
        .fill(copy)
        .with_context(|| copy.display().to_string())?;
    let mut restored = alone(&half_done.0).await?;
    let games = check(&mut restored).await?;
    let state = schema::state(&mut restored).await;
    state.context("the copy was not made by `qiguan backup`")?;
    let select = "select value from meta where key = 'epoch'";
    let before: i64 = sqlx::query_scalar(select).fetch_one(&mut restored).await?;
    let mut epoch = draw();
    while i64::from(epoch.0) == before {
        epoch = draw();
    }
    sqlx::query("update meta set value = $1 where key = 'epoch'")
        .bind(i64::from(epoch.0))
        .execute(&mut restored)
        .await?;
    restored.close().await?;
    half_done.becomes(record, games)
}

/// A file that is not under its own name yet. It goes away unless it gets there.
struct HalfDone(PathBuf);

impl HalfDone {
    fn beside(file: &Path) -> anyhow::Result<Self> {
        let half_done = with_ending(file, &format!(".{}.part", std::process::id()));
        is_free(&half_done)?;
        // What SQLite writes into a file that is there already keeps its permissions.
        files::private()
            .open(&half_done)
            .with_context(|| half_done.display().to_string())?;
        Ok(Self(half_done))
    }

    /// Copies what is in a file, and not who may read it.
    fn fill(&self, from: &Path) -> std::io::Result<()> {
        let mut to = files::private().open(&self.0)?;
        std::io::copy(&mut File::open(from)?, &mut to)?;
        Ok(())
    }

    fn text(&self) -> anyhow::Result<&str> {
        let text = self.0.to_str();
        text.with_context(|| format!("{} is not UTF-8", self.0.display()))
    }

    /// Flushes it, and gives it its name.
    fn becomes(self, file: &Path, games: u64) -> anyhow::Result<Copied> {
        let written = File::open(&self.0)?;
        written.sync_all()?;
        let bytes = written.metadata()?.len();
        is_free(file)?;
        std::fs::rename(&self.0, file).with_context(|| file.display().to_string())?;
        // The name is on the disk when the folder is.
        File::open(folder_of(file).unwrap_or(".".as_ref()))?.sync_all()?;
        Ok(Copied { games, bytes })
    }
}

impl Drop for HalfDone {
    fn drop(&mut self) {
        for ending in ["", "-journal"] {
            // Once it has its own name there is nothing to remove.
            let _ = std::fs::remove_file(with_ending(&self.0, ending));
        }
    }
}

/// Opens a file that nobody else has open, as a database without a log beside it.
async fn alone(file: &Path) -> anyhow::Result<SqliteConnection> {
    let options = SqliteConnectOptions::new()
        .filename(file)
        .journal_mode(SqliteJournalMode::Delete)
        .synchronous(SqliteSynchronous::Full)
        .pragma("trusted_schema", "off")
        .disable_statement_logging();
    let opened = options.connect().await;
    opened.context("the copy is incomplete")
}

/// Checks every page, index and reference of a copy. How many games it has.
async fn check(copy: &mut SqliteConnection) -> anyhow::Result<u64> {
    let found: Vec<String> = sqlx::query_scalar("pragma integrity_check(10)")
        .fetch_all(&mut *copy)
        .await
        .context("the copy is damaged")?;
    anyhow::ensure!(found == ["ok"], "the copy is damaged: {}", found.join("; "));
    let lost = sqlx::query("pragma foreign_key_check")
        .fetch_all(&mut *copy)
        .await?;
    anyhow::ensure!(
        lost.is_empty(),
        "the copy is damaged: {} rows refer to missing rows",
        lost.len()
    );
    let games: i64 = sqlx::query_scalar("select count(*) from games")
        .fetch_one(copy)
        .await
        .context("this is no record of games")?;
    Ok(games.unsigned_abs())
}

fn is_free(file: &Path) -> anyhow::Result<()> {
    anyhow::ensure!(
        file.symlink_metadata().is_err(),
        "{} already exists and is not overwritten",
        file.display()
    );
    Ok(())
}
