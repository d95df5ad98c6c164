//! One way to ask either database: a [`Statement`] is run on a [`Db`], which is a connection of one or the other.
//!
//! **Invariants:** a session whose fate is not known (it did not answer, broke, or was left inside a transaction) is closed and
//! never used again. Nothing waits for ever.

mod ender;
mod fence;
mod row;
mod sharing;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod simulated;
mod statement;
mod value;

use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use sqlx::{
    FromRow, PgConnection, PgPool, Postgres, Sqlite, SqliteConnection, SqlitePool,
    pool::PoolConnection,
    postgres::{PgArguments, PgRow, PgSeverity},
    query::{Query, QueryAs},
};

pub use self::fence::Incarnation;
pub(crate) use self::{
    ender::{Ender, SessionName, end_sessions},
    fence::Fence,
    row::{Column, Row},
    sharing::{Members, Sharing},
    statement::{Statement, sql},
    value::Value,
};
use qiguan_environment::Clock;

use crate::{
    errors::StoreError,
    event_log::EventLog,
    failpoints::{self, ASKED_FOR},
    write_progress::WriteProgress,
};

/// Measures how long connections are waited for.
static CLOCK: LazyLock<Clock> = LazyLock::new(Clock::system);

/// How long an answer of Postgres may take; longer than anything that the database ends by itself.
const ANSWER: Duration = Duration::from_secs(6);

/// Which database there is, where a statement depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// SQLite.
    Sqlite,
    /// Postgres.
    Postgres,
}

impl Dialect {
    /// What is written for this database.
    pub(crate) const fn pick(self, sqlite: &'static str, postgres: &'static str) -> &'static str {
        match self {
            Self::Sqlite => sqlite,
            Self::Postgres => postgres,
        }
    }
}

/// Why a statement was not carried out, or may not have been.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failed {
    /// The database has refused it as a whole, and the session goes on.
    #[error(transparent)]
    Refused(#[from] sqlx::Error),
    /// What became of it is not known, and the session is closed.
    #[error("{0}")]
    Unknown(String),
    /// A row makes no sense.
    #[error(transparent)]
    Corrupt(#[from] StoreError),
    /// Another program has taken over from this one: nothing is written.
    #[error("another program has taken over from this one")]
    Fenced,
}

impl From<Failed> for StoreError {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Corrupt(error) => error,
            Failed::Refused(error) => Self::Unavailable(error.to_string()),
            Failed::Unknown(why) => Self::Unavailable(why),
            fenced @ Failed::Fenced => Self::Unavailable(fenced.to_string()),
        }
    }
}

/// The connections of one purpose, reading or writing.
#[derive(Clone)]
pub(crate) enum Pool {
    /// To a file, whose log all of them know.
    Sqlite(SqlitePool, EventLog),
    /// To a server.
    Postgres(PgPool),
    /// To a simulated database, whose log this program knows.
    #[cfg(any(test, feature = "testing"))]
    Simulated(simulated::Program, EventLog),
}

impl Pool {
    /// Which database it is.
    pub(crate) const fn dialect(&self) -> Dialect {
        match self {
            Self::Sqlite(..) => Dialect::Sqlite,
            Self::Postgres(_) => Dialect::Postgres,
            #[cfg(any(test, feature = "testing"))]
            Self::Simulated(..) => Dialect::Sqlite,
        }
    }

    #[cfg(test)]
    pub(crate) fn of_sqlite(&self) -> &SqlitePool {
        match self {
            Self::Sqlite(pool, _) => pool,
            _ => panic!("these are not connections to a file"),
        }
    }

    #[cfg(test)]
    pub(crate) fn of_postgres(&self) -> &PgPool {
        match self {
            Self::Postgres(pool) => pool,
            _ => panic!("these are not connections to Postgres"),
        }
    }

    /// How many connections are open, how many of them nobody uses, and how many there can be.
    pub(crate) fn connections(&self) -> [u32; 3] {
        match self {
            Self::Sqlite(pool, _) => connections(pool),
            Self::Postgres(pool) => connections(pool),
            #[cfg(any(test, feature = "testing"))]
            Self::Simulated(..) => [0; 3],
        }
    }

