//! The records in one SQLite file.
//!
//! One connection writes, a few read. Every commit is on the disk before it returns (`synchronous=FULL` in WAL mode); this
//! is verified on every connection when it opens.

pub(crate) mod append;
pub(crate) mod backup;
pub(crate) mod connection;
pub(crate) mod damage;
pub(crate) mod files;
pub(crate) mod lock;
pub(crate) mod opening;
#[cfg(test)]
pub(crate) mod plans;
pub(crate) mod schema;

use std::{path::Path, sync::Arc};

use anyhow::Context;
use qiguan_protocol::ids::Epoch;
use sqlx::{Connection, SqliteConnection};

use self::connection::{Role, plain, pool};
use crate::{
    db::Pool,
    event_log::EventLog,
    migrations,
    opening::Tables,
    sql,
    store::Store,
    versions::{self, SeenVersion},
};

/// Every change of the tables, in order.
pub(super) static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("../migrations/sqlite");

/// Opens the records in one SQLite file. It and its folder are made if they are missing, unless the tables are to be left as they are.
pub(super) async fn open(
    path: &Path,
    max_mib: Option<u64>,
    epoch: Epoch,
    tables: Tables<'_>,
) -> anyhow::Result<Store> {
    let (mut first, _) = opening::prepare(path, tables).await?;
    let epoch = keep_epoch(&mut first, epoch).await?;
    let version = sqlx::query_scalar(versions::CLUSTER_VERSION);
    let version = versions::of_row(version.fetch_optional(&mut first).await?);
    first.close().await?;
    plain(path, Role::Reader).await?.close().await?;

    let writer = pool(path, Role::Writer, max_mib)
        .await
        .context("opening the writing connection")?;
    let readers = pool(path, Role::Reader, max_mib)
        .await
        .context("opening the reading connections")?;
    let log = EventLog::default();
    Ok(Store {
        writers: Pool::Sqlite(writer, log.clone()),
        readers: Pool::Sqlite(readers, log),
        sharing: None,
        progress: Arc::default(),
        epoch,
        version: SeenVersion::of(version),
        #[cfg(test)]
        packs: false,
    })
}

/// The record's own number; a new record gets the one offered.
async fn keep_epoch(connection: &mut SqliteConnection, offered: Epoch) -> anyhow::Result<Epoch> {
    // Looked for first: a record that is there can be opened while somebody else writes.
    let kept: Option<i64> = sqlx::query_scalar(sql::EPOCH)
        .fetch_optional(&mut *connection)
        .await?;
    let kept = if let Some(kept) = kept {
        kept
    } else {
        sqlx::query(sql::KEEP_EPOCH)
            .bind(i64::from(offered.0))
            .execute(&mut *connection)
            .await?;
        sqlx::query_scalar(sql::EPOCH).fetch_one(connection).await?
    };
    migrations::epoch(kept)
}
