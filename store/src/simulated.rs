//! Records for simulations of several programs in one thread: what those are to each other on one Postgres, in memory, in virtual time, and
//! with whatever faults the world of the simulation makes. They pass the suite that every database passes (`conformance.rs`).
//!
//! Each program has a [`Store`] of its own, and a [`Link`] to the database, which its world can make slow and cut. A program that ends is one
//! whose store is dropped: its sessions end at once, unless the database can't hear of that.
#![expect(
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "a test stops where a record can't be made"
)]

pub(crate) mod nodes;

use std::sync::{Arc, OnceLock};

use qiguan_protocol::ids::{Epoch, Millis};
use sqlx::{ConnectOptions, SqliteConnection, sqlite::SqliteConnectOptions};

#[cfg(test)]
use crate::db::Incarnation;
pub use crate::db::simulated::Link;
use crate::{
    db::{
        Members, Pool, Sharing,
        simulated::{Program, Records, done},
    },
    event_log::EventLog,
    sql,
    sqlite::MIGRATIONS,
    store::Store,
    versions::{SeenVersion, Versions},
};

/// A database. Cheap to clone.
#[derive(Clone)]
pub struct Database {
    records: Records,
    epoch: Epoch,
}

impl Database {
    /// An empty record of this number, with all tables. Its own clock begins with 0.
    pub fn new(epoch: Epoch) -> Self {
        let mut connection = with_tables();
        let number = sqlx::query(sql::KEEP_EPOCH).bind(i64::from(epoch.0));
        done(number.execute(&mut connection)).unwrap();
        Self {
            records: Records::new(connection),
            epoch,
        }
    }

    /// Sets the database's own clock, by which programs are silent.
    pub fn set_time(&self, now: Millis) {
        self.records.core().now = now;
    }

    /// Whether no program can reach the database. When it goes, all sessions end, and what they have not committed is taken back.
    pub fn is_down(&self, is_down: bool) {
        self.records.is_down(is_down);
    }

    /// The records as one program has them, over this link.
    pub fn open(&self, link: &Link) -> Arc<Store> {
        let program = Program::new(self.records.clone(), link.clone());
        let pool = Pool::Simulated(program.clone(), EventLog::default());
        Arc::new(Store {
            writers: pool.clone(),
            readers: pool,
            sharing: Some(Sharing {
                fence: Arc::default(),
                members: Members::Simulated(program),
            }),
            progress: Arc::default(),
            epoch: self.epoch,
            version: SeenVersion::of(Versions::own().newest),
            #[cfg(test)]
            packs: false,
        })
    }

    /// The last beat of a node is longer ago by so much.
    #[cfg(test)]
    pub(crate) fn misses_beats(&self, node: Incarnation, longer: Millis) {
        let mut core = self.records.core();
        let row = core.tables.nodes.get_mut(&node).unwrap();
        row.beat_at = row.beat_at - longer;
    }

    /// Ends all sessions of a program, as if its process had ended.
    #[cfg(test)]
    pub(crate) fn end_sessions(&self, name: &str) {
        self.records.end_sessions(name);
        self.records.core().sessions.remove(name);
    }
}

/// A connection to a database of its own in memory, with all tables. They are made once, and copied.
fn with_tables() -> SqliteConnection {
    static TABLES: OnceLock<Vec<u8>> = OnceLock::new();
    let tables = TABLES.get_or_init(|| {
        let mut connection = connected();
        futures_executor::block_on(MIGRATIONS.run(&mut connection)).unwrap();
        done(connection.serialize(None)).unwrap().to_vec()
    });
    let mut connection = connected();
    let copy = tables.as_slice().try_into().unwrap();
    done(connection.deserialize(None, copy, false)).unwrap();
    connection
}

fn connected() -> SqliteConnection {
    let options = SqliteConnectOptions::new()
        .in_memory(true)
        .foreign_keys(true)
        .pragma("temp_store", "memory")
        .pragma("trusted_schema", "off")
        .disable_statement_logging();
    done(options.connect()).unwrap()
}

#[cfg(test)]
mod tests;
