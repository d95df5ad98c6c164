//! What is not kept for ever, if the operator wishes so: games that nobody ends, and chat. Time is an argument.

use std::time::Duration;

use qiguan_protocol::ids::Millis;
use tokio::sync::oneshot;

use crate::{
    config::ServeArgs,
    room::{hub::Hub, knock::Knock},
    store::store::StoreError,
};

/// How often it is looked for what has been kept long enough.
const EVERY: Duration = Duration::from_hours(1);
/// How many lines of chat are cleared in one transaction: moves wait no longer than for that.
const LINES: u32 = 200;
/// Milliseconds in a day.
const DAY: i64 = 86_400_000;

/// How long what is kept; none is for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Games that nothing ends, since their last event.
    pub unfinished_games: Option<Millis>,
    /// Chat of games that have ended, since it was said.
    pub chat: Option<Millis>,
}

/// What was deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deleted {
    /// Games.
    pub games: u32,
    /// Lines of chat.
    pub lines: u32,
}

impl Retention {
    /// What the settings say; none if everything is kept.
    pub fn of(settings: &ServeArgs) -> Option<Self> {
        let days = |days: u32| (days > 0).then(|| Millis(i64::from(days) * DAY));
        let retention = Self {
            unfinished_games: days(settings.keep_unfinished_guest_games_days),
            chat: days(settings.keep_chat_days),
        };
        let keeps_all = retention.unfinished_games.is_none() && retention.chat.is_none();
        (!keeps_all).then_some(retention)
    }
}

/// Deletes again and again what has been kept long enough.
pub async fn run(hub: Hub, retention: Retention) {
    let mut looks = tokio::time::interval(EVERY);
    loop {
        looks.tick().await;
        let now = hub.services().clock.now();
        match sweep(&hub, retention, now).await {
            Ok(Deleted { games: 0, lines: 0 }) => {}
            Ok(Deleted { games, lines }) => {
                tracing::info!(games, lines, "what was kept long enough is deleted");
            }
            Err(error) => tracing::warn!(%error, "what was kept long enough can't be deleted"),
        }
    }
}

/// Deletes what has been kept long enough at `now`. Every game is deleted by its own room, if nobody looks at it.
///
/// # Errors
/// When the record can't be read or written. What was deleted before stays deleted.
pub async fn sweep(hub: &Hub, retention: Retention, now: Millis) -> Result<Deleted, StoreError> {
    let mut deleted = Deleted::default();
    let store = &hub.services().store;
    if let Some(kept) = retention.unfinished_games {
        let before = now - kept;
        for game in store.forsaken_games(before).await? {
            if hub.services().is_draining() {
                return Ok(deleted);
            }
            let (reply, gone) = oneshot::channel();
            hub.knock(game, Knock::Forsake { before, reply }).await;
            // A room that answers nothing has deleted nothing.
            deleted.games += u32::from(gone.await.unwrap_or(false));
        }
    }
    if let Some(kept) = retention.chat {
        loop {
            let cleared = store.clear_chat(now - kept, LINES).await?;
            deleted.lines += cleared;
            if cleared < LINES || hub.services().is_draining() {
                break;
            }
        }
    }
    Ok(deleted)
}

#[cfg(test)]
mod tests;
