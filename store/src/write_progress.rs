//! Which small writes have come through: so that a record that is only busy is told from one that can't be written.

use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Notify;

/// Counts the small writes of one program. Each has a number, in the order in which they begin.
#[derive(Default)]
pub(crate) struct WriteProgress {
    begun: AtomicU64,
    /// The highest number that is durable.
    durable: AtomicU64,
    /// Wakes those who wait for one, in the order in which they came.
    went_on: Notify,
}

impl WriteProgress {
    /// A write has its connection and begins. Comes back with its number.
    pub(crate) fn begins(&self) -> u64 {
        self.begun.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// The write of this number is durable.
    pub(crate) fn is_durable(&self, number: u64) {
        if self.durable.fetch_max(number, Ordering::Release) < number {
            self.went_on.notify_waiters();
        }
    }

    /// Waits until a write is durable that began after this was called.
    pub(crate) async fn goes_on(&self) {
        let begun = self.begun.load(Ordering::Relaxed);
        loop {
            // A wake between the look and the wait is not missed.
            let went_on = self.went_on.notified();
            if self.durable.load(Ordering::Acquire) > begun {
                return;
            }
            went_on.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use futures_util::{FutureExt, future::join};
    use qiguan_protocol::ids::Epoch;
    use tokio::sync::oneshot;

    use super::*;
    use crate::{db::sql, opening::Tables, sqlite, store::Store, testing::Place};

    #[test]
    fn a_write_that_had_begun_before_says_nothing() {
        let progress = WriteProgress::default();
        let first = progress.begins();
        let mut going_on = Box::pin(progress.goes_on());
        assert_eq!(going_on.as_mut().now_or_never(), None);
        progress.is_durable(first);
        assert_eq!(going_on.as_mut().now_or_never(), None);
        progress.is_durable(progress.begins());
        assert_eq!(going_on.now_or_never(), Some(()));
    }

    /// Writes, and is held in its transaction until it may go on.
    fn held(store: &Arc<Store>) -> (oneshot::Sender<()>, impl Future<Output = ()> + use<>) {
        let (go_on, may_go_on) = oneshot::channel();
        let store = Arc::clone(store);
        let written = async move {
            let write = store.write(None, move |db| {
                Box::pin(async move {
                    let _ = may_go_on.await;
                    db.execute(sql("update meta set value = value")).await
                })
            });
            write.await.unwrap();
        };
        (go_on, written)
    }

    #[tokio::test]
    async fn a_record_with_a_queue_of_writes_is_healthy_while_they_come_through() {
        let place = Place::new("a_queue_of_writes");
        let opened = sqlite::open(&place.file(), None, Epoch(7), Tables::Make).await;
        let store = Arc::new(opened.unwrap());
        // The file has one connection that writes: these three wait for it in this order.
        let connection = store.writers.acquire().await.unwrap();
        let (let_first, first) = held(&store);
        let (let_second, second) = held(&store);
        let mut writes = Box::pin(join(first, second));
        assert_eq!(writes.as_mut().now_or_never(), None);
        tokio::task::yield_now().await;
        let mut is_healthy = Box::pin(store.healthy());
        assert_eq!(is_healthy.as_mut().now_or_never(), None);
        drop(connection);
        let_first.send(()).unwrap();
        assert!(is_healthy.await, "the second is held still");
        let_second.send(()).unwrap();
        writes.await;
    }
}
