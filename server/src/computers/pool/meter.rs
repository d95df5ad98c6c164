//! How busy the threads are, and how long work waits for them.

use std::{array, time::Duration};

use metrics::{Counter, Gauge, Histogram};
use qiguan_environment::Clock;

use super::Kind;

/// The pool's measures (`metric_names.rs` says what each is).
pub(super) struct Meter {
    clock: Clock,
    of_kind: [OfKind; Kind::ALL.len()],
    threads_busy: Gauge,
    refused: Counter,
    panics: Counter,
}

/// The measures of one kind of work.
struct OfKind {
    waiting: Gauge,
    wait_seconds: Histogram,
    work_seconds: Histogram,
}

impl Meter {
    /// Measures with this clock.
    pub(super) fn new(clock: Clock) -> Self {
        Self {
            clock,
            of_kind: array::from_fn(|kind| OfKind::new(Kind::ALL[kind].name())),
            threads_busy: metrics::gauge!("qiguan_computer_threads_busy"),
            refused: metrics::counter!("qiguan_computer_hints_refused_total"),
            panics: metrics::counter!("qiguan_computer_panics_total"),
        }
    }

    /// The time of the process, in microseconds.
    pub(super) fn now(&self) -> u64 {
        self.clock.micros()
    }

    /// How many owners wait for each kind of work.
    pub(super) fn waiting(&self, waiting: [usize; Kind::ALL.len()]) {
        for (of_kind, owners) in self.of_kind.iter().zip(waiting) {
            of_kind.waiting.set(owners as f64);
        }
    }

    /// A hint was refused.
    pub(super) fn refused(&self) {
        self.refused.increment(1);
    }

    /// Does a piece of work that was asked for at `since`; whether it ended without a panic.
    pub(super) fn measure(&self, kind: Kind, since: u64, work: impl FnOnce() -> bool) -> bool {
        let of_kind = &self.of_kind[kind as usize];
        let begun = self.now();
        of_kind.wait_seconds.record(seconds(since, begun));
        self.threads_busy.increment(1.0);
        let is_whole = work();
        self.threads_busy.decrement(1.0);
        of_kind.work_seconds.record(seconds(begun, self.now()));
        if !is_whole {
            self.panics.increment(1);
        }
        is_whole
    }
}

impl OfKind {
    fn new(kind: &'static str) -> Self {
        Self {
            waiting: metrics::gauge!("qiguan_computer_waiting", "for" => kind),
            wait_seconds: metrics::histogram!("qiguan_computer_wait_seconds", "for" => kind),
            work_seconds: metrics::histogram!("qiguan_computer_work_seconds", "for" => kind),
        }
    }
}

fn seconds(from: u64, to: u64) -> f64 {
    Duration::from_micros(to.saturating_sub(from)).as_secs_f64()
}
