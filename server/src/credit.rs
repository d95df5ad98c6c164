//! A budget that refills with time: so many at once, then one more every so often.

use qiguan_protocol::ids::Millis;

/// A budget. Time is an argument and may stand still, but is never before the last one.
#[derive(Clone, Copy, Debug)]
pub struct Credit {
    most: i64,
    /// How long one takes to refill, in microseconds: finer than a millisecond for high rates.
    refill_us: i64,
    /// What is left, in microseconds of refilling.
    left_us: i64,
    last: Option<Millis>,
}

impl Credit {
    /// A full budget of `most`, one more every `refill`.
    pub const fn new(most: u32, refill: Millis) -> Self {
        Self::with_refill_us(most, refill.0 * 1_000)
    }

    /// A full budget of `burst`, refilled `per_second`.
    pub fn per_second(burst: u32, per_second: u32) -> Self {
        Self::with_refill_us(burst, 1_000_000 / i64::from(per_second.max(1)))
    }

    const fn with_refill_us(most: u32, refill_us: i64) -> Self {
        let most = most as i64;
        let refill_us = if refill_us < 1 { 1 } else { refill_us };
        Self {
            most,
            refill_us,
            left_us: most * refill_us,
            last: None,
        }
    }

    /// Takes one. False if there is none, and then nothing is taken.
    pub fn spend(&mut self, now: Millis) -> bool {
        let passed = self
            .last
            .map_or(0, |last| (now - last).0.max(0).saturating_mul(1_000));
        self.last = Some(now);
        self.left_us = self
            .left_us
            .saturating_add(passed)
            .min(self.most * self.refill_us);
        if self.left_us < self.refill_us {
            return false;
        }
        self.left_us -= self.refill_us;
        true
    }

    /// Gives back one that was taken.
    pub fn give_back(&mut self) {
        self.left_us = (self.left_us + self.refill_us).min(self.most * self.refill_us);
    }

    /// Whether nothing of it is spent by now.
    pub fn is_full(&self, now: Millis) -> bool {
        let passed = self
            .last
            .map_or(0, |last| (now - last).0.max(0).saturating_mul(1_000));
        self.left_us.saturating_add(passed) >= self.most * self.refill_us
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_spent_and_refills_one_by_one() {
        let mut credit = Credit::new(3, Millis(2_000));
        let spent = [
            0, 0, 0, 0, 1_999, 2_000, 2_001, 60_000, 60_000, 60_000, 60_000,
        ];
        let expected = [
            true, true, true, false, false, true, false, true, true, true, false,
        ];
        for (at, fine) in spent.into_iter().zip(expected) {
            assert_eq!(credit.spend(Millis(at)), fine, "at {at}");
        }
    }

    #[test]
    fn what_is_given_back_can_be_spent_again_and_no_more() {
        let mut credit = Credit::new(1, Millis(1_000));
        assert!(credit.is_full(Millis(0)));
        assert!(credit.spend(Millis(0)));
        assert!(!credit.is_full(Millis(999)));
        assert!(credit.is_full(Millis(1_000)));
        credit.give_back();
        credit.give_back();
        assert!(credit.spend(Millis(0)));
        assert!(!credit.spend(Millis(0)));
    }

    #[test]
    fn rates_above_one_a_millisecond_are_kept() {
        let mut credit = Credit::per_second(1, 4_000);
        let mut credit_big = Credit::per_second(10, 4_000);
        assert!(credit.spend(Millis(0)));
        assert!(!credit.spend(Millis(0)));
        assert_eq!((0..20).filter(|_| credit_big.spend(Millis(0))).count(), 10);
        assert_eq!((0..20).filter(|_| credit_big.spend(Millis(1))).count(), 4);
    }
}
