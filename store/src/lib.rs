//! The records: what is asked of them, the databases that keep them, and the journal that gathers what rooms append.

pub mod failpoints;

pub mod absences;
pub mod accounts;
pub mod announcements;
mod appending;
pub mod audit_log;
pub mod codec;
#[cfg(test)]
mod conformance;
pub mod connection_log;
mod damage;
mod database_url;
mod db;
pub mod drafts;
mod errors;
mod event_log;
pub mod fair_play;
mod flushing;
mod game_events;
mod games;
pub mod journal;
pub mod list;
mod migrations;
pub mod nodes;
pub mod opening;
pub mod openings;
pub mod packed_games;
mod packing;
mod postgres;
mod pruning;
pub mod push;
pub mod quotas;
mod ranks;
pub mod ratings;
pub mod reviews;
mod rewriting;
mod rows;
mod searching;
mod setups;
#[cfg(any(test, feature = "testing"))]
pub mod simulated;
pub mod small_write;
pub mod spectator_chat;
mod sql;
mod sqlite;
pub mod store;
pub mod stored;
mod stored_games;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod versions;
mod write_progress;

use std::{path::Path, sync::Arc};

use anyhow::Context;
use qiguan_protocol::ids::Epoch;
use sqlx::Connection;

pub use self::database_url::{check_url, shown, whole_url};
use self::{
    database_url::Place,
    migrations::State,
    opening::{Examined, Migrated, Served, Tables, Telling},
    store::Store,
};
pub use crate::ratings::{histories, withdrawal};
pub use crate::sqlite::backup::Copied;

/// Opens the records at a URL: `sqlite:` and a path, or `postgres:` and where the database is. Missing records are made, with the number
/// `epoch`. `max_mib` bounds a file of SQLite.
///
/// # Errors
/// When the URL names neither, the database can't be opened or is not as it has to be, or an older program has made its tables.
pub async fn open(url: &str, max_mib: Option<u64>, epoch: Epoch) -> anyhow::Result<Arc<Store>> {
    let opened = opened(url, max_mib, epoch, Tables::Make).await;
    opened.with_context(|| told(url))
}

/// Waits until records can be reached, if that may take a while.
///
/// # Errors
/// When they can't within that time, or never will.
pub async fn reachable(url: &str, longest: std::time::Duration) -> anyhow::Result<()> {
    match Place::of(url)? {
        Place::Sqlite(_) => Ok(()),
        Place::Postgres => {
            let reached = postgres::start::reachable(url, longest).await;
            reached.with_context(|| told(url))
        }
    }
}

/// Opens records that exist.
///
/// # Errors
/// As [`open`], and when the records are missing.
pub async fn open_existing(url: &str) -> anyhow::Result<Arc<Store>> {
    let opened = async {
        exists(url).await?;
        // What is there has a number already.
        opened(url, None, Epoch(0), Tables::Leave).await
    };
    opened.await.with_context(|| told(url))
}

/// Looks at records, and changes nothing.
///
/// # Errors
/// When the records are missing, can't be reached, or are not as this program needs them.
pub async fn examine(url: &str) -> anyhow::Result<Examined> {
    let examined = async {
        let State { change, unused } = match Place::of(url)? {
            Place::Sqlite(path) => {
                exists(url).await?;
                sqlite::opening::look(path).await?
            }
            Place::Postgres => postgres::opening::look(url).await?,
        };
        Ok::<_, anyhow::Error>(Examined { change, unused })
    };
    examined.await.with_context(|| told(url))
}

/// The file of records; none if they are in Postgres.
///
/// # Errors
/// When the URL names no place of records.
pub fn file_of(url: &str) -> anyhow::Result<Option<&Path>> {
    Ok(match Place::of(url)? {
        Place::Sqlite(path) => Some(path),
        Place::Postgres => None,
    })
}

