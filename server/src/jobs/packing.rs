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

use crate::{
    cluster::{place::Place, tasks::Task},
    jobs::leisure::{self, LEISURE},
};

/// So many games are packed in one transaction: moves wait no longer than for that.
const TOGETHER: usize = 4;
/// So many games are looked at together.
const LOOKED_AT: u32 = 64;
/// How long to wait after all games were looked at: a tenth of how long they have to be quiet, but no less and no more than this.
const IDLE: [Millis; 2] = [Millis(1_000), Millis(10_000)];
/// How long to wait when the record can't be read or written.
const DOWN: Duration = Duration::from_secs(5);
/// How much longer than its work a rest is after looking at games: however many go on, that costs next to nothing.
const LEISURE_LOOKING: u32 = 50;
/// A game that goes on has to be quiet for so many times as long as one that is over.
const PATIENCE: i64 = 12;
/// A log of more rows is cut though a game goes on whose oldest events are in the way: that is packed as far as it is.
const LONGEST: i64 = 500_000;
/// So many games that can't be packed are remembered, so that they are tried once.
const LEFT: usize = 10_000;

/// Packs what is to be packed, again and again.
pub struct Packer {
    store: Arc<Store>,
    clock: Clock,
    place: Place,
    /// How long a game that is over has to be quiet.
    after: Millis,
    /// Games that can't be packed.
    left: HashSet<GameId>,
}

impl Packer {
    /// Packs games that have been over for `after`, and twelve times as long quiet if they go on.
    pub fn new(store: Arc<Store>, clock: Clock, place: Place, after: Millis) -> Self {
        Self {
            store,
            clock,
            place,
            after,
            left: HashSet::new(),
        }
    }

    /// Packs for as long as it is awaited, while this program is to.
    pub async fn run(mut self) {
        let mut failing = false;
        let [shortest, longest] = IDLE;
        let idle = Millis(self.after.0 / 10).clamp(shortest, longest);
        let idle = Duration::from_millis(idle.0.unsigned_abs());
        loop {
            self.place.is_to_do(Task::Packing).await;
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
        let store = Arc::clone(&self.store);
        let mut pages = Pages::of(&store);
        loop {
            let began = self.clock.micros();
            let Some(games) = pages.next().await? else {
                return self.cut().await;
            };
            let now = self.clock.now();
            let due = games
                .iter()
                .filter(|game| self.is_due(game, now))
                .map(|game| game.game);
            let due: Vec<_> = due.collect();
            leisure::rest(self.clock, began, LEISURE_LOOKING).await;
            for together in due.chunks(TOGETHER) {
                if !self.place.does(Task::Packing) {
                    return Ok(());
                }
                let began = self.clock.micros();
                for (game, packing) in pack(&store, together).await? {
                    self.note(game, packing);
                }
                leisure::rest(self.clock, began, LEISURE).await;
            }
        }
    }

    /// Cuts the log from its old end, until there is an event that is neither packed nor in the way.
    async fn cut(&mut self) -> Result<(), StoreError> {
        loop {
            let began = self.clock.micros();
            let cut = self.store.cut_log().await?;
            if let Some(oldest) = cut.in_the_way {
                let is_old = oldest.at.0 <= self.quiet_since(false, self.clock.now());
                if !is_old && oldest.log_rows <= LONGEST {
                    return Ok(());
                }
                for (game, packing) in pack(&self.store, &[oldest.game]).await? {
                    match packing {
                        Packing::Packed(_) => {}
                        Packing::Left(_) => self.store.move_out_of_log(game).await?,
                        // The row belongs to no game. It is not worth trying without end.
                        Packing::Gone => return Ok(()),
                    }
                    self.note(game, packing);
                }
            } else if cut.rows == 0 || !self.place.does(Task::Packing) {
                return Ok(());
            }
            leisure::rest(self.clock, began, LEISURE).await;
        }
    }

    /// Since when a game has to have been quiet.
    const fn quiet_since(&self, has_ended: bool, now: Millis) -> i64 {
        let patience = if has_ended { 1 } else { PATIENCE };
        now.0 - self.after.0.saturating_mul(patience)
    }

    fn is_due(&self, game: &Unpacked, now: Millis) -> bool {
        game.last_at.0 <= self.quiet_since(game.has_ended, now) && !self.left.contains(&game.game)
    }

    fn note(&mut self, game: GameId, packing: Packing) {
        match packing {
            Packing::Packed(_) => counter!("qiguan_games_packed_total").increment(1),
            Packing::Gone => {}
            Packing::Left(reason) => {
                if self.left.len() < LEFT && self.left.insert(game) {
                    tracing::warn!(%game, reason, "a game can't be packed and stays as it is");
                }
            }
        }
    }
}

/// Packs every game that is over, without a rest. `told` hears what became of each.
///
/// # Errors
/// When the record can't be read or written. What was packed until then stays so.
pub async fn pack_all(
    store: &Store,
    mut told: impl FnMut(GameId, Packing),
) -> Result<(), StoreError> {
    let mut pages = Pages::of(store);
    while let Some(games) = pages.next().await? {
        let ended = games.iter().filter(|game| game.has_ended);
        let ended: Vec<_> = ended.map(|game| game.game).collect();
        for together in ended.chunks(TOGETHER) {
            for (game, packing) in pack(store, together).await? {
                told(game, packing);
            }
        }
    }
    while store.cut_log().await?.rows > 0 {}
    Ok(())
}

/// The games that are not packed, page by page.
struct Pages<'a> {
    store: &'a Store,
    after: Option<GameId>,
    is_over: bool,
}

impl<'a> Pages<'a> {
    const fn of(store: &'a Store) -> Self {
        Self {
            store,
            after: None,
            is_over: false,
        }
    }

    /// The next page; `None` after the last. What can't be read is passed over, a game at a time.
    async fn next(&mut self) -> Result<Option<Vec<Unpacked>>, StoreError> {
        while !self.is_over {
            match self.store.unpacked_games(self.after, LOOKED_AT).await {
                Ok(page) => {
                    self.after = page.next;
                    self.is_over = page.next.is_none();
                    return Ok(Some(page.games));
                }
                Err(error) if !self.store.healthy().await => return Err(error),
                Err(error) => match self.store.next_game(self.after).await? {
                    Some(game) => self.after = Some(game),
                    None => return Err(error),
                },
            }
        }
        Ok(None)
    }
}

/// Packs some games together. If that fails though the record can be written, each by itself: one of them can't be read.
async fn pack(store: &Store, games: &[GameId]) -> Result<Vec<(GameId, Packing)>, StoreError> {
    match store.pack_games(games.to_vec()).await {
        Ok(became) => return Ok(became),
        Err(error) if !store.healthy().await => return Err(error),
        Err(_) => {}
    }
    let mut became = Vec::with_capacity(games.len());
    for game in games {
        match store.pack_games(vec![*game]).await {
            Ok(alone) => became.extend(alone),
            Err(error) if !store.healthy().await => return Err(error),
            Err(error) => became.push((*game, Packing::Left(error.to_string()))),
        }
    }
    Ok(became)
}
