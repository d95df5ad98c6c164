//! How long the way to another program and back takes, and how much longer a frame took than usual, from what each says of the other's frames.
//!
//! Each frame says when it was sent, by the sender's clock, which frame of the other side was heard last, by that one's clock, and how long
//! ago. So each side measures with its own clock alone, and no time counts for which a program waits before it sends its next frame.

use std::time::Duration;

/// What a frame says takes so many bytes.
pub(super) const BYTES: usize = 24;
/// For how long a measurement counts at least.
const WINDOW: Duration = Duration::from_secs(1);
/// No way counts as longer.
const LONGEST: Duration = Duration::from_secs(1);
/// No frame counts as held up for longer: after that a program counts as silent.
const LATEST: Duration = Duration::from_millis(1_500);

/// See the module. Times are those that this process has run.
#[derive(Debug, Default)]
pub(super) struct RoundTrip {
    /// What the frame that was heard last says of when it was sent, by the other side's clock in microseconds, and when it was heard.
    heard: Option<(u64, Duration)>,
    way: Least,
    /// How much later frames were heard than sent, in microseconds, if both clocks were the same. Only differences mean anything.
    delay: Least,
}

/// The least of the newest measurements: of the window that goes on, and of the one before.
#[derive(Debug, Default)]
struct Least {
    began: Duration,
    now: Option<i64>,
    before: Option<i64>,
}

impl Least {
    fn note(&mut self, value: i64, now: Duration) {
        if now.saturating_sub(self.began) >= WINDOW {
            self.began = now;
            self.before = self.now.take();
        }
        self.now = Some(self.now.map_or(value, |least| least.min(value)));
    }

    fn get(&self) -> Option<i64> {
        [self.now, self.before].into_iter().flatten().min()
    }
}

impl RoundTrip {
    /// What a frame says that is sent now.
    pub(super) fn stamp(&self, now: Duration) -> [u8; BYTES] {
        let (echo, held) = match self.heard {
            Some((sent, at)) => (sent, micros(now.saturating_sub(at))),
            None => (0, 0),
        };
        let mut stamp = [0; BYTES];
        let values = [micros(now).max(1), echo, held];
        for (bytes, value) in stamp.chunks_exact_mut(8).zip(values) {
            bytes.copy_from_slice(&value.to_le_bytes());
        }
        stamp
    }

    /// A frame was heard that says this. Returns how much longer it took than the fastest of late.
    pub(super) fn hears(&mut self, stamp: &[u8; BYTES], now: Duration) -> Duration {
        let mut values = [0; 3];
        for (value, bytes) in values.iter_mut().zip(stamp.as_chunks().0) {
            *value = u64::from_le_bytes(*bytes);
        }
        let [sent, echo, held] = values;
        self.heard = Some((sent, now));
        if echo != 0 {
            let away = micros(now).saturating_sub(echo);
            self.way.note(away.saturating_sub(held) as i64, now);
        }
        let delay = (micros(now) as i64).wrapping_sub(sent as i64);
        self.delay.note(delay, now);
        let least = self.delay.get().unwrap_or(delay);
        Duration::from_micros(delay.wrapping_sub(least).max(0) as u64).min(LATEST)
    }

    /// The least way that was measured lately; none before the first time.
    pub(super) fn least(&self) -> Option<Duration> {
        let least = self.way.get()?;
        Some(Duration::from_micros(least.max(0) as u64).min(LONGEST))
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    /// Two sides whose clocks are an hour apart.
    #[derive(Default)]
    struct Sides {
        one: RoundTrip,
        other: RoundTrip,
    }

    const HOUR: Duration = Duration::from_hours(1);

    impl Sides {
        /// A frame of one side is answered after a while; each takes its time. Comes back with when the answer is heard.
        fn answers(&mut self, sent: u64, there: u64, held: u64, back: u64) -> u64 {
            let stamp = self.one.stamp(at(sent));
            self.other.hears(&stamp, at(sent + there) + HOUR);
            let answered = sent + there + held;
            let stamp = self.other.stamp(at(answered) + HOUR);
            self.one.hears(&stamp, at(answered + back));
            answered + back
        }
    }

    #[test]
    fn the_way_is_measured_though_clocks_differ_and_the_answer_waits() {
        let mut sides = Sides::default();
        assert_eq!(sides.one.least(), None);
        sides.answers(1_000, 3, 240, 5);
        assert_eq!(sides.one.least(), Some(at(8)));
    }

    #[test]
    fn a_program_that_stands_still_gains_nothing_and_a_way_that_has_become_longer_is_noticed() {
        let mut sides = Sides::default();
        let now = sides.answers(1_000, 2, 250, 2);
        let now = sides.answers(now, 900, 0, 300);
        assert_eq!(sides.one.least(), Some(at(4)));
        let now = sides.answers(now, 10, 1_000, 10);
        let now = sides.answers(now, 10, 1_000, 10);
        assert_eq!(sides.one.least(), Some(at(20)));
        sides.answers(now, 60_000, 2_000, 60_000);
        sides.answers(now + 200_000, 60_000, 2_000, 60_000);
        assert_eq!(sides.one.least(), Some(LONGEST));
    }

    #[test]
    fn a_frame_that_was_held_up_on_its_way_is_so_late_and_others_are_not() {
        let (mut one, other) = (RoundTrip::default(), RoundTrip::default());
        let mut late =
            |sent: u64, way: u64| one.hears(&other.stamp(at(sent) + HOUR), at(sent + way));
        assert_eq!(late(0, 5), at(0));
        assert_eq!(late(250, 3), at(0));
        assert_eq!(late(500, 2_000), LATEST, "no frame counts as later");
        assert_eq!(late(2_400, 103), at(100));
        // A way that stays longer is the way.
        assert_eq!(late(3_600, 103), at(0));
        assert_eq!(late(4_900, 103), at(0));
    }
}
