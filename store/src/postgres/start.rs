//! What a start waits for in Postgres, and for how long: a server that is still starting, and other sessions that hold what is to be
//! changed. What is waited for is logged.

use std::time::Duration;

use anyhow::Context;
use sqlx::{
    ConnectOptions, Connection, Executor, PgConnection,
    migrate::{Migrate, MigrateError, Migrator},
    postgres::PgConnectOptions,
};

use crate::{
    database_url,
    postgres::connection::{CONNECT, MIGRATOR_LOCK},
};

/// The first pause between two tries; each is twice as long as the one before.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// How often the log says that something is still waited for.
const SAY_AGAIN: Duration = Duration::from_secs(30);
/// How long other sessions may keep the tables from being changed.
const LONGEST_LOCK: Duration = Duration::from_mins(5);
/// How long a change then waits for each table at a time: others that need the table meanwhile wait behind it, also programs that run.
const WAIT_FOR_TABLES: &str = "set lock_timeout = '1s'";
/// How long others get the table in between.
const BETWEEN_WAITS: Duration = Duration::from_secs(1);
/// What Postgres answers while it starts, recovers or stops, and while it has no connection left.
const NOT_YET: [&str; 2] = ["57P03", "53300"];
/// What Postgres answers when somebody else holds a lock for too long.
const LOCKED: &str = "55P03";

