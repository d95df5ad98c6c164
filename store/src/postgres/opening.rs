//! Prepares a database of records before it is used: checks it, and brings its tables up to date.

use sqlx::{Connection, PgConnection};

use crate::{
    migrations::{self, Applied, Needed, State},
    opening::{Migrated, Step, Tables},
    postgres::{
        MIGRATIONS,
        connection::{Role, plain},
        start,
    },
    versions,
};

/// What a dump is called where an operator is told to go back to one.
const DUMP: &str = "a dump from before";

/// Sees to it that the database has the tables of this program.
///
/// # Errors
/// When it has not, and they may not be changed; or when they can't be.
pub(crate) async fn prepare(
    connection: &mut PgConnection,
    tables: Tables<'_>,
) -> anyhow::Result<Migrated> {
    let state = state(connection).await?;
    match tables {
        Tables::BringUpToDate { copy: _, told } => {
            let change = state.change.filter(|_| !state.unused);
            if let Some(change) = change {
                told(Step::Begins(change));
            }
            if state.change.is_some() {
                let migrated = start::migrate(&MIGRATIONS, connection).await?;
                migrations::told(migrated, DUMP)?;
            }
            if let Some(change) = change {
                told(Step::Done(change));
            }
            Ok(Migrated { change, copy: None })
        }
        Tables::Make => {
            state.allows(true)?;
            if state.change.is_some() {
                let migrated = start::migrate(&MIGRATIONS, connection).await?;
                migrations::told(migrated, DUMP)?;
            }
            Ok(Migrated::default())
        }
        Tables::Leave => {
            state.allows(false)?;
            Ok(Migrated::default())
        }
    }
}

/// Brings the tables of a database up to date.
///
/// # Errors
/// When the database can't be reached, or they can't be changed.
pub(crate) async fn migrate(url: &str, tables: Tables<'_>) -> anyhow::Result<Migrated> {
    let to = start::located(url).await?;
    let mut connection = plain(&to, Role::Migrator).await?;
    let migrated = prepare(&mut connection, tables).await?;
    connection.close().await?;
    Ok(migrated)
}

/// Looks at a database, and changes nothing.
///
/// # Errors
/// When it can't be reached, or its tables are not as this program needs them.
pub(crate) async fn look(url: &str) -> anyhow::Result<State> {
    let to = start::located(url).await?;
    let mut connection = plain(&to, Role::Reader).await?;
    let state = state(&mut connection).await;
    connection.close().await?;
    state
}

/// Reads which changes a record has.
async fn state(connection: &mut PgConnection) -> anyhow::Result<State> {
    let there = "select to_regclass($1) is not null";
    let mut has = async |table: &'static str, query: &'static str| {
        let is_there: bool = sqlx::query_scalar(there)
            .bind(table)
            .fetch_one(&mut *connection)
            .await?;
        if !is_there {
            return Ok::<_, sqlx::Error>(false);
        }
        sqlx::query_scalar(query).fetch_one(&mut *connection).await
    };
    let has_changes = has("_sqlx_migrations", "select true").await?;
    let used = has(
        "meta",
        "select exists (select 1 from meta where key = 'heartbeat')",
    )
    .await?
        || has("players", "select exists (select 1 from players)").await?
        || has("games", "select exists (select 1 from games)").await?;
    let applied: Vec<Applied> = if has_changes {
        let query = "select version, checksum, success from _sqlx_migrations order by version";
        sqlx::query_as(query).fetch_all(&mut *connection).await?
    } else {
        Vec::new()
    };
    Ok(State {
        change: migrations::lacking(&MIGRATIONS, &applied, needed(connection).await?, DUMP)?,
        unused: !used,
    })
}

/// What the tables say of programs that run on them.
async fn needed(connection: &mut PgConnection) -> sqlx::Result<Needed> {
    let there = "select to_regclass('meta') is not null";
    let mut needed = Needed::default();
    if sqlx::query_scalar(there)
        .fetch_one(&mut *connection)
        .await?
    {
        let from = sqlx::query_scalar(versions::COMPATIBLE_FROM);
        needed.compatible_from = from.fetch_optional(&mut *connection).await?;
        let version = sqlx::query_scalar(versions::CLUSTER_VERSION);
        needed.cluster_version = version.fetch_optional(connection).await?;
    }
    Ok(needed)
}

/// Finds out whether there are records, and makes none.
///
/// # Errors
/// When the database can't be reached, or holds none.
pub(crate) async fn holds_records(url: &str) -> anyhow::Result<()> {
    let to = start::located(url).await?;
    let mut connection = plain(&to, Role::Reader).await?;
    let holds: bool = sqlx::query_scalar("select to_regclass('events') is not null")
        .fetch_one(&mut connection)
        .await?;
    connection.close().await?;
    anyhow::ensure!(holds, "there are no records in this database");
    Ok(())
}
