//! The records: what is asked of them, the databases that keep them, and the journal that gathers what rooms append.

pub mod codec;
#[cfg(test)]
mod conformance;
pub mod journal;
mod list;
mod migrations;
mod postgres;
mod postgres_append;
mod postgres_connection;
#[cfg(test)]
mod postgres_plans;
mod postgres_writes;
mod rows;
mod sql;
mod sqlite;
mod sqlite_append;
mod sqlite_connection;
mod sqlite_papers;
#[cfg(test)]
mod sqlite_plans;
mod sqlite_rows;
#[expect(
    clippy::module_inception,
    reason = "the trait is the subject of the folder"
)]
pub mod store;

use std::sync::Arc;

use qiguan_protocol::ids::Epoch;

use self::{postgres::PostgresStore, sqlite::SqliteStore, store::Store};

/// Where records can be, as an operator is told of it.
const ALLOWED: &str = "records are kept in SQLite (sqlite:PATH, such as sqlite:data/qiguan.db) or in Postgres \
     (postgres://USER:PASSWORD@HOST/DATABASE)";

/// Opens the records at a URL: `sqlite:` and a path, or `postgres:` and where the database is. `max_mib` bounds a file of
/// SQLite; `epoch` is the number that a new record gets.
///
/// # Errors
/// When the URL names neither, or the database can't be opened or is not as it has to be.
pub async fn open(url: &str, max_mib: Option<u64>, epoch: Epoch) -> anyhow::Result<Arc<dyn Store>> {
    match url.split_once(':') {
        Some(("sqlite", path)) => {
            let path = path.strip_prefix("//").unwrap_or(path);
            Ok(Arc::new(
                SqliteStore::open(path.as_ref(), max_mib, epoch).await?,
            ))
        }
        Some(("postgres" | "postgresql", _)) => {
            Ok(Arc::new(PostgresStore::open(url, epoch).await?))
        }
        // What stands before the colon may be anything; nothing of it is repeated, for it may hold a password.
        _ => anyhow::bail!(ALLOWED),
    }
}

/// A URL as it may be shown to an operator: a password may stand in that of a database on another machine.
pub fn without_secrets(url: &str) -> &str {
    match url.split_once(':') {
        Some(("sqlite", _)) => url,
        Some((scheme @ ("postgres" | "postgresql"), _)) => scheme,
        _ => "a place that is none",
    }
}
