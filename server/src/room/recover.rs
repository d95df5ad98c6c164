//! After a start: running games go on, and nobody is charged for the time that the server was away.
//!
//! A start opens no game. It notes which ones are running, and each room holds its clocks before it does anything else, as if it had been
//! opened at the start: for whom or what does not matter. What nobody has opened by then is opened in the background.
//!
//! A server that ends before all clocks are held leaves behind when it was away ([`qiguan_store::absences`]), so that the next one
//! holds what is left for the whole time.
//!
//! Of several programs on one record, one does the same for the games of the slots that it claims, and for no others; when those were
//! nobody's stands with the slots (`jobs/membership.rs`).

use std::{sync::Arc, time::Duration};

use qiguan_game::{event::Body, referee, state::State};
use qiguan_protocol::{
    event::HoldReason,
    ids::{GameId, Millis},
    names::Status,
};
use qiguan_store::{absences::Absence, store::StoreError};
use tokio::sync::Semaphore;

use crate::{
    room::{hub::Hub, message::RoomMessage, room::Room},
    services::{Services, unheld::Restart},
};

/// How many rooms are opened at the same time in the background: enough to share commits.
const TOGETHER: usize = 8;
/// After so many rooms the background work rests as long as they took, so that it leaves half of a processor to everything else.
const BEFORE_A_REST: usize = 32;
/// How long after all rooms were opened it is tried again with those that could not be.
const AGAIN: Duration = Duration::from_secs(5);

/// Finds out which games go on after this start of a program that is alone on the record, and since when the server was away; from now on
/// their rooms hold the clocks. They run again when both players are back, or `grace` after the start. Comes before the first heartbeat.
///
/// # Errors
/// When the records can't be read or written.
pub async fn begin(
    services: &Services,
    grace: Millis,
) -> Result<(usize, Option<Arc<Restart>>), StoreError> {
    let store = &services.store;
    let stopped = store.last_heartbeat().await?.unwrap_or_default();
    let games = store.running_games().await?;
    let mut absences = store.absences().await?;
    let running = games.len();
    if running > 0 {
        let started = services.clock.now();
        let absence = Absence { stopped, started };
        store.note_absence(absence).await?;
        absences.push(absence);
        let restart = Restart {
            absences,
            grace,
            slots: None,
        };
        return Ok((running, Some(hold(services, restart, games))));
    }
    if !absences.is_empty() {
        store.forget_absences(absences).await?;
    }
    Ok((running, None))
}

/// From now on the rooms of these games hold the clocks before anything else; [`open_all`] is to follow.
pub fn hold(services: &Services, restart: Restart, games: Vec<GameId>) -> Arc<Restart> {
    let between_people = |game: &_| services.presence.is_between_people(*game);
    let are_asked_for = games.iter().any(between_people);
    services.unheld.begin(restart, games, are_asked_for)
}

/// Opens the room of each game that nobody has opened since a start, a few at a time, until the clocks of all are held.
pub async fn open_all(hub: Hub, restart: Arc<Restart>) {
    let services = Arc::clone(hub.services());
    let mut goes_on = open_each(&hub, &restart).await;
    services.unheld.were_opened();
    while goes_on && !services.unheld.youngest_first(&restart).is_empty() {
        tokio::time::sleep(AGAIN).await;
        goes_on = open_each(&hub, &restart).await;
    }
    if !goes_on {
        return;
    }
    let store = &services.store;
    let forgotten = match &restart.slots {
        None => store.forget_absences(restart.absences.clone()).await,
        Some((own, slots)) => {
            let held = store.slots_are_held(*own, slots.clone()).await;
            if held.is_ok() {
                services.unheld.slots_are_held(slots);
            }
            held
        }
    };
    if let Err(error) = forgotten {
        // The next start does.
        tracing::warn!(%error, "could not forget when the server was away");
    }
    tracing::info!("the clocks of all running games have been held");
}

/// Opens the rooms of games that another program has handed over: all of them soon, but not all at once.
pub async fn open_moved(hub: Hub, games: Vec<GameId>) {
    let turns = Arc::new(Semaphore::new(TOGETHER));
    for game in games {
        // The semaphore is never closed.
        let turn = Arc::clone(&turns).acquire_owned().await.ok();
        hub.send(game, RoomMessage::Wake(turn)).await;
    }
    drop(turns.acquire_many(TOGETHER as u32).await);
    hub.services().unheld.were_opened();
}

/// False if the server ends before.
async fn open_each(hub: &Hub, restart: &Arc<Restart>) -> bool {
    let services = hub.services();
    let turns = Arc::new(Semaphore::new(TOGETHER));
    let games = services.unheld.youngest_first(restart);
    for some in games.chunks(BEFORE_A_REST) {
        let began = services.clock.micros();
        for game in some {
            // The semaphore is never closed.
            let turn = Arc::clone(&turns).acquire_owned().await.ok();
            if services.is_draining() {
                return false;
            }
            hub.send(*game, RoomMessage::Wake(turn)).await;
        }
        // All have had their turns.
        drop(turns.acquire_many(TOGETHER as u32).await);
        let worked = services.clock.micros().saturating_sub(began);
        tokio::time::sleep(Duration::from_micros(worked)).await;
    }
    true
}

impl Room {
    /// Holds the clocks for the time that the server was away, if they count; or lets them stand until that can be stored. The event is
    /// dated as of the start: so long the players had time to come back.
    pub(super) async fn hold_after_start(&mut self) {
        let services = Arc::clone(&self.services);
        let restart = services.unheld.restart(self.record.id());
        let Some((state, restart)) = self.record.state().zip(restart) else {
            return;
        };
        let game = state.id;
        let last_event = state.log.last().map_or(Millis(0), |last| last.at);
        let Some(absence) = restart.absence(last_event) else {
            return self.is_held();
        };
        let held = (!self.record.is_damaged()).then(|| held(state, absence, restart.grace));
        let is_playing = state.status == Status::Playing;
        let note = async {
            // Nobody is away while the server is, nor as long as the clocks stand. Games go on without that.
            if is_playing && let Err(error) = services.journal.note_restart(game, absence).await {
                tracing::warn!(%error, "could not record that the server was down");
            }
        };
        let Some(held) = held.flatten() else {
            note.await;
            return self.is_held();
        };
        if services.storage.down_since().is_some() {
            if !self.outage.is_on() {
                self.goes_down(absence.stopped, services.clock.now());
            }
            return;
        }
        // What is noted comes first in the journal.
        let ((), is_stored) = tokio::join!(note, self.happens("hold", vec![held], absence.started));
        if is_stored {
            self.is_held();
        }
    }

    /// Nothing is left to be held.
    fn is_held(&mut self) {
        self.is_unheld = false;
        // Once no game is unheld, it is known where all of them stand.
        self.note_position();
        self.services.unheld.is_held(self.record.id());
    }
}

/// What holds a game; none if it has no clock that needs watching.
fn held(state: &State, absence: Absence, grace: Millis) -> Option<Body> {
    let Absence { stopped, started } = absence;
    if state.status != Status::Playing {
        return None;
    }
    if let Some(setup) = state.setting_up() {
        return Some(referee::extended(setup, stopped, started, grace));
    }
    let counts = state.clock.counts();
    counts.then(|| referee::hold(state, HoldReason::Restart, stopped, started + grace))
}
