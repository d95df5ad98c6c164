//! Reading the clock: the one place of the benchmark that may.
#![expect(clippy::disallowed_methods, reason = "a benchmark measures time")]

use std::time::{Duration, Instant};

/// Time since it was made.
#[derive(Clone, Copy)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts.
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// How long ago that was.
    pub(crate) fn elapsed(self) -> Duration {
        self.0.elapsed()
    }

    /// Nanoseconds since the start.
    pub(crate) fn nanos(self) -> u64 {
        self.elapsed().as_nanos() as u64
    }
}

/// An id for a command of the load. Numbered ids would do; these cost the same as a real client's.
pub(crate) fn command_id() -> uuid::Uuid {
    uuid::Uuid::new_v4()
}

/// An id for a game of the relay.
pub(crate) fn game_id() -> uuid::Uuid {
    uuid::Uuid::now_v7()
}
