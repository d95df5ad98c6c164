//! What a room does while its record can't be written: it refuses, lets clocks stand, and looks again by itself.

use qiguan_game::{audience::snapshot::standing, event::Body, referee, state::State};
use qiguan_protocol::{
    event::{GameNoticeKind, HoldReason},
    ids::Millis,
    names::Status,
    view::Clocks,
};
use qiguan_store::store::AppendError;

use crate::{room::room::Room, services::storage::Running};

/// How often a room that could not write looks whether it can again.
pub(super) const PROBE_EVERY: Millis = Millis(500);

/// The record can't be written.
#[derive(Clone, Copy)]
pub(super) struct StorageDown {
    /// The player on the move is charged up to here only.
    pub(super) since: Millis,
    /// When to look again.
    pub(super) probe_at: Millis,
}

impl Room {
    /// The record may differ from the state, which is thrown away; if it can't be written, clocks stand from `since` on.
    pub(super) fn invalidate(&mut self, cause: &'static str, error: &AppendError, since: Millis) {
        tracing::warn!(game = %self.id, cause, %error, "an append failed");
        self.forget();
        self.append_outcome_unknown |= matches!(error, AppendError::Unknown(_));
        match error {
            AppendError::Conflict { .. }
            | AppendError::AlreadyCreated
            | AppendError::Forbidden
            | AppendError::UsedUp(_) => {}
            AppendError::Refused(_) | AppendError::Unknown(_) => {
                if self.storage_down.is_none() {
                    let probe_at = self.services.clock.now() + PROBE_EVERY;
                    self.storage_down = Some(StorageDown { since, probe_at });
                    self.notice(GameNoticeKind::StorageDown {});
                }
            }
        }
    }

    /// Whether something can be written just now; if not, clocks stand from when that was last so.
    pub(super) async fn is_storage_good(&mut self) -> bool {
        if self.services.storage.is_good().await {
            return true;
        }
        self.note_outage().await;
        false
    }

    /// Lets clocks stand from when the records could last be written, if they can't; goes on if they can again. Nobody is
    /// charged for an outage, also if this game was not open meanwhile.
    pub(super) async fn note_outage(&mut self) {
        let storage = &self.services.storage;
        let (now, down_since) = (self.services.clock.now(), storage.down_since());
        if self.storage_down.is_some() {
            if down_since.is_none() && storage.away_between(Millis(0), now) > Millis(0) {
                self.probe_storage().await;
            }
            return;
        }
        let counting = self
            .state
            .as_deref()
            .filter(|state| self.is_counting(state));
        let Some(from) = counting.and_then(State::counting_since) else {
            return;
        };
        let away = storage.away_between(from, now);
        let since = match down_since {
            Some(since) => since.max(from),
            // As if all of it were the last that has passed.
            None if away > Millis(0) => now - away,
            None => return,
        };
        let probe_at = now + PROBE_EVERY;
        self.storage_down = Some(StorageDown { since, probe_at });
        self.notice(GameNoticeKind::StorageDown {});
        if down_since.is_none() {
            self.probe_storage().await;
        }
    }

    /// Counts this game among those whose clocks run, as long as its does.
    pub fn keep_counted(&mut self) {
        let state = self.state.as_deref();
        let counts =
            state.is_some_and(|state| self.is_counting(state) && state.counting_since().is_some());
        if !counts {
            self.running = None;
        } else if self.running.is_none() {
            self.running = Some(self.services.storage.running());
        }
    }

    /// What counts this game, for the task that watches its clock from now on.
    pub fn take_running(&mut self) -> Option<Running> {
        self.running.take()
    }

    /// Clocks as they are to be shown now.
    pub(super) fn shown_clocks(&self, state: &State, clocks: Clocks) -> Clocks {
        standing(state, clocks, self.storage_down.map(|down| down.since))
    }

    /// Looks whether the record can be written again. Nobody is charged for the time that it could not.
    pub(super) async fn probe_storage(&mut self) {
        let Some(down) = self.storage_down else {
            return;
        };
        let now = self.services.clock.now();
        self.storage_down = Some(StorageDown {
            probe_at: now + PROBE_EVERY,
            ..down
        });
        if self.services.storage.down_since().is_some() || self.refresh().await.is_err() {
            return;
        }
        let Some(state) = self.state.as_deref() else {
            return;
        };
        let charged =
            state.status == Status::Playing && state.clock.counts() && state.clock.is_running();
        let back = if let Some(setup) = state.setting_up() {
            let extended = referee::extended(setup, down.since, now, Millis(0));
            self.happens("hold", vec![extended], now).await
        } else if charged {
            let held = referee::hold(state, HoldReason::Storage, down.since, now);
            self.happens("hold", vec![held, Body::ClocksReleased], now)
                .await
        } else {
            self.services.store.healthy().await
        };
        if back {
            self.storage_down = None;
            self.notice(GameNoticeKind::StorageBack {});
        }
    }
}
