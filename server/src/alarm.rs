//! A timer for a task that runs often and seldom waits for it.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use tokio::{
    task::coop::unconstrained,
    time::{Instant, Sleep, sleep_until},
};

/// Rings at a time, and from then on until it is set again.
///
/// Polling a [`Sleep`] costs a registration each time; this one registers once after it was set, and then only looks. So it
/// belongs to one task: the task that polled it first is woken.
pub struct Alarm {
    sleep: Pin<Box<Sleep>>,
    registered: bool,
}

impl Alarm {
    /// An alarm that is set.
    pub fn at(time: Instant) -> Self {
        Self {
            sleep: Box::pin(sleep_until(time)),
            registered: false,
        }
    }

    /// Sets it to another time.
    pub fn set(&mut self, time: Instant) {
        self.sleep.as_mut().reset(time);
        self.registered = false;
    }

    /// The time it is set to.
    pub fn time(&self) -> Instant {
        self.sleep.deadline()
    }

    /// Whether it rings.
    pub fn rings(&self) -> bool {
        self.sleep.is_elapsed()
    }

    /// Ready while it rings.
    pub fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if self.registered && !self.rings() {
            return Poll::Pending;
        }
        self.registered = true;
        // A task that has run for too long is made to pause by futures that say "pending" without registering.
        let sleep = unconstrained(self.sleep.as_mut());
        std::pin::pin!(sleep).poll(context)
    }
}

#[cfg(test)]
mod tests {
    use std::{future::poll_fn, time::Duration};

    use tokio::task::coop::consume_budget;

    use super::*;
    use qiguan_environment::Clock;

    async fn look(alarm: &mut Alarm) -> Poll<()> {
        poll_fn(|context| Poll::Ready(alarm.poll(context))).await
    }

    #[tokio::test]
    async fn it_rings_at_its_time_and_again_when_set_again() {
        let clock = Clock::system();
        let soon = || clock.instant(clock.now()) + Duration::from_millis(200);
        let mut alarm = Alarm::at(soon() + Duration::from_hours(1));
        assert_eq!(look(&mut alarm).await, Poll::Pending);
        for time in [soon, soon] {
            let time = time();
            alarm.set(time);
            assert_eq!(look(&mut alarm).await, Poll::Pending);
            assert_eq!(look(&mut alarm).await, Poll::Pending);
            poll_fn(|context| alarm.poll(context)).await;
            assert!(alarm.rings() && clock.instant(clock.now()) >= time);
        }
    }

    #[tokio::test]
    async fn it_rings_for_a_task_that_had_run_too_long_when_it_was_set() {
        let clock = Clock::system();
        let mut alarm = Alarm::at(clock.instant(clock.now()) + Duration::from_millis(200));
        let mut fresh = true;
        let rings = poll_fn(|context| {
            while fresh {
                fresh = std::pin::pin!(consume_budget()).poll(context).is_ready();
            }
            alarm.poll(context)
        });
        // Something else wakes the task in the end, and then it is late.
        let limit = Duration::from_secs(10);
        let late = clock.instant(clock.now()) + limit;
        tokio::time::timeout(limit, rings).await.unwrap();
        assert!(clock.instant(clock.now()) < late);
    }

    #[tokio::test]
    async fn it_rings_until_it_is_set_again() {
        let clock = Clock::system();
        let mut alarm = Alarm::at(clock.instant(clock.now()));
        for _ in 0..3 {
            poll_fn(|context| alarm.poll(context)).await;
        }
        alarm.set(alarm.time() + Duration::from_hours(1));
        assert!(!alarm.rings());
        assert_eq!(look(&mut alarm).await, Poll::Pending);
    }
}
