//! The journal: what the rooms append at about the same time is written in one transaction (group commit).
//!
//! While one commit is under way, whatever else arrives waits; when it returns, all of it goes into the next. So an idle
//! server commits at once and a busy one shares each flush of the disk among many games.
//!
//! **Invariants:** `Ok` is answered after the commit, never before. A batch that has a place in the queue is written, whether or
//! not the caller still waits: the database is never left in the middle of a transaction by somebody's deadline. A panic
//! while a transaction is written ends that transaction, not the journal.

mod meter;

use std::sync::Arc;

use async_trait::async_trait;
use qiguan_environment::Clock;
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinHandle,
};

use self::meter::Meter;
use crate::store::{Append, AppendError, Store};

/// How many batches may wait. Rooms wait for a place beyond that.
const WAITING: usize = 4_096;
/// The most batches in one transaction: more do not make it cheaper, only later.
const TOGETHER: usize = 512;

/// What a journal asks of a store.
#[async_trait]
pub trait Appends: Send + Sync + 'static {
    /// As [`Store::append`].
    async fn append(&self, batches: &[Append]) -> Vec<Result<(), AppendError>>;
}

#[async_trait]
impl<S: Store + ?Sized> Appends for S {
    async fn append(&self, batches: &[Append]) -> Vec<Result<(), AppendError>> {
        Store::append(self, batches).await
    }
}

struct Job {
    append: Append,
    done: oneshot::Sender<Result<(), AppendError>>,
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
        let closed = || AppendError::Refused("the journal is closed".to_owned());
        self.0
            .send(Job { append, done })
            .await
            .map_err(|_| closed())?;
        answer
            .await
            .unwrap_or_else(|_| Err(AppendError::Unknown("the journal has stopped".to_owned())))
    }
}

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
        let (batches, waiting): (Vec<_>, Vec<_>) = together
            .drain(..)
            .map(|job: Job| (job.append, job.done))
            .unzip();
        let results = meter.measure(flush(&store, batches)).await;
        for (result, done) in results.into_iter().zip(waiting) {
            // The caller may have gone; it is stored all the same.
            let _ = done.send(result);
        }
    }
}

/// Writes batches in a task of their own, so that a panic is nobody's end: what became of them is then to be read back.
async fn flush<S: Appends + ?Sized>(
    store: &Arc<S>,
    batches: Vec<Append>,
) -> Vec<Result<(), AppendError>> {
    let (store, count) = (Arc::clone(store), batches.len());
    let written = tokio::spawn(async move { store.append(&batches).await });
    written.await.unwrap_or_else(|broken| {
        tracing::error!(batches = count, %broken, "writing the records stopped");
        vec![Err(AppendError::Unknown(broken.to_string())); count]
    })
}

#[cfg(test)]
mod tests;
