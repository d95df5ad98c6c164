//! What was counted and measured, shared by all connections of one load generator.

use std::cell::{Cell, RefCell};

use crate::stopwatch::Stopwatch;

/// The counts of one measurement. Everything but `ready` and `failure` counts only while the window is open.
pub(super) struct Tally {
    /// The clock.
    pub(super) clock: Stopwatch,
    /// Games ready to begin, and spectators who are there.
    pub(super) ready: Cell<usize>,
    /// Whether games may begin.
    pub(super) started: Cell<bool>,
    /// Whether what happens is counted.
    pub(super) counting: Cell<bool>,
    /// Moves that have reached the opponent.
    pub(super) moves: Cell<u64>,
    /// Games that ended and were replaced by new ones.
    pub(super) games_ended: Cell<u64>,
    /// Bytes of messages sent.
    pub(super) bytes_sent: Cell<u64>,
    /// Bytes of messages received by the players.
    pub(super) bytes_received: Cell<u64>,
    /// Bytes of the messages that brought a move to the opponent.
    pub(super) bytes_to_opponent: Cell<u64>,
    /// From sending a move to its receipt by the opponent, in nanoseconds.
    pub(super) to_opponent: RefCell<Vec<u32>>,
    /// From sending a move to its receipt by the last of all who watch, in nanoseconds.
    pub(super) to_last: RefCell<Vec<u32>>,
    /// Why the measurement is void.
    pub(super) failure: RefCell<Option<anyhow::Error>>,
}

impl Tally {
    /// Nothing counted yet.
    pub(super) fn new() -> Self {
        Self {
            clock: Stopwatch::start(),
            ready: Cell::new(0),
            started: Cell::new(false),
            counting: Cell::new(false),
            moves: Cell::new(0),
            games_ended: Cell::new(0),
            bytes_sent: Cell::new(0),
            bytes_received: Cell::new(0),
            bytes_to_opponent: Cell::new(0),
            to_opponent: RefCell::default(),
            to_last: RefCell::default(),
            failure: RefCell::default(),
        }
    }

    /// A game can begin, or a spectator is there.
    pub(super) fn is_ready(&self) {
        self.ready.set(self.ready.get() + 1);
    }

    /// Adds to a count while the window is open.
    pub(super) fn add(&self, count: &Cell<u64>, more: usize) {
        if self.counting.get() {
            count.set(count.get() + more as u64);
        }
    }

    /// Notes how long something took that began at `since`.
    pub(super) fn took(&self, times: &RefCell<Vec<u32>>, since: u64) {
        if self.counting.get() {
            let nanos = self.clock.nanos().saturating_sub(since);
            times
                .borrow_mut()
                .push(u32::try_from(nanos).unwrap_or(u32::MAX));
        }
    }

    /// Notes the first failure.
    pub(super) fn fail(&self, error: anyhow::Error) {
        self.failure.borrow_mut().get_or_insert(error);
    }
}
