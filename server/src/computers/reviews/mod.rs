//! Reviews of games that are over: made once on the threads of the computer players, after moves and hints, and stored.

mod attempt;
mod hidden;
mod progress;
mod stored;
mod work;

use std::{collections::HashMap, sync::Arc, time::Duration};

use parking_lot::Mutex;
use qiguan_engine::tables::Endings;
use qiguan_game::state::State;
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::GameId,
    review::Review,
};
use qiguan_rules::Game;
use qiguan_store::reviews::REVIEWS;
use tokio::{
    sync::{Semaphore, watch},
    time::timeout,
};

pub use self::attempt::attempt;
use self::{
    progress::Progress,
    work::{ReviewWork, moves_of},
};
use super::pool::Pool;
use crate::{
    aside::in_background,
    net::address::Group,
    services::{Services, computing::Owner, positions_elsewhere::InPlay, running_positions::key},
};

/// So many reviews may be under way or waiting.
const MOST: usize = 32;
/// So many are remembered that were begun and not seen to end.
const MOST_BEGUN: usize = 1_000;
/// Who wants to know more of a review waits for so long at most.
const PATIENCE: Duration = Duration::from_secs(10);

/// The reviews under way.
pub struct Reviews {
    services: Arc<Services>,
    pool: Arc<Pool>,
    endings: Arc<Endings>,
    going: Mutex<HashMap<GameId, Going>>,
    /// Reviews that were begun through this program, here or at another one, on whose account, and of which nobody has seen the end.
    begun: Mutex<HashMap<GameId, Group>>,
    /// No more reviews are under way at once than there are threads: each has a table of its own.
    slots: Semaphore,
}

/// A review under way.
struct Going {
    owner: Owner,
    progress: watch::Receiver<Progress>,
}

impl Reviews {
    /// No review yet; so many are worked on at once.
    pub fn new(
        services: Arc<Services>,
        pool: Arc<Pool>,
        endings: Arc<Endings>,
        threads: usize,
    ) -> Self {
        Self {
            services,
            pool,
            endings,
            going: Mutex::default(),
            begun: Mutex::default(),
            slots: Semaphore::new(threads.max(1)),
        }
    }

    /// The review of a game that is over: what is stored of it, or what is done so far. With `after` it answers once more moves than those
    /// are reviewed, or after 10 seconds. None if nobody has asked for one.
    ///
    /// # Errors
    /// `busy` when the record can't be read.
    pub async fn get(&self, state: &State, after: Option<u32>) -> Result<Option<Review>, ApiError> {
        if let Some(mut progress) = self.progress(state.id) {
            if let Some(after) = after {
                let more = progress.wait_for(|progress| {
                    progress.is_complete || progress.reviewed() as u64 > u64::from(after)
                });
                // Who has waited long enough, or to the end of a review that was given up, receives what there is.
                drop(timeout(PATIENCE, more).await);
            }
            let review = progress.borrow().review();
            return Ok(Some(review));
        }
        stored::read(&self.services.store, state).await
    }

    /// Remembers that a review was begun through this program.
    pub fn note_begun(&self, game: GameId, from: Group) {
        let mut begun = self.begun.lock();
        if begun.len() < MOST_BEGUN {
            begun.insert(game, from);
        }
    }

    /// On whose account a review was begun, which is not remembered any longer.
    pub fn forget_begun(&self, game: GameId) -> Option<Group> {
        self.begun.lock().remove(&game)
    }

    fn progress(&self, game: GameId) -> Option<watch::Receiver<Progress>> {
        let going = self.going.lock();
        going.get(&game).map(|going| going.progress.clone())
    }

