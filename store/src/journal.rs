//! The journal: what the rooms append at about the same time is written in one transaction (group commit), with the small writes that
//! come then: drafts, lines of spectators, the connection log and the heartbeat cost no flush of their own.
//!
//! While one commit is under way, whatever else arrives waits; when it returns, all of it goes into the next. So an idle
//! server commits at once and a busy one shares each flush of the disk among many games.
//!
//! **Invariants:** `Ok` is answered after the commit, never before. A batch that has a place in the queue is written, whether or
//! not the caller still waits: the database is never left in the middle of a transaction by somebody's deadline. A panic
//! while a transaction is written ends that transaction, not the journal.

mod meter;

use std::{panic::AssertUnwindSafe, sync::Arc};

use async_trait::async_trait;
use futures_util::FutureExt;
use qiguan_environment::Clock;
use qiguan_game::{connection_log::ConnectionEvent, spectator_line::SpectatorLine};
use qiguan_protocol::ids::{GameId, Millis};
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinHandle,
};

use self::meter::Meter;
use crate::{
    absences::Absence,
    drafts::Draft,
    small_write::{SmallWrite, Written},
    store::{Append, AppendError, Store, StoreError},
};

/// How many batches may wait. Rooms wait for a place beyond that.
const WAITING: usize = 4_096;
/// The most batches in one transaction: more do not make it cheaper, only later.
const TOGETHER: usize = 512;

/// What a journal asks of a store.
#[async_trait]
pub trait Appends: Send + Sync + 'static {
    /// As [`Store::flush`].
    async fn flush(&self, batches: &[Append], writes: &[SmallWrite]) -> Flushed;
}

/// What became of what was written together, in its order.
#[derive(Debug)]
pub struct Flushed {
    /// Of the batches.
    pub appended: Vec<Result<(), AppendError>>,
    /// Of the small writes.
    pub written: Vec<Written>,
}

#[async_trait]
impl Appends for Store {
    async fn flush(&self, batches: &[Append], writes: &[SmallWrite]) -> Flushed {
        Self::flush(self, batches, writes).await
    }
}

enum Job {
    Append(Append, oneshot::Sender<Result<(), AppendError>>),
    Write(SmallWrite, oneshot::Sender<Written>),
}

/// The way into the journal. Cheap to clone.
#[derive(Clone)]
pub struct Journal(mpsc::Sender<Job>);

/// The task that writes. Dropping it closes the journal as [`Writer::close`] does, except that nobody waits for what is still
/// queued: it is written as long as the runtime lives, and until then nobody learns that it was.
pub struct Writer {
    task: JoinHandle<()>,
    stop: oneshot::Sender<()>,
}

impl Journal {
    /// Starts writing to a store; the clock measures how long that takes.
    pub fn start<S: Appends + ?Sized>(store: Arc<S>, clock: Clock) -> (Self, Writer) {
        let (sender, jobs) = mpsc::channel(WAITING);
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(write(store, Meter::new(clock), jobs, stopped));
        (Self(sender), Writer { task, stop })
    }

    /// Appends, and comes back once it is durable.
    ///
    /// A caller who stops waiting does not know its outcome: while it waits for a place in the queue it is then never
    /// written, and once it has one it is.
    ///
    /// # Errors
    /// What the store says; `Refused` when the journal is closed; `Unknown` when writing panicked.
    pub async fn append(&self, append: Append) -> Result<(), AppendError> {
        let (done, answer) = oneshot::channel();
        let queued = self.0.send(Job::Append(append, done)).await;
        queued.map_err(|_| AppendError::Refused(CLOSED.to_owned()))?;
        answer
            .await
            .unwrap_or_else(|_| Err(AppendError::Unknown(STOPPED.to_owned())))
    }

    /// Saves a draft in place of the one before, and comes back once it is durable. After an error the one or the other is kept.
    ///
    /// # Errors
    /// What the store says; `Unavailable` when the journal is closed.
    pub async fn save_draft(&self, draft: Draft) -> Result<(), StoreError> {
        self.write(SmallWrite::Draft(draft)).await.map(|_| ())
    }

