//! The end of a game that nobody comes back to: it is deleted by its own room, so that nothing is appended to what is gone.

use qiguan_protocol::{ids::Millis, names::Status};

use crate::room::{
    room::{Found, Room},
    state::State,
};

impl Room {
    /// Deletes the game if nothing has happened in it since `before`, nothing ends it, and nobody looks at it. True if it is
    /// gone.
    pub(super) async fn forsake(&mut self, before: Millis) -> bool {
        let Some(state) = self.state.as_deref() else {
            return false;
        };
        let kept =
            self.found == Found::Damaged || self.storage_down.is_some() || !self.crowd.is_empty();
        if kept || !is_forsaken(state, before) {
            return false;
        }
        let (store, last) = (&self.services.store, state.seq());
        let deleted = store.delete_game(self.id, last).await;
        if let Err(error) = &deleted {
            tracing::warn!(game = %self.id, %error, "a forsaken game could not be deleted");
        }
        // Whatever came of it, the record alone knows.
        self.forget();
        if deleted == Ok(true) {
            self.found = Found::Nothing;
            self.services.presence.ended(self.id);
            self.unlist();
        }
        deleted == Ok(true)
    }
}

/// Whether nothing has happened since `before`, and nothing ends the game by itself.
fn is_forsaken(state: &State, before: Millis) -> bool {
    let endless = match state.status {
        Status::Open => true,
        Status::Playing => !state.clock.counts() && state.setting_up().is_none(),
        Status::Ended => false,
    };
    endless && state.log.last().is_some_and(|last| last.at < before)
}
