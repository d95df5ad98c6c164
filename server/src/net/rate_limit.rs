//! A rate limit for each key: so many at once, then one more every so often. The algorithm is GCRA, from the crate `governor`.
//!
//! Time is an argument. The memory is bounded: [`MAX_KEYS`] keys have a bucket of their own, all further ones share one.

use std::{
    collections::HashMap,
    fmt,
    hash::Hash,
    num::NonZeroU32,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};

use governor::{
    Quota, RateLimiter,
    clock::Clock,
    middleware::NoOpMiddleware,
    nanos::Nanos,
    state::{StateStore, keyed::ShrinkableKeyedStateStore},
};
use parking_lot::Mutex;
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::Millis,
};

/// So many keys have a bucket of their own.
pub const MAX_KEYS: usize = 100_000;
/// How often full buckets are dropped, in milliseconds: a new one is the same.
const SWEEP_EVERY_MS: i64 = 60_000;
/// The same where there is no room for further keys.
const SWEEP_EVERY_MS_WHEN_CROWDED: i64 = 1_000;

/// How much passes: a burst, and how long one takes to come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    burst: NonZeroU32,
    refill: Duration,
}

impl Rate {
    /// `burst` at once, then one more every `refill`. Both are at least 1.
    pub fn new(burst: u32, refill: Millis) -> Self {
        Self::with_refill(burst, Duration::from_millis(refill.0.max(1) as u64))
    }

    /// `burst` at once, then `per_second` in the long run. Both are at least 1.
    pub fn per_second(burst: u32, per_second: u32) -> Self {
        let refill = Duration::from_secs(1) / per_second.max(1);
        Self::with_refill(burst, refill)
    }

    /// `count` at once, and as many again in each `span`; `None`, which is no limit, if `count` is 0.
    pub fn in_span(count: u32, span: Millis) -> Option<Self> {
        let span = Duration::from_millis(span.0.max(1) as u64);
        (count > 0).then(|| Self::with_refill(count, span / count))
    }

    fn with_refill(burst: u32, refill: Duration) -> Self {
        Self {
            burst: NonZeroU32::new(burst).unwrap_or(NonZeroU32::MIN),
            refill: refill.max(Duration::from_nanos(1)),
        }
    }

    fn quota(self) -> Option<Quota> {
        Some(Quota::with_period(self.refill)?.allow_burst(self.burst))
    }
}

/// How long it takes until what was refused would pass. At least one millisecond.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RetryIn(pub Millis);

impl RetryIn {
    /// The refusal that a client gets.
    pub fn error(self, message: impl Into<std::borrow::Cow<'static, str>>) -> ApiError {
        ApiError::new(ErrorCode::RateLimited, message).retry_in(self.0)
    }
}

/// A bucket for each key.
pub struct RateLimit<K: Clone + Eq + Hash> {
    /// `None` is without limit.
    limit: Option<Limit<K>>,
}

struct Limit<K: Clone + Eq + Hash> {
    limiter: RateLimiter<K, Buckets<K>, GivenTime, NoOpMiddleware<Nanos>>,
    buckets: Buckets<K>,
    rate: Rate,
    swept_at: AtomicI64,
}

impl<K: Clone + Eq + Hash> RateLimit<K> {
    /// Full buckets; without a rate there is no limit.
    pub fn new(rate: impl Into<Option<Rate>>) -> Self {
        Self::with_max_keys(rate.into(), MAX_KEYS)
    }

    fn with_max_keys(rate: Option<Rate>, max_keys: usize) -> Self {
        let limit = rate.and_then(|rate| {
            let buckets = Buckets::new(max_keys);
            Some(Limit {
                limiter: RateLimiter::new(rate.quota()?, buckets.clone(), GivenTime::default()),
                buckets,
                rate,
                swept_at: AtomicI64::new(0),
            })
        });
        Self { limit }
    }

    /// Takes one out of a key's bucket.
    ///
    /// # Errors
    /// If it is empty: how long until one would pass. Then nothing is taken.
    pub fn take(&self, key: &K, now: Millis) -> Result<(), RetryIn> {
        self.take_many(key, 1, now)
    }

