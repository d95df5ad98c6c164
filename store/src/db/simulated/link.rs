//! The way between one program and the database, which the world of a simulation makes slow and cuts.

use std::{
    ops::RangeInclusive,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use qiguan_environment::Random;
use tokio::sync::Notify;

/// See the module. It outlives the program: one that starts again has the same one. Cheap to clone.
#[derive(Clone)]
pub struct Link(Arc<Inner>);

struct Inner {
    random: Random,
    state: Mutex<State>,
    /// It is not cut any more.
    healed: Notify,
}

struct State {
    delay: RangeInclusive<Duration>,
    is_cut: bool,
}

impl Link {
    /// A link without delay that is not cut. Delays are drawn from `random`.
    pub fn new(random: Random) -> Self {
        let state = State {
            delay: Duration::ZERO..=Duration::ZERO,
            is_cut: false,
        };
        Self(Arc::new(Inner {
            random,
            state: Mutex::new(state),
            healed: Notify::new(),
        }))
    }

    /// How long each request and each answer is under way from now on, in whole milliseconds; a slow disk is a long way back.
    pub fn set_delay(&self, each_way: RangeInclusive<Duration>) {
        self.state().delay = each_way;
    }

    /// Whether nothing arrives, in either direction. What is under way arrives if the link heals before its sender gives up.
    pub fn cut(&self, is_cut: bool) {
        self.state().is_cut = is_cut;
        if !is_cut {
            self.0.healed.notify_waiters();
        }
    }

    pub(super) fn is_cut(&self) -> bool {
        self.state().is_cut
    }

    /// Hears when it heals.
    pub(super) fn healed(&self) -> tokio::sync::futures::Notified<'_> {
        self.0.healed.notified()
    }

    /// Waits for as long as one way takes.
    pub(super) async fn takes_time(&self) {
        let delay = self.delay();
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
    }

    fn delay(&self) -> Duration {
        let (shortest, longest) = {
            let state = self.state();
            (*state.delay.start(), *state.delay.end())
        };
        let spread = longest.saturating_sub(shortest).as_millis();
        let Some(below) = u32::try_from(spread).ok().filter(|spread| *spread > 0) else {
            return shortest;
        };
        shortest + Duration::from_millis(self.0.random.below(below.saturating_add(1)).into())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
