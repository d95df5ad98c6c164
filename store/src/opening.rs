//! What records are opened for, and what is done with the tables of an older program.

use std::{
    fs::File,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::store::Store;

/// Up to which size a file is checked before a server starts on it, and before an export: a quarter of a second for each 64 MiB that the system
/// has in memory.
pub const CHECKED_BYTES: u64 = 256 << 20;

/// What becomes of tables that are not those of this program.
pub enum Tables<'a> {
    /// Tables of an older program are brought up to date, and missing tables are made.
    BringUpToDate {
        /// Whether a record in a file is copied before.
        copy: bool,
        /// Receives what is done.
        told: Telling<'a>,
    },
    /// Missing tables are made. Those of an older program stay as they are, and the record is refused.
    Make,
    /// The record is refused if it has not got the tables of this program. Nothing is changed.
    Leave,
}

/// Receives what is done to the tables.
pub type Telling<'a> = &'a mut (dyn FnMut(Step<'_>) + Send);

/// What is done to the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// The record is copied into this file first.
    Copies(&'a Path),
    /// The tables are brought up to date from now on.
    Begins(Change),
    /// The tables are up to date.
    Done(Change),
}

/// From which change of the tables to which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The newest change that the record has; none in a new record.
    pub from: Option<i64>,
    /// The newest change that this program knows.
    pub to: i64,
}

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.from {
            Some(from) => write!(f, "from change {from} to change {}", self.to),
            None => write!(f, "to change {}", self.to),
        }
    }
}

/// What records have, before anybody opens them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Examined {
    /// What the tables lack; none if they are those of this program.
    pub change: Option<Change>,
    /// Whether neither a server nor anybody else has used them yet.
    pub unused: bool,
}

/// Records that a server runs on.
pub struct Served {
    /// The records.
    pub store: Arc<Store>,
    /// The lock of a file. While it is there, no other server starts on the file.
    pub hold: Option<Hold>,
}

/// The lock that a server has on a file of records. The system takes it back when the process ends, however it ends.
#[derive(Debug)]
pub struct Hold {
    pub(super) _lock: File,
}

/// What `migrate` has done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Migrated {
    /// From where to where; none if the tables were up to date.
    pub change: Option<Change>,
    /// The copy that was made before.
    pub copy: Option<PathBuf>,
}
