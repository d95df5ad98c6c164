//! What leaves a room: events once they are durable, each as one text for each audience.

use axum::extract::ws::Utf8Bytes;
use qiguan_game::{
    audience::{self, Audience},
    state::State,
};
use qiguan_protocol::{
    event::EventFrame,
    ids::{Millis, Seq},
    live_text::with_moves,
    names::Status,
    view::Presence,
};

use crate::{
    peer,
    room::{appending::Appended, room::Room},
};

/// One event as text, once for each audience that is there.
pub(super) type Texts = [Option<Utf8Bytes>; 3];

/// The last event as text, for those audiences that are present. What all may know is written once.
pub(super) fn texts_of(state: &State, present: [bool; 3]) -> Texts {
    let Some(event) = state.log.last() else {
        return [None, None, None];
    };
    let written = |audience| peer::text(&audience::frame(state, event, audience));
    if !present.contains(&true) {
        [None, None, None]
    } else if audience::is_open(state, event) {
        let open = audience::frame(state, event, Audience::Spectators);
        let text = peer::text(&open);
        Audience::ALL.map(|audience| {
            present[audience.index()].then(|| {
                let more = audience::moves(state, audience)
                    .and_then(|(legal, banned)| with_moves(&open, &text, legal, &banned));
                let text = more.map_or_else(|| text.clone(), |more| peer::shared(&more));
                debug_assert_eq!(text, written(audience), "serde writes the same");
                text
            })
        })
    } else {
        Audience::ALL.map(|audience| present[audience.index()].then(|| written(audience)))
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
        for audience in Audience::ALL {
            for frame in self.missed_by(audience) {
                let mut texts: Texts = [None, None, None];
                texts[audience.index()] = Some(peer::text(&frame));
                self.crowd.send(texts);
            }
        }
        self.published.players = self.record.seq();
        self.note_shown();
    }

    /// What has never left the room for an audience; nothing for a room that nobody has come to yet.
    fn missed_by(&self, audience: Audience) -> Vec<EventFrame> {
        let seen = match audience {
            Audience::Seat(_) => self.published.players,
            Audience::Spectators => self.published.spectators,
        };
        let state = self.record.seen_by(audience);
        let Some(state) = state.filter(|state| seen > Seq(0) && seen < state.seq()) else {
            return Vec::new();
        };
        let mut frames = audience::missed(state, seen, audience);
        if let Some(last) = frames.last_mut() {
            last.position = Some(audience::position(state, audience));
        }
        frames
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
