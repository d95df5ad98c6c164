//! What is not kept for ever: games that nobody ends, games that were aborted before they had begun, and chat. Time is an argument.

use std::time::Duration;

use qiguan_protocol::ids::{GameId, Millis};
use qiguan_store::store::{AbortedPage, Deletable, StoreError};
use tokio::sync::oneshot;

use crate::{
    cluster::tasks::Task,
    config::ServeArgs,
    jobs::leisure::{self, LEISURE},
    room::{hub::Hub, message::RoomMessage},
};

/// How often it is looked for what has been kept long enough.
const EVERY: Duration = Duration::from_hours(1);
/// The same while there is more than one pass deletes.
const SOON: Duration = Duration::from_mins(1);
/// How many lines of chat are cleared in one transaction: moves wait no longer than for that.
const LINES: u32 = 200;
/// How many aborted games are looked up at once.
const PAGE: u32 = 200;
/// How many aborted games one pass deletes at most.
const ABORTED_PER_PASS: u32 = 5_000;
/// Milliseconds in a day.
const DAY: i64 = 86_400_000;
/// An aborted game in which somebody has said something stays so long, so that it can still be reported.
const SPOKEN: Millis = Millis(30 * DAY);

/// How long what is kept; none is for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Games that nothing ends, since their last event.
    pub unfinished_games: Option<Millis>,
    /// Games that were aborted before both players had moved, since their last event.
    pub aborted_games: Option<Millis>,
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
    /// Whether there may be more that has been kept long enough.
    pub is_more: bool,
}

impl Retention {
    /// What the settings say; none if everything is kept.
    pub fn of(settings: &ServeArgs) -> Option<Self> {
        let days = |days: u32| (days > 0).then(|| Millis(i64::from(days) * DAY));
        let retention = Self {
            unfinished_games: days(settings.keep_unfinished_guest_games_days),
            aborted_games: days(settings.keep_aborted_games_days),
            chat: days(settings.keep_chat_days),
        };
        let kept = [
            retention.unfinished_games,
            retention.aborted_games,
            retention.chat,
        ];
        (kept != [None; 3]).then_some(retention)
    }
}

/// Deletes again and again what has been kept long enough.
pub async fn run(hub: Hub, retention: Retention) {
    loop {
        let now = hub.services().clock.now();
        let swept = sweep(&hub, retention, now).await;
        let wait = match &swept {
            Ok(Deleted { is_more: true, .. }) => SOON,
            Ok(_) | Err(_) => EVERY,
        };
        match swept {
            Ok(Deleted {
                games: 0, lines: 0, ..
            }) => {}
            Ok(Deleted { games, lines, .. }) => {
                tracing::info!(games, lines, "expired games and chat deleted");
            }
            Err(error) => tracing::warn!(%error, "could not delete expired games and chat"),
        }
        tokio::time::sleep(wait).await;
    }
}

/// Deletes what has been kept long enough at `now`. Every game is deleted by its own room, if nobody looks at it.
///
/// # Errors
/// When the record can't be read or written. What was deleted before stays deleted.
pub async fn sweep(hub: &Hub, retention: Retention, now: Millis) -> Result<Deleted, StoreError> {
    let mut deleted = Deleted::default();
    let store = &hub.services().store;
    // First, so that no room that is opened meanwhile reads lines that are about to go.
    if let Some(kept) = retention.chat
        && hub.services().place.does(Task::Chat)
    {
        deleted.lines += sweep_chat(hub, now - kept).await?;
    }
    if let Some(kept) = retention.unfinished_games {
        let before = now - kept;
        for game in store.abandoned_games(before).await? {
            if hub.services().is_draining() {
                return Ok(deleted);
            }
            deleted.games += delete_if_abandoned(hub, game, before, Deletable::Endless).await;
        }
    }
    if let Some(kept) = retention.aborted_games {
        sweep_aborted(hub, now - kept, now - SPOKEN, &mut deleted).await?;
    }
    Ok(deleted)
}

/// Clears lines of chat that are older than this. How many were cleared.
async fn sweep_chat(hub: &Hub, before: Millis) -> Result<u32, StoreError> {
    let services = hub.services();
    let (store, clock) = (&services.store, services.clock);
    let goes_on = || !services.is_draining() && services.place.does(Task::Chat);
    let mut lines = 0;
    loop {
        let began = clock.micros();
        let cleared = store.clear_chat(before, LINES).await?;
        lines += cleared.lines;
        if !cleared.is_more || !goes_on() {
            break;
        }
        leisure::rest(clock, began, LEISURE).await;
    }
    let mut after = None;
    while goes_on() {
        let began = clock.micros();
        let (cleared, next) = store.clear_packed_chat(before, after).await?;
        lines += cleared;
        if next.is_none() {
            break;
        }
        after = next;
        leisure::rest(clock, began, LEISURE).await;
    }
    Ok(lines)
}

/// Deletes games that were aborted before both players had moved, a page at a time.
async fn sweep_aborted(
    hub: &Hub,
    before: Millis,
    spoken_since: Millis,
    deleted: &mut Deleted,
) -> Result<(), StoreError> {
    let services = hub.services();
    let mut after = None;
    let mut aborted = 0;
    loop {
        let began = services.clock.micros();
        let page = AbortedPage {
            ended_before: before,
            spoken_since,
            after,
            limit: PAGE,
        };
        let games = services.store.aborted_games(page).await?;
        let Some(last) = games.last() else {
            return Ok(());
        };
        after = Some((last.ended_at, last.game));
        for game in games.iter().filter(|game| !game.is_needed) {
            if services.is_draining() {
                return Ok(());
            }
            let which = Deletable::Aborted { spoken_since };
            let gone = delete_if_abandoned(hub, game.game, before, which).await;
            deleted.games += gone;
            aborted += gone;
        }
        if aborted >= ABORTED_PER_PASS {
            deleted.is_more = true;
            return Ok(());
        }
        leisure::rest(services.clock, began, LEISURE).await;
    }
}

/// Has a game deleted by its room. A room that answers nothing has deleted nothing. Games of other programs are left to them.
async fn delete_if_abandoned(hub: &Hub, game: GameId, before: Millis, which: Deletable) -> u32 {
    if !hub.services().place.owns(game) {
        return 0;
    }
    let (reply, gone) = oneshot::channel();
    let delete_if_abandoned = RoomMessage::DeleteIfAbandoned {
        before,
        which,
        reply,
    };
    hub.send(game, delete_if_abandoned).await;
    u32::from(gone.await.unwrap_or(false))
}

#[cfg(test)]
mod tests;
