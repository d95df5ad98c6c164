//! How games begin: which positions were reached, what was played there, and what came of it. All of it is counted from the record
//! by and by, after the games have ended, and stands beside it: nothing else depends on it, and it can be recounted.
//!
//! **Invariant:** counted is what anybody may look at, and no more is kept of it than spectators have seen (in Luzhanqi not even
//! what stands where).
//!
//! Counts games after they have ended: some at a time and at a pace that leaves the record to the moves that are played.
//!
//! What is still to be counted, the record itself knows (each game carries the number of the count that it is in), so nothing is
//! forgotten or counted twice, whatever order games end, are committed or imported in, and whatever other program crashes or
//! counts at the same time.

use std::{sync::Arc, time::Duration};

use qiguan_environment::Clock;
use qiguan_game::{
    position_key::{OpeningEntry, VERSION},
    state::State,
};
use qiguan_protocol::ids::GameId;
use qiguan_store::{
    openings::{Count, Counted},
    store::{Store, StoreError},
};

use crate::{
    aside,
    cluster::{place::Place, tasks::Task},
    jobs::leisure::{self, LEISURE},
};

/// So many games are counted in one transaction: moves wait no longer than for that.
const TOGETHER: u32 = 4;
/// How long to wait when there is nothing to count.
const IDLE: Duration = Duration::from_secs(1);
/// How long to wait when the record can't be read or written.
const DOWN: Duration = Duration::from_secs(5);

/// Counts for as long as it is awaited, while this program is to.
pub async fn run(store: Arc<Store>, clock: Clock, place: Place) {
    let mut failing = false;
    let mut count = None;
    loop {
        place.is_to_do(Task::Openings).await;
        let began = clock.micros();
        let rest = match step(store.as_ref(), &mut count).await {
            Ok(0) => IDLE,
            Ok(_) => {
                failing = false;
                leisure::rest(clock, began, LEISURE).await;
                continue;
            }
            Err(error) => {
                // One line per outage.
                if !failing {
                    failing = true;
                    tracing::warn!(%error, "could not count openings");
                }
                DOWN
            }
        };
        tokio::time::sleep(rest).await;
    }
}

/// Counts some games; comes back with how many were looked at. `count` is the one under way, as far as it is known.
async fn step(store: &Store, count: &mut Option<Count>) -> Result<u32, StoreError> {
    let under_way = match *count {
        Some(count) => count,
        None => *count.insert(store.openings(VERSION).await?),
    };
    let looked_at = some(store, under_way).await?;
    if looked_at.is_none() {
        // Somebody has started again.
        *count = None;
    }
    Ok(looked_at.unwrap_or(1))
}

/// Counts the next games; none if another count is under way.
async fn some(store: &Store, count: Count) -> Result<Option<u32>, StoreError> {
    let games = store.games_to_count(count, TOGETHER).await?;
    if games.is_empty() {
        return Ok(Some(0));
    }
    let mut counted = Vec::new();
    for game in &games {
        counted.push(Counted {
            game: *game,
            line: line(store, *game).await?,
        });
    }
    let looked_at = counted.len() as u32;
    let holds = store.count_openings(count, counted).await?;
    Ok(holds.then_some(looked_at))
}

/// What a game adds; none also for one whose record makes no sense.
async fn line(store: &Store, game: GameId) -> Result<Option<OpeningEntry>, StoreError> {
    let record = match store.game(game).await {
        Ok(record) => record,
        Err(StoreError::Corrupt { .. }) => None,
        Err(error) => return Err(error),
    };
    let Some(record) = record else {
        return Ok(None);
    };
    let is_short = record.events.len() <= aside::SHORT;
    let fold = move || {
        let state = State::fold(game, record.events).ok()?;
        OpeningEntry::of(&state)
    };
    let folding = if is_short {
        tokio::spawn(async move { fold() })
    } else {
        aside::in_background(fold)
    };
    // A game that makes this panic counts for nothing.
    Ok(folding.await.unwrap_or_default())
}

/// Recounts all games, without a rest. `told` hears after each transaction how many there have been.
///
/// # Errors
/// When the record can't be read or written. What was counted until then stays; a server goes on when the next game has ended.
pub async fn recount(store: &Store, mut told: impl FnMut(u64)) -> Result<u64, StoreError> {
    let count = store.begin_openings(VERSION).await?;
    let mut games = 0;
    loop {
        match some(store, count).await? {
            None | Some(0) => return Ok(games),
            Some(looked_at) => {
                games += u64::from(looked_at);
                told(games);
            }
        }
    }
}
