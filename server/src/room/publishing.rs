//! What leaves a room: events once they are durable, each as one text for each audience.

use axum::extract::ws::Utf8Bytes;
use qiguan_game::{
    audience::{self, Audience},
    state::State,
};
use qiguan_protocol::{
    event::EventFrame,
    ids::{Millis, Seq},
    names::Status,
    view::Presence,
};
use qiguan_rules::{BySeat, Seat};

use crate::{
    peer,
    room::{
        appending::Appended,
        room::Room,
        spectator_text::{OpenEvent, SpectatorText},
    },
};

/// One event as text, once for each audience that is there.
#[derive(Default)]
pub(super) struct Texts {
    /// For the players.
    pub(super) seats: BySeat<Option<Utf8Bytes>>,
    /// For the spectators.
    pub(super) spectators: Option<SpectatorText>,
}

#[cfg(test)]
impl Texts {
    /// In the order of [`Audience::ALL`].
    pub(super) fn each(self) -> [Option<Utf8Bytes>; 3] {
        let BySeat { first, second } = self.seats;
        let spectators = self.spectators.map(|text| text.text().clone());
        [first, second, spectators]
    }
}

/// The last event as text, for those audiences that are present, in the order of [`Audience::ALL`]. What all may know is written once.
pub(super) fn texts_of(state: &State, present: [bool; 3]) -> Texts {
    let Some(event) = state.log.last().filter(|_| present.contains(&true)) else {
        return Texts::default();
    };
    let open = OpenEvent::of(state, event);
    let written = |audience| peer::text(&audience::frame(state, event, audience));
    let for_seat = |seat| {
        let audience = Audience::Seat(seat);
        present[audience.index()].then(|| match &open {
            Some(open) => {
                let text = open.for_seat(state, seat);
                debug_assert_eq!(text, written(audience), "serde writes the same");
                text
            }
            None => written(audience),
        })
    };
    let for_spectators = || match &open {
        Some(open) => open.for_spectators(),
        None => SpectatorText::event(state, event),
    };
    Texts {
        seats: BySeat {
            first: for_seat(Seat::First),
            second: for_seat(Seat::Second),
        },
        spectators: present[Audience::Spectators.index()].then(for_spectators),
    }
}

/// Up to which event the crowd has received the game.
#[derive(Default)]
pub(super) struct Published {
    players: Seq,
    spectators: Seq,
}

impl Room {
    /// Lets everybody know what has become durable.
    pub(super) fn publish(&mut self, Appended { texts, seated }: Appended) {
        for text in texts {
            self.crowd.send(text);
        }
        self.published.players = self.record.seq();
        self.release();
        if seated {
            self.tell_presence();
        }
    }

    /// Publishes what is in the record but has never left the room.
    pub(super) fn publish_missed(&mut self) {
        for seat in Seat::ALL {
            for frame in self.missed_by(seat) {
                let mut texts = Texts::default();
                *texts.seats.get_mut(seat) = Some(peer::text(&frame));
                self.crowd.send(texts);
            }
        }
        for text in self.missed_by_spectators() {
            self.crowd.send(Texts {
                spectators: Some(text),
                ..Texts::default()
            });
        }
        self.published.players = self.record.seq();
        self.note_shown();
    }

    /// The game as an audience knows it, if something of it after `seen` has never left the room; nothing for a room that nobody has come to yet.
    fn unpublished(&self, audience: Audience, seen: Seq) -> Option<&State> {
        let state = self.record.seen_by(audience)?;
        (seen > Seq(0) && seen < state.seq()).then_some(state)
    }

    fn missed_by(&self, seat: Seat) -> Vec<EventFrame> {
        let (audience, seen) = (Audience::Seat(seat), self.published.players);
        let Some(state) = self.unpublished(audience, seen) else {
            return Vec::new();
        };
        let mut frames = audience::missed(state, seen, audience);
        if let Some(last) = frames.last_mut() {
            last.position = Some(audience::position(state, audience));
        }
        frames
    }

    fn missed_by_spectators(&self) -> Vec<SpectatorText> {
        let seen = self.published.spectators;
        let state = self.unpublished(Audience::Spectators, seen);
        state.map_or_else(Vec::new, |state| SpectatorText::missed(state, seen))
    }

    /// Shows spectators what is released by now.
    pub(super) fn release(&mut self) {
        let now = self.services.clock.now();
        loop {
            match self.record.release(now) {
                Ok(Some(shown)) => {
                    let [.., spectators] = self.crowd.audiences();
                    self.crowd.send(texts_of(shown, [false, false, spectators]));
                }
                Ok(None) => break self.note_shown(),
                Err(error) => {
                    tracing::error!(game = %self.record.id(), %error, "the delayed events do not follow");
                    break self.forget();
                }
            }
        }
    }

    fn note_shown(&mut self) {
        if let Some(shown) = self.record.seen_by(Audience::Spectators) {
            self.published.spectators = shown.seq();
        }
    }

    /// Tells everybody who is here; spectators perhaps a little later.
    pub(super) fn tell_presence(&mut self) {
        let now = self.services.clock.now();
        self.crowd.tell_presence(self.absence(), now);
    }

    /// Who is here, as everybody may know.
    pub(super) fn presence(&self) -> Presence {
        self.crowd.presence(self.absence())
    }

    /// How long an absent player is waited for, while both play.
    fn absence(&self) -> Option<Millis> {
        let state = self.record.state()?;
        let playing = state.status == Status::Playing && state.setting_up().is_none();
        let absence = state.created.time_control.absence_ms;
        absence.filter(|_| playing)
    }
}
