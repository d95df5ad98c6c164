//! One player in the lobby: the connections there, the seeks, and how fast they came.

use std::collections::BTreeSet;

use qiguan_protocol::ids::{GameId, Millis, SeekId};

use crate::{
    lobby::state::GRACE,
    net::rate_limit::{Rate, RateLimit},
};

/// Seeks that one player may open in one go.
pub const SEEK_BURST: u32 = 10;
/// How long until one player may open one more.
pub const SEEK_REFILL: Millis = Millis(1_000);
/// After so long the rate is full again, and there is nothing to remember of somebody who is not there.
const FORGOTTEN: Millis = Millis(SEEK_BURST as i64 * SEEK_REFILL.0);

/// See the module.
#[derive(Debug)]
pub struct Person {
    /// The open seeks, the oldest first.
    pub seeks: Vec<SeekId>,
    /// How many may still be opened.
    pub rate: RateLimit<()>,
    connections: BTreeSet<u64>,
    /// The game in which they were paired last, and when.
    paired: Option<(GameId, Millis)>,
    /// Since when there has been no connection.
    away_since: Millis,
}

impl Person {
    /// Somebody who has not been here yet.
    pub fn new(now: Millis) -> Self {
        Self {
            seeks: Vec::new(),
            rate: RateLimit::new(Rate::new(SEEK_BURST, SEEK_REFILL)),
            connections: BTreeSet::new(),
            paired: None,
            away_since: now,
        }
    }

    /// A connection is in the lobby.
    pub fn enters(&mut self, connection: u64) {
        self.connections.insert(connection);
    }

    /// A connection is not in the lobby any more.
    pub fn leaves(&mut self, connection: u64, now: Millis) {
        if self.connections.remove(&connection) {
            self.away_since = now;
        }
    }

    /// They are paired in a game.
    pub const fn is_paired(&mut self, game: GameId, now: Millis) {
        self.paired = Some((game, now));
    }

    /// The game in which they were paired after they had asked for something at this time.
    pub fn paired_since(&self, asked_at: Millis) -> Option<GameId> {
        let (game, at) = self.paired?;
        (asked_at <= at).then_some(game)
    }

    /// The connections.
    pub fn connections(&self) -> impl Iterator<Item = u64> {
        self.connections.iter().copied()
    }

    /// Whether there is a connection.
    pub fn is_here(&self) -> bool {
        !self.connections.is_empty()
    }

    /// Whether there has been none for longer than a page takes to load.
    pub fn is_gone(&self, now: Millis) -> bool {
        !self.is_here() && self.away_since + GRACE <= now
    }

    /// Whether there is nothing left to remember.
    pub fn is_forgettable(&self, now: Millis) -> bool {
        !self.is_here() && self.seeks.is_empty() && self.away_since + FORGOTTEN <= now
    }
}
