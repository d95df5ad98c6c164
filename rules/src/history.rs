//! What of a game's past still counts: which positions may come back, and how long nothing has been captured.
//!
//! Shared by all games. A capture can't be undone, so only the positions since the last one are kept.

use std::{collections::BTreeMap, sync::Arc};

use crate::moves::Move;

/// Why a move is banned though the pieces could make it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BanReason {
    /// The position after it has occurred as often as `repetition_limit` allows (rules, "In every game", *Ban*).
    Repetition,
    /// The position has occurred so often, and the player alone has given check with each move since it last did
    /// (Xiangqi, `repetition: asian`).
    PerpetualCheck,
    /// The same with a chase of one unprotected piece (Xiangqi, `repetition: asian`).
    PerpetualChase,
}

impl BanReason {
    /// Every reason.
    pub const ALL: [Self; 3] = [Self::Repetition, Self::PerpetualCheck, Self::PerpetualChase];

    /// The reason's word in messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Repetition => "repetition",
            Self::PerpetualCheck => "perpetual_check",
            Self::PerpetualChase => "perpetual_chase",
        }
    }
}

/// A move that would be legal but for a ban.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BannedMove {
    /// The move.
    pub mv: Move,
    /// Why it is banned.
    pub reason: BanReason,
}

/// How many keys are looked through one by one. Few games are longer without a capture, and so short a list is faster to search
/// and to clone than a map.
const RECENT: usize = 128;

/// The positions that may still come back, by key, and the plies since the last capture.
#[derive(Debug)]
pub struct History {
    /// The last keys, the present position's last: at most [`RECENT`].
    recent: Vec<u64>,
    /// The keys before these since the last capture, if there are any. Clones share them until more are added.
    older: Option<Arc<Older>>,
    quiet_plies: u32,
}

/// A copy has room for one position more: it is made to be played on in.
impl Clone for History {
    fn clone(&self) -> Self {
        let mut recent = Vec::with_capacity(self.recent.len() + 1);
        recent.extend_from_slice(&self.recent);
        Self {
            recent,
            older: self.older.clone(),
            quiet_plies: self.quiet_plies,
        }
    }
}

/// Keys that have left the list of the recent ones.
#[derive(Clone, Debug, Default)]
struct Older {
    occurred: BTreeMap<u64, Occurred>,
    /// How many keys these are, repeated ones included.
    keys: usize,
}

#[derive(Clone, Copy, Debug)]
struct Occurred {
    times: u32,
    /// The place of the latest, from 0.
    latest: usize,
}

impl Older {
    fn push(&mut self, key: u64) {
        let latest = self.keys;
        let new = Occurred { times: 0, latest };
        let occurred = self.occurred.entry(key).or_insert(new);
        occurred.times += 1;
        occurred.latest = latest;
        self.keys += 1;
    }
}

impl History {
    /// The history of a game that starts from a position with so many quiet plies behind it. The start counts as its
    /// first occurrence.
    pub fn start(key: u64, quiet_plies: u32) -> Self {
        Self {
            recent: vec![key],
            older: None,
            quiet_plies,
        }
    }

    /// Notes the position after a move.
    pub fn push(&mut self, key: u64, captured: bool) {
        if captured {
            self.recent.clear();
            self.older = None;
            self.quiet_plies = 0;
        } else {
            self.quiet_plies = self.quiet_plies.saturating_add(1);
        }
        if self.recent.len() == RECENT {
            let older = Arc::make_mut(self.older.get_or_insert_default());
            self.recent.drain(..).for_each(|key| older.push(key));
        }
        self.recent.push(key);
    }

