//! How connections to Postgres are opened, verified and given up.
//!
//! **Invariants:** no session is used that does not keep what it commits, or that was found inside a transaction. Nothing waits
//! for ever: the database's own limits end what it does too slowly, and a session that does not even say so is closed.

use std::time::Duration;

use anyhow::Context;
use sqlx::{
    ConnectOptions, Executor, PgConnection, PgPool,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use tokio::sync::OnceCell;

use crate::db::{Ender, Pool, SessionName};

/// How long a statement waits for what another session holds.
const LOCK: &str = "3s";
/// The same for a session that changes the tables.
pub(crate) const MIGRATOR_LOCK: Duration = Duration::from_secs(2);
/// How long the database works on a statement.
const STATEMENT: &str = "5s";
/// How long the database keeps a transaction whose owner says nothing.
const IDLE_TRANSACTION: &str = "5s";
/// How long a connection may take to come about.
pub(crate) const CONNECT: Duration = Duration::from_secs(3);
/// How many sessions write: appending is one queue, small writes do not wait for it.
const WRITERS: u32 = 3;
/// How many sessions read.
const READERS: u32 = 4;
/// The first Postgres that this is tested with, as the server numbers itself.
const OLDEST: u32 = 150_000;

/// What a connection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Changes the tables, as long as it takes.
    Migrator,
    /// One of those that write.
    Writer,
    /// One of those that read.
    Reader,
}

impl Role {
    /// What a session is set to, and verified to be. `fsync` and what follows it is the server's own and can't be set here.
    const fn settings(self) -> [(&'static str, &'static str); 6] {
        let (statement, lock) = match self {
            // An index of many games takes its time. What another session holds is tried for again (`postgres_start`).
            Self::Migrator => ("0", "2s"),
            Self::Writer | Self::Reader => (STATEMENT, LOCK),
        };
        [
            ("synchronous_commit", "on"),
            ("statement_timeout", statement),
            ("lock_timeout", lock),
            ("idle_in_transaction_session_timeout", IDLE_TRANSACTION),
            ("default_transaction_isolation", "read committed"),
            (
                "default_transaction_read_only",
                match self {
                    Self::Migrator | Self::Writer => "off",
                    Self::Reader => "on",
                },
            ),
        ]
    }
}

/// What the server itself has to be set to, so that a commit outlives a crash and names of players can be written.
const OF_THE_SERVER: [(&str, &str); 3] = [
    ("fsync", "on"),
    ("full_page_writes", "on"),
    ("server_encoding", "UTF8"),
];

/// Opens and verifies one connection outside of the pools: a pool tries again until its time is over, and then tells of the
/// time alone.
///
/// # Errors
/// When there is no such server or database, or the connection is not as it has to be.
pub(crate) async fn plain(to: &PgConnectOptions, role: Role) -> anyhow::Result<PgConnection> {
    let options = options(to, role);
    let mut connection = tokio::time::timeout(CONNECT, options.connect())
        .await
        .context("Postgres does not answer")?
        .context("connecting to Postgres")?;
    verify(&mut connection, role).await?;
    Ok(connection)
}

/// Opens the pool of a role, which verifies every connection it opens.
///
/// # Errors
/// When no connection comes about.
pub(crate) async fn pool(to: &PgConnectOptions, role: Role) -> Result<PgPool, sqlx::Error> {
    let connections = match role {
        Role::Migrator => 1,
        Role::Writer => WRITERS,
        Role::Reader => READERS,
    };
    sized_pool(to, role, connections).await
}

async fn sized_pool(
    to: &PgConnectOptions,
    role: Role,
    connections: u32,
) -> Result<PgPool, sqlx::Error> {
    pool_options(role, connections)
        .before_acquire(|connection, _| Box::pin(async { Ok(is_fresh(connection).await?.0) }))
        .connect_with(options(to, role))
        .await
}

fn pool_options(role: Role, connections: u32) -> PgPoolOptions {
    PgPoolOptions::new()
        .max_connections(connections)
        .min_connections(1)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        .acquire_timeout(CONNECT)
        .after_connect(move |connection, _| Box::pin(verify(connection, role)))
}