/// Opens records for a server: no other one runs on the same file, and the tables are brought up to date.
///
/// # Errors
/// As [`open`], and when another server runs on the file.
pub async fn serve(
    url: &str,
    max_mib: Option<u64>,
    epoch: Epoch,
    steps: Telling<'_>,
) -> anyhow::Result<Served> {
    let served = async {
        let hold = match Place::of(url)? {
            Place::Sqlite(path) => Some(sqlite::opening::serve(path).await?),
            Place::Postgres => None,
        };
        let copy = true;
        let tables = Tables::BringUpToDate { copy, told: steps };
        let store = opened(url, max_mib, epoch, tables).await?;
        if !store.can_be_shared() {
            // Nobody else is on the file.
            store.finish_upgrade().await?;
        }
        let read = store.read_log().await;
        read.context("the record is damaged; `qiguan verify` says more, `qiguan restore` puts a backup in its place")?;
        Ok::<_, anyhow::Error>(Served { store, hold })
    };
    served.await.with_context(|| told(url))
}

/// Brings the tables of records that there have to be up to date, while no server runs on them. A file of SQLite is copied before, if so
/// asked and there are games in it.
///
/// # Errors
/// When there are no records, a server runs on the file, or the tables can't be changed.
pub async fn migrate(url: &str, copy: bool, steps: Telling<'_>) -> anyhow::Result<Migrated> {
    let migrated = async {
        exists(url).await?;
        let tables = Tables::BringUpToDate { copy, told: steps };
        match Place::of(url)? {
            Place::Sqlite(path) => {
                let _hold = sqlite::opening::serve(path).await?;
                let (connection, migrated) = sqlite::opening::prepare(path, tables).await?;
                connection.close().await?;
                Ok::<_, anyhow::Error>(migrated)
            }
            Place::Postgres => postgres::opening::migrate(url, tables).await,
        }
    };
    migrated.await.with_context(|| told(url))
}

/// Finds out whether there are records, and makes none.
async fn exists(url: &str) -> anyhow::Result<()> {
    match Place::of(url)? {
        Place::Sqlite(path) => {
            anyhow::ensure!(path.exists(), "there is no file {}", path.display());
            sqlite::files::is_writable(path)
        }
        Place::Postgres => postgres::opening::holds_records(url).await,
    }
}

async fn opened(
    url: &str,
    max_mib: Option<u64>,
    epoch: Epoch,
    tables: Tables<'_>,
) -> anyhow::Result<Arc<Store>> {
    let store = match Place::of(url)? {
        Place::Sqlite(path) => sqlite::open(path, max_mib, epoch, tables).await?,
        Place::Postgres => postgres::open(url, epoch, tables).await?,
    };
    Ok(Arc::new(store))
}

/// Copies the records at a URL into a new file, while a server may run on them.
///
/// # Errors
/// When they can't be copied, or the copy is not whole. Nothing is left of it then.
pub async fn backup(url: &str, to: &Path) -> anyhow::Result<Copied> {
    sqlite::backup::backup(copied_by_us(url)?, to).await
}

/// Puts a copy where the records at a URL were, under a new number from `draw`.
///
/// # Errors
/// When there are records already, the copy is not whole, or it can't be written. Nothing is left of it then.
pub async fn restore(
    copy: &Path,
    url: &str,
    draw: impl FnMut() -> Epoch,
) -> anyhow::Result<Copied> {
    sqlite::backup::restore(copy, copied_by_us(url)?, draw).await
}

fn copied_by_us(url: &str) -> anyhow::Result<&Path> {
    match Place::of(url)? {
        Place::Sqlite(path) => Ok(path),
        Place::Postgres => anyhow::bail!(
            "records in Postgres are copied by pg_dump and put back by pg_restore; docs/operations.md tells how"
        ),
    }
}

/// How a URL is shown to an operator: a password may stand in that of a database on another machine.
fn told(url: &str) -> String {
    match url.split_once(':') {
        Some(("sqlite", _)) => format!("the records at {url}"),
        Some(("postgres" | "postgresql", _)) => "the records in Postgres".to_owned(),
        _ => "no records".to_owned(),
    }
}
