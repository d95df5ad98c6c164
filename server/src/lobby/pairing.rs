//! Who plays whom in one pool: a function of who waits and of the time.
//!
//! What holds of its result:
//! - two are paired only if their ratings differ by no more than [`allowed`] by the longer of their two waiting times;
//! - players who have waited for [`ANYBODY_AFTER`] are paired before all others, the longest waiting first, each with the
//!   nearest rating that is left;
//! - among the others the smallest difference comes first; then the longest waiting time, then the lower id;
//! - no player is paired with themselves, twice, with somebody whom either avoids, or with a current opponent;
//! - no two who are left over could have been paired.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap, HashSet},
    sync::Arc,
};

use qiguan_protocol::ids::{Millis, PlayerId};

/// The difference of ratings that is allowed at once.
pub const AT_ONCE: i32 = 50;
/// How much more is allowed for each second of waiting.
pub const PER_SECOND: i32 = 20;
/// After so long anybody will do.
pub const ANYBODY_AFTER: Millis = Millis(45_000);

/// Somebody who waits.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// Who.
    pub player: PlayerId,
    /// The rating; equal for all where none counts.
    pub rating: i32,
    /// Since when, in server time.
    pub since: Millis,
    /// With whom this player does not want to play.
    pub avoids: Arc<HashSet<PlayerId>>,
}

/// The largest difference of ratings after so long a wait; none if anybody will do.
pub fn allowed(waited: Millis) -> Option<i32> {
    (waited < ANYBODY_AFTER).then(|| {
        // Below 45,000 ms, so that this is below 1,000.
        AT_ONCE + (waited.0.max(0) * i64::from(PER_SECOND) / 1_000) as i32
    })
}

/// Pairs those who wait: the places in `waiting` of each two, the longer waiting first. `together` tells whether two play with
/// each other already.
pub fn pair(
    waiting: &[Waiting],
    now: Millis,
    together: impl Fn(PlayerId, PlayerId) -> bool,
) -> Vec<(usize, usize)> {
    let mut line = PairingQueue::new(waiting, now, &together);
    let mut pairs = line.pair_overdue();
    pairs.append(&mut line.pair_nearest());
    pairs
}

/// Everybody in the order of ratings; paired players are skipped from then on.
struct PairingQueue<'a> {
    waiting: &'a [Waiting],
    now: Millis,
    together: &'a dyn Fn(PlayerId, PlayerId) -> bool,
    /// The places in `waiting`, by rating, then by rank.
    order: Vec<usize>,
    /// For each in `order`, the place in the queue of waiting times: a low rank has waited long.
    rank: Vec<usize>,
    /// The places in `order` by rank.
    by_rank: Vec<usize>,
    /// For each in `order`, all entries of the same player.
    entries: HashMap<PlayerId, Vec<usize>>,
    right: Skip,
    left: Skip,
}

impl<'a> PairingQueue<'a> {
    fn new(
        waiting: &'a [Waiting],
        now: Millis,
        together: &'a dyn Fn(PlayerId, PlayerId) -> bool,
    ) -> Self {
        let mut queue: Vec<usize> = (0..waiting.len()).collect();
        queue.sort_by_key(|&place| (waiting[place].since, waiting[place].player, place));
        let mut rank_of = vec![0; waiting.len()];
        for (rank, &place) in queue.iter().enumerate() {
            rank_of[place] = rank;
        }
        let mut order = queue;
        order.sort_by_key(|&place| waiting[place].rating);
        let rank: Vec<usize> = order.iter().map(|&place| rank_of[place]).collect();
        let mut by_rank = vec![0; waiting.len()];
        let mut entries: HashMap<PlayerId, Vec<usize>> = HashMap::new();
        for (at, &place) in order.iter().enumerate() {
            by_rank[rank[at]] = at;
            entries.entry(waiting[place].player).or_default().push(at);
        }
        Self {
            waiting,
            now,
            together,
            rank,
            by_rank,
            entries,
            right: Skip::new(order.len()),
            left: Skip::new(order.len()),
            order,
        }
    }

