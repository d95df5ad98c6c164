//! Packs games that are over, or have been quiet for long: each becomes one row, a twentieth of the size. Nobody who plays, watches or
//! looks a game up sees a difference. Records of older programs, in which no game is packed, are packed like that too.
//!
//! What is still to be packed, the record itself knows (a game has events of its own), so nothing is forgotten, whatever crashes. It goes
//! at a pace that leaves the record to the moves that are played.

use std::{collections::HashSet, sync::Arc, time::Duration};

use metrics::counter;
use qiguan_environment::Clock;
use qiguan_protocol::ids::{GameId, Millis};
use qiguan_store::{
    packed_games::{Packing, Unpacked},
    store::{Store, StoreError},
};

/// So many games are packed in one transaction: moves wait no longer than for that.
const TOGETHER: usize = 4;
/// So many games are looked at together.
const LOOKED_AT: u32 = 64;
/// How long to wait after all games were looked at: a tenth of how long they have to be quiet, but no less and no more than this.
const IDLE: [Millis; 2] = [Millis(1_000), Millis(10_000)];
/// How long to wait when the record can't be read or written.
const DOWN: Duration = Duration::from_secs(5);
/// The shortest rest.
const REST: Duration = Duration::from_millis(10);
/// How much longer than its work each rest is: so much of the time is left to others.
const LEISURE: u32 = 4;
/// The same where there was nothing to pack: however many games go on, looking at them costs next to nothing.
const LEISURE_LOOKING: u32 = 50;
/// A game that goes on has to be quiet for so many times as long as one that is over.
const PATIENCE: i64 = 12;
/// So many games that can't be packed are remembered, so that they are tried once.
const LEFT: usize = 10_000;

/// Packs what is to be packed, again and again.
pub struct Packer {
    store: Arc<Store>,
    clock: Clock,
    /// How long a game that is over has to be quiet.
    after: Millis,
    /// Games that can't be packed.
    left: HashSet<GameId>,
}

impl Packer {
    /// Packs games that have been over for `after`, and twelve times as long quiet if they go on.
    pub fn new(store: Arc<Store>, clock: Clock, after: Millis) -> Self {
        Self {
            store,
            clock,
            after,
            left: HashSet::new(),
        }
    }

    /// Packs for as long as it is awaited.
    pub async fn run(mut self) {
        let mut failing = false;
        let [shortest, longest] = IDLE;
        let idle = Millis(self.after.0 / 10).clamp(shortest, longest);
        let idle = Duration::from_millis(idle.0.unsigned_abs());
        loop {
            let rest = match self.sweep().await {
                Ok(()) => {
                    failing = false;
                    idle
                }
                Err(error) => {
                    // One line per outage.
                    if !failing {
                        failing = true;
                        tracing::warn!(%error, "could not pack games");
                    }
                    DOWN
                }
            };
            tokio::time::sleep(rest).await;
        }
    }

    /// Looks once at every game that is not packed.
    async fn sweep(&mut self) -> Result<(), StoreError> {
        let mut after = None;
        loop {
            let began = self.clock.micros();
            let games = self.store.unpacked_games(after, LOOKED_AT).await?;
            let Some(last) = games.last() else {
                return Ok(());
            };
            after = Some(last.game);
            let now = self.clock.now();
            let due = games
                .iter()
                .filter(|game| self.is_due(game, now))
                .map(|game| game.game);
            let due: Vec<_> = due.collect();
            self.rest(began, LEISURE_LOOKING).await;
            for together in due.chunks(TOGETHER) {
                let began = self.clock.micros();
                let became = self.store.pack_games(together.to_vec()).await?;
                self.note(became);
                self.rest(began, LEISURE).await;
            }
        }
    }

    fn is_due(&self, game: &Unpacked, now: Millis) -> bool {
        let patience = if game.has_ended { 1 } else { PATIENCE };
        let quiet_since = now.0 - self.after.0.saturating_mul(patience);
        game.last_at.0 <= quiet_since && !self.left.contains(&game.game)
    }

    fn note(&mut self, became: Vec<(GameId, Packing)>) {
        for (game, packing) in became {
            match packing {
                Packing::Packed(_) => counter!("qiguan_games_packed_total").increment(1),
                Packing::Gone => {}
                Packing::Left(reason) => {
                    tracing::warn!(%game, reason, "a game can't be packed and stays as it is");
                    if self.left.len() >= LEFT {
                        self.left.clear();
                    }
                    self.left.insert(game);
                }
            }
        }
    }

    async fn rest(&self, began: u64, leisure: u32) {
        let worked = Duration::from_micros(self.clock.micros().saturating_sub(began));
        tokio::time::sleep((worked * leisure).max(REST)).await;
    }
}

/// Packs every game that is over, without a rest. `told` hears after each transaction how many games were packed in it.
///
/// # Errors
/// When the record can't be read or written. What was packed until then stays so.
pub async fn pack_all(store: &Store, mut told: impl FnMut(u64)) -> Result<u64, StoreError> {
    let (mut after, mut packed) = (None, 0);
    loop {
        let games = store.unpacked_games(after, LOOKED_AT).await?;
        let Some(last) = games.last() else {
            return Ok(packed);
        };
        after = Some(last.game);
        let ended = games.iter().filter(|game| game.has_ended);
        let became = store.pack_games(ended.map(|game| game.game).collect());
        let became = became.await?.into_iter();
        let now = became
            .filter(|(_, packing)| matches!(packing, Packing::Packed(_)))
            .count() as u64;
        packed += now;
        told(now);
    }
}
