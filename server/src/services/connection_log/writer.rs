//! Writes what is noted, some at a time, in a task of its own: no room waits for it, and what has no place is left out and counted.

use std::time::Duration;

use qiguan_game::connection_log::ConnectionEvent;
use qiguan_store::{journal::Journal, store::StoreError};
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinHandle,
};

/// How many entries may wait while the record can't be written.
const WAITING: usize = 65_536;
/// The most entries in one transaction: moves wait no longer than for that.
const TOGETHER: usize = 128;
/// The rest after each transaction, in which entries gather.
const REST: Duration = Duration::from_millis(200);
/// How long to wait when the record can't be written.
const DOWN: Duration = Duration::from_secs(1);

/// The way to the task that writes. Cheap to clone.
#[derive(Clone)]
pub struct ConnectionLog(mpsc::Sender<ConnectionEvent>);

/// The task that writes.
pub struct Writer {
    task: JoinHandle<()>,
    stop: oneshot::Sender<()>,
}

impl ConnectionLog {
    /// Starts writing through the journal.
    pub fn start(journal: Journal) -> (Self, Writer) {
        Self::with_room_for(WAITING, move |entries| {
            let journal = journal.clone();
            async move { journal.note_connections(entries).await }
        })
    }

    fn with_room_for<W>(
        waiting: usize,
        note: impl Fn(Vec<ConnectionEvent>) -> W + Send + 'static,
    ) -> (Self, Writer)
    where
        W: Future<Output = Result<(), StoreError>> + Send + 'static,
    {
        let (sender, entries) = mpsc::channel(waiting);
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(write(note, entries, stopped));
        (Self(sender), Writer { task, stop })
    }

    /// Has something noted within a moment, and waits for nothing. It is left out if too much waits already.
    pub fn note(&self, entry: ConnectionEvent) {
        if self.0.try_send(entry).is_err() {
            left_out(1);
        }
    }
}

impl Writer {
    /// Takes nothing more, writes what waits if that can be done, and ends.
    pub async fn close(self) {
        // If the task has ended by itself there is nothing left to stop.
        let _ = self.stop.send(());
        let _ = self.task.await;
    }
}

fn left_out(entries: usize) {
    metrics::counter!("qiguan_connection_log_dropped_total").increment(entries as u64);
}

async fn write<W>(
    note: impl Fn(Vec<ConnectionEvent>) -> W,
    mut entries: mpsc::Receiver<ConnectionEvent>,
    mut stopped: oneshot::Receiver<()>,
) where
    W: Future<Output = Result<(), StoreError>>,
{
    let mut together = Vec::with_capacity(TOGETHER);
    let mut failing = false;
    loop {
        if together.is_empty() {
            let taken = tokio::select! {
                biased;
                _ = &mut stopped, if !entries.is_closed() => {
                    entries.close();
                    continue;
                }
                taken = entries.recv_many(&mut together, TOGETHER) => taken,
            };
            if taken == 0 {
                return;
            }
        }
        let rest = match note(together.clone()).await {
            Ok(()) => {
                failing = false;
                together.clear();
                REST
            }
            Err(error) => {
                // One line per outage.
                if !std::mem::replace(&mut failing, true) {
                    tracing::warn!(%error, "could not write the connection log");
                }
                if entries.is_closed() {
                    // There is no time left to wait for the record.
                    return left_out(together.len() + entries.len());
                }
                DOWN
            }
        };
        tokio::select! {
            biased;
            _ = &mut stopped, if !entries.is_closed() => entries.close(),
            () = tokio::time::sleep(rest), if !entries.is_closed() => {}
            else => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    };

    use qiguan_protocol::ids::{GameId, Millis};
    use tokio::time::timeout;
    use uuid::Uuid;

    use super::*;
    use qiguan_game::connection_log::ConnectionChange;

    /// A record that can be broken.
    #[derive(Default)]
    struct Record {
        broken: AtomicBool,
        tried: tokio::sync::Notify,
        noted: Mutex<Vec<Vec<i64>>>,
    }

    impl Record {
        /// Starts writing to this record.
        fn log(self: &Arc<Self>, waiting: usize) -> (ConnectionLog, Writer) {
            let record = Arc::clone(self);
            ConnectionLog::with_room_for(waiting, move |entries| {
                std::future::ready(record.note(&entries))
            })
        }

        fn note(&self, entries: &[ConnectionEvent]) -> Result<(), StoreError> {
            self.tried.notify_one();
            if self.broken.load(Ordering::Relaxed) {
                return Err(StoreError::Unavailable("broken".to_owned()));
            }
            let times = entries.iter().map(|entry| entry.at.0).collect();
            self.noted.lock().unwrap().push(times);
            Ok(())
        }

        fn noted(&self) -> Vec<Vec<i64>> {
            self.noted.lock().unwrap().clone()
        }
    }

    fn entry(at: i64) -> ConnectionEvent {
        ConnectionEvent {
            game: GameId(Uuid::nil()),
            at: Millis(at),
            what: ConnectionChange::ServerStarted,
            ply: None,
        }
    }

    #[tokio::test]
    async fn what_comes_while_the_task_rests_is_written_together() {
        let record = Arc::new(Record::default());
        let (log, writer) = record.log(WAITING);
        log.note(entry(1));
        record.tried.notified().await;
        log.note(entry(2));
        log.note(entry(3));
        record.tried.notified().await;
        log.note(entry(4));
        writer.close().await;
        assert_eq!(record.noted(), [vec![1], vec![2, 3], vec![4]]);
        // Late entries are dropped, and wait for nothing.
        log.note(entry(5));
        assert_eq!(record.noted().len(), 3);
    }

    #[tokio::test]
    async fn what_can_not_be_written_is_tried_again_and_what_has_no_place_is_left_out() {
        let record = Arc::new(Record::default());
        record.broken.store(true, Ordering::Relaxed);
        let (log, writer) = record.log(2);
        log.note(entry(1));
        record.tried.notified().await;
        for at in 2..=9 {
            log.note(entry(at));
        }
        record.tried.notified().await;
        assert_eq!(record.noted(), Vec::<Vec<i64>>::new());
        record.broken.store(false, Ordering::Relaxed);
        record.tried.notified().await;
        writer.close().await;
        assert_eq!(record.noted(), [vec![1], vec![2, 3]]);
    }

    #[tokio::test]
    async fn the_end_does_not_wait_for_a_record_that_can_not_be_written() {
        let record = Arc::new(Record::default());
        record.broken.store(true, Ordering::Relaxed);
        let (log, writer) = record.log(WAITING);
        for at in 1..=300 {
            log.note(entry(at));
        }
        let closed = timeout(Duration::from_secs(10), writer.close()).await;
        assert!(closed.is_ok() && record.noted().is_empty());
    }
}
