//! A connection to simulated records that one caller has. A statement outside of a transaction is one of its own.

use sqlx::{SqliteConnection, sqlite::SqliteQueryResult};

use super::{Age, Program, done};
use crate::db::{Failed, Incarnation};

/// See the module. A transaction that was neither committed nor rolled back ends with it, at once.
pub(crate) struct Session {
    program: Program,
    /// The transaction that is open, and what it was begun on.
    open: Option<(u64, Age)>,
}

impl Session {
    pub(crate) const fn new(program: Program) -> Self {
        Self {
            program,
            open: None,
        }
    }

    /// Does something with SQLite. Within a transaction it takes no time at all.
    ///
    /// # Errors
    /// `Refused` with what SQLite says; `Unknown` when the session was ended, or there is no answer.
    pub(crate) async fn run<T>(
        &mut self,
        work: impl AsyncFnOnce(&mut SqliteConnection) -> Result<T, sqlx::Error> + Send,
    ) -> Result<T, Failed> {
        if let Some((turn, _)) = self.open {
            return self.within(turn, work);
        }
        let sent_on = self.program.arrives().await?;
        let turn = self.takes_turn().await;
        let done = self.within(turn, work);
        self.program.records().end_turn(turn);
        self.program.answers(sent_on).await?;
        done
    }

    /// Begins a transaction, in which nothing takes time any more.
    ///
    /// # Errors
    /// When the database can't be reached.
    pub(crate) async fn begin(&mut self) -> Result<(), Failed> {
        let sent_on = self.program.arrives().await?;
        let turn = self.takes_turn().await;
        self.open = Some((turn, sent_on));
        self.within(turn, statement("begin immediate")).map(drop)
    }

    /// Commits, and waits for the answer.
    ///
    /// # Errors
    /// `Refused` when SQLite has not committed; `Unknown` when there is no answer.
    pub(crate) async fn commit(&mut self) -> Result<(), Failed> {
        let Some((turn, sent_on)) = self.open else {
            return Ok(());
        };
        self.within(turn, statement("commit"))?;
        self.open = None;
        self.program.records().end_turn(turn);
        self.program.answers(sent_on).await
    }

    /// Takes the transaction back.
    pub(crate) fn rollback(&mut self) {
        if let Some((turn, _)) = self.open.take() {
            self.program.records().take_back(turn);
        }
    }

    /// Whether a program that has joined is still there.
    pub(crate) fn has_node(&self, own: Incarnation) -> bool {
        let core = self.program.records().core();
        core.tables.nodes.contains_key(&own)
    }

    async fn takes_turn(&self) -> u64 {
        let sessions = self.program.sessions();
        self.program.records().turn(&sessions).await
    }

    fn within<T>(
        &self,
        turn: u64,
        work: impl AsyncFnOnce(&mut SqliteConnection) -> Result<T, sqlx::Error>,
    ) -> Result<T, Failed> {
        let mut core = self.program.records().core();
        if !core.has_turn(turn) {
            return Err(Failed::Unknown("the session was ended".to_owned()));
        }
        Ok(done(work(&mut core.connection))?)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.rollback();
    }
}

fn statement(
    text: &'static str,
) -> impl AsyncFnOnce(&mut SqliteConnection) -> Result<SqliteQueryResult, sqlx::Error> {
    async move |connection: &mut SqliteConnection| sqlx::query(text).execute(connection).await
}
