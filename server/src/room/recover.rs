//! After a start: running games go on, and nobody is charged for the time that the server was away.

use futures_util::future::join_all;
use qiguan_game::{
    event::Event,
    opening::{self, Rematch},
    referee,
    state::{Damaged, State},
};
use qiguan_protocol::{
    event::HoldReason,
    ids::{GameId, Millis},
    names::Status,
};
use qiguan_store::store::{Append, StoreError};

use crate::{
    room::{hub::Hub, message::RoomMessage},
    services::Services,
};

/// How many games are looked at together: enough to share commits.
const TOGETHER: usize = 512;

/// Stops the clocks of every running game as they were when the server was last known to be alive. They run again when
/// both players are back, or after `grace`.
///
/// # Errors
/// When the records can't be read. A single game that can't be held is logged and left for its room.
pub async fn hold_running_games(hub: &Hub, grace: Millis) -> Result<usize, StoreError> {
    let services = hub.services();
    let alive_at = services.store.last_heartbeat().await?;
    let games = services.store.running_games().await?;
    for some in games.chunks(TOGETHER) {
        let held = some
            .iter()
            .map(|game| hold(services, *game, alive_at, grace));
        for (game, clocked) in some.iter().zip(join_all(held).await) {
            if clocked {
                hub.send(*game, RoomMessage::Wake).await;
            }
        }
    }
    // Nobody is away as long as the clocks stand: so it is noted when they do.
    note_restart(services, alive_at).await;
    Ok(games.len())
}

/// Notes that it was the server that was not there. Games go on without that.
async fn note_restart(services: &Services, alive_at: Option<Millis>) {
    let noted = services.store.note_restart(alive_at, services.clock.now());
    if let Err(error) = noted.await {
        tracing::warn!(%error, "could not record that the server was down");
    }
}

/// Holds one game; true if it has a clock that needs watching.
async fn hold(services: &Services, game: GameId, alive_at: Option<Millis>, grace: Millis) -> bool {
    // A few are in memory as a whole, and only until it is clear what is to be appended.
    let turn = services.folds.turn().await;
    let record = match services.store.game(game).await {
        Ok(Some(record)) => record,
        Ok(None) => return false,
        Err(error) => {
            tracing::error!(%game, %error, "a running game could not be read at the start");
            return false;
        }
    };
    let now = services.clock.now();
    let held = turn.run(move || held(game, record.events, alive_at, now, grace));
    let append = match held.await {
        Some(Ok(Some(append))) => append,
        Some(Ok(None)) => return false,
        Some(Err(error)) => {
            tracing::error!(%game, %error, "a running game does not fold");
            return false;
        }
        None => {
            tracing::error!(%game, "a running game could not be folded");
            return false;
        }
    };
    if let Err(error) = services.journal.append(append).await {
        tracing::error!(%game, %error, "the clock of a running game could not be held at the start");
    }
    true
}

/// What holds a game; none if it has no clock that needs watching.
fn held(
    game: GameId,
    events: Vec<Event>,
    alive_at: Option<Millis>,
    now: Millis,
    grace: Millis,
) -> Result<Option<Append>, Damaged> {
    let state = State::fold(game, events)?;
    let counts = state.clock.counts() || state.setting_up().is_some();
    if state.status != Status::Playing || !counts {
        return Ok(None);
    }
    // The times in the record are those of the process that wrote it; so is the heartbeat.
    let charged_to = alive_at.unwrap_or_default();
    let held = match state.setting_up() {
        Some(setup) => referee::extended(setup, charged_to, now, grace),
        None => referee::hold(&state, HoldReason::Restart, charged_to, now + grace),
    };
    let events = referee::number(state.seq(), now, None, vec![held]);
    let entries = opening::append(&state, &events, &Rematch::default(), now)?;
    Ok(Some(Append::new("hold", entries)))
}
