//! The records in a Postgres database.
//!
//! Some connections write, some read. Every commit is on the database's disk before it returns (`synchronous_commit=on`); this
//! is verified on every connection when it opens.

pub(crate) mod append;
pub(crate) mod audit_log;
pub(crate) mod connection;
pub(crate) mod joining;
pub(crate) mod nodes;
pub(crate) mod opening;
#[cfg(test)]
pub(crate) mod plans;
pub(crate) mod ratings;
pub(crate) mod start;

use std::sync::Arc;

use anyhow::Context;
use qiguan_protocol::ids::Epoch;
use sqlx::{Connection, PgConnection};

use self::connection::{Role, plain, pool, writers};
use crate::{
    db::{Members, Pool, Sharing},
    migrations,
    opening::Tables,
    sql,
    store::Store,
    versions::{self, SeenVersion},
};

/// Every change of the tables, in order.
pub(super) static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("../migrations/postgres");

/// Connects to the records in a Postgres database, which has to be there. Several programs may bring its tables up to date at once.
pub(super) async fn open(url: &str, epoch: Epoch, tables: Tables<'_>) -> anyhow::Result<Store> {
    let to = start::located(url).await?;
    let mut first = plain(&to, Role::Migrator).await?;
    opening::prepare(&mut first, tables).await?;
    let epoch = keep_epoch(&mut first, epoch).await?;
    let version = sqlx::query_scalar(versions::CLUSTER_VERSION);
    let version = versions::of_row(version.fetch_optional(&mut first).await?);
    first.close().await?;
    plain(&to, Role::Reader).await?.close().await?;

    let readers = pool(&to, Role::Reader)
        .await
        .context("opening the reading connections")?;
    let (writers, ender) = writers(&to, &readers)
        .await
        .context("opening the writing connections")?;
    Ok(Store {
        writers: Pool::Postgres(writers),
        readers: Pool::Postgres(readers),
        sharing: Some(Sharing {
            fence: Arc::default(),
            members: Members::Postgres(Box::new(ender)),
        }),
        progress: Arc::default(),
        epoch,
        version: SeenVersion::of(version),
        #[cfg(test)]
        packs: false,
    })
}

/// The record's own number; a new record gets the one offered.
async fn keep_epoch(connection: &mut PgConnection, offered: Epoch) -> anyhow::Result<Epoch> {
    sqlx::query(sql::KEEP_EPOCH)
        .bind(i64::from(offered.0))
        .execute(&mut *connection)
        .await?;
    let kept = sqlx::query_scalar(sql::EPOCH).fetch_one(connection).await?;
    migrations::epoch(kept)
}
