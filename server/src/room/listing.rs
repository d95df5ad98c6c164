//! A game's line in the list of those that can be watched, kept by its room.

use std::sync::Arc;

use qiguan_game::audience::{Audience, listed};

use crate::{
    room::room::{RecordHealth, Room},
    services::live_list::Line,
};

/// Whether a game is in the list.
pub(super) enum Listing {
    /// Nothing has been said of it since the room was opened.
    Unknown,
    /// It is, with this line.
    In(Arc<Line>),
    /// It is not.
    Out,
}

impl Room {
    /// Sees to it that the list tells what spectators know of the game by now.
    pub fn keep_listed(&mut self) {
        let Some(state) = self.seen_by(Audience::Spectators) else {
            return;
        };
        let shown = self.record_health == RecordHealth::Whole && listed::is_listed(state);
        match (&self.listing, shown) {
            (Listing::In(line), true) => {
                let (live, now) = (&self.services.live, self.services.clock.now());
                live.note(line, state.ply(), self.crowd.spectators(), now);
            }
            (Listing::Unknown | Listing::Out, true) => {
                let game = listed::listed(state, self.crowd.spectators());
                self.listing = game.map_or(Listing::Out, |game| {
                    let now = self.services.clock.now();
                    Listing::In(self.services.live.enter(game, now))
                });
            }
            (Listing::Unknown | Listing::In(_), false) => self.unlist(),
            (Listing::Out, false) => {}
        }
    }

    /// Takes the game off the list.
    pub(super) fn unlist(&mut self) {
        let now = self.services.clock.now();
        self.services.live.leave(self.id, now);
        self.listing = Listing::Out;
    }
}
