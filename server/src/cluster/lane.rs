//! The numbers of what two programs send to each other: what is lost, comes twice or out of its order is noticed.
//!
//! Each frame has the number after the one before it, in an *epoch* that both sides share. A side that misses one begins the next epoch with number
//! 0, and so does the other side when it hears of it: both know then that what was under way may be lost.

use qiguan_environment::planted::{Fault, is_planted};

/// Where a frame stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// Grows each time that something was lost.
    pub epoch: u32,
    /// From 0 on in each epoch.
    pub number: u64,
}

/// What a frame that has arrived is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// The next one.
    Next,
    /// One that has arrived before, or of an epoch that is over: not to be looked at.
    Old,
    /// A new epoch begins: something may be lost. If this is its first frame it is the next one.
    Reset {
        /// Whether it is to be looked at.
        is_next: bool,
    },
}

/// One side of what two programs send to each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lane {
    epoch: u32,
    sent: u64,
    heard: u64,
}

impl Lane {
    /// The number of the next frame to be sent.
    pub const fn next(&mut self) -> Number {
        let number = self.sent;
        self.sent += 1;
        Number {
            epoch: self.epoch,
            number,
        }
    }

    /// A frame has arrived.
    pub fn hear(&mut self, Number { epoch, number }: Number) -> Heard {
        if epoch < self.epoch {
            return Heard::Old;
        }
        if epoch > self.epoch {
            // The first frame of an epoch that has just begun is lost too if this is another one.
            let is_next = number == 0;
            self.begin(if is_next {
                epoch
            } else {
                epoch.saturating_add(1)
            });
            self.heard = u64::from(is_next);
            return Heard::Reset { is_next };
        }
        if number < self.heard && !is_planted(Fault::DuplicateApplied) {
            return Heard::Old;
        }
        if number > self.heard && !is_planted(Fault::GapIgnored) {
            self.reset();
            return Heard::Reset { is_next: false };
        }
        self.heard = number + 1;
        Heard::Next
    }

    /// The epoch in which frames are sent.
    pub const fn epoch(&self) -> u32 {
        self.epoch
    }

    /// Begins the next epoch: what was under way counts as lost.
    pub const fn reset(&mut self) {
        self.begin(self.epoch.saturating_add(1));
    }

    const fn begin(&mut self, epoch: u32) {
        *self = Self {
            epoch,
            sent: 0,
            heard: 0,
        };
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use proptest::prelude::*;

    use super::*;

    #[derive(Clone, Copy, Debug)]
    enum Step {
        Send(bool),
        Arrive(bool),
        Lose(bool),
        Twice(bool),
    }

    /// Two sides, each with what it has received in order since the last reset.
    #[derive(Default)]
    struct Side {
        lane: Lane,
        on_its_way: VecDeque<(Number, u32)>,
        sent: u32,
        received: Vec<u32>,
        resets: u32,
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            4 => any::<bool>().prop_map(Step::Send),
            4 => any::<bool>().prop_map(Step::Arrive),
            1 => any::<bool>().prop_map(Step::Lose),
            1 => any::<bool>().prop_map(Step::Twice),
        ]
    }

    fn send(side: &mut Side) {
        side.sent += 1;
        let number = side.lane.next();
        side.on_its_way.push_back((number, side.sent));
    }

    fn arrive(from: &mut Side, to: &mut Side) {
        let Some((number, what)) = from.on_its_way.pop_front() else {
            return;
        };
        match to.lane.hear(number) {
            Heard::Next => to.received.push(what),
            Heard::Old => {}
            Heard::Reset { is_next } => {
                to.resets += 1;
                to.received.clear();
                if is_next {
                    to.received.push(what);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_received_since_a_reset_is_a_run_without_a_gap(steps in prop::collection::vec(step(), 0..200)) {
            let mut sides = [Side::default(), Side::default()];
            for step in steps {
                let [one, other] = &mut sides;
                match step {
                    Step::Send(first) => send(if first { one } else { other }),
                    Step::Arrive(true) => arrive(one, other),
                    Step::Arrive(false) => arrive(other, one),
                    Step::Lose(first) => {
                        let side = if first { one } else { other };
                        side.on_its_way.pop_front();
                    }
                    Step::Twice(first) => {
                        let side = if first { one } else { other };
                        if let Some(next) = side.on_its_way.front().copied() {
                            side.on_its_way.push_front(next);
                        }
                    }
                }
                for side in &sides {
                    prop_assert!(side.received.windows(2).all(|pair| pair[0] + 1 == pair[1]));
                }
            }
            // As soon as nothing is lost any more, both come to the same epoch, and everything arrives.
            for _ in 0..8 {
                let [one, other] = &mut sides;
                send(one);
                send(other);
                while !one.on_its_way.is_empty() || !other.on_its_way.is_empty() {
                    arrive(one, other);
                    arrive(other, one);
                }
            }
            let [one, other] = &mut sides;
            let resets = (one.resets, other.resets);
            send(one);
            arrive(one, other);
            prop_assert_eq!(one.lane.epoch, other.lane.epoch);
            prop_assert_eq!(other.received.last(), Some(&one.sent));
            prop_assert_eq!(resets, (one.resets, other.resets));
        }
    }

    #[test]
    fn a_loss_is_noticed_with_the_next_frame_and_both_begin_again() {
        let (mut one, mut other) = (Lane::default(), Lane::default());
        assert_eq!(other.hear(one.next()), Heard::Next);
        let lost = one.next();
        assert_eq!(other.hear(one.next()), Heard::Reset { is_next: false });
        // What was under way in the old epoch is not looked at any more.
        assert_eq!(other.hear(lost), Heard::Old);
        assert_eq!(one.hear(other.next()), Heard::Reset { is_next: true });
        assert_eq!(other.hear(one.next()), Heard::Next);
    }
}
