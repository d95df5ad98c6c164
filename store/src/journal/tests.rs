//! The journal over a store that can be held up, and that panics on demand.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures_util::poll;
use tokio::{sync::Semaphore, time::timeout};

use super::*;

/// A cause at which the store panics.
const PANICS: &str = "panics";

/// Writes into memory, one transaction for each permit.
struct Held {
    permits: Semaphore,
    /// Whether anything came to be written.
    begun: AtomicBool,
    /// The causes of what was written.
    written: Mutex<Vec<&'static str>>,
    /// How many transactions that took.
    flushes: AtomicUsize,
}

impl Held {
    fn with_permits(permits: usize) -> Arc<Self> {
        Arc::new(Self {
            permits: Semaphore::new(permits),
            begun: AtomicBool::new(false),
            written: Mutex::default(),
            flushes: AtomicUsize::new(0),
        })
    }

    fn open(&self) {
        self.permits.add_permits(Semaphore::MAX_PERMITS / 2);
    }

    /// Waits until the first batches have been taken out of the queue.
    async fn is_writing(&self) {
        while !self.begun.load(Ordering::Relaxed) {
            tokio::task::yield_now().await;
        }
    }

    fn written(&self, cause: &str) -> usize {
        let written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.iter().filter(|one| **one == cause).count()
    }
}

#[async_trait]
impl Appends for Held {
    async fn flush(&self, batches: &[Append], writes: &[SmallWrite]) -> Flushed {
        self.begun.store(true, Ordering::Relaxed);
        // A caller who can ask has asked before anything is written, so that something is queued meanwhile.
        tokio::task::yield_now().await;
        self.permits.acquire().await.unwrap().forget();
        assert!(batches.iter().all(|batch| batch.cause != PANICS));
        self.flushes.fetch_add(1, Ordering::Relaxed);
        let mut written = self.written.lock().unwrap();
        written.extend(batches.iter().map(|batch| batch.cause));
        written.extend(writes.iter().map(SmallWrite::cause));
        Flushed {
            appended: vec![Ok(()); batches.len()],
            written: vec![Ok(Vec::new()); writes.len()],
        }
    }
}

fn batch(cause: &'static str) -> Append {
    Append {
        cause,
        audit_entry: None,
        commands: Vec::new(),
        quotas: Vec::new(),
        entries: Vec::new(),
    }
}

/// Far longer than anything here takes.
async fn soon<T>(what: impl Future<Output = T>) -> T {
    timeout(Duration::from_secs(20), what)
        .await
        .expect("it takes far too long")
}

/// Has one append being written, and the queue full of others.
async fn full(journal: &Journal, store: &Held) -> Vec<JoinHandle<Result<(), AppendError>>> {
    let ask = || {
        let journal = journal.clone();
        tokio::spawn(async move { journal.append(batch("taken")).await })
    };
    let mut asking = vec![ask()];
    store.is_writing().await;
    asking.extend((0..WAITING).map(|_| ask()));
    while journal.0.capacity() > 0 {
        tokio::task::yield_now().await;
    }
    asking
}

#[tokio::test]
async fn a_panic_while_writing_leaves_that_transaction_unknown_and_the_journal_alive() {
    let store = Held::with_permits(3);
    let (journal, writer) = Journal::start(Arc::<Held>::clone(&store), Clock::system());
    assert_eq!(soon(journal.append(batch("before"))).await, Ok(()));
    let broken = soon(journal.append(batch(PANICS))).await;
    assert!(
        matches!(&broken, Err(AppendError::Unknown(why)) if why.contains("panic")),
        "{broken:?}"
    );
    assert_eq!(soon(journal.append(batch("after"))).await, Ok(()));
    soon(writer.close()).await;
}