    /// A connection, as soon as one is free.
    pub(crate) async fn acquire(&self) -> Result<Db, Failed> {
        let begun = CLOCK.micros();
        let acquired = self.connect().await;
        let micros = CLOCK.micros().saturating_sub(begun);
        metrics::histogram!("qiguan_database_acquire_seconds").record(micros as f64 / 1e6);
        acquired
    }

    async fn connect(&self) -> Result<Db, Failed> {
        let (connection, log) = match self {
            Self::Sqlite(pool, log) => {
                (Connection::Sqlite(pool.acquire().await?), Some(log.clone()))
            }
            Self::Postgres(pool) => (Connection::Postgres(pool.acquire().await?), None),
            #[cfg(any(test, feature = "testing"))]
            Self::Simulated(program, log) => {
                let session = simulated::Session::new(program.clone());
                (Connection::Simulated(session), Some(log.clone()))
            }
        };
        Ok(Db {
            connection,
            log,
            in_transaction: false,
        })
    }

    /// A connection inside a transaction that will write.
    pub(crate) async fn begin(&self) -> Result<Db, Failed> {
        let mut db = self.acquire().await?;
        db.begin(db.dialect().pick("begin immediate", "begin"))
            .await?;
        Ok(db)
    }

    /// A connection to SQLite inside a transaction that will write, and the row that it begins with. Both are one way to the thread of the
    /// connection and back.
    pub(crate) async fn begin_with<R: Row>(
        &self,
        query: Statement,
    ) -> Result<(Db, Option<R>), Failed> {
        let mut db = self.acquire().await?;
        #[cfg(any(test, feature = "testing"))]
        if let Connection::Simulated(session) = &mut db.connection {
            session.begin().await?;
            let row = db.row(query).await?;
            return Ok((db, row));
        }
        db.in_transaction = true;
        let row = db.row(query.after("begin immediate; ")).await?;
        Ok((db, row))
    }

    /// A connection that sees the records as they are at this moment, until it is dropped.
    pub(crate) async fn snapshot(&self) -> Result<Db, Failed> {
        let mut db = self.acquire().await?;
        let begin = db
            .dialect()
            .pick("begin", "begin isolation level repeatable read read only");
        db.begin(begin).await?;
        Ok(db)
    }

    /// Finishes what is under way and closes the connections.
    pub(crate) async fn close(&self) {
        match self {
            Self::Sqlite(pool, _) => pool.close().await,
            Self::Postgres(pool) => pool.close().await,
            #[cfg(any(test, feature = "testing"))]
            Self::Simulated(program, _) => program.close(),
        }
    }
}

fn connections<D: sqlx::Database>(pool: &sqlx::Pool<D>) -> [u32; 3] {
    let most = pool.options().get_max_connections();
    let idle = u32::try_from(pool.num_idle()).unwrap_or(most);
    [pool.size(), idle, most]
}

enum Connection {
    Sqlite(PoolConnection<Sqlite>),
    Postgres(PoolConnection<Postgres>),
    #[cfg(any(test, feature = "testing"))]
    Simulated(simulated::Session),
}

/// A connection that one caller has. A transaction that was neither committed nor rolled back ends with it.
pub(crate) struct Db {
    connection: Connection,
    /// Where the events of games are in the log; none in Postgres, which needs no log.
    log: Option<EventLog>,
    in_transaction: bool,
}

impl Db {
    /// Which database it is.
    pub(crate) const fn dialect(&self) -> Dialect {
        match self.connection {
            Connection::Sqlite(_) => Dialect::Sqlite,
            Connection::Postgres(_) => Dialect::Postgres,
            #[cfg(any(test, feature = "testing"))]
            Connection::Simulated(_) => Dialect::Sqlite,
        }
    }

    /// Whether a statement finds nothing because no row of Postgres has such a text.
    fn finds_nothing(&self, statement: &Statement) -> bool {
        self.dialect() == Dialect::Postgres && statement.has_zero_byte()
    }

    /// Where the events of games are in the log, in SQLite.
    pub(crate) fn log(&self) -> Option<EventLog> {
        self.log.clone()
    }

    /// Begins a transaction. A caller that goes away meanwhile leaves it begun, perhaps, so the session counts as inside it from now on.
    async fn begin(&mut self, statement: &'static str) -> Result<(), Failed> {
        #[cfg(any(test, feature = "testing"))]
        if let Connection::Simulated(session) = &mut self.connection {
            return session.begin().await;
        }
        self.in_transaction = true;
        self.execute(sql(statement)).await.map(|_| ())
    }