    /// Begins the review of a game that is over, unless there is one. On whose account: an address has one under way at a time.
    ///
    /// # Errors
    /// `busy`.
    pub fn begin(self: &Arc<Self>, state: State, owner: Owner) -> Result<Review, ApiError> {
        let game = state.id;
        let (progress, receiver) = watch::channel(Progress::new(
            game,
            state.beginning().turn().into(),
            moves_of(&state),
        ));
        let review = receiver.borrow().review();
        {
            let mut going = self.going.lock();
            if let Some(other) = going.get(&game) {
                return Ok(other.progress.borrow().review());
            }
            let busy = |message| Err(ApiError::new(ErrorCode::Busy, message));
            if going.values().any(|other| other.owner == owner) {
                return busy(
                    "another review for this address is under way; ask again when it is done",
                );
            }
            if going.len() >= MOST {
                return busy("too many reviews are under way; ask again in a moment");
            }
            let progress = receiver;
            going.insert(game, Going { owner, progress });
        }
        let listed = Listed {
            reviews: Arc::clone(self),
            game,
        };
        tokio::spawn(async move {
            if listed.reviews.make(state, owner, &progress).await {
                // Who learns that it is done may ask for the next one.
                drop(listed);
                progress.send_modify(|progress| progress.is_complete = true);
            }
        });
        Ok(review)
    }

    /// Makes the review of a game, one position after the other, and stores it; whether all of it was done.
    async fn make(&self, state: State, owner: Owner, progress: &watch::Sender<Progress>) -> bool {
        // The semaphore is never closed.
        let Ok(_slot) = self.slots.acquire().await else {
            return false;
        };
        let Some(mut work) = ReviewWork::of(&state, Arc::clone(&self.endings)) else {
            tracing::error!(game = %state.id, "the moves of a game can't be reviewed");
            return false;
        };
        // What it leaves out is stored with it.
        let (game, ruleset) = (state.id, state.ruleset);
        let review = progress.borrow().review();
        let keys = in_background(move || Self::keys(review, &state));
        let keys = keys.await.unwrap_or_default();
        let standing = match self.services.standing(&ruleset, keys).await {
            Ok(standing) => Arc::new(standing),
            Err(error) => {
                tracing::warn!(%game, %error, "the review of a game was given up");
                return false;
            }
        };
        while work.left() > 0 {
            let (services, standing) = (Arc::clone(&self.services), Arc::clone(&standing));
            let looked = move || {
                let has = |game: &Game| services.running_positions.has_key(ruleset.id(), key(game));
                let found = work.look(|game| standing.has(game) || has(game));
                (work, found)
            };
            let Some((rest, Some(found))) = self.pool.review(owner, looked).await else {
                tracing::error!(%game, "the review of a game was given up");
                return false;
            };
            work = rest;
            progress.send_modify(|progress| progress.add(found));
        }
        let mut done = progress.borrow().clone();
        done.is_complete = true;
        let now = self.services.clock.now();
        stored::keep(&self.services.store, &done.review(), now, REVIEWS).await;
        true
    }

    /// Whether a review left out what stands in no running game any more. It takes as long as the game is long.
    pub fn can_fill(review: &Review, state: &State, standing: &InPlay) -> bool {
        if review.is_whole() {
            return false;
        }
        let mut shown = review.clone();
        for reviewed in &mut shown.moves {
            reviewed.chance = Some(0);
        }
        shown.start = Some(0);
        Self::withhold(&mut shown, state, |game| standing.has(game));
        let gap = |had: Option<u32>, has: Option<u32>| had.is_none() && has.is_some();
        let mut moves = review.moves.iter().zip(&shown.moves);
        gap(review.start, shown.start) || moves.any(|(had, has)| gap(had.chance, has.chance))
    }

    /// All positions of a review, with those of what would have been better. It takes as long as the game is long.
    pub fn keys(mut review: Review, state: &State) -> Vec<u64> {
        let mut keys = Vec::new();
        Self::withhold(&mut review, state, |game| {
            keys.push(key(game));
            false
        });
        keys
    }

    /// Leaves out of a review what is known of positions that stand in running games. It takes as long as the game is long.
    pub fn withhold(review: &mut Review, state: &State, is_running: impl FnMut(&Game) -> bool) {
        let start = match &state.setup {
            None => Some(state.beginning()),
            Some(setup) => setup
                .taken
                .as_ref()
                .and_then(|taken| Game::set_up(&state.ruleset, &taken.0)),
        };
        if let Some(start) = start {
            progress::withhold(review, start, &moves_of(state), is_running);
        }
    }
}

/// A review in the list; it leaves the list when it ends, however that may be.
struct Listed {
    reviews: Arc<Reviews>,
    game: GameId,
}

impl Drop for Listed {
    fn drop(&mut self) {
        self.reviews.going.lock().remove(&self.game);
    }
}