    /// How often a position has occurred, if nothing is captured on the way to it.
    ///
    /// The keys hold the side to move, so every other one is skipped: the position after the next move has the turn of the
    /// position before the present one.
    pub fn occurrences_after_move(&self, key: u64) -> u32 {
        let pairs = self.recent.rchunks_exact(2);
        let same = pairs.filter(|pair| matches!(pair, [same_turn, _] if *same_turn == key));
        let recently = same.count() as u32;
        let before = self
            .older
            .as_ref()
            .and_then(|older| older.occurred.get(&key));
        recently + before.map_or(0, |before| before.times)
    }

    /// How often a position has occurred. Its key holds the side to move.
    pub fn occurrences(&self, key: u64) -> u32 {
        let recently = self.recent.iter().filter(|known| **known == key).count() as u32;
        let before = self
            .older
            .as_ref()
            .and_then(|older| older.occurred.get(&key));
        recently + before.map_or(0, |before| before.times)
    }

    /// The number of plies ago a position last occurred, if nothing is captured on the way to it by the next move.
    pub fn plies_since(&self, key: u64) -> Option<usize> {
        let recently = self.recent.iter().rev().position(|known| *known == key);
        recently.or_else(|| {
            let older = self.older.as_ref()?;
            let before = older.occurred.get(&key)?;
            Some(self.recent.len() + older.keys - 1 - before.latest)
        })
    }

    /// Counts a move and forgets which positions have occurred: bans are not known any more.
    pub fn pass(&mut self, captured: bool) {
        self.recent = Vec::new();
        self.older = None;
        self.quiet_plies = if captured {
            0
        } else {
            self.quiet_plies.saturating_add(1)
        };
    }

    /// Plies since the last capture.
    pub const fn quiet_plies(&self) -> u32 {
        self.quiet_plies
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_counts_as_its_first_occurrence() {
        let mut history = History::start(1, 0);
        history.push(2, false);
        assert_eq!(history.occurrences_after_move(1), 1);
        assert_eq!(history.occurrences_after_move(2), 0);
    }

    #[test]
    fn plies_are_counted_back_to_the_latest_occurrence() {
        let mut history = History::start(1, 0);
        for key in [2, 3, 2, 4] {
            history.push(key, false);
        }
        assert_eq!(history.plies_since(2), Some(1));
        assert_eq!(history.plies_since(1), Some(4));
        assert_eq!(history.plies_since(5), None);
    }

    #[test]
    fn however_long_ago_an_occurrence_counts() {
        let (mut history, mut keys) = (History::start(0, 0), vec![0_u64]);
        let mut clone = history.clone();
        for ply in 1..2_000_u64 {
            // The turn is in the lowest bit, as in a position's key; the rest comes back now and then.
            let key = (ply * ply % 700) << 1 | ply & 1;
            history.push(key, false);
            keys.push(key);
            if ply == 1_000 {
                clone = history.clone();
            }
        }
        for key in 0..1_400 {
            let occurred = |keys: &[u64]| {
                let now_turn = keys.len() as u64 & 1 ^ 1;
                let times = keys.iter().filter(|known| **known == key).count() as u32;
                let since = keys.iter().rev().position(|known| *known == key);
                (if key & 1 == now_turn { 0 } else { times }, since)
            };
            let found = |history: &History| {
                let turn = u64::from(history.quiet_plies()) & 1;
                let times = history.occurrences_after_move(key);
                (
                    if key & 1 == turn { 0 } else { times },
                    history.plies_since(key),
                )
            };
            assert_eq!(found(&history), occurred(&keys), "{key}");
            assert_eq!(found(&clone), occurred(&keys[..=1_000]), "{key}");
        }
        history.push(3, true);
        assert_eq!(
            (history.occurrences_after_move(0), history.plies_since(1)),
            (0, None)
        );
    }

    #[test]
    fn a_capture_forgets_what_can_not_come_back() {
        let mut history = History::start(1, 7);
        history.push(2, false);
        assert_eq!(history.quiet_plies(), 8);
        history.push(3, true);
        assert_eq!(
            (history.quiet_plies(), history.occurrences_after_move(2)),
            (0, 0)
        );
    }
}
