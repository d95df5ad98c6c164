//! The records: what is asked of them, the databases that keep them, and the journal that gathers what rooms append.

pub mod codec;
#[cfg(test)]
pub(crate) mod conformance;
pub mod journal;
mod sqlite;
mod sqlite_append;
mod sqlite_archive;
mod sqlite_backup;
mod sqlite_connection;
mod sqlite_list;
mod sqlite_papers;
#[cfg(test)]
mod sqlite_plans;
mod sqlite_players;
mod sqlite_pruning;
mod sqlite_rows;
#[expect(
    clippy::module_inception,
    reason = "the trait is the subject of the folder"
)]
pub mod store;
pub mod stored;

use std::{path::Path, sync::Arc};

use qiguan_protocol::ids::Epoch;

pub use self::sqlite_backup::Copied;
use self::{sqlite::SqliteStore, store::Store};

/// Opens the records at a URL: `sqlite:` and a path. `epoch` is the number that a new record gets.
///
/// # Errors
/// When the URL names no database of this version, or the database can't be opened or is not as it has to be.
pub async fn open(url: &str, max_mib: Option<u64>, epoch: Epoch) -> anyhow::Result<Arc<dyn Store>> {
    let path = sqlite_path(url)?;
    Ok(Arc::new(SqliteStore::open(path, max_mib, epoch).await?))
}

/// Opens records that there have to be.
///
/// # Errors
/// As [`open`], and when there are none.
pub async fn open_existing(url: &str) -> anyhow::Result<Arc<dyn Store>> {
    let path = sqlite_path(url)?;
    anyhow::ensure!(path.exists(), "there is no file {}", path.display());
    // What is there has a number already.
    open(url, None, Epoch(0)).await
}

/// Copies the records at a URL into a new file, while a server may run on them.
///
/// # Errors
/// When they can't be copied, or the copy is not whole. Nothing is left of it then.
pub async fn backup(url: &str, to: &Path) -> anyhow::Result<Copied> {
    sqlite_backup::backup(copied_by_us(url)?, to).await
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
    sqlite_backup::restore(copy, copied_by_us(url)?, draw).await
}

fn copied_by_us(url: &str) -> anyhow::Result<&Path> {
    anyhow::ensure!(
        !url.starts_with("postgres"),
        "records in Postgres are copied by pg_dump and put back by pg_restore; docs/operations.md tells how"
    );
    sqlite_path(url)
}

fn sqlite_path(url: &str) -> anyhow::Result<&Path> {
    let Some(path) = url
        .strip_prefix("sqlite://")
        .or_else(|| url.strip_prefix("sqlite:"))
    else {
        anyhow::bail!(
            "this version keeps its records in SQLite: sqlite:PATH, such as sqlite:data/qiguan.db"
        );
    };
    Ok(path.as_ref())
}
