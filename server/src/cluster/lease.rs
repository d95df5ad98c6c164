//! Since when this program can reach the record without a break: only who has long enough may say that others are gone. An outage of the
//! database silences all of them, and moves nothing.

use std::time::Duration;

/// How often a program notes that it is alive.
pub const BEAT: Duration = Duration::from_millis(250);
/// For how long its beats have to have been good before it takes over from others: as long as those have to be silent.
const TRUSTED_AFTER: Duration = Duration::from_millis(qiguan_store::nodes::LEASE.0 as u64);

/// The beats of this program, by the monotonic time at which each was sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lease {
    good_since: Option<Duration>,
    last: Duration,
}

impl Lease {
    /// A beat that was sent at this time was stored.
    pub fn is_good(&mut self, sent: Duration) {
        let is_unbroken = sent.saturating_sub(self.last) < TRUSTED_AFTER;
        if self.good_since.is_none() || !is_unbroken {
            self.good_since = Some(sent);
        }
        self.last = sent;
    }

    /// A beat was not stored.
    pub const fn is_broken(&mut self) {
        self.good_since = None;
    }

    /// Whether others that are silent are gone, and not only out of this program's reach.
    pub fn is_trusted(&self) -> bool {
        let good_for = self.good_since.map(|since| self.last.saturating_sub(since));
        good_for.is_some_and(|good_for| good_for >= TRUSTED_AFTER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(beats: impl IntoIterator<Item = (u64, bool)>) -> bool {
        let mut lease = Lease::default();
        for (at, is_good) in beats {
            if is_good {
                lease.is_good(Duration::from_millis(at));
            } else {
                lease.is_broken();
            }
        }
        lease.is_trusted()
    }

    #[test]
    fn others_are_taken_over_after_good_beats_for_as_long_as_they_are_silent() {
        let beats = |until: u64| (0..=until).step_by(250).map(|at| (at, true));
        assert!(!after(beats(0)) && !after(beats(1_250)) && after(beats(1_500)));
    }

    #[test]
    fn an_outage_and_a_pause_begin_the_time_again() {
        let good = |from: u64, until: u64| (from..=until).step_by(250).map(|at| (at, true));
        assert!(!after(
            good(0, 3_000).chain([(3_250, false), (3_500, true)])
        ));
        assert!(after(
            good(0, 3_000)
                .chain([(3_250, false)])
                .chain(good(3_500, 5_000))
        ));
        // The process was stopped for ten seconds.
        assert!(!after(good(0, 3_000).chain(good(13_000, 14_250))));
        assert!(after(good(0, 3_000).chain(good(13_000, 14_500))));
    }
}