    /// Carries a statement out. Comes back with the number of rows that it changed.
    pub(crate) async fn execute(&mut self, statement: Statement) -> Result<u64, Failed> {
        let done = match &mut self.connection {
            Connection::Sqlite(connection) => {
                let done = statement.sqlite()?.execute(&mut **connection).await;
                done.map(|done| done.rows_affected()).map_err(Failed::from)
            }
            Connection::Postgres(connection) => {
                let done = answered(statement.postgres()?.execute(&mut **connection)).await;
                done.map(|done| done.rows_affected())
            }
            #[cfg(any(test, feature = "testing"))]
            Connection::Simulated(session) => {
                let query = statement.sqlite()?;
                let done = session.run(async move |connection| query.execute(connection).await);
                done.await.map(|done| done.rows_affected())
            }
        };
        self.closing(done)
    }

    /// Inserts rows into a table of SQLite that has numbers. Comes back with the number of the last one.
    pub(crate) async fn insert_numbered(&mut self, statement: Statement) -> Result<i64, Failed> {
        let done = match &mut self.connection {
            Connection::Sqlite(connection) => {
                let done = statement.sqlite()?.execute(&mut **connection).await;
                done.map(|done| done.last_insert_rowid())
                    .map_err(Failed::from)
            }
            Connection::Postgres(_) => Err(Failed::Refused(sqlx::Error::Configuration(
                "this statement is for SQLite".into(),
            ))),
            #[cfg(any(test, feature = "testing"))]
            Connection::Simulated(session) => {
                let query = statement.sqlite()?;
                let done = session.run(async move |connection| query.execute(connection).await);
                done.await.map(|done| done.last_insert_rowid())
            }
        };
        self.closing(done)
    }

    /// All rows that a statement comes back with.
    pub(crate) async fn rows<R: Row>(&mut self, statement: Statement) -> Result<Vec<R>, Failed> {
        if self.finds_nothing(&statement) {
            return Ok(Vec::new());
        }
        let rows = match &mut self.connection {
            Connection::Sqlite(connection) => {
                let rows = statement.sqlite_as()?.fetch_all(&mut **connection).await;
                rows.map_err(Failed::from)
            }
            Connection::Postgres(connection) => {
                answered(statement.postgres_as()?.fetch_all(&mut **connection)).await
            }
            #[cfg(any(test, feature = "testing"))]
            Connection::Simulated(session) => {
                let query = statement.sqlite_as()?;
                let rows = session.run(async move |connection| query.fetch_all(connection).await);
                rows.await
            }
        };
        self.closing(rows)
    }

    /// The first row, if there is one.
    pub(crate) async fn row<R: Row>(&mut self, statement: Statement) -> Result<Option<R>, Failed> {
        if self.finds_nothing(&statement) {
            return Ok(None);
        }
        let row = match &mut self.connection {
            Connection::Sqlite(connection) => {
                let row = statement
                    .sqlite_as()?
                    .fetch_optional(&mut **connection)
                    .await;
                row.map_err(Failed::from)
            }
            Connection::Postgres(connection) => {
                answered(statement.postgres_as()?.fetch_optional(&mut **connection)).await
            }
            #[cfg(any(test, feature = "testing"))]
            Connection::Simulated(session) => {
                let query = statement.sqlite_as()?;
                let row =
                    session.run(async move |connection| query.fetch_optional(connection).await);
                row.await
            }
        };
        self.closing(row)
    }

    /// The first column of all rows.
    pub(crate) async fn values<T: Column>(
        &mut self,
        statement: Statement,
    ) -> Result<Vec<T>, Failed> {
        let rows: Vec<(T,)> = self.rows(statement).await?;
        Ok(rows.into_iter().map(|(value,)| value).collect())
    }

    /// The first column of the first row, if there is one.
    pub(crate) async fn value<T: Column>(
        &mut self,
        statement: Statement,
    ) -> Result<Option<T>, Failed> {
        let row: Option<(T,)> = self.row(statement).await?;
        Ok(row.map(|(value,)| value))
    }

    /// The one number that a statement counts.
    pub(crate) async fn count(&mut self, statement: Statement) -> Result<i64, Failed> {
        let count = self.value(statement).await?;
        count.ok_or(Failed::Refused(sqlx::Error::RowNotFound))
    }