    /// Takes `count` out of a key's bucket, all or none. More than the burst count as the burst; 0 takes nothing.
    ///
    /// # Errors
    /// If so many are not there: how long until they would pass. Then nothing is taken.
    pub fn take_many(&self, key: &K, count: u32, now: Millis) -> Result<(), RetryIn> {
        let (Some(limit), Some(count)) = (&self.limit, NonZeroU32::new(count)) else {
            return Ok(());
        };
        limit.limiter.clock().set(now);
        limit.sweep(now);
        let count = count.min(limit.rate.burst);
        match limit.limiter.check_key_n(key, count) {
            // More than the burst was just ruled out.
            Ok(Ok(())) | Err(_) => Ok(()),
            Ok(Err(refused)) => {
                let wait = refused.wait_time_from(limit.limiter.clock().now());
                let millis = wait.as_nanos().div_ceil(1_000_000).max(1);
                Err(RetryIn(Millis(i64::try_from(millis).unwrap_or(i64::MAX))))
            }
        }
    }

    /// Puts back what was taken for something that does not count after all. A bucket never gets fuller than full.
    pub fn refund(&self, key: &K, count: u32) {
        if let Some(limit) = &self.limit {
            let span = limit.rate.refill.saturating_mul(count);
            limit.buckets.refund(key, span);
        }
    }

    /// How many keys have a bucket of their own.
    pub fn keys(&self) -> usize {
        self.limit.as_ref().map_or(0, |limit| limit.buckets.len())
    }
}

impl<K: Clone + Eq + Hash> fmt::Debug for RateLimit<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = self.limit.as_ref().map(|limit| limit.rate);
        f.debug_struct("RateLimit").field("rate", &rate).finish()
    }
}

impl<K: Clone + Eq + Hash> Limit<K> {
    /// Drops full buckets, once a minute or, without room for more, once a second.
    fn sweep(&self, now: Millis) {
        let before = self.swept_at.load(Ordering::Relaxed);
        let passed = now.0.saturating_sub(before);
        if passed < SWEEP_EVERY_MS_WHEN_CROWDED
            || passed < SWEEP_EVERY_MS && self.buckets.has_room()
        {
            return;
        }
        self.swept_at.store(now.0, Ordering::Relaxed);
        self.limiter.retain_recent();
        self.limiter.shrink_to_fit();
    }
}

/// The time that a call brought. It never goes back.
#[derive(Default)]
struct GivenTime(AtomicU64);

impl GivenTime {
    fn set(&self, now: Millis) {
        let nanos = (now.0.max(0) as u64).saturating_mul(1_000_000);
        self.0.fetch_max(nanos, Ordering::Relaxed);
    }
}

impl Clock for GivenTime {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        self.0.load(Ordering::Relaxed).into()
    }
}

/// When each bucket would be full again ("theoretical arrival time").
struct Buckets<K>(Arc<Mutex<Map<K>>>);

struct Map<K> {
    own: HashMap<K, Nanos>,
    /// The bucket of all who come when there are too many.
    shared: Option<Nanos>,
    max_keys: usize,
}

impl<K> Clone for Buckets<K> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K: Clone + Eq + Hash> Buckets<K> {
    fn new(max_keys: usize) -> Self {
        Self(Arc::new(Mutex::new(Map {
            own: HashMap::new(),
            shared: None,
            max_keys,
        })))
    }

    fn has_room(&self) -> bool {
        let map = self.0.lock();
        map.own.len() < map.max_keys
    }

    fn refund(&self, key: &K, span: Duration) {
        if let Some(full_at) = self.0.lock().own.get_mut(key) {
            *full_at = full_at.saturating_sub(span.into());
        }
    }
}

impl<K: Clone + Eq + Hash> StateStore for Buckets<K> {
    type Key = K;

    fn measure_and_replace<T, F, E>(&self, key: &K, decide: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        let mut map = self.0.lock();
        if let Some(full_at) = map.own.get_mut(key) {
            let (outcome, next) = decide(Some(*full_at))?;
            *full_at = next;
            return Ok(outcome);
        }
        if map.own.len() >= map.max_keys {
            let (outcome, next) = decide(map.shared)?;
            map.shared = Some(next);
            return Ok(outcome);
        }
        let (outcome, next) = decide(None)?;
        map.own.insert(key.clone(), next);
        Ok(outcome)
    }
}

impl<K: Clone + Eq + Hash> ShrinkableKeyedStateStore<K> for Buckets<K> {
    fn retain_recent(&self, drop_below: Nanos) {
        self.0.lock().own.retain(|_, full_at| *full_at > drop_below);
    }