    /// Keeps lines of spectators, all or nothing, as [`Store::keep_spectator_lines`] does. Returns the numbers of those that are new.
    ///
    /// # Errors
    /// What the store says; `Unavailable` when the journal is closed.
    pub async fn keep_spectator_lines(
        &self,
        lines: Vec<SpectatorLine>,
    ) -> Result<Vec<u32>, StoreError> {
        self.write(SmallWrite::SpectatorLines(lines)).await
    }

    /// Notes when players were connected, as [`Store::note_connections`] does.
    ///
    /// # Errors
    /// What the store says; `Unavailable` when the journal is closed.
    pub async fn note_connections(&self, entries: Vec<ConnectionEvent>) -> Result<(), StoreError> {
        self.write(SmallWrite::Connections(entries))
            .await
            .map(|_| ())
    }

    /// Notes in a game that the server was not there, as [`Store::note_restart`] does.
    ///
    /// # Errors
    /// What the store says; `Unavailable` when the journal is closed.
    pub async fn note_restart(&self, game: GameId, absence: Absence) -> Result<(), StoreError> {
        self.write(SmallWrite::Restart(game, absence))
            .await
            .map(|_| ())
    }

    /// Notes that the server was alive at this time.
    ///
    /// # Errors
    /// What the store says; `Unavailable` when the journal is closed.
    pub async fn heartbeat(&self, at: Millis) -> Result<(), StoreError> {
        self.write(SmallWrite::Heartbeat(at)).await.map(|_| ())
    }

    async fn write(&self, write: SmallWrite) -> Written {
        let (done, answer) = oneshot::channel();
        let queued = self.0.send(Job::Write(write, done)).await;
        queued.map_err(|_| StoreError::Unavailable(CLOSED.to_owned()))?;
        answer
            .await
            .unwrap_or_else(|_| Err(StoreError::Unavailable(STOPPED.to_owned())))
    }
}

const CLOSED: &str = "the journal is closed";
const STOPPED: &str = "the journal has stopped";
const PANICKED: &str = "writing the records stopped with a panic";

impl Writer {
    /// Takes nothing more, writes what has a place in the queue, and ends. Those waiting for a place are refused.
    pub async fn close(self) {
        // If the task has ended by itself there is nothing left to stop.
        let _ = self.stop.send(());
        let _ = self.task.await;
    }
}

async fn write<S: Appends + ?Sized>(
    store: Arc<S>,
    meter: Meter,
    mut jobs: mpsc::Receiver<Job>,
    mut stopped: oneshot::Receiver<()>,
) {
    let mut together = Vec::with_capacity(TOGETHER);
    loop {
        let taken = tokio::select! {
            // Being stopped comes first: under load there is always one more batch.
            biased;
            _ = &mut stopped, if !jobs.is_closed() => {
                jobs.close();
                continue;
            }
            taken = jobs.recv_many(&mut together, TOGETHER) => taken,
        };
        if taken == 0 {
            return;
        }
        let (mut batches, mut appending) = (Vec::new(), Vec::new());
        let (mut writes, mut writing) = (Vec::new(), Vec::new());
        for job in together.drain(..) {
            match job {
                Job::Append(append, done) => {
                    batches.push(append);
                    appending.push(done);
                }
                Job::Write(write, done) => {
                    writes.push(write);
                    writing.push(done);
                }
            }
        }
        let Flushed { appended, written } = meter.measure(flush(&store, &batches, &writes)).await;
        // A caller may have gone; it is stored all the same.
        for (result, done) in appended.into_iter().zip(appending) {
            let _ = done.send(result);
        }
        for (result, done) in written.into_iter().zip(writing) {
            let _ = done.send(result);
        }
    }
}

/// Writes batches. A panic is nobody's end: what became of them is then to be read back.
async fn flush<S: Appends + ?Sized>(
    store: &Arc<S>,
    batches: &[Append],
    writes: &[SmallWrite],
) -> Flushed {
    // What a panic leaves half done is a transaction, which ends with its connection.
    let written = AssertUnwindSafe(store.flush(batches, writes));
    written.catch_unwind().await.unwrap_or_else(|_| {
        tracing::error!(
            batches = batches.len(),
            writes = writes.len(),
            "writing the records stopped with a panic"
        );
        Flushed {
            appended: vec![Err(AppendError::Unknown(PANICKED.to_owned())); batches.len()],
            written: vec![Err(StoreError::Unavailable(PANICKED.to_owned())); writes.len()],
        }
    })
}

#[cfg(test)]
mod tests;