/// Waits until a server answers.
///
/// # Errors
/// When it has not within that time, or answers that it never will: no such user, database or certificate.
pub(crate) async fn reachable(url: &str, longest: Duration) -> anyhow::Result<()> {
    let to: PgConnectOptions = url.parse().context("the URL is not one of Postgres")?;
    let place = database_url::shown_server(&to);
    let mut pause = FIRST_PAUSE;
    let mut waited = Waited::default();
    loop {
        let connected = tokio::time::timeout(CONNECT, to.connect()).await;
        let why = match connected {
            Ok(Ok(connection)) => return Ok(connection.close().await?),
            Ok(Err(error)) if is_temporary(&error) => error.to_string(),
            Ok(Err(error)) => return Err(error).context("connecting to Postgres"),
            Err(_) => {
                waited.for_so_long(CONNECT);
                "it does not answer".to_owned()
            }
        };
        anyhow::ensure!(
            waited.in_all + pause <= longest,
            "Postgres at {place} could not be reached within {} seconds (--database-wait-seconds): {why}",
            longest.as_secs()
        );
        if waited.is_to_be_said() {
            let left = longest.saturating_sub(waited.in_all).as_secs();
            tracing::warn!(%place, why, "waiting for Postgres, for {left} more seconds at most");
        }
        tokio::time::sleep(pause).await;
        waited.for_so_long(pause);
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// How long a start has waited.
#[derive(Default)]
struct Waited {
    in_all: Duration,
    /// When that was said last.
    said: Option<Duration>,
}

impl Waited {
    fn for_so_long(&mut self, span: Duration) {
        self.in_all += span;
    }

    /// Whether the log is to say so now: at first, and from time to time.
    fn is_to_be_said(&mut self) -> bool {
        let is_new = self
            .said
            .is_none_or(|said| self.in_all.saturating_sub(said) >= SAY_AGAIN);
        if is_new {
            self.said = Some(self.in_all);
        }
        is_new
    }
}

/// Whether it may pass by itself.
fn is_temporary(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(error) => error.kind() != std::io::ErrorKind::InvalidData,
        sqlx::Error::Database(error) => error
            .code()
            .is_some_and(|code| NOT_YET.contains(&code.as_ref())),
        _ => false,
    }
}

/// Where the records of a database are: the connection with the schema that has them, or is to get them, so that no setting of the user
/// or the database leads elsewhere.
///
/// # Errors
/// When the database can't be reached, or several schemas have records.
pub(crate) async fn located(url: &str) -> anyhow::Result<PgConnectOptions> {
    let to: PgConnectOptions = url.parse().context("the URL is not one of Postgres")?;
    let to = to.application_name("qiguan");
    let mut connection = tokio::time::timeout(CONNECT, to.connect())
        .await
        .context("Postgres does not answer")?
        .context("connecting to Postgres")?;
    let schemas: Vec<(String, bool)> = sqlx::query_as(
        "select n.nspname::text, coalesce(n.nspname = current_schema(), false) \
         from pg_catalog.pg_class c \
         join pg_catalog.pg_namespace n on n.oid = c.relnamespace \
         where c.relname = '_sqlx_migrations' \
         and exists (select 1 from pg_catalog.pg_class e where e.relname = 'events' and e.relnamespace = n.oid) \
         and has_schema_privilege(n.oid, 'usage') and pg_has_role(c.relowner, 'usage') \
         order by n.nspname",
    )
    .fetch_all(&mut connection)
    .await?;
    connection.close().await?;
    let schema = match schemas.as_slice() {
        [] => "public",
        [(only, _)] => only,
        several => {
            let current = several.iter().find(|(_, is_current)| *is_current);
            let (current, _) = current.with_context(|| {
                let names: Vec<_> = several.iter().map(|(name, _)| name.as_str()).collect();
                format!(
                    "the schemas {} have records; let the user's search_path begin with the one that is meant",
                    names.join(", ")
                )
            })?;
            current
        }
    };
    let quoted = format!("\"{}\",pg_temp", schema.replace('"', "\"\""));
    Ok(to.options([("search_path", quoted)]))
}

/// Brings the tables up to date. While another program does so, it waits and says for whom.
///
/// # Errors
/// When nobody lets go in time.
pub(crate) async fn migrate(
    migrations: &Migrator,
    connection: &mut PgConnection,
) -> anyhow::Result<Result<(), MigrateError>> {
    let mut waited = Waited::default();
    // The lock that the change itself takes as well: a session may take it twice.
    while let Err(error) = connection.lock().await {
        if !is_locked(&error) {
            return Ok(Err(error));
        }
        waited.for_so_long(MIGRATOR_LOCK);
        let holders = holders(connection).await?;
        anyhow::ensure!(
            waited.in_all < LONGEST_LOCK,
            "the tables could not be brought up to date within {} seconds: locked by {holders}",
            LONGEST_LOCK.as_secs()
        );
        if waited.is_to_be_said() {
            tracing::warn!(holders, "waiting for another session that locks the tables");
        }
    }
    connection.execute(WAIT_FOR_TABLES).await?;
    let mut waited = Waited::default();
    let migrated = loop {
        match migrations.run(&mut *connection).await {
            Err(error) if is_locked(&error) && waited.in_all < LONGEST_LOCK => {
                waited.for_so_long(BETWEEN_WAITS * 2);
                if waited.is_to_be_said() {
                    tracing::warn!("waiting for another session that uses a table");
                }
                tokio::time::sleep(BETWEEN_WAITS).await;
            }
            migrated => break migrated,
        }
    };
    Ok(match (migrated, connection.unlock().await) {
        (Err(error), _) | (Ok(()), Err(error)) => Err(error),
        (Ok(()), Ok(())) => Ok(()),
    })
}

fn is_locked(error: &MigrateError) -> bool {
    let mut next: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = next {
        let of_database = error
            .downcast_ref::<sqlx::Error>()
            .and_then(sqlx::Error::as_database_error);
        if of_database.is_some_and(|error| error.code().as_deref() == Some(LOCKED)) {
            return true;
        }
        next = error.source();
    }
    false
}

/// Who else holds locks in this database, for people to read.
async fn holders(connection: &mut PgConnection) -> anyhow::Result<String> {
    let holders: Vec<String> = sqlx::query_scalar(
        "select distinct 'process ' || l.pid || coalesce(' (' || a.usename || ', ' || nullif(a.application_name, '') || ')', '') \
         from pg_catalog.pg_locks l \
         join pg_catalog.pg_database d on d.oid = l.database and d.datname = current_database() \
         left join pg_catalog.pg_stat_activity a on a.pid = l.pid \
         where l.granted and l.pid <> pg_backend_pid() \
         and l.locktype = 'advisory' \
         order by 1 limit 5",
    )
    .fetch_all(connection)
    .await?;
    Ok(if holders.is_empty() {
        "a session that has just let go".to_owned()
    } else {
        holders.join(", ")
    })
}