    fn shrink_to_fit(&self) {
        self.0.lock().own.shrink_to_fit();
    }

    fn len(&self) -> usize {
        self.0.lock().own.len()
    }

    fn is_empty(&self) -> bool {
        self.0.lock().own.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passing(limit: &RateLimit<u32>, key: u32, at: i64) -> usize {
        let took = |_: &i32| limit.take(&key, Millis(at)).is_ok();
        (0..100).filter(took).count()
    }

    #[test]
    fn a_burst_passes_and_then_one_after_the_other() {
        let limit = RateLimit::new(Rate::new(3, Millis(2_000)));
        let at = [
            0, 0, 0, 0, 1_999, 2_000, 2_001, 60_000, 60_000, 60_000, 60_000,
        ];
        let passes = [
            true, true, true, false, false, true, false, true, true, true, false,
        ];
        for (at, passes) in at.into_iter().zip(passes) {
            assert_eq!(limit.take(&(), Millis(at)).is_ok(), passes, "at {at}");
        }
    }

    #[test]
    fn a_refusal_says_when_it_would_pass() {
        let limit = RateLimit::new(Rate::new(2, Millis(2_000)));
        assert_eq!(passing(&limit, 1, 10_000), 2);
        let RetryIn(wait) = limit.take(&1, Millis(10_500)).unwrap_err();
        assert_eq!(wait, Millis(1_500));
        limit.take(&1, Millis(12_000) - Millis(1)).unwrap_err();
        limit.take(&1, Millis(12_000)).unwrap();
        let RetryIn(wait) = limit.take_many(&1, 2, Millis(12_000)).unwrap_err();
        assert_eq!(wait, Millis(4_000));
        limit.take_many(&1, 2, Millis(16_000)).unwrap();
    }

    #[test]
    fn many_are_taken_together_or_not_at_all() {
        let limit = RateLimit::new(Rate::new(5, Millis(1_000)));
        limit.take_many(&1, 3, Millis(0)).unwrap();
        limit.take_many(&1, 3, Millis(0)).unwrap_err();
        limit.take_many(&1, 2, Millis(0)).unwrap();
        // More than the bucket holds is a full bucket.
        limit.take_many(&2, 100, Millis(0)).unwrap();
        limit.take(&2, Millis(0)).unwrap_err();
        limit.take_many(&2, 0, Millis(0)).unwrap();
    }

    #[test]
    fn what_is_put_back_can_be_taken_again_and_no_more() {
        let limit = RateLimit::new(Rate::new(1, Millis(1_000)));
        limit.take(&1, Millis(5_000)).unwrap();
        for _ in 0..10 {
            limit.refund(&1, 1);
        }
        assert_eq!(passing(&limit, 1, 5_000), 1);
        limit.refund(&2, 1);
        assert_eq!(limit.keys(), 1);
    }

    #[test]
    fn rates_above_one_a_millisecond_are_kept() {
        let limit = RateLimit::new(Rate::per_second(10, 4_000));
        assert_eq!(passing(&limit, 1, 0), 10);
        assert_eq!(passing(&limit, 1, 1), 4);
    }

    #[test]
    fn without_a_rate_there_is_no_limit() {
        let limit = RateLimit::new(Rate::in_span(0, Millis(1_000)));
        assert_eq!(passing(&limit, 1, 0), 100);
        assert_eq!(limit.keys(), 0);
    }

    #[test]
    fn a_million_keys_cost_no_more_memory_than_the_first() {
        let limit = RateLimit::with_max_keys(Some(Rate::new(1, Millis(600_000))), 1_000);
        let came = |keys: std::ops::Range<u32>, at: i64| {
            keys.filter(|key| limit.take(key, Millis(at)).is_ok())
                .count()
        };
        // All beyond the first thousand share one bucket.
        assert_eq!(came(0..1_000_000, 0), 1_001);
        assert_eq!(limit.keys(), 1_000);
        // When the first have been full for a while they make room.
        assert_eq!(came(1_000_000..1_000_500, 1_200_000), 500);
        assert_eq!(limit.keys(), 500);
    }

    #[test]
    fn time_that_goes_back_opens_nothing() {
        let limit = RateLimit::new(Rate::new(1, Millis(1_000)));
        limit.take(&1, Millis(10_000)).unwrap();
        limit.take(&1, Millis(0)).unwrap_err();
        limit.take(&1, Millis(11_000)).unwrap();
    }
}
