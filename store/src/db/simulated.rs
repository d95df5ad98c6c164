//! Records in the memory of this process, for simulations: what several programs on one Postgres are to each other, and the SQL of SQLite.
//!
//! **Invariants:** everything is done in the thread that asks for it, and waits for nothing but virtual time. All transactions take turns. A
//! program that is not run any more keeps nobody else from going on for long: others end its transaction, as Postgres ends its session.

mod link;
mod program;
mod session;
mod tables;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use qiguan_protocol::ids::Millis;
use sqlx::{Executor, SqliteConnection, sqlite::SqliteQueryResult};
use tokio::sync::Notify;

pub use self::link::Link;
pub(crate) use self::{
    program::Program,
    session::Session,
    tables::{NodeRow, Tables},
};
use super::Failed;

/// How long others wait for a transaction whose owner says nothing, before they end it.
const IDLE_TRANSACTION: Duration = Duration::from_secs(5);
/// When the record was last noted to be alive.
const HEARTBEAT: &str = "select value from meta where key = 'heartbeat'";

/// The database. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Records(Arc<Inner>);

struct Inner {
    core: Mutex<Core>,
    /// A transaction has ended.
    freed: Notify,
    /// The database can be reached again.
    up: Notify,
}

/// What is in it.
pub(crate) struct Core {
    connection: SqliteConnection,
    /// Programs and slots, of which a file of SQLite knows nothing.
    pub(crate) tables: Tables,
    /// The database's own time.
    pub(crate) now: Millis,
    /// The names of the programs that have sessions.
    pub(crate) sessions: BTreeSet<String>,
    programs: u64,
    /// How often the sessions of a name were ended.
    ends: BTreeMap<String, u64>,
    /// Who has a transaction open.
    turn: Option<Turn>,
    turns: u64,
    is_down: bool,
    outages: u64,
}

struct Turn {
    number: u64,
    sessions: String,
}

/// Which of the sessions of a program something was sent on: it is not carried out once they were ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Age {
    outages: u64,
    ends: u64,
}

impl Records {
    /// Records on a connection that has all tables.
    pub(crate) fn new(connection: SqliteConnection) -> Self {
        let core = Core {
            connection,
            tables: Tables::default(),
            now: Millis(0),
            sessions: BTreeSet::new(),
            programs: 0,
            ends: BTreeMap::new(),
            turn: None,
            turns: 0,
            is_down: false,
            outages: 0,
        };
        Self(Arc::new(Inner {
            core: Mutex::new(core),
            freed: Notify::new(),
            up: Notify::new(),
        }))
    }

    /// What is in the records. Nobody else gets to it until this is dropped.
    pub(crate) fn core(&self) -> MutexGuard<'_, Core> {
        // A statement that panicked is taken back with its transaction.
        self.0.core.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether nobody can reach the database. All sessions end when it goes, and what they have not committed is taken back.
    pub(crate) fn is_down(&self, is_down: bool) {
        let mut core = self.core();
        core.is_down = is_down;
        if is_down {
            core.outages += 1;
            core.sessions.clear();
            core.take_back();
        }
        drop(core);
        self.0.freed.notify_waiters();
        self.0.up.notify_waiters();
    }

    /// Ends the sessions of this name that write: what was sent on them and has not been carried out never is. The one for beats is left.
    pub(crate) fn end_sessions(&self, name: &str) {
        let mut core = self.core();
        *core.ends.entry(name.to_owned()).or_default() += 1;
        if core.turn.as_ref().is_some_and(|turn| turn.sessions == name) {
            core.take_back();
        }
        drop(core);
        self.0.freed.notify_waiters();
    }

    /// Waits until no transaction is open, and comes back with the number of the one that begins. Nobody gets it by being given it: a program that
    /// does not go on can't keep what it does not know of.
    async fn turn(&self, sessions: &str) -> u64 {
        loop {
            let freed = self.0.freed.notified();
            let other = match self.core().take_turn(sessions) {
                Ok(own) => return own,
                Err(other) => other,
            };
            if tokio::time::timeout(IDLE_TRANSACTION, freed).await.is_err() {
                self.take_back(other);
            }
        }
    }

    /// Ends a transaction that is committed, or has written nothing.
    fn end_turn(&self, number: u64) {
        let mut core = self.core();
        if core.has_turn(number) {
            core.turn = None;
        }
        drop(core);
        self.0.freed.notify_waiters();
    }

    /// Ends a transaction, and takes back what it has written.
    fn take_back(&self, number: u64) {
        let mut core = self.core();
        if core.has_turn(number) {
            core.take_back();
        }
        drop(core);
        self.0.freed.notify_waiters();
    }
}

impl Core {
    /// When the record was last noted to be alive.
    pub(crate) fn heartbeat(&mut self) -> Result<Option<Millis>, Failed> {
        let value: Option<i64> =
            done(sqlx::query_scalar(HEARTBEAT).fetch_optional(&mut self.connection))?;
        Ok(value.map(Millis))
    }

    /// Sessions of another program, and what they are called.
    fn new_sessions(&mut self) -> String {
        self.programs += 1;
        let name = format!("qiguan {}", self.programs);
        self.sessions.insert(name.clone());
        name
    }

    /// Which sessions of this name there are now.
    fn age(&self, sessions: &str) -> Age {
        Age {
            outages: self.outages,
            ends: self.ends.get(sessions).copied().unwrap_or_default(),
        }
    }

    fn take_turn(&mut self, sessions: &str) -> Result<u64, u64> {
        if let Some(other) = &self.turn {
            return Err(other.number);
        }
        self.turns += 1;
        self.turn = Some(Turn {
            number: self.turns,
            sessions: sessions.to_owned(),
        });
        Ok(self.turns)
    }

    fn has_turn(&self, number: u64) -> bool {
        self.turn.as_ref().is_some_and(|turn| turn.number == number)
    }

    /// Takes the open transaction back, if there is one.
    fn take_back(&mut self) {
        if self.turn.take().is_some() {
            // SQLite has ended some of them by itself.
            let _: Result<SqliteQueryResult, _> = done(self.connection.execute("rollback"));
        }
    }
}

/// What SQLite does, in its own thread, while this one waits: nothing else of the simulation goes on meanwhile.
pub(crate) fn done<T>(
    doing: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, sqlx::Error> {
    futures_executor::block_on(doing)
}
