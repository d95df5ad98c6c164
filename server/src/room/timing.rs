//! When time is over in a game: that to set up, or that of the player on the move.

use qiguan_game::{event::Body, referee, state::State};
use qiguan_protocol::ids::Millis;

use crate::room::room::Room;

impl Room {
    /// What happens by now because a time is over: that to set up, or that of the player on the move.
    pub(super) fn times_out(&self, now: Millis) -> Option<Vec<Body>> {
        let state = self.state.as_deref()?;
        if let Some(standing) = self.standing()
            && let Some(bodies) = referee::setups_due(state, &standing, now)
        {
            return Some(bodies);
        }
        let round_trip = self.crowd.round_trip(state.game.turn());
        referee::flag(state, now, round_trip)
    }

    /// Why the clock needs this room, if it does.
    pub fn clock_deadline(&self) -> Option<Millis> {
        self.state
            .as_deref()
            .and_then(|state| self.game_deadline(state))
    }

    pub(super) fn game_deadline(&self, state: &State) -> Option<Millis> {
        if let Some(down) = self.storage_down {
            return Some(down.probe_at);
        }
        if !self.is_counting(state) {
            return None;
        }
        if let Some(setup) = state.setting_up() {
            return Some(setup.until);
        }
        let turn = state.game.turn();
        state
            .clock
            .held_until()
            .or_else(|| state.clock.falls_at(turn, self.crowd.round_trip(turn)))
    }
}