    /// Whether a statement comes back with a row.
    pub(crate) async fn has_row(&mut self, statement: Statement) -> Result<bool, Failed> {
        let done = match &mut self.connection {
            Connection::Sqlite(connection) => {
                let row = statement.sqlite()?.fetch_optional(&mut **connection).await;
                row.map(|row| row.is_some()).map_err(Failed::from)
            }
            Connection::Postgres(connection) => {
                let row = answered(statement.postgres()?.fetch_optional(&mut **connection)).await;
                row.map(|row| row.is_some())
            }
            #[cfg(any(test, feature = "testing"))]
            Connection::Simulated(session) => {
                let query = statement.sqlite()?;
                let row =
                    session.run(async move |connection| query.fetch_optional(connection).await);
                row.await.map(|row| row.is_some())
            }
        };
        self.closing(done)
    }

    /// Begins a part of the transaction that can fail by itself.
    pub(crate) async fn savepoint(&mut self) -> Result<(), Failed> {
        self.execute(sql("savepoint part")).await.map(|_| ())
    }

    /// Ends the part and keeps what it has written.
    pub(crate) async fn release_savepoint(&mut self) -> Result<(), Failed> {
        self.execute(sql("release savepoint part"))
            .await
            .map(|_| ())
    }

    /// Ends the part and takes back what it has written.
    pub(crate) async fn rollback_to_savepoint(&mut self) -> Result<(), Failed> {
        self.execute(sql("rollback to savepoint part")).await?;
        self.release_savepoint().await
    }

    /// Carries out a statement that only Postgres understands. Comes back with the number of rows that it changed.
    pub(crate) async fn execute_in_postgres(
        &mut self,
        query: Query<'_, Postgres, PgArguments>,
    ) -> Result<u64, Failed> {
        let done = match &mut self.connection {
            Connection::Postgres(connection) => {
                let done = answered(query.execute(&mut **connection)).await;
                done.map(|done| done.rows_affected())
            }
            Connection::Sqlite(_) => Err(for_postgres()),
            #[cfg(any(test, feature = "testing"))]
            Connection::Simulated(_) => Err(for_postgres()),
        };
        self.closing(done)
    }

    /// All rows that a statement comes back with that only Postgres understands.
    pub(crate) async fn rows_in_postgres<R>(
        &mut self,
        query: QueryAs<'_, Postgres, R, PgArguments>,
    ) -> Result<Vec<R>, Failed>
    where
        R: Send + Unpin + for<'r> FromRow<'r, PgRow>,
    {
        let rows = match &mut self.connection {
            Connection::Postgres(connection) => answered(query.fetch_all(&mut **connection)).await,
            Connection::Sqlite(_) => Err(for_postgres()),
            #[cfg(any(test, feature = "testing"))]
            Connection::Simulated(_) => Err(for_postgres()),
        };
        self.closing(rows)
    }

    /// Makes the transaction durable.
    pub(crate) async fn commit(mut self) -> Result<(), Failed> {
        #[cfg(any(test, feature = "testing"))]
        if let Connection::Simulated(session) = &mut self.connection {
            return session.commit().await;
        }
        self.execute(sql("commit")).await?;
        self.in_transaction = false;
        Ok(())
    }

    /// Takes the transaction back.
    pub(crate) async fn rollback(mut self) -> Result<(), Failed> {
        #[cfg(any(test, feature = "testing"))]
        if let Connection::Simulated(session) = &mut self.connection {
            session.rollback();
            return Ok(());
        }
        self.execute(sql("rollback")).await?;
        self.in_transaction = false;
        Ok(())
    }

    /// The connection itself, for what is said to SQLite alone; none if this is Postgres.
    pub(crate) fn sqlite(&mut self) -> Option<&mut SqliteConnection> {
        match &mut self.connection {
            Connection::Sqlite(connection) => Some(connection),
            Connection::Postgres(_) => None,
            #[cfg(any(test, feature = "testing"))]
            Connection::Simulated(_) => None,
        }
    }

    /// The connection itself, for what is said to Postgres alone; none if this is SQLite.
    pub(crate) fn postgres(&mut self) -> Option<&mut PgConnection> {
        match &mut self.connection {
            Connection::Sqlite(_) => None,
            Connection::Postgres(connection) => Some(connection),
            #[cfg(any(test, feature = "testing"))]
            Connection::Simulated(_) => None,
        }
    }

