//! What a room does while its record can't be written: it refuses, lets clocks stand, and looks again by itself.

use qiguan_protocol::{
    event::{GameNoticeKind, HoldReason},
    ids::Millis,
    names::Status,
};

use crate::{
    room::{event::Body, referee, room::Room},
    store::store::AppendError,
};

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
    pub(super) fn doubt(&mut self, cause: &'static str, error: &AppendError, since: Millis) {
        tracing::warn!(game = %self.id, cause, %error, "an append failed");
        self.forget();
        self.unsure |= matches!(error, AppendError::Unknown(_));
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
        if self.refresh().await.is_err() {
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
