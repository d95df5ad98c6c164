//! One program on simulated records: its sessions, and how what it asks gets there and back.

use std::{sync::Arc, time::Duration};

use super::{Age, Core, Link, Records};
use crate::db::{Failed, SessionName};

/// How long a session may take to come about.
const CONNECT: Duration = Duration::from_secs(3);
/// How long an answer may take.
const ANSWER: Duration = Duration::from_secs(6);

/// See the module. Its sessions end with the last clone, if the database can hear of that. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Program(Arc<Inner>);

struct Inner {
    records: Records,
    link: Link,
    /// What its sessions are called.
    sessions: SessionName,
}

impl Program {
    pub(crate) fn new(records: Records, link: Link) -> Self {
        let sessions = records.core().new_sessions();
        Self(Arc::new(Inner {
            records,
            link,
            sessions: SessionName::new(sessions),
        }))
    }

    /// What its sessions are called.
    pub(crate) fn sessions(&self) -> String {
        self.0.sessions.get()
    }

    /// Ends its sessions; those that come after have another name.
    pub(crate) async fn rename(&self, name: String) {
        // If the database can't be reached for this, nothing else is written either.
        let _ = self.end_sessions(self.sessions()).await;
        self.0.sessions.set(name);
    }

    /// Ends the sessions of any program.
    ///
    /// # Errors
    /// When the database can't be reached.
    pub(crate) async fn end_sessions(&self, name: String) -> Result<(), Failed> {
        let sent_on = self.arrives().await?;
        self.records().end_sessions(&name);
        // These may have been its own.
        let now = self.age();
        self.answers(if name == self.sessions() {
            now
        } else {
            sent_on
        })
        .await
    }

    /// Reads or changes the rows of programs and slots, when no transaction is open, to the end even if the caller goes away.
    ///
    /// # Errors
    /// When the database can't be reached, or what `change` fails with.
    pub(crate) async fn in_turn<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut Core) -> Result<T, Failed> + Send + 'static,
    ) -> Result<T, Failed> {
        let program = self.clone();
        let changing = async move {
            let sent_on = program.arrives().await?;
            let turn = program.records().turn(&program.sessions()).await;
            let changed = change(&mut program.records().core());
            program.records().end_turn(turn);
            program.answers(sent_on).await?;
            changed
        };
        to_the_end(changing).await
    }

    /// As [`Self::in_turn`], also while a transaction is open.
    ///
    /// # Errors
    /// The same.
    pub(crate) async fn at_once<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut Core) -> Result<T, Failed> + Send + 'static,
    ) -> Result<T, Failed> {
        let program = self.clone();
        let changing = async move {
            let sent_on = program.arrives().await?;
            let changed = change(&mut program.records().core());
            program.answers(sent_on).await?;
            changed
        };
        to_the_end(changing).await
    }

    /// Lets go of the database.
    pub(crate) fn close(&self) {
        self.0.close();
    }

    pub(super) fn records(&self) -> &Records {
        &self.0.records
    }

    /// Sends something, and comes back when the database has it, with the sessions that it was sent on.
    pub(super) async fn arrives(&self) -> Result<Age, Failed> {
        let reached = self.is_reached();
        if tokio::time::timeout(CONNECT, reached).await.is_err() {
            return Err(Failed::Refused(sqlx::Error::PoolTimedOut));
        }
        let sent_on = self.age();
        self.0.link.takes_time().await;
        self.gets_through(sent_on).await?;
        let sessions = self.sessions();
        self.records().core().sessions.insert(sessions);
        Ok(sent_on)
    }

    /// Waits for the answer to something that was sent on these sessions.
    pub(super) async fn answers(&self, sent_on: Age) -> Result<(), Failed> {
        self.0.link.takes_time().await;
        self.gets_through(sent_on).await
    }

    fn age(&self) -> Age {
        self.records().core().age(&self.sessions())
    }

    async fn gets_through(&self, sent_on: Age) -> Result<(), Failed> {
        let heals = async {
            loop {
                let healed = self.0.link.healed();
                if !self.0.link.is_cut() {
                    return;
                }
                healed.await;
            }
        };
        if tokio::time::timeout(ANSWER, heals).await.is_err() {
            return Err(Failed::Unknown("the database does not answer".to_owned()));
        }
        if self.age() != sent_on {
            return Err(Failed::Unknown("the session was ended".to_owned()));
        }
        Ok(())
    }

    async fn is_reached(&self) {
        loop {
            let (healed, up) = (self.0.link.healed(), self.records().0.up.notified());
            if !self.0.link.is_cut() && !self.records().core().is_down {
                return;
            }
            tokio::select! {
                biased;
                () = healed => {}
                () = up => {}
            }
        }
    }
}

impl Inner {
    fn close(&self) {
        let mut core = self.records.core();
        if !self.link.is_cut() {
            core.sessions.remove(&self.sessions.get());
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.close();
    }
}

/// In a task of its own.
async fn to_the_end<T: Send + 'static>(
    doing: impl Future<Output = Result<T, Failed>> + Send + 'static,
) -> Result<T, Failed> {
    match tokio::spawn(doing).await {
        Ok(done) => done,
        Err(broken) => Err(Failed::Unknown(broken.to_string())),
    }
}
