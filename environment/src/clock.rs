//! The server's time.

use std::{
    sync::{PoisonError, RwLock},
    time::Duration,
};

use qiguan_protocol::ids::Millis;
use tokio::time::Instant;

use crate::wall_clock;

/// A clock that is put right goes wrong by one part in so many meanwhile: 20 ms in ten seconds. More would be felt by players, whose time it is.
const SLEW: i64 = 500;

/// Server time: the wall clock at the start of the process, carried on by the monotonic clock. It never jumps.
///
/// Programs on one record agree on what time it is: [`following`](Self::following) makes a clock that is put right by another one.
#[derive(Clone, Copy)]
pub struct Clock {
    started: Instant,
    started_at: Millis,
    speed: u32,
    correction: Option<&'static RwLock<Correction>>,
}

/// What another clock showed, in microseconds since 1970, between two moments of [`Clock::micros`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Before it was asked.
    pub asked: u64,
    /// After it had answered.
    pub answered: u64,
    /// What it showed.
    pub shows: i64,
}

impl Reading {
    /// By how much the time that it showed may have been another at the middle of both moments.
    pub const fn uncertainty(&self) -> u64 {
        self.answered.saturating_sub(self.asked) / 2
    }
}

/// By how much the machine's clock is wrong, in microseconds.
#[derive(Clone, Copy, Default)]
struct Correction {
    /// What was added at the moment `since`.
    from: i64,
    /// What is to be added.
    to: i64,
    since: u64,
    is_known: bool,
}

impl Correction {
    fn at(&self, micros: u64) -> i64 {
        let most = micros.saturating_sub(self.since) as i64 / SLEW;
        self.from + (self.to - self.from).clamp(-most, most)
    }
}

impl Clock {
    /// The machine's clock.
    pub fn system() -> Self {
        Self::altered(Millis(0), 1)
    }

    /// The machine's clock, read wrong by `offset` and going `speed` times as fast (tests of jumping wall clocks and of long waits).
    pub fn altered(offset: Millis, speed: u32) -> Self {
        Self {
            started: Instant::now(),
            started_at: wall_clock() + offset,
            speed: speed.max(1),
            correction: None,
        }
    }

    /// A clock that shows `at` now, whatever the machine's clock says, and is carried on by the runtime's: where that is paused, time passes
    /// only as a test lets it.
    pub fn starting_at(at: Millis) -> Self {
        Self {
            started: Instant::now(),
            started_at: at,
            speed: 1,
            correction: None,
        }
    }

    /// This clock, to be put right by [`agree`](Self::agree). All copies of it share what it is told. That is never freed: 56 bytes for each call.
    #[must_use]
    pub fn following(self) -> Self {
        Self {
            correction: Some(Box::leak(Box::default())),
            ..self
        }
    }

    /// The time of another clock is the right one. What is known first is set at once; later the clock goes a little faster or slower until it
    /// shows the same. One that follows nothing stays as it is.
    pub fn agree(&self, reading: Reading) {
        let Some(correction) = self.correction else {
            return;
        };
        let middle = reading.asked.midpoint(reading.answered);
        let own = self.started_at.0 * 1_000 + middle as i64;
        let to = reading.shows - own;
        let now = self.micros();
        let mut correction = correction.write().unwrap_or_else(PoisonError::into_inner);
        let from = if correction.is_known {
            correction.at(now)
        } else {
            to
        };
        *correction = Correction {
            from,
            to,
            since: now,
            is_known: true,
        };
    }

    /// By how much the machine's clock is wrong, in microseconds, as far as it is put right by now.
    pub fn correction(&self) -> i64 {
        self.correction_at(self.micros())
    }

    fn correction_at(&self, micros: u64) -> i64 {
        self.correction.map_or(0, |correction| {
            let correction = correction.read().unwrap_or_else(PoisonError::into_inner);
            correction.at(micros)
        })
    }

    /// The server time.
    pub fn now(&self) -> Millis {
        let micros = self.micros();
        let passed = micros as i64 + self.correction_at(micros);
        self.started_at + Millis(passed.div_euclid(1_000))
    }

    /// The timer's name for a server time.
    pub fn instant(&self, at: Millis) -> Instant {
        let after = (at - self.started_at).0 * 1_000 - self.correction();
        self.started + Duration::from_micros(after.max(0) as u64) / self.speed
    }

    /// How long the process has run by the monotonic clock, at whatever speed this one goes.
    pub fn running_for(&self) -> Duration {
        self.started.elapsed()
    }

    /// Microseconds since the process started, for measuring round trips.
    pub fn micros(&self) -> u64 {
        self.started.elapsed().as_micros() as u64 * u64::from(self.speed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_clock_that_starts_at_a_time_is_carried_on_by_the_runtimes() {
        let clock = Clock::starting_at(Millis(1_000));
        assert_eq!(clock.now(), Millis(1_000));
        tokio::time::advance(Duration::from_millis(250)).await;
        assert_eq!(clock.now(), Millis(1_250));
        assert_eq!(clock.running_for(), Duration::from_millis(250));
        tokio::time::sleep_until(clock.instant(Millis(2_000))).await;
        assert_eq!(clock.now(), Millis(2_000));
    }

    /// What another clock shows that is right, when the answer takes so many milliseconds.
    fn reading(clock: &Clock, shows: Millis) -> Reading {
        let now = clock.micros();
        Reading {
            asked: now.saturating_sub(500),
            answered: now + 500,
            shows: shows.0 * 1_000,
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_known_first_is_set_and_later_the_clock_goes_a_little_faster_or_slower() {
        let clock = Clock::starting_at(Millis(10_000)).following();
        let copy = clock;
        tokio::time::advance(Duration::from_millis(100)).await;
        clock.agree(reading(&clock, Millis(90_000)));
        assert_eq!(copy.now(), Millis(90_000));
        assert_eq!(copy.correction(), 79_900_000);
        tokio::time::sleep_until(copy.instant(Millis(90_050))).await;
        assert_eq!(copy.now(), Millis(90_050));

        // It is 10 ms ahead, which takes five seconds; it never goes back.
        clock.agree(reading(&clock, Millis(90_040)));
        assert_eq!(clock.now(), Millis(90_050));
        let mut before = clock.now();
        for _ in 0..100 {
            tokio::time::advance(Duration::from_millis(50)).await;
            let now = clock.now();
            assert!(now >= before);
            before = now;
        }
        assert_eq!(clock.now(), Millis(95_040));
        tokio::time::advance(Duration::from_secs(5)).await;
        assert_eq!(clock.now(), Millis(100_040));

        // It is behind. Half a second later it has made up for one of ten milliseconds, and learns that it need not.
        clock.agree(reading(&clock, Millis(100_050)));
        tokio::time::advance(Duration::from_millis(500)).await;
        assert_eq!(clock.now(), Millis(100_541));
        clock.agree(reading(&clock, Millis(100_541)));
        tokio::time::advance(Duration::from_secs(9)).await;
        assert_eq!(clock.now(), Millis(109_541));
    }

    #[tokio::test(start_paused = true)]
    async fn a_clock_that_follows_nothing_stays_as_it_is() {
        let clock = Clock::starting_at(Millis(10_000));
        clock.agree(reading(&clock, Millis(90_000)));
        assert_eq!((clock.now(), clock.correction()), (Millis(10_000), 0));
    }
}
