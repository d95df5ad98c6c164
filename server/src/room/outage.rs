//! What a room does while its record can't be written: it refuses, lets clocks stand, and looks again by itself.

use qiguan_game::{event::Body, referee, state::State};
use qiguan_protocol::{
    error::ApiError,
    event::{GameNoticeKind, HoldReason},
    ids::Millis,
    names::Status,
};
use qiguan_store::store::AppendError;

use crate::{
    room::{record::Record, room::Room},
    services::{Services, storage::Running},
};

/// How often a room that could not write looks whether it can again.
pub(super) const PROBE_EVERY: Millis = Millis(500);

/// Whether a room's record can be written.
#[derive(Default)]
pub(super) struct Outage {
    /// None while it can.
    down: Option<StorageDown>,
    /// An append may or may not have been stored, and the record has not been read since.
    append_outcome_unknown: bool,
    /// Counts this game among those whose clocks run.
    running: Option<Running>,
}

/// The record can't be written.
#[derive(Clone, Copy)]
struct StorageDown {
    /// The player on the move is charged up to here only.
    since: Millis,
    /// When to look again.
    probe_at: Millis,
}

impl Outage {
    /// Whether the record can't be written.
    pub(super) const fn is_on(&self) -> bool {
        self.down.is_some()
    }

    /// Since when clocks stand because nothing can be written.
    pub(super) fn since(&self) -> Option<Millis> {
        self.down.map(|down| down.since)
    }

    /// When to look again.
    pub(super) fn probe_at(&self) -> Option<Millis> {
        self.down.map(|down| down.probe_at)
    }

    /// What a client learns whose request could not be stored, or perhaps was.
    pub(super) fn not_stored(&self) -> ApiError {
        if self.append_outcome_unknown {
            ApiError::internal()
        } else {
            ApiError::not_stored()
        }
    }

    /// The record was read: it is known what is stored.
    pub(super) const fn append_outcome_is_known(&mut self) {
        self.append_outcome_unknown = false;
    }

    /// Counts this game among those whose clocks run, as long as its does.
    pub(super) fn keep_counted(&mut self, services: &Services, record: &Record) {
        let counting = record.counting().and_then(State::counting_since);
        if counting.is_none() {
            self.running = None;
        } else if self.running.is_none() {
            self.running = Some(services.storage.running());
        }
    }

    /// What counts this game, for the task that watches its clock from now on.
    pub(super) const fn take_running(&mut self) -> Option<Running> {
        self.running.take()
    }
}

impl Room {
    /// An append failed: the record may differ from the state, which is thrown away; if it can't be written, clocks stand from `since`
    /// on.
    pub(super) fn invalidate(&mut self, cause: &'static str, error: &AppendError, since: Millis) {
        tracing::warn!(game = %self.record.id(), cause, %error, "an append failed");
        self.forget();
        self.outage.append_outcome_unknown |= matches!(error, AppendError::Unknown(_));
        match error {
            AppendError::Conflict { .. }
            | AppendError::AlreadyCreated
            | AppendError::Forbidden
            | AppendError::UsedUp(_)
            | AppendError::Fenced => {}
            AppendError::Refused(_) | AppendError::Unknown(_) => {
                if !self.outage.is_on() {
                    self.goes_down(since, self.services.clock.now());
                }
            }
        }
    }

    pub(super) fn goes_down(&mut self, since: Millis, now: Millis) {
        let probe_at = now + PROBE_EVERY;
        self.outage.down = Some(StorageDown { since, probe_at });
        self.crowd.notice(GameNoticeKind::StorageDown {});
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
        if self.outage.is_on() {
            if down_since.is_none() && storage.away_between(Millis(0), now) > Millis(0) {
                self.probe_storage().await;
            }
            return;
        }
        let counting = self.record.counting();
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
        self.goes_down(since, now);
        if down_since.is_none() {
            self.probe_storage().await;
        }
    }

    /// Looks whether the record can be written again. Nobody is charged for the time that it could not.
    pub(super) async fn probe_storage(&mut self) {
        let now = self.services.clock.now();
        let Some(down) = &mut self.outage.down else {
            return;
        };
        down.probe_at = now + PROBE_EVERY;
        let since = down.since;
        if self.services.storage.down_since().is_some() || self.refresh().await.is_err() {
            return;
        }
        let Some(state) = self.record.state() else {
            return;
        };
        let charged =
            state.status == Status::Playing && state.clock.counts() && state.clock.is_running();
        let back = if self.is_unheld {
            self.hold_after_start().await;
            !self.is_unheld
        } else if let Some(setup) = state.setting_up() {
            let extended = referee::extended(setup, since, now, Millis(0));
            self.happens("hold", vec![extended], now).await
        } else if charged {
            let held = referee::hold(state, HoldReason::Storage, since, now);
            self.happens("hold", vec![held, Body::ClocksReleased], now)
                .await
        } else {
            self.services.store.healthy().await
        };
        if back {
            self.outage.down = None;
            self.crowd.notice(GameNoticeKind::StorageBack {});
        }
    }
}
