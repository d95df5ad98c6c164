//! Games that can be watched, in the order of the list, and those of them that may be featured, in an order of theirs. A value.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU32, Ordering},
    },
};

use qiguan_protocol::{
    ids::{GameId, Millis, Ply},
    live::LiveGame,
    time_control::Clock,
};

use crate::services::featured::Candidate;

/// A game of the list.
pub struct LiveEntry {
    /// As it was when it came in.
    game: LiveGame,
    /// The number of moves that spectators know.
    ply: AtomicU32,
    /// When they learned of the last one; when the game came in, as long as they know of none.
    moved_at: AtomicI64,
    /// How many there are. Changed while the list is locked, since a game's place depends on it.
    spectators: AtomicU32,
    /// Since when neither player has been there, or [`PLAYED`]. Changed while the list is locked.
    deserted_since: AtomicI64,
}

/// What changes in an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EntryNumbers {
    /// The number of moves that spectators know.
    pub(super) ply: Ply,
    /// How many spectators there are.
    pub(super) spectators: u32,
    /// When they learned of the last move.
    pub(super) moved_at: Millis,
    /// Since when neither player has been there; none while one is.
    pub(super) deserted_since: Option<Millis>,
}

/// A game in which a player is there.
const PLAYED: i64 = i64::MAX;

/// Where a game stands among the others: first those in which a player is there; then both ratings together if both players have one, then the spectators, then how young it is.
pub(super) type LiveRank = (bool, Option<i32>, u32, GameId);

/// Where a game stands among those that may be featured: rated ones come before what the players are rated.
type CandidateRank = (bool, bool, Option<i32>, u32, GameId);

/// Games in order.
pub(super) type Ranked = BTreeMap<Reverse<LiveRank>, Arc<LiveEntry>>;

impl LiveEntry {
    /// A game that has just come in.
    pub(super) fn new(game: LiveGame, now: Millis) -> Self {
        let numbers = EntryNumbers {
            ply: game.ply,
            spectators: game.spectators,
            moved_at: now,
            deserted_since: None,
        };
        Self::with(game, numbers)
    }

    /// A game that stands so.
    pub(super) fn with(game: LiveGame, numbers: EntryNumbers) -> Self {
        let deserted = numbers.deserted_since.map_or(PLAYED, |since| since.0);
        Self {
            ply: AtomicU32::new(numbers.ply.0),
            moved_at: AtomicI64::new(numbers.moved_at.0),
            spectators: AtomicU32::new(numbers.spectators),
            deserted_since: AtomicI64::new(deserted),
            game,
        }
    }

    /// Which game.
    pub(super) const fn id(&self) -> GameId {
        self.game.game
    }

    /// The game as it stands.
    pub(super) fn now(&self) -> LiveGame {
        LiveGame {
            ply: Ply(self.ply.load(Ordering::Relaxed)),
            spectators: self.spectators.load(Ordering::Relaxed),
            ..self.game.clone()
        }
    }

    /// What changes, as it stands.
    pub(super) fn numbers(&self) -> EntryNumbers {
        EntryNumbers {
            ply: Ply(self.ply.load(Ordering::Relaxed)),
            spectators: self.spectators.load(Ordering::Relaxed),
            moved_at: Millis(self.moved_at.load(Ordering::Relaxed)),
            deserted_since: self.deserted_since(),
        }
    }

    /// Notes how many moves spectators know.
    pub(super) fn moves(&self, ply: Ply, now: Millis) {
        if self.ply.swap(ply.0, Ordering::Relaxed) != ply.0 {
            self.moved_at.store(now.0, Ordering::Relaxed);
        }
    }

    /// Whether the game has its place by these numbers already.
    pub(super) fn stands_by(&self, spectators: u32, deserted_since: Option<Millis>) -> bool {
        self.deserted_since() == deserted_since
            && self.spectators.load(Ordering::Relaxed) == spectators
    }

    /// Where the game stands among the others.
    pub(super) fn rank(&self) -> LiveRank {
        let spectators = self.spectators.load(Ordering::Relaxed);
        let is_played = self.deserted_since().is_none();
        (is_played, self.strength(), spectators, self.game.game)
    }

    fn candidate_rank(&self) -> CandidateRank {
        let (is_played, strength, spectators, game) = self.rank();
        (is_played, self.game.rated, strength, spectators, game)
    }

    fn deserted_since(&self) -> Option<Millis> {
        let since = self.deserted_since.load(Ordering::Relaxed);
        (since != PLAYED).then_some(Millis(since))
    }

    fn strength(&self) -> Option<i32> {
        let players = &self.game.players;
        let both = players.first.rating.zip(players.second.rating);
        both.map(|(first, second)| first.value + second.value)
    }

    /// Only a game whose clock sees to it that something happens, and that it ends.
    const fn may_be_featured(&self) -> bool {
        match self.game.time_control.clock {
            Clock::Fischer { .. } | Clock::Byoyomi { .. } => true,
            Clock::PerMove { .. } | Clock::None => false,
        }
    }

    /// The game as one that could be featured.
    pub(super) fn candidate(&self) -> Candidate {
        let moved_at = Millis(self.moved_at.load(Ordering::Relaxed));
        Candidate {
            game: self.game.game,
            rated: self.game.rated,
            strength: self.strength(),
            spectators: self.spectators.load(Ordering::Relaxed),
            moved_at,
            // Who moves over plain HTTP is never connected, and plays nevertheless.
            deserted_since: self.deserted_since().map(|since| since.max(moved_at)),
        }
    }

