//! A game whose record makes no sense from some event on: it can be looked at up to there, and nothing changes it any more.

use qiguan_game::{audience::snapshot::marked, event::Event, state::State};
use qiguan_protocol::{ids::GameId, names::Status, view::GameView};

use crate::room::room::{OpenError, RecordHealth, Room};

impl Room {
    /// The game up to the first event that can't be read or does not follow.
    ///
    /// # Errors
    /// When not even the first does, or the record can't be read just now.
    pub(super) async fn good_part(&self) -> Result<State, OpenError> {
        let stored = self.services.store.stored_games_of(&[self.id]).await;
        let stored = stored.map_err(|error| {
            tracing::warn!(game = %self.id, %error, "a damaged game could not be read");
            OpenError::Unavailable
        })?;
        let events = stored.into_iter().next().map(|game| game.events);
        let Some(Ok(events)) = events else {
            return Err(OpenError::Damaged);
        };
        let readable = events.iter().map_while(|event| event.decode().ok());
        let state = longest_fold(self.id, readable.collect()).ok_or(OpenError::Damaged)?;
        metrics::counter!("qiguan_games_damaged_total").increment(1);
        tracing::error!(
            game = %self.id, good = state.seq().0,
            "this game can only be viewed: its record is damaged after the last good event"
        );
        Ok(state)
    }

    /// Says of a view what the game has changed, and that it is damaged, if it is: then nobody is to play, and no clock runs.
    pub(super) fn marked(&self, mut view: GameView) -> GameView {
        if let Some(state) = self.state.as_deref() {
            view.clocks = self.shown_clocks(state, view.clocks);
        }
        marked(
            view,
            self.ratings,
            self.record_health == RecordHealth::Damaged,
        )
    }

    /// Whether the clocks of this game count: those of a damaged one do not.
    pub(super) fn is_counting(&self, state: &State) -> bool {
        self.record_health != RecordHealth::Damaged && state.status == Status::Playing
    }
}

/// The state after as many of these events as follow from each other; none if not even the first opens a game.
fn longest_fold(id: GameId, mut events: Vec<Event>) -> Option<State> {
    loop {
        match State::fold(id, events.iter().cloned()) {
            Ok(state) => return Some(state),
            Err(damaged) => {
                // A state that has refused an event is of no use any more; so it is folded again without it and what follows.
                let good = events.iter().position(|event| event.seq >= damaged.seq)?;
                events.truncate(good);
            }
        }
    }
}
