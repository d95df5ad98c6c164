//! What is said of the changes of the tables, whatever database they are in.

use anyhow::Context;
use qiguan_protocol::ids::Epoch;
use sqlx::migrate::{MigrateError, Migrator};

/// Tells how it went to bring the tables up to date. `back` is what an operator can go back to.
///
/// # Errors
/// When they could not be, or when they are of a newer program.
pub(super) fn told(
    known: &Migrator,
    migrated: Result<(), MigrateError>,
    back: &str,
) -> anyhow::Result<()> {
    let known = known.iter().map(|migration| migration.version).max();
    match migrated {
        Err(MigrateError::VersionMissing(version)) if Some(version) > known => anyhow::bail!(
            "a newer program has changed the tables: they have change {version}, and this program knows them up to {}; \
             start the newer program, or go back to {back}",
            known.unwrap_or_default(),
        ),
        migrated => migrated.context("bringing the tables up to date"),
    }
}

/// The record's own number, as it is kept.
///
/// # Errors
/// When it is none.
pub(super) fn epoch(kept: i64) -> anyhow::Result<Epoch> {
    Ok(Epoch(
        u32::try_from(kept).context("table meta, row epoch: no epoch")?,
    ))
}