    /// The session of a simulated database.
    #[cfg(any(test, feature = "testing"))]
    fn simulated(&self) -> Option<&simulated::Session> {
        match &self.connection {
            Connection::Simulated(session) => Some(session),
            _ => None,
        }
    }

    /// Closes the session if it is not known what became of what it was asked.
    fn closing<T>(&mut self, result: Result<T, Failed>) -> Result<T, Failed> {
        if matches!(result, Err(Failed::Unknown(_))) {
            self.close_on_drop();
        }
        result
    }

    fn close_on_drop(&mut self) {
        match &mut self.connection {
            Connection::Sqlite(connection) => connection.close_on_drop(),
            Connection::Postgres(connection) => connection.close_on_drop(),
            // It ends by itself what it has not committed.
            #[cfg(any(test, feature = "testing"))]
            Connection::Simulated(_) => {}
        }
    }
}

impl Drop for Db {
    fn drop(&mut self) {
        // SQLite ends a transaction by itself when the disk is full, and Postgres when a statement fails: a new connection costs
        // less than finding out.
        if self.in_transaction {
            self.close_on_drop();
        }
    }
}

/// Runs small writes of one transaction to their end even if the caller goes away. What is committed is durable when this
/// returns; after an error nothing is, unless the database was lost while it committed.
pub(crate) async fn write<T: Send + 'static>(
    writers: &Pool,
    progress: Arc<WriteProgress>,
    cause: Option<&'static str>,
    writing: impl for<'c> FnOnce(&'c mut Db) -> Writing<'c, T> + Send + 'static,
) -> Result<T, StoreError> {
    let writers = writers.clone();
    let written = tokio::spawn(async move {
        let mut db = writers.begin().await?;
        let number = progress.begins();
        match writing(&mut db).await {
            Ok(value) => {
                cause.map_or(Ok(()), |cause| pass("before_commit", cause))?;
                db.commit().await?;
                progress.is_durable(number);
                cause.map_or(Ok(()), |cause| pass("after_commit", cause))?;
                Ok(value)
            }
            // What is open is taken back with the session.
            Err(failed @ Failed::Unknown(_)) => Err(failed),
            Err(failed) => {
                // If this fails too, the session is closed, which takes it back as well.
                let _ = db.rollback().await;
                Err(failed)
            }
        }
    });
    match written.await {
        Ok(result) => result.map_err(|failed: Failed| failed.into()),
        Err(broken) => Err(StoreError::Unavailable(broken.to_string())),
    }
}

/// The statements of one small write.
pub(crate) type Writing<'c, T> = futures_util::future::BoxFuture<'c, Result<T, Failed>>;

/// Passes a fault point.
pub(crate) fn pass(point: &'static str, cause: &str) -> Result<(), Failed> {
    if failpoints::point(point, cause) {
        return Err(Failed::Refused(sqlx::Error::Io(std::io::Error::other(
            ASKED_FOR,
        ))));
    }
    Ok(())
}

fn for_postgres() -> Failed {
    Failed::Refused(sqlx::Error::Configuration(
        "this statement is for Postgres".into(),
    ))
}

/// Waits for an answer of Postgres, but not for ever.
async fn answered<T>(asked: impl Future<Output = Result<T, sqlx::Error>>) -> Result<T, Failed> {
    match tokio::time::timeout(ANSWER, asked).await {
        Ok(result) => result.map_err(failed),
        Err(_) => Err(Failed::Unknown("the database does not answer".to_owned())),
    }
}

/// Only an error that the database has reported itself, and survived, says that nothing was done.
pub(crate) fn failed(error: sqlx::Error) -> Failed {
    let severity = error
        .as_database_error()
        .and_then(|error| error.try_downcast_ref::<sqlx::postgres::PgDatabaseError>())
        .map(sqlx::postgres::PgDatabaseError::severity);
    match (severity, error) {
        // What could not be encoded was never sent; what can't be decoded was answered.
        (Some(PgSeverity::Error), error)
        | (
            None,
            error @ (sqlx::Error::Encode(_)
            | sqlx::Error::Decode(_)
            | sqlx::Error::ColumnDecode { .. }),
        ) => Failed::Refused(error),
        (_, error) => Failed::Unknown(error.to_string()),
    }
}
