//! The migrations of the tables, whatever database they are in: which a record has, and which it lacks.

use anyhow::Context;
use qiguan_protocol::ids::Epoch;
use sqlx::{
    FromRow,
    migrate::{MigrateError, Migrator},
};

use super::opening::Change;
use crate::versions::{self, Versions};

/// A change that a record has.
#[derive(Clone, Debug, FromRow)]
pub(super) struct Applied {
    pub(super) version: i64,
    checksum: Vec<u8>,
    success: bool,
}

/// The tables of a record.
pub(super) struct State {
    /// What they lack; none if they are those of this program.
    pub(super) change: Option<Change>,
    /// Whether neither a server nor anybody else has used them yet.
    pub(super) unused: bool,
}

impl State {
    /// Whether the tables may be changed for somebody who only adds to the record (`makes`), or only reads it.
    ///
    /// # Errors
    /// When the tables are missing or of an older program.
    pub(super) fn allows(&self, makes: bool) -> anyhow::Result<()> {
        let Some(change) = self.change else {
            return Ok(());
        };
        if makes && self.unused {
            return Ok(());
        }
        let Some(from) = change.from else {
            anyhow::bail!("there are no records");
        };
        anyhow::bail!(
            "an older program has made the tables: they have change {from}, and this program needs change {}. Nothing was changed. \
             To bring them up to date, start `qiguan serve` on the record or run `qiguan migrate`; older programs may refuse it from then on",
            change.to
        )
    }
}

/// What the tables say of programs that run on them; of those that are older than this, nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Needed {
    /// The newest change that a program has to know.
    pub(super) compatible_from: Option<i64>,
    /// What all programs on the record can read.
    pub(super) cluster_version: Option<i64>,
}

/// The newest change of the tables among these.
pub(super) fn newest(known: &Migrator) -> i64 {
    let newest = known.iter().map(|migration| migration.version).max();
    newest.unwrap_or_default()
}

/// What a record with these changes lacks. `back` is what an operator can go back to. Changes of a newer program are left as they are, if
/// they leave this one what it needs.
///
/// # Errors
/// When a change is not one of this program and can't be left, or was broken off; or when the record may hold what this program can't read.
pub(super) fn lacking(
    known: &Migrator,
    applied: &[Applied],
    needed: Needed,
    back: &str,
) -> anyhow::Result<Option<Change>> {
    let newest = newest(known);
    if let Err(refused) = Versions::own().check(versions::of_row(needed.cluster_version)) {
        anyhow::bail!("{refused}, or go back to {back}");
    }
    let compatible_from = needed.compatible_from.unwrap_or(i64::MAX);
    let mut ours_applied = 0;
    for Applied {
        version,
        checksum,
        success,
    } in applied
    {
        if *version > newest {
            anyhow::ensure!(
                compatible_from <= newest,
                "a newer program has changed the tables: they have change {version}, and this program knows them up to {newest}; \
                 start the newer program, or go back to {back}",
            );
            anyhow::ensure!(
                *success,
                "change {version} of the tables was broken off; start the program that made it"
            );
            continue;
        }
        ours_applied += 1;
        let ours = known.iter().find(|migration| migration.version == *version);
        let ours = ours.is_some_and(|migration| *migration.checksum == **checksum);
        anyhow::ensure!(
            ours,
            "another program has changed the tables: their change {version} is not that of this program"
        );
        anyhow::ensure!(
            *success,
            "change {version} of the tables was broken off; go back to {back}"
        );
    }
    if ours_applied == known.iter().count() {
        return Ok(None);
    }
    Ok(Some(Change {
        from: applied.iter().map(|applied| applied.version).max(),
        to: newest,
    }))
}

/// Tells how it went to bring the tables up to date. `back` is what an operator can go back to.
///
/// # Errors
/// When they could not be.
pub(super) fn told(migrated: Result<(), MigrateError>, back: &str) -> anyhow::Result<()> {
    migrated.with_context(|| {
        format!("bringing the tables up to date (if this goes on, go back to {back})")
    })
}

/// The record's own number, as it is kept.
///
/// # Errors
/// When it is invalid.
pub(super) fn epoch(kept: i64) -> anyhow::Result<Epoch> {
    Ok(Epoch(
        u32::try_from(kept).context("table meta, row epoch: no epoch")?,
    ))
}

#[cfg(test)]
mod tests;
