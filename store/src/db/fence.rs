//! The fence between programs that write to one record of Postgres: each start of a program is a row of `nodes`, which everything that it
//! writes finds and holds until the commit. One who takes over deletes the row first, which waits for what is under way; whatever comes
//! later finds nothing and is not written.
//!
//! Simulated records have the same rows; none goes while a transaction is open. A file of SQLite is locked by one program, and tools that run beside a server own no games: neither has a fence.

use qiguan_environment::planted::{Fault, is_planted};
use tokio::sync::watch;
use uuid::Uuid;

use super::{Db, Failed, sql};

/// Finds the row of a node and keeps it from being deleted until the transaction ends.
const ALIVE: &str = "select 1 from nodes where node = $1 and incarnation = $2 for key share";

/// One start of a program, or one of its returns after somebody has taken over from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Incarnation {
    /// The process.
    pub node: Uuid,
    /// How often it has joined.
    pub number: i64,
}

impl std::fmt::Display for Incarnation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.node, self.number)
    }
}

/// As whom a program writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AsWhom {
    /// There is no fence.
    Free,
    /// As this one, as long as it has not been taken over.
    Member(Incarnation),
    /// Somebody has taken over: nothing is written before it joins again.
    Fenced,
}

/// See the module.
pub(crate) struct Fence(watch::Sender<AsWhom>);

impl Default for Fence {
    fn default() -> Self {
        Self(watch::Sender::new(AsWhom::Free))
    }
}

impl Fence {
    /// As whom to write; none if there is no fence.
    ///
    /// # Errors
    /// When somebody has taken over.
    pub(crate) fn pass(&self) -> Result<Option<Incarnation>, Failed> {
        match *self.0.borrow() {
            AsWhom::Free => Ok(None),
            AsWhom::Member(as_whom) => Ok(Some(as_whom)),
            AsWhom::Fenced => Err(Failed::Fenced),
        }
    }

    /// From now on everything is written as this one.
    pub(crate) fn join(&self, own: Incarnation) {
        self.0.send_replace(AsWhom::Member(own));
    }

    /// Nothing was written, since somebody has taken over from this one.
    pub(crate) fn is_lost(&self, of: Incarnation) {
        self.0.send_if_modified(|as_whom| {
            let is_lost = *as_whom == AsWhom::Member(of);
            if is_lost {
                *as_whom = AsWhom::Fenced;
            }
            is_lost
        });
    }

    /// Waits until somebody has taken over.
    pub(crate) async fn lost(&self) {
        let mut as_whom = self.0.subscribe();
        // The sender lives as long as this.
        let lost = as_whom.wait_for(|as_whom| *as_whom == AsWhom::Fenced);
        let _ = lost.await;
    }

    /// Finds the row of this program within a transaction, and holds it until that ends.
    ///
    /// # Errors
    /// When somebody has taken over; nothing may be written then.
    pub(crate) async fn check(&self, db: &mut Db) -> Result<(), Failed> {
        if is_planted(Fault::NoFence) {
            return Ok(());
        }
        let Some(own) = self.pass()? else {
            return Ok(());
        };
        if is_there(db, own).await? {
            return Ok(());
        }
        self.is_lost(own);
        Err(Failed::Fenced)
    }
}

async fn is_there(db: &mut Db, own: Incarnation) -> Result<bool, Failed> {
    #[cfg(any(test, feature = "testing"))]
    if let Some(session) = db.simulated() {
        return Ok(session.has_node(own));
    }
    db.has_row(sql(ALIVE).bind(own.node).bind(own.number)).await
}
