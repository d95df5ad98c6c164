//! The journal: gathers what all rooms append into one transaction (group commit).
//!
//! While one commit is under way, whatever else arrives waits; when it returns, all of it goes into the next. So an idle
//! server commits at once and a busy one shares each flush of the disk among many games.
//!
//! **Invariant:** a batch that was taken is written or answered, whether or not whoever asked still waits: the database is
//! never left in the middle of a transaction by somebody's deadline.

use std::sync::Arc;

use tokio::{
    sync::{mpsc, oneshot},
    task::JoinHandle,
};

use crate::store::store::{Append, AppendError, Store};

/// How many batches may wait. Rooms wait for a place beyond that.
const WAITING: usize = 4_096;
/// The most batches in one transaction: more do not make it cheaper, only later.
const TOGETHER: usize = 512;

struct Job {
    append: Append,
    done: oneshot::Sender<Result<(), AppendError>>,
}

/// The way into the journal. Cheap to clone.
#[derive(Clone)]
pub struct Journal(mpsc::Sender<Job>);

/// The task that writes.
pub struct Writer {
    task: JoinHandle<()>,
    stop: oneshot::Sender<()>,
}

impl Journal {
    /// Starts writing to a store.
    pub fn start(store: Arc<dyn Store>) -> (Self, Writer) {
        let (sender, jobs) = mpsc::channel(WAITING);
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(write(store, jobs, stopped));
        (Self(sender), Writer { task, stop })
    }

    /// Appends, and comes back once it is durable.
    ///
    /// # Errors
    /// What the store says; `Refused` when the journal is closed.
    pub async fn append(&self, append: Append) -> Result<(), AppendError> {
        let (done, answer) = oneshot::channel();
        let closed = || AppendError::Refused("the journal is closed".to_owned());
        self.0
            .send(Job { append, done })
            .await
            .map_err(|_| closed())?;
        answer.await.unwrap_or_else(|_| {
            Err(AppendError::Unknown(
                "the journal has broken off".to_owned(),
            ))
        })
    }
}

impl Writer {
    /// Writes everything that waits, and ends.
    pub async fn close(self) {
        // If the task has ended by itself there is nothing left to stop.
        let _ = self.stop.send(());
        let _ = self.task.await;
    }
}

async fn write(
    store: Arc<dyn Store>,
    mut jobs: mpsc::Receiver<Job>,
    mut stopped: oneshot::Receiver<()>,
) {
    let mut together = Vec::with_capacity(TOGETHER);
    let mut stopping = false;
    loop {
        let taken = if stopping {
            jobs.recv_many(&mut together, TOGETHER).await
        } else {
            tokio::select! {
                biased;
                taken = jobs.recv_many(&mut together, TOGETHER) => taken,
                _ = &mut stopped => {
                    jobs.close();
                    stopping = true;
                    continue;
                }
            }
        };
        if taken == 0 {
            return;
        }
        let (batches, waiting): (Vec<_>, Vec<_>) = together
            .drain(..)
            .map(|job: Job| (job.append, job.done))
            .unzip();
        for (result, done) in store.append(&batches).await.into_iter().zip(waiting) {
            // Whoever asked may have gone; it is stored all the same.
            let _ = done.send(result);
        }
    }
}