#[tokio::test]
async fn closing_under_a_load_that_never_ends_writes_what_was_queued_and_ends() {
    let store = Held::with_permits(0);
    store.open();
    let (journal, writer) = Journal::start(Arc::<Held>::clone(&store), Clock::system());
    // As soon as one is answered it asks again. Half of them ask while the other half is written, so that the queue is never empty.
    let ask_for_ever = |_| {
        let journal = journal.clone();
        tokio::spawn(async move {
            let mut stored = 0;
            while journal.append(batch("load")).await.is_ok() {
                stored += 1;
            }
            stored
        })
    };
    let mut load: Vec<_> = (0..32).map(ask_for_ever).collect();
    store.is_writing().await;
    load.extend((0..32).map(ask_for_ever));
    while store.written("load") < 256 {
        tokio::task::yield_now().await;
    }
    let queued = tokio::spawn({
        let journal = journal.clone();
        async move { journal.append(batch("queued")).await }
    });
    tokio::task::yield_now().await;
    soon(writer.close()).await;
    assert_eq!(queued.await.unwrap(), Ok(()));
    let mut acknowledged = 0;
    for one in load {
        acknowledged += one.await.unwrap();
    }
    assert_eq!(acknowledged, store.written("load"));
}

#[tokio::test]
async fn a_writer_that_is_dropped_closes_the_journal_and_what_was_queued_is_written() {
    let store = Held::with_permits(0);
    let (journal, writer) = Journal::start(Arc::<Held>::clone(&store), Clock::system());
    let asking = full(&journal, &store).await;
    let mut outside = Box::pin(journal.append(batch("outside")));
    assert!(poll!(&mut outside).is_pending());
    drop(writer);
    store.open();
    for one in asking {
        assert_eq!(soon(one).await.unwrap(), Ok(()));
    }
    assert_eq!(store.written("taken"), WAITING + 1);
    let refused = soon(journal.append(batch("late"))).await;
    assert!(matches!(refused, Err(AppendError::Refused(_))));
    // It found a place before the journal closed, or none at all; its answer is what happened.
    match soon(outside).await {
        Ok(()) => assert_eq!(store.written("outside"), 1),
        Err(error) => {
            assert!(matches!(error, AppendError::Refused(_)), "{error}");
            assert_eq!(store.written("outside"), 0);
        }
    }
}

#[tokio::test]
async fn an_append_dropped_while_the_queue_is_full_is_never_written() {
    let store = Held::with_permits(0);
    let (journal, writer) = Journal::start(Arc::<Held>::clone(&store), Clock::system());
    let asking = full(&journal, &store).await;
    {
        let mut outside = Box::pin(journal.append(batch("outside")));
        assert!(poll!(&mut outside).is_pending());
    }
    // Nor does it keep its place: the next one finds it.
    let next = tokio::spawn({
        let journal = journal.clone();
        async move { journal.append(batch("next")).await }
    });
    store.open();
    for one in asking {
        assert_eq!(soon(one).await.unwrap(), Ok(()));
    }
    assert_eq!(soon(next).await.unwrap(), Ok(()));
    soon(writer.close()).await;
    assert_eq!(store.written("outside"), 0);
    assert_eq!(store.written("taken"), WAITING + 1);
}

#[tokio::test]
async fn small_writes_share_a_transaction_with_what_rooms_append() {
    let store = Held::with_permits(0);
    let (journal, writer) = Journal::start(Arc::<Held>::clone(&store), Clock::system());
    let first = tokio::spawn({
        let journal = journal.clone();
        async move { journal.append(batch("first")).await }
    });
    store.is_writing().await;
    // All of these wait while the first is written.
    let mut append = Box::pin(journal.append(batch("move")));
    let mut beat = Box::pin(journal.heartbeat(Millis(5)));
    let mut connections = Box::pin(journal.note_connections(Vec::new()));
    let mut lines = Box::pin(journal.keep_spectator_lines(Vec::new()));
    assert!(poll!(&mut append).is_pending() && poll!(&mut beat).is_pending());
    assert!(poll!(&mut connections).is_pending() && poll!(&mut lines).is_pending());
    store.open();
    assert_eq!(soon(first).await.unwrap(), Ok(()));
    assert_eq!(soon(append).await, Ok(()));
    assert_eq!(soon(beat).await, Ok(()));
    assert_eq!(soon(connections).await, Ok(()));
    assert_eq!(soon(lines).await, Ok(Vec::new()));
    for cause in ["move", "heartbeat", "attendance", "spectator_chat"] {
        assert_eq!(store.written(cause), 1, "{cause}");
    }
    assert_eq!(store.flushes.load(Ordering::Relaxed), 2);
    soon(writer.close()).await;
}
