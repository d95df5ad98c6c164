//! When the server was not there, kept as long as there are games whose clocks have not been held for it.
//!
//! The heartbeat alone does not say that: a server that ends soon after its start has been alive since, and some games do not know yet
//! that it was away before.

use qiguan_protocol::ids::Millis;

use crate::{
    db::sql,
    store::{Store, StoreError},
};

/// What the keys of absences begin with; when the server started follows.
const KEY: &str = "absence:";
/// An absence.
const NOTE: &str = "insert into meta (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value";
/// All of them.
const ALL: &str = "select key, value from meta where key like 'absence:%'";
/// One is of no use any more.
const FORGET: &str = "delete from meta where key = $1";

/// A time during which the server was not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Absence {
    /// When it was last known to be alive; 0 if that is not known.
    pub stopped: Millis,
    /// When it started again.
    pub started: Millis,
}

impl Absence {
    fn key(self) -> String {
        format!("{KEY}{}", self.started.0)
    }
}

impl Store {
    /// Keeps an absence until it is forgotten.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn note_absence(&self, absence: Absence) -> Result<(), StoreError> {
        let note = sql(NOTE).bind(absence.key()).bind(absence.stopped);
        self.execute(None, note).await.map(|_| ())
    }

    /// The absences that are kept, the earliest start first.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn absences(&self) -> Result<Vec<Absence>, StoreError> {
        let rows: Vec<(String, i64)> = self.rows(sql(ALL)).await?;
        let mut absences: Vec<_> = rows
            .into_iter()
            .filter_map(|(key, stopped)| {
                let started = key.strip_prefix(KEY)?.parse().ok()?;
                Some(Absence {
                    stopped: Millis(stopped),
                    started: Millis(started),
                })
            })
            .collect();
        absences.sort_unstable_by_key(|absence| absence.started);
        Ok(absences)
    }

    /// Keeps these absences no longer.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn forget_absences(&self, absences: Vec<Absence>) -> Result<(), StoreError> {
        self.write(None, |db| {
            Box::pin(async move {
                for absence in absences {
                    db.execute(sql(FORGET).bind(absence.key())).await?;
                }
                Ok(())
            })
        })
        .await
    }
}
