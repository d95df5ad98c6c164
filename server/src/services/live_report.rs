//! What a program says to others of its games that can be watched: the best of each rule set, and of these only what has changed. A value.
//!
//! How much that is does not depend on how many games there are. Times travel as how long ago they were: clocks of two machines need not
//! agree.

use std::{collections::BTreeMap, sync::Arc};

use qiguan_protocol::{
    ids::{GameId, Millis, Ply},
    live::LiveGame,
};
use serde::{Deserialize, Serialize};

use crate::services::ranked_games::{EntryNumbers, LiveEntry};

/// What others are to know.
pub struct BestGames {
    /// How many games there are of each rule set that has any.
    pub(super) totals: BTreeMap<String, usize>,
    /// The best of them; one can be among them twice.
    pub(super) best: Vec<Arc<LiveEntry>>,
}

/// What others know.
#[derive(Default)]
pub struct LiveReport {
    totals: BTreeMap<String, usize>,
    best: BTreeMap<GameId, (Arc<LiveEntry>, EntryNumbers)>,
}

/// What has changed.
#[derive(Default, Serialize, Deserialize)]
pub struct LiveChanges {
    /// How many games there are of a rule set.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) totals: BTreeMap<String, usize>,
    /// Games that are among the best now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) entered: Vec<EnteredGame>,
    /// Those in which something has changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) changed: Vec<ChangedGame>,
    /// Those that are among them no more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) left: Vec<GameId>,
}

/// A game that is among the best now.
#[derive(Serialize, Deserialize)]
pub(super) struct EnteredGame {
    /// The game.
    game: LiveGame,
    /// How long ago its last move was.
    still: Millis,
    /// For how long neither player has been there; none while one is.
    deserted: Option<Millis>,
}

/// A game in which something has changed.
#[derive(Serialize, Deserialize)]
pub(super) struct ChangedGame {
    /// The game.
    pub(super) game: GameId,
    ply: Ply,
    spectators: u32,
    still: Millis,
    deserted: Option<Millis>,
}

impl LiveReport {
    /// From now on others know this. Comes back with what they have to be told.
    pub fn update(&mut self, now_best: BestGames, now: Millis) -> LiveChanges {
        let mut changes = LiveChanges::default();
        let BestGames { totals, best } = now_best;
        for (ruleset, total) in &totals {
            if self.totals.get(ruleset) != Some(total) {
                changes.totals.insert(ruleset.clone(), *total);
            }
        }
        let gone = self.totals.keys().filter(|it| !totals.contains_key(*it));
        changes.totals.extend(gone.map(|it| (it.clone(), 0)));
        self.totals = totals;
        let mut was = std::mem::take(&mut self.best);
        for entry in best {
            let game = entry.id();
            if self.best.contains_key(&game) {
                continue;
            }
            let numbers = entry.numbers();
            match was.remove(&game) {
                Some((same, then)) if Arc::ptr_eq(&same, &entry) => {
                    if then != numbers {
                        changes.changed.push(ChangedGame::of(game, numbers, now));
                    }
                }
                // It can have come in again, with other names.
                Some(_) | None => changes.entered.push(EnteredGame::of(&entry, numbers, now)),
            }
            self.best.insert(game, (entry, numbers));
        }
        changes.left.extend(was.into_keys());
        changes
    }

    /// Everything that others know, for one that knows nothing.
    pub fn whole(&self, now: Millis) -> LiveChanges {
        let best = self.best.values();
        LiveChanges {
            totals: self.totals.clone(),
            entered: best
                .map(|(entry, numbers)| EnteredGame::of(entry, *numbers, now))
                .collect(),
            ..LiveChanges::default()
        }
    }
}

impl LiveChanges {
    /// Whether nothing has changed.
    pub fn is_empty(&self) -> bool {
        let Self {
            totals,
            entered,
            changed,
            left,
        } = self;
        totals.is_empty() && entered.is_empty() && changed.is_empty() && left.is_empty()
    }
}

impl EnteredGame {
    fn of(entry: &LiveEntry, numbers: EntryNumbers, now: Millis) -> Self {
        Self {
            game: LiveGame {
                ply: numbers.ply,
                spectators: numbers.spectators,
                ..entry.now()
            },
            still: now - numbers.moved_at,
            deserted: numbers.deserted_since.map(|since| now - since),
        }
    }

    /// The entry of the game where it is heard of.
    pub(super) fn into_entry(self, now: Millis) -> LiveEntry {
        let numbers = EntryNumbers {
            ply: self.game.ply,
            spectators: self.game.spectators,
            moved_at: now - self.still,
            deserted_since: self.deserted.map(|time| now - time),
        };
        LiveEntry::with(self.game, numbers)
    }
}

impl ChangedGame {
    fn of(game: GameId, numbers: EntryNumbers, now: Millis) -> Self {
        Self {
            game,
            ply: numbers.ply,
            spectators: numbers.spectators,
            still: now - numbers.moved_at,
            deserted: numbers.deserted_since.map(|since| now - since),
        }
    }

    /// The numbers where they are heard of.
    pub(super) fn numbers(&self, now: Millis) -> EntryNumbers {
        EntryNumbers {
            ply: self.ply,
            spectators: self.spectators,
            moved_at: now - self.still,
            deserted_since: self.deserted.map(|time| now - time),
        }
    }
}