    /// Those for whom anybody will do, the longest waiting first.
    fn pair_overdue(&mut self) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        for rank in 0..self.by_rank.len() {
            let at = self.by_rank[rank];
            if allowed(self.waited(at)).is_some() {
                // Players later in the queue have waited less.
                break;
            }
            if self.is_free(at)
                && let Some(other) = self.nearest(at)
            {
                pairs.push(self.take(at, other));
            }
        }
        pairs
    }

    /// The others, the smallest difference first: a heap with the best partner to the right of each, looked up again when it is
    /// taken.
    fn pair_nearest(&mut self) -> Vec<(usize, usize)> {
        let widest = self
            .by_rank
            .iter()
            .filter(|&&at| self.is_free(at))
            .find_map(|&at| allowed(self.waited(at)));
        let Some(widest) = widest else {
            return Vec::new();
        };
        let mut best = BinaryHeap::new();
        for at in 0..self.order.len() {
            best.extend(self.candidate(at, at + 1, widest).map(Reverse));
        }
        let mut pairs = Vec::new();
        while let Some(Reverse((_, _, _, at, other))) = best.pop() {
            if !self.is_free(at) {
                continue;
            }
            if self.is_free(other) {
                pairs.push(self.take(at, other));
            } else {
                best.extend(self.candidate(at, other + 1, widest).map(Reverse));
            }
        }
        pairs
    }

    /// The best partner for `at` from `from` on to the right: the difference, both ranks, both places.
    fn candidate(&mut self, at: usize, from: usize, widest: i32) -> Option<Candidate> {
        if !self.is_free(at) {
            return None;
        }
        let mut other = self.right.free(from);
        while other < self.order.len() {
            let difference = self.difference(at, other);
            if difference > widest {
                return None;
            }
            if self.may_play(at, other) {
                let (one, two) = (self.rank[at], self.rank[other]);
                return Some((difference, one.min(two), one.max(two), at, other));
            }
            other = self.right.free(other + 1);
        }
        None
    }

    /// The nearest rating to either side of somebody for whom anybody will do; of two as near the longer waiting.
    fn nearest(&mut self, at: usize) -> Option<usize> {
        let mut right = self.right.free(at + 1);
        while right < self.order.len() && !self.may_play(at, right) {
            right = self.right.free(right + 1);
        }
        let right = (right < self.order.len()).then_some(right);
        let left = self.nearest_left(at);
        let key = |other: usize| (self.difference(at, other), self.rank[other]);
        match (left, right) {
            (Some(left), Some(right)) if key(left) < key(right) => Some(left),
            (left, right) => right.or(left),
        }
    }

    fn nearest_left(&mut self, at: usize) -> Option<usize> {
        let mut found: Option<usize> = None;
        let mut left = self.free_left(at)?;
        loop {
            if found.is_some_and(|found| self.rating(found) != self.rating(left)) {
                return found;
            }
            // In a run of equal ratings the longest waiting stands leftmost.
            if self.may_play(at, left) {
                found = Some(left);
            }
            let Some(next) = self.free_left(left) else {
                return found;
            };
            left = next;
        }
    }

    /// The next who is free to the left of this place.
    fn free_left(&mut self, at: usize) -> Option<usize> {
        let end = self.order.len();
        // The same steps as to the right, counted from the other end.
        let mirrored = self.left.free(end - at);
        (mirrored < end).then(|| end - 1 - mirrored)
    }

    /// Whether these two may play with each other now. Both are free.
    fn may_play(&self, at: usize, other: usize) -> bool {
        let (one, two) = (self.at(at), self.at(other));
        let waited = self.waited(at).max(self.waited(other));
        allowed(waited).is_none_or(|most| self.difference(at, other) <= most)
            && one.player != two.player
            && !one.avoids.contains(&two.player)
            && !two.avoids.contains(&one.player)
            && !(self.together)(one.player, two.player)
    }

    fn take(&mut self, at: usize, other: usize) -> (usize, usize) {
        let end = self.order.len();
        for player in [self.at(at).player, self.at(other).player] {
            for entry in self.entries.remove(&player).unwrap_or_default() {
                self.right.take(entry);
                self.left.take(end - 1 - entry);
            }
        }
        let (first, second) = if self.rank[at] < self.rank[other] {
            (at, other)
        } else {
            (other, at)
        };
        (self.order[first], self.order[second])
    }

    fn at(&self, at: usize) -> &Waiting {
        &self.waiting[self.order[at]]
    }

    fn rating(&self, at: usize) -> i32 {
        self.at(at).rating
    }

    fn difference(&self, at: usize, other: usize) -> i32 {
        self.rating(at)
            .saturating_sub(self.rating(other))
            .saturating_abs()
    }

    fn waited(&self, at: usize) -> Millis {
        self.now - self.at(at).since
    }

    fn is_free(&self, at: usize) -> bool {
        self.right.is_free(at)
    }
}

/// The difference, the lower and the higher rank, the left and the right place.
type Candidate = (i32, usize, usize, usize, usize);

/// Places in a row, some of which are taken: from each a step to the next that may be free.
struct Skip(Vec<usize>);

impl Skip {
    /// All free, and one behind the last that always is.
    fn new(places: usize) -> Self {
        Self((0..=places).collect())
    }

    fn is_free(&self, place: usize) -> bool {
        self.0[place] == place
    }

    fn take(&mut self, place: usize) {
        self.0[place] = place + 1;
    }

    /// The first free place from this one on; the one behind the last if no place is free.
    fn free(&mut self, from: usize) -> usize {
        let mut end = from;
        while self.0[end] != end {
            end = self.0[end];
        }
        let mut place = from;
        while self.0[place] != place {
            place = std::mem::replace(&mut self.0[place], end);
        }
        end
    }
}

#[cfg(test)]
mod tests;
