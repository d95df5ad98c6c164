//! Prepares a file of records before it is used: checks it, copies it if need be, and brings its tables up to date.

use std::path::{Path, PathBuf};

use anyhow::Context;
use sqlx::{ConnectOptions, Connection, SqliteConnection, sqlite::SqliteConnectOptions};

use crate::{
    migrations::{self, State},
    opening::{CHECKED_BYTES, Change, Hold, Migrated, Step, Tables},
    sqlite::{
        MIGRATIONS, backup,
        connection::{BUSY, Role, plain},
        damage, files, lock, schema,
    },
};

/// How many copies of one record with the same change are made before tables are changed: one for each attempt.
const MOST_COPIES: u32 = 9;

/// Prepares a file for a server, and keeps others off it.
///
/// # Errors
/// When another server runs on it, it can't be made, or it is damaged.
pub(crate) async fn serve(record: &Path) -> anyhow::Result<Hold> {
    files::make(record)?;
    let hold = lock::hold(record)?;
    match files::close_to_others(record) {
        Ok(false) => {}
        Ok(true) => tracing::warn!(
            file = %record.display(),
            "everybody on this machine could read the record; now its owner alone can"
        ),
        Err(error) => tracing::warn!(
            file = %record.display(),
            %error,
            "everybody on this machine can read the record, and it can't be closed to them"
        ),
    }
    check_pages(record).await?;
    Ok(hold)
}

async fn check_pages(record: &Path) -> anyhow::Result<()> {
    let mut connection = looking(record).await?;
    let found = damage::found(&mut connection, Some(CHECKED_BYTES)).await;
    connection.close().await?;
    let found = found.context("the record is damaged")?;
    anyhow::ensure!(
        found.is_empty(),
        "the record is damaged: {}. `qiguan verify` says more; `qiguan restore` puts a backup in its place",
        found.join("; ")
    );
    Ok(())
}

/// Looks at a file, and changes nothing.
///
/// # Errors
/// When it is no record, one of a newer program, or has something in it that does not belong there.
pub(crate) async fn look(record: &Path) -> anyhow::Result<State> {
    let mut connection = looking(record).await?;
    let state = schema::state(&mut connection).await;
    connection.close().await?;
    state
}

/// A connection that sets nothing in the file.
async fn looking(record: &Path) -> anyhow::Result<SqliteConnection> {
    SqliteConnectOptions::new()
        .filename(record)
        .busy_timeout(BUSY)
        .pragma("query_only", "on")
        .pragma("trusted_schema", "off")
        .disable_statement_logging()
        .connect()
        .await
        .context("opening the file")
}

/// Sees to it that a file has the tables of this program, and comes back with the first connection that writes.
///
/// # Errors
/// When it has not, and they may not be changed; or when they can't be.
pub(crate) async fn prepare(
    record: &Path,
    tables: Tables<'_>,
) -> anyhow::Result<(SqliteConnection, Migrated)> {
    if !matches!(tables, Tables::Leave) {
        files::make(record)?;
    }
    let state = look(record).await?;
    match tables {
        Tables::BringUpToDate { copy, told } => {
            let Some(change) = state.change.filter(|_| !state.unused) else {
                return Ok((change_tables(record, &state).await?, Migrated::default()));
            };
            let copy = if copy && has_games(record).await? {
                Some(copy_before(record, change, told).await?)
            } else {
                None
            };
            told(Step::Begins(change));
            let connection = change_tables(record, &state).await?;
            told(Step::Done(change));
            let change = Some(change);
            Ok((connection, Migrated { change, copy }))
        }
        Tables::Make => {
            state.allows(true)?;
            Ok((change_tables(record, &state).await?, Migrated::default()))
        }
        Tables::Leave => {
            state.allows(false)?;
            Ok((plain(record, Role::Writer).await?, Migrated::default()))
        }
    }
}

/// Makes the changes that the file lacks, if there are any: one of a newer program may have more.
async fn change_tables(record: &Path, state: &State) -> anyhow::Result<SqliteConnection> {
    let mut connection = plain(record, Role::Writer).await?;
    if state.change.is_none() {
        return Ok(connection);
    }
    let migrated = MIGRATIONS.run(&mut connection).await;
    migrations::told(migrated, "a copy of the file from before")?;
    Ok(connection)
}

async fn has_games(record: &Path) -> anyhow::Result<bool> {
    let mut connection = looking(record).await?;
    let any = "select exists (select 1 from games)";
    let any = sqlx::query_scalar(any).fetch_one(&mut connection).await?;
    connection.close().await?;
    Ok(any)
}

/// Copies a record before its tables are changed, into a file beside it that is named after the change that it has.
async fn copy_before(
    record: &Path,
    Change { from, to: _ }: Change,
    told: &mut (dyn FnMut(Step<'_>) + Send),
) -> anyhow::Result<PathBuf> {
    let names = (1..=MOST_COPIES).map(|number| {
        let again = if number == 1 {
            String::new()
        } else {
            format!(".{number}")
        };
        let from = from.unwrap_or_default();
        files::with_ending(record, &format!(".schema-{from}{again}.backup"))
    });
    let mut free = names.filter(|name| name.symlink_metadata().is_err());
    let to = free.next().with_context(|| {
        format!(
            "there are {MOST_COPIES} copies beside {} from before its tables were to be changed; remove those that you don't need",
            record.display()
        )
    })?;
    told(Step::Copies(&to));
    let copied = backup::backup(record, &to).await;
    copied.with_context(|| {
        let bytes = record.metadata().map_or(0, |about| about.len());
        format!(
            "the record can't be copied before its tables are changed, and they are left as they are. The copy takes about {} MiB \
             beside the record. Make room, or copy it elsewhere with `qiguan backup` and then run `qiguan migrate --no-copy`",
            bytes.div_ceil(1 << 20)
        )
    })?;
    Ok(to)
}
