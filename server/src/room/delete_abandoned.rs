//! The end of a game that is kept no longer: it is deleted by its own room, so that nothing is appended to what is gone.

use qiguan_game::state::State;
use qiguan_protocol::{
    ids::{Millis, Ply},
    names::Status,
};
use qiguan_rules::EndReason;
use qiguan_store::store::Deletable;

use crate::room::room::{RecordHealth, Room};

impl Room {
    /// Deletes the game if it is one of these, nothing has happened in it since `before`, and nobody looks at it. True if it is gone.
    pub(super) async fn delete_if_abandoned(&mut self, before: Millis, which: Deletable) -> bool {
        let Some(state) = self.state.as_deref() else {
            return false;
        };
        let kept = self.record_health == RecordHealth::Damaged
            || self.storage_down.is_some()
            || !self.crowd.is_empty();
        if kept || !is_forsaken(state, before, which) {
            return false;
        }
        let (store, last) = (&self.services.store, state.seq());
        let deleted = store.delete_game(self.id, last, which).await;
        if let Err(error) = &deleted {
            tracing::warn!(game = %self.id, %error, "could not delete an abandoned game");
        }
        // Whatever came of it, the record alone knows.
        self.forget();
        if deleted == Ok(true) {
            self.record_health = RecordHealth::Nothing;
            self.services.presence.ended(self.id);
            self.unlist();
        }
        deleted == Ok(true)
    }
}

/// Whether a game is one of these, and nothing has happened in it since `before`.
fn is_forsaken(state: &State, before: Millis, which: Deletable) -> bool {
    let may_go = match which {
        Deletable::Endless => match state.status {
            Status::Open => true,
            Status::Playing => !state.clock.counts() && state.setting_up().is_none(),
            Status::Ended => false,
        },
        Deletable::Aborted { .. } => {
            let aborted = |(outcome, _): (qiguan_rules::Outcome, Millis)| {
                outcome.reason == EndReason::Aborted && state.ply() < Ply(2)
            };
            state.ended.is_some_and(aborted)
        }
    };
    may_go && state.log.last().is_some_and(|last| last.at < before)
}
