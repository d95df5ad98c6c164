//! A game's line in the list of those that can be watched, kept by its room.

use std::sync::Arc;

use qiguan_game::audience::{Audience, listed};

use crate::{
    room::{record::RecordHealth, room::Room},
    services::ranked_games::LiveEntry,
};

/// Whether a game is in the list.
#[derive(Default)]
pub(super) enum Listing {
    /// Nothing has been said of it since the room was opened.
    #[default]
    Unknown,
    /// It is, with this line.
    In(Arc<LiveEntry>),
    /// It is not.
    Out,
}

impl Room {
    /// Sees to it that the list tells what spectators know of the game by now.
    pub(super) fn keep_listed(&mut self) {
        let Some(state) = self.record.seen_by(Audience::Spectators) else {
            return;
        };
        let is_whole = self.record.health() == RecordHealth::Whole;
        let (live, now) = (&self.services.live, self.services.clock.now());
        let spectators = self.crowd.spectators();
        let deserted = self.crowd.deserted_since();
        match (&self.listing, is_whole && listed::is_listed(state)) {
            (Listing::In(line), true) => {
                live.note(line, state.ply(), spectators, deserted, now);
            }
            (Listing::Unknown | Listing::Out, true) => {
                let game = listed::listed(state, spectators);
                self.listing = game.map_or(Listing::Out, |game| Listing::In(live.enter(game, now)));
            }
            (Listing::Unknown | Listing::In(_), false) => self.unlist(),
            (Listing::Out, false) => {}
        }
    }

    /// Takes the game off the list.
    pub(super) fn unlist(&mut self) {
        let now = self.services.clock.now();
        self.services.live.leave(self.record.id(), now);
        self.listing = Listing::Out;
    }
}
