//! Where the events of each game are in the log of SQLite. The log itself has no index by game, which would be written at random places: each program
//! keeps one in memory, made from the log, and `game_events.rs` reads what was appended since before anything relies on it.
//!
//! **Invariant:** a row is in the index only when it is committed. One that is not in the log any more may still be in the index: then its
//! game is packed at least as far, or deleted.

use std::{
    collections::BTreeMap,
    ops::Bound,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use uuid::Uuid;

use crate::errors::StoreError;

/// An event in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Logged {
    /// The row.
    pub(crate) id: i64,
    /// The number of the event in its game.
    pub(crate) seq: u32,
}

/// The index. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct EventLog(Arc<Mutex<Index>>);

#[derive(Default)]
struct Index {
    /// Rows up to this one are in it.
    through: i64,
    /// Of these, rows up to this one are gone.
    cut: i64,
    /// The first row that can't be read.
    damaged: Option<i64>,
    games: BTreeMap<Uuid, Vec<Logged>>,
}

impl EventLog {
    fn index(&self) -> MutexGuard<'_, Index> {
        // Nothing here is left half done by a panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Rows up to this one are known.
    pub(crate) fn through(&self) -> i64 {
        self.index().through
    }

    /// Notes rows in the order of the log. Those that are known already are left out.
    pub(crate) fn note(&self, rows: impl IntoIterator<Item = (Uuid, Logged)>) {
        let mut index = self.index();
        for (game, row) in rows {
            if row.id > index.through {
                index.through = row.id;
                index.games.entry(game).or_default().push(row);
            }
        }
    }

    /// Notes that rows up to this one are known.
    pub(crate) fn pass(&self, through: i64) {
        let mut index = self.index();
        index.through = index.through.max(through);
    }

    /// Notes that this row can't be read.
    pub(crate) fn is_damaged_at(&self, row: i64) {
        self.index().damaged.get_or_insert(row);
        self.pass(row);
    }

    /// What is wrong with the first row that can't be read.
    pub(crate) fn damaged(&self) -> Option<StoreError> {
        let damaged = self.index().damaged?;
        Some(StoreError::Corrupt {
            table: "event_log",
            row: damaged.to_string(),
            what: "it can't be read".to_owned(),
        })
    }

    /// The rows of a game, the oldest first.
    pub(crate) fn rows_of(&self, game: Uuid) -> Vec<Logged> {
        self.index().games.get(&game).cloned().unwrap_or_default()
    }

    /// The newest event of a game.
    pub(crate) fn last_of(&self, game: Uuid) -> Option<Logged> {
        self.index().games.get(&game)?.last().copied()
    }

    /// The games behind one and their newest events, by id, at most so many.
    pub(crate) fn games_after(&self, game: Uuid, limit: usize) -> Vec<(Uuid, Logged)> {
        let index = self.index();
        let games = index.games.range((Bound::Excluded(game), Bound::Unbounded));
        games
            .filter_map(|(game, rows)| Some((*game, *rows.last()?)))
            .take(limit)
            .collect()
    }

    /// Forgets a game: its rows are gone.
    pub(crate) fn forget(&self, game: Uuid) {
        self.index().games.remove(&game);
    }

    /// The rows up to this one are gone.
    pub(crate) fn is_cut(&self, through: i64) {
        let mut index = self.index();
        if through <= index.cut {
            return;
        }
        index.cut = through.min(index.through);
        index.games.retain(|_, rows| {
            rows.retain(|row| row.id > through);
            !rows.is_empty()
        });
    }
}
