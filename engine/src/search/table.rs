//! What is known of positions that were searched before.
//!
//! Each entry is two atomic words, the first of which is the key mixed with the second: two threads that write at once leave an entry
//! that fits no key, and never one that is half of each.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{DECIDED, board::Step};

/// Entries that a key can be in.
const WAYS: usize = 4;

/// What a score says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// Nothing: only the move is known.
    Nothing,
    /// It is at least so good.
    Lower,
    /// It is at most so good.
    Upper,
    /// It is just so good.
    Exact,
}

impl Bound {
    const ALL: [Self; 4] = [Self::Nothing, Self::Lower, Self::Upper, Self::Exact];
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) step: Option<Step>,
    pub(super) score: i32,
    pub(super) depth: i32,
    pub(super) bound: Bound,
    /// How good the position looks by itself; none if nobody has looked.
    pub(super) looks: Option<i32>,
}

impl Entry {
    /// The score, if it settles a position whose score is asked for only within such bounds.
    pub(super) const fn settles(&self, alpha: i32, beta: i32, depth: i32) -> Option<i32> {
        if self.depth < depth || beta - alpha > 1 {
            return None;
        }
        let settles = match self.bound {
            Bound::Nothing => false,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
            Bound::Exact => true,
        };
        if settles { Some(self.score) } else { None }
    }

    /// The score, if it says more than how the position looks.
    pub(super) const fn corrects(&self, looks: i32) -> Option<i32> {
        let says_more = match self.bound {
            Bound::Nothing => false,
            Bound::Lower => self.score > looks,
            Bound::Upper => self.score < looks,
            Bound::Exact => true,
        };
        if says_more { Some(self.score) } else { None }
    }
}

/// The entries that a key can be in: as many bytes as the processor fetches at once.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([[AtomicU64; 2]; WAYS]);

/// Where nobody has looked; what a position looks like is less.
const NO_LOOKS: i32 = 0x3fff;

/// The table.
#[derive(Debug)]
pub(crate) struct Table {
    buckets: Vec<Bucket>,
    mask: usize,
    /// Which search it is, 0 to 63: entries of older ones give way first.
    age: AtomicU64,
}

impl Table {
    /// A table of so many MiB, rounded down to a power of two, at least 1.
    pub(crate) fn new(mebibytes: usize) -> Self {
        let wanted = mebibytes.max(1) * (1 << 20) / size_of::<Bucket>();
        let count = 1 << wanted.ilog2();
        let mut buckets = Vec::with_capacity(count);
        buckets.resize_with(count, Default::default);
        Self {
            buckets,
            mask: count - 1,
            age: AtomicU64::new(0),
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        for [check, data] in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            check.store(0, Ordering::Relaxed);
            data.store(0, Ordering::Relaxed);
        }
    }

    /// A new search begins.
    pub(crate) fn grow_older(&self) {
        self.age.fetch_add(1, Ordering::Relaxed);
    }

    fn ways(&self, key: u64) -> &[[AtomicU64; 2]; WAYS] {
        &self.buckets[key as usize & self.mask].0
    }

    /// What is known of a position; wins and losses are counted from `ply`.
    pub(super) fn get(&self, key: u64, ply: i32) -> Option<Entry> {
        let data = self.ways(key).iter().find_map(|[check, data]| {
            let data = data.load(Ordering::Relaxed);
            (data != 0 && check.load(Ordering::Relaxed) ^ data == key).then_some(data)
        })?;
        let score = i32::from((data >> 16) as u16 as i16);
        Some(Entry {
            step: Step::of_bits(data as u16 & 0x3fff),
            score: match score {
                DECIDED.. => score - ply,
                score if score <= -DECIDED => score + ply,
                score => score,
            },
            depth: (data >> 32 & 0xff) as i32,
            bound: Bound::ALL[(data >> 40 & 3) as usize],
            looks: match (data >> 48 & 0x7fff) as i32 {
                NO_LOOKS => None,
                looks if looks > NO_LOOKS => Some(looks - 0x8000),
                looks => Some(looks),
            },
        })
    }

    /// The move that is known to be good in a position.
    pub(super) fn step(&self, key: u64) -> Option<Step> {
        self.get(key, 0)?.step
    }

    /// Keeps what has been found, in place of what is worth least.
    pub(super) fn put(&self, key: u64, ply: i32, entry: Entry) {
        let age = self.age.load(Ordering::Relaxed) & 63;
        let score = match entry.score {
            score @ DECIDED.. => score + ply,
            score if score <= -DECIDED => score - ply,
            score => score,
        };
        let looks = entry
            .looks
            .map_or(NO_LOOKS, |looks| looks.clamp(1 - NO_LOOKS, NO_LOOKS - 1));
        let data = u64::from(entry.step.map_or(0, Step::bits))
            | u64::from(score.clamp(-32_000, 32_000) as i16 as u16) << 16
            | (entry.depth.clamp(0, 255) as u64) << 32
            | (entry.bound as u64) << 40
            | age << 42
            | (looks as u64 & 0x7fff) << 48
            // So that no entry is 0.
            | 1 << 63;
        let worth = |stored: u64, check: u64| {
            if check ^ stored == key {
                return -1_000;
            }
            let is_old = (stored >> 42 & 63) != age;
            (stored >> 32 & 0xff) as i64 - if is_old || stored == 0 { 300 } else { 0 }
        };
        let least = self.ways(key).iter().min_by_key(|[check, stored]| {
            worth(
                stored.load(Ordering::Relaxed),
                check.load(Ordering::Relaxed),
            )
        });
        if let Some([check, stored]) = least {
            let now = stored.load(Ordering::Relaxed);
            let is_same = check.load(Ordering::Relaxed) ^ now == key && now >> 42 & 63 == age;
            // What was searched much deeper says more.
            if is_same && entry.bound != Bound::Exact && (now >> 32 & 0xff) as i32 > entry.depth + 3
            {
                return;
            }
            check.store(key ^ data, Ordering::Relaxed);
            stored.store(data, Ordering::Relaxed);
        }
    }
}