    fn kind(&self) -> &str {
        let of = self.game.ruleset.split_once('/');
        of.map_or("", |(kind, _)| kind)
    }
}

/// See the module.
#[derive(Default)]
pub(super) struct RankedGames {
    by_id: HashMap<GameId, Arc<LiveEntry>>,
    by_ruleset: BTreeMap<String, Ranked>,
    /// Those of each kind that may be featured.
    candidates: HashMap<String, BTreeMap<Reverse<CandidateRank>, Arc<LiveEntry>>>,
}

impl RankedGames {
    /// Takes a game in, in place of what was known of it.
    pub(super) fn insert(&mut self, entry: &Arc<LiveEntry>) {
        self.remove(entry.id());
        self.by_id.insert(entry.id(), Arc::clone(entry));
        self.rank(entry);
    }

    /// Takes a game out.
    pub(super) fn remove(&mut self, game: GameId) {
        if let Some(entry) = self.by_id.remove(&game) {
            self.take_out(&entry);
        }
    }

    /// A game, if it is there.
    pub(super) fn get(&self, game: GameId) -> Option<&Arc<LiveEntry>> {
        self.by_id.get(&game)
    }

    /// The games, in no order.
    pub(super) fn ids(&self) -> impl Iterator<Item = GameId> {
        self.by_id.keys().copied()
    }

    /// Notes in an entry what its place depends on. One that was taken out stays out.
    pub(super) fn stands(
        &mut self,
        entry: &Arc<LiveEntry>,
        spectators: u32,
        deserted_since: Option<Millis>,
    ) {
        let listed = self.by_id.get(&entry.id());
        let is_listed = listed.is_some_and(|listed| Arc::ptr_eq(listed, entry));
        if is_listed {
            self.take_out(entry);
        }
        entry.spectators.store(spectators, Ordering::Relaxed);
        let deserted = deserted_since.map_or(PLAYED, |since| since.0);
        entry.deserted_since.store(deserted, Ordering::Relaxed);
        if is_listed {
            self.rank(entry);
        }
    }

    /// The same as another program says it.
    pub(super) fn renumber(&mut self, game: GameId, numbers: EntryNumbers) {
        let Some(entry) = self.by_id.get(&game).map(Arc::clone) else {
            return;
        };
        entry.ply.store(numbers.ply.0, Ordering::Relaxed);
        entry.moved_at.store(numbers.moved_at.0, Ordering::Relaxed);
        self.stands(&entry, numbers.spectators, numbers.deserted_since);
    }

    /// The games of each rule set, in order.
    pub(super) fn rulesets(&self) -> impl Iterator<Item = (&str, &Ranked)> {
        self.by_ruleset
            .iter()
            .map(|(id, ranked)| (id.as_str(), ranked))
    }

    /// The first `limit` games of those rule sets that are `wanted`.
    pub(super) fn first(
        &self,
        limit: usize,
        wanted: impl Fn(&str) -> bool,
    ) -> Vec<&Arc<LiveEntry>> {
        let ranked = self.rulesets().filter(|(ruleset, _)| wanted(ruleset));
        first(ranked.map(|(_, ranked)| ranked.iter()), limit)
    }

    /// How many games there are of those rule sets that are `wanted`.
    pub(super) fn total(&self, wanted: impl Fn(&str) -> bool) -> usize {
        let ranked = self.rulesets().filter(|(ruleset, _)| wanted(ruleset));
        ranked.map(|(_, ranked)| ranked.len()).sum()
    }

    /// The games of a kind that may be featured, the best first as long as all go on.
    pub(super) fn candidates(&self, kind: &str) -> impl Iterator<Item = &Arc<LiveEntry>> {
        let of_kind = self.candidates.get(kind);
        of_kind.into_iter().flat_map(BTreeMap::values)
    }

    /// Puts a game in its place.
    fn rank(&mut self, entry: &Arc<LiveEntry>) {
        let ranked = self.by_ruleset.entry(entry.game.ruleset.clone());
        let rank = Reverse(entry.rank());
        ranked.or_default().insert(rank, Arc::clone(entry));
        if entry.may_be_featured() {
            let of_kind = self.candidates.entry(entry.kind().to_owned());
            let rank = Reverse(entry.candidate_rank());
            of_kind.or_default().insert(rank, Arc::clone(entry));
        }
    }

    /// Takes a game out of its place.
    fn take_out(&mut self, entry: &LiveEntry) {
        if let Some(ranked) = self.by_ruleset.get_mut(&entry.game.ruleset) {
            ranked.remove(&Reverse(entry.rank()));
            if ranked.is_empty() {
                self.by_ruleset.remove(&entry.game.ruleset);
            }
        }
        if let Some(of_kind) = self.candidates.get_mut(entry.kind()) {
            of_kind.remove(&Reverse(entry.candidate_rank()));
        }
    }
}

/// The first of several lists that are in order; of each no more than that many are looked at.
pub(super) fn first<'a, K: Ord + 'a, V>(
    lists: impl Iterator<Item = impl Iterator<Item = (&'a K, &'a V)>>,
    limit: usize,
) -> Vec<&'a V> {
    let mut heads: Vec<_> = lists.flat_map(|list| list.take(limit)).collect();
    heads.sort_unstable_by_key(|(key, _)| *key);
    heads.truncate(limit);
    heads.into_iter().map(|(_, value)| value).collect()
}
