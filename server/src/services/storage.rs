//! Whether the record can be written, asked once for all games: one small write, however many games there are.
//!
//! A player is charged only for time during which the record could be written. So no flag falls before a write that began after
//! it was due has succeeded, and what passes while none succeeds is an `Outage`, which begins when the record was last known
//! to be good.

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use parking_lot::Mutex;
use qiguan_environment::Clock;
use qiguan_protocol::ids::Millis;
use qiguan_store::store::Store;
use tokio::{sync::Notify, task::JoinHandle};

/// How long a write may take until the record counts as one that can't be written.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often it is tried whether the record can be written, while clocks run or it can't.
pub const PROBE_EVERY: Duration = Duration::from_millis(250);
/// How many outages are remembered: a game that nobody has open is charged for none of them.
const OUTAGES: usize = 64;

/// See the module.
pub struct Storage {
    store: Arc<Store>,
    clock: Clock,
    seen: Mutex<Seen>,
    /// Whether there has ever been an outage. As long as not, nobody has to look for one.
    has_failed: AtomicBool,
    /// The write that is under way: one at a time, and none is dropped half-way.
    probing: tokio::sync::Mutex<Option<JoinHandle<bool>>>,
    /// Games whose clocks run.
    clocks: AtomicUsize,
    changed: Notify,
}

/// What is known.
#[derive(Default)]
struct Seen {
    good_at: Millis,
    down_since: Option<Millis>,
    /// When a write that was to show it has failed last.
    failed_at: Option<Millis>,
    outages: VecDeque<Outage>,
}

/// A time during which the record could not be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Outage {
    since: Millis,
    until: Millis,
}

/// A game whose clock runs, as long as this is kept.
pub struct Running(Arc<Storage>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.clocks.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Storage {
    /// A record that has just been opened.
    pub fn new(store: Arc<Store>, clock: Clock) -> Arc<Self> {
        let seen = Seen {
            good_at: clock.now(),
            ..Seen::default()
        };
        Arc::new(Self {
            store,
            clock,
            seen: Mutex::new(seen),
            has_failed: AtomicBool::new(false),
            probing: tokio::sync::Mutex::default(),
            clocks: AtomicUsize::new(0),
            changed: Notify::new(),
        })
    }

    /// Something was written, and stands in the record at this time.
    pub fn is_good_at(&self, at: Millis) {
        let mut seen = self.seen.lock();
        seen.good_at = seen.good_at.max(at);
        if let Some(since) = seen.down_since.take() {
            seen.ended(Outage { since, until: at });
            drop(seen);
            tracing::info!("the records can be written again");
            self.changed.notify_one();
        }
    }

    /// A write that was to show it has failed, or takes too long.
    fn failed(&self) {
        let mut seen = self.seen.lock();
        seen.failed_at = Some(self.clock.now());
        if seen.down_since.is_none() {
            seen.down_since = Some(seen.good_at);
            drop(seen);
            self.has_failed.store(true, Ordering::Relaxed);
            // One line for each outage: the log must not fill what is left of a disk.
            tracing::error!("the records can't be written");
            self.changed.notify_one();
        }
    }

    /// Since when the record can't be written; none if it can.
    pub fn down_since(&self) -> Option<Millis> {
        if !self.has_failed.load(Ordering::Relaxed) {
            return None;
        }
        self.seen.lock().down_since
    }

    /// For how long between two times the record could not be written.
    pub fn away_between(&self, from: Millis, to: Millis) -> Millis {
        if !self.has_failed.load(Ordering::Relaxed) {
            return Millis(0);
        }
        let seen = self.seen.lock();
        let current = seen.down_since.map(|since| Outage { since, until: to });
        let outages = seen.outages.iter().copied().chain(current);
        let overlap = |outage: Outage| (outage.until.min(to) - outage.since.max(from)).0.max(0);
        Millis(outages.map(overlap).sum())
    }

    /// Whether something can be written from now on: a write that begins now, or has begun meanwhile, succeeds in time.
    pub async fn is_good(&self) -> bool {
        let asked_at = self.clock.now();
        let mut probing = self.probing.lock().await;
        {
            let seen = self.seen.lock();
            // Those waiting for somebody else's write know by it.
            if seen.good_at > asked_at || seen.failed_at.is_some_and(|at| at > asked_at) {
                return seen.down_since.is_none();
            }
        }
        let store = Arc::clone(&self.store);
        let probe =
            probing.get_or_insert_with(|| tokio::spawn(async move { store.healthy().await }));
        let answered = tokio::time::timeout(PATIENCE, probe).await;
        let is_good = matches!(answered, Ok(Ok(true)));
        if answered.is_ok() {
            *probing = None;
        }
        if is_good {
            self.is_good_at(self.clock.now());
        } else {
            self.failed();
        }
        is_good
    }

    /// Counts a game whose clock runs.
    pub fn running(self: &Arc<Self>) -> Running {
        self.clocks.fetch_add(1, Ordering::Relaxed);
        Running(Arc::clone(self))
    }

    /// Tries again and again whether the record can be written, while any clock runs or it can't.
    pub async fn watch(&self) {
        let mut times = tokio::time::interval(PROBE_EVERY);
        times.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            times.tick().await;
            let now = self.clock.now();
            let (is_down, is_fresh) = {
                let seen = self.seen.lock();
                let age = (now - seen.good_at).0;
                (
                    seen.down_since.is_some(),
                    age < PROBE_EVERY.as_millis() as i64 / 2,
                )
            };
            if is_down || !is_fresh && self.clocks.load(Ordering::Relaxed) > 0 {
                self.is_good().await;
            }
        }
    }

    /// Waits until the record can't be written any more, or can again.
    pub async fn changed(&self) {
        self.changed.notified().await;
    }
}

impl Seen {
    fn ended(&mut self, outage: Outage) {
        if self.outages.len() == OUTAGES {
            self.outages.pop_front();
        }
        self.outages.push_back(outage);
    }
}
