//! Players receive on every page how their running games stand, as far as their connections have asked for it.

use qiguan_game::audience::own_game::own_game;
use qiguan_protocol::event::{ServerNotice, ServerNoticeKind};
use qiguan_rules::Seat;

use crate::room::room::Room;

impl Room {
    /// Tells both players how the game stands, once after each event.
    pub(super) fn tell_own_games(&mut self) {
        let seq = self.record.seq();
        let Some(state) = self.record.state().filter(|_| seq != self.own_games_told) else {
            return;
        };
        self.own_games_told = seq;
        let now = self.services.clock.now();
        for seat in [Seat::First, Seat::Second] {
            if let Some(player) = state.players.get(seat) {
                self.services.sockets.tell_own_game(player.id, || {
                    let game = Box::new(own_game(state, seat, now)?);
                    Some(ServerNotice {
                        notice: ServerNoticeKind::OwnGame { game },
                    })
                });
            }
        }
    }
}
