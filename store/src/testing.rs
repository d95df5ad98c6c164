//! Records for tests: a file of SQLite, a database of Postgres or a simulated one for one case each.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "a test stops where a record can't be made"
)]

use std::{path::PathBuf, sync::Arc};

use qiguan_environment::Random;
use qiguan_game::audit_entry::AuditEntry;
use qiguan_protocol::{
    audit::AuditId,
    ids::{Epoch, Millis, PlayerId},
    operation::Operation,
};
use qiguan_tests_postgres::Cluster;
use uuid::Uuid;

use crate::{
    simulated::{Database, Link},
    store::Store,
};

/// A database of its own for one case.
pub struct Place {
    url: String,
    /// The folder of a file, removed with the case; a database of Postgres goes with its server.
    folder: Option<PathBuf>,
    /// What is in memory.
    simulated: Option<Database>,
}

impl Place {
    /// A file of SQLite.
    pub fn new(case: &str) -> Self {
        let folder =
            std::env::temp_dir().join(format!("qiguan-store-{}-{case}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self {
            url: format!("sqlite:{}", folder.join("q.db").display()),
            folder: Some(folder),
            simulated: None,
        }
    }

    /// A database of the Postgres that all tests share.
    pub fn postgres() -> Self {
        Self {
            url: Cluster::shared().database(),
            folder: None,
            simulated: None,
        }
    }

    /// A simulated database.
    pub fn simulated() -> Self {
        Self {
            url: "simulated:".to_owned(),
            folder: None,
            simulated: Some(Database::new(Epoch(7))),
        }
    }

    /// Where it is.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The file of the record, in SQLite.
    pub fn file(&self) -> PathBuf {
        self.folder.as_ref().expect("a file").join("q.db")
    }

    /// The simulated database.
    pub const fn database(&self) -> Option<&Database> {
        self.simulated.as_ref()
    }

    /// The record, made if it is missing.
    pub async fn open(&self) -> Arc<Store> {
        self.open_as(Epoch(7)).await
    }

    /// The record; a new one gets this number.
    pub async fn open_as(&self, epoch: Epoch) -> Arc<Store> {
        match &self.simulated {
            Some(database) => database.open(&Link::new(Random::seeded(1))),
            None => crate::open(&self.url, None, epoch).await.unwrap(),
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

/// An entry with a number of its own: an hour for each.
pub fn audit_entry(number: u128, operation: Operation, to: PlayerId) -> AuditEntry {
    AuditEntry {
        id: AuditId(Uuid::from_u128(number)),
        at: Millis(number as i64 * 3_600_000),
        operation,
        by: Some(PlayerId(Uuid::from_u128(9))),
        player: Some(to),
        game: None,
        reason: "因为 '\"".to_owned(),
        details: String::new(),
    }
}
