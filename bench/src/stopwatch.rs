//! The one clock of a measurement. Sending and receiving happen in one process, so one clock tells how long it took.
#![expect(
    clippy::disallowed_methods,
    reason = "a benchmark measures real time, and reads it here alone"
)]

use std::time::{Duration, Instant};

/// A running stopwatch.
#[derive(Clone, Copy)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts now.
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// Nanoseconds since the start.
    pub(crate) fn nanos(&self) -> u64 {
        self.0.elapsed().as_nanos() as u64
    }

    /// The time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}
