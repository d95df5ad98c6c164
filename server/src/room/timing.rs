//! When a time runs out in a game: the time to set up, or that of the player on the move.

use qiguan_game::{event::Body, referee};
use qiguan_protocol::ids::Millis;

use crate::room::room::Room;

/// What players have sent while their game was on its way from another program comes so much later at most, also from a program that learns
/// late where the game is. No time runs out before by itself; a move that was read too late is refused all the same.
const ON_THE_WAY: Millis = Millis(3_000);

impl Room {
    /// What happens by now because a time is over: that to set up, or that of the player on the move.
    pub(super) fn times_out(&self, now: Millis) -> Option<Vec<Body>> {
        if now < self.times_count_from() {
            return None;
        }
        let state = self.record.state()?;
        let current_setups = self.record.current_setups();
        let due = current_setups
            .and_then(|current_setups| referee::setups_due(state, &current_setups, now));
        let round_trip = self.crowd.round_trip(state.game.turn());
        due.or_else(|| referee::flag(state, now, round_trip))
    }

    /// When the clock of the game needs this room, if it does.
    pub(super) fn game_deadline(&self) -> Option<Millis> {
        if self.outage.is_on() {
            return self.record.state().and(self.outage.probe_at());
        }
        let state = self.record.counting()?;
        if let Some(setup) = state.setting_up() {
            return Some(setup.until.max(self.times_count_from()));
        }
        let turn = state.game.turn();
        let falls_at = || state.clock.falls_at(turn, self.crowd.round_trip(turn));
        let at = state.clock.held_until().or_else(falls_at)?;
        Some(at.max(self.times_count_from()))
    }

    fn times_count_from(&self) -> Millis {
        self.services.place.gained_at(self.record.id()) + ON_THE_WAY
    }
}