/// The pool of sessions that write, of which each has the name that they have at the time when it is used.
async fn writing_pool(
    to: &PgConnectOptions,
    connections: u32,
    name: &SessionName,
) -> Result<PgPool, sqlx::Error> {
    let known = name.clone();
    pool_options(Role::Writer, connections)
        .before_acquire(move |connection, _| {
            let known = known.clone();
            Box::pin(async move {
                let (is_fresh, name) = is_fresh(connection).await?;
                Ok(is_fresh && name == known.get())
            })
        })
        .connect_with(options(to, Role::Writer).application_name(&name.get()))
        .await
}

fn options(to: &PgConnectOptions, role: Role) -> PgConnectOptions {
    to.clone()
        .options(role.settings())
        .disable_statement_logging()
}

/// A connection that is not durable, or that could write where it should only read, is of no use, whatever made it so.
async fn verify(connection: &mut PgConnection, role: Role) -> Result<(), sqlx::Error> {
    let wrong = |what: String| sqlx::Error::Configuration(what.into());
    let number: String = sqlx::query_scalar("select current_setting('server_version_num')")
        .fetch_one(&mut *connection)
        .await?;
    if number.parse::<u32>().is_ok_and(|number| number < OLDEST) {
        return Err(wrong(format!(
            "this Postgres has number {number}, and 15 or newer is needed"
        )));
    }
    let standby: bool = sqlx::query_scalar("select pg_is_in_recovery()")
        .fetch_one(&mut *connection)
        .await?;
    if standby {
        return Err(wrong(
            "this Postgres is a standby, which can't be written; name its primary".to_owned(),
        ));
    }
    let meant: Vec<_> = OF_THE_SERVER.into_iter().chain(role.settings()).collect();
    let names: Vec<_> = meant.iter().map(|(name, _)| *name).collect();
    let are: Vec<String> = sqlx::query_scalar(
        "select current_setting(name) from unnest($1::text[]) with ordinality as asked (name, place) order by place",
    )
    .bind(names)
    .fetch_all(connection)
    .await?;
    for ((name, meant), is) in meant.into_iter().zip(are) {
        if is != meant {
            return Err(wrong(format!(
                "Postgres is set to {name}={is} and not to {meant}"
            )));
        }
    }
    Ok(())
}

/// Whether a session answers and is outside of any transaction, and its name. One that was left inside of a transaction, by whatever fault,
/// would keep all that it is given from being committed: the pool closes it and opens another.
async fn is_fresh(connection: &mut PgConnection) -> Result<(bool, String), sqlx::Error> {
    // As one simple message this is a transaction of its own exactly if none is open, and then it begins with the statement.
    let row = connection
        .fetch_one(sqlx::raw_sql(
            "select (now() = statement_timestamp())::text, current_setting('application_name')",
        ))
        .await?;
    let is_fresh: String = sqlx::Row::try_get(&row, 0)?;
    Ok((is_fresh == "true", sqlx::Row::try_get(&row, 1)?))
}

/// Opens the sessions of one program that write, and what ends them.
///
/// # Errors
/// When no connection can be opened.
pub(crate) async fn writers(
    to: &PgConnectOptions,
    readers: &PgPool,
) -> Result<(PgPool, Ender), sqlx::Error> {
    let name: String = sqlx::query_scalar("select 'qiguan ' || gen_random_uuid()")
        .fetch_one(readers)
        .await?;
    let name = SessionName::new(name);
    let writers = writing_pool(to, WRITERS, &name).await?;
    let ender = Ender {
        name,
        readers: Pool::Postgres(readers.clone()),
        writers: writers.clone(),
        to: options(to, Role::Writer),
        beats: OnceCell::new(),
    };
    Ok((writers, ender))
}

/// Opens the one session on which a node notes that it is alive.
///
/// # Errors
/// When it can't be opened.
pub(crate) async fn beats(ender: &Ender) -> Result<Pool, sqlx::Error> {
    let name = format!("{} beat", ender.name.get());
    let to = ender.to.clone().application_name(&name);
    Ok(Pool::Postgres(sized_pool(&to, Role::Writer, 1).await?))
}

#[cfg(test)]
mod tests;
