//! The end of a game that is kept no longer: it is deleted by its own room, so that nothing is appended to what is gone.

use qiguan_game::state::State;
use qiguan_protocol::{
    ids::{Millis, Ply},
    names::Status,
};
use qiguan_rules::EndReason;
use qiguan_store::store::Deletable;

use crate::room::room::Room;

impl Room {
    /// Deletes the game if it is one of these, nothing has happened in it since `before`, and nobody looks at it. True if it is gone.
    pub(super) async fn delete_if_abandoned(&mut self, before: Millis, which: Deletable) -> bool {
        let Some(state) = self.record.state() else {
            return false;
        };
        let kept = self.record.is_damaged() || self.outage.is_on() || !self.crowd.is_empty();
        if kept || !is_abandoned(state, before, which) {
            return false;
        }
        let (game, last) = (state.id, state.seq());
        let deleted = self.services.store.delete_game(game, last, which).await;
        if let Err(error) = &deleted {
            tracing::warn!(%game, %error, "could not delete an abandoned game");
        }
        // Reload: the write may or may not have happened.
        self.forget();
        if deleted == Ok(true) {
            self.record.is_deleted();
            self.services.presence.ended(game);
            self.unlist();
        }
        deleted == Ok(true)
    }
}

/// Whether a game is one of these, and nothing has happened in it since `before`.
fn is_abandoned(state: &State, before: Millis, which: Deletable) -> bool {
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
