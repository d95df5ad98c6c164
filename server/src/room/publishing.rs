//! What leaves a room: events once they are durable, and notices.

use axum::extract::ws::Utf8Bytes;
use qiguan_game::{
    audience::{self, Audience},
    delay::DelayedState,
    state::State,
};
use qiguan_protocol::{
    event::{EventFrame, GameNotice, GameNoticeKind},
    ids::{PlayerId, Seq},
    live_text::with_moves,
    names::Status,
    view::Presence,
};
use qiguan_rules::Seat;

use crate::{peer, room::room::Room};

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

impl Room {
    /// Tells everybody that they get nothing more from here.
    pub fn drop_everybody(&mut self) {
        self.notice(GameNoticeKind::Dropped {});
        self.serve_all_spectators();
        self.unlist();
    }

    /// Whether there are spectators who have not received everything yet.
    pub fn owes_spectators(&self) -> bool {
        self.crowd.owes_spectators()
    }

    /// Tells the next few spectators.
    pub fn serve_spectators(&mut self) {
        self.crowd.serve_spectators();
    }

    /// Tells all spectators now.
    pub fn serve_all_spectators(&mut self) {
        self.crowd.serve_all_spectators();
    }

    /// Lets everybody know what has become durable.
    pub(super) fn publish(&mut self, texts: Vec<Texts>) {
        for text in texts {
            self.crowd.send(text);
        }
        self.published = self.seq();
        self.release();
        if std::mem::take(&mut self.newly_seated) {
            self.tell_presence();
        }
    }

    /// Publishes what is in the record but has never left the room.
    pub(super) fn publish_missed(&mut self) {
        let Some(state) = self.state.as_deref() else {
            return;
        };
        let seq = state.seq();
        for audience in Audience::ALL {
            for frame in self.missed_by(audience) {
                let mut texts: Texts = [None, None, None];
                texts[audience.index()] = Some(peer::text(&frame));
                self.crowd.send(texts);
            }
        }
        self.published = seq;
        self.note_shown();
    }

    /// What has never left the room for an audience; nothing for a room that nobody has come to yet.
    fn missed_by(&self, audience: Audience) -> Vec<EventFrame> {
        let seen = match audience {
            Audience::Seat(_) => self.published,
            Audience::Spectators => self.shown,
        };
        let state = self.seen_by(audience);
        let Some(state) = state.filter(|state| seen > Seq(0) && seen < state.seq()) else {
            return Vec::new();
        };
        let mut frames = audience::missed(state, seen, audience).unwrap_or_default();
        if let Some(last) = frames.last_mut() {
            last.position = Some(audience::position(state, audience));
        }
        frames
    }

    /// The game as an audience may know it by now. Everything that is sent of a game comes from here.
    pub(super) fn seen_by(&self, audience: Audience) -> Option<&State> {
        let state = self.state.as_deref()?;
        match (audience, state.created.spectator_delay) {
            (Audience::Seat(_), _) | (Audience::Spectators, None) => Some(state),
            (Audience::Spectators, Some(_)) => self.later.as_deref().map(DelayedState::shown),
        }
    }

    /// Shows spectators what is released by now.
    pub(super) fn release(&mut self) {
        if self.state.is_none() {
            // What is known is read again first.
            return;
        }
        let now = self.services.clock.now();
        while let Some(later) = self.later.as_deref_mut() {
            match later.release(now) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    tracing::error!(game = %self.id, %error, "the delayed events do not follow");
                    return self.forget();
                }
            }
            let [.., spectators] = self.crowd.audiences();
            let texts = texts_of(later.shown(), [false, false, spectators]);
            self.crowd.send(texts);
        }
        self.note_shown();
    }

    fn note_shown(&mut self) {
        let shown = self.seen_by(Audience::Spectators).map(State::seq);
        self.shown = shown.unwrap_or(self.shown);
    }

    /// Tells everybody who is here; spectators perhaps a little later.
    pub(super) fn tell_presence(&mut self) {
        let presence = self.state.as_deref().map(|state| self.presence(state));
        let presence = presence.unwrap_or_else(|| self.crowd.presence(None));
        let text = peer::text(&GameNotice {
            game: self.id,
            notice: GameNoticeKind::Presence { presence },
        });
        self.crowd.tell(&text, self.services.clock.now());
    }

    /// Who is here, as everybody may know.
    pub(super) fn presence(&self, state: &State) -> Presence {
        let playing = state.status == Status::Playing && state.setting_up().is_none();
        self.crowd
            .presence(state.created.time_control.absence_ms.filter(|_| playing))
    }

    /// Tells one player something in every window but the one it comes from.
    pub(super) fn notice_to(&self, seat: Seat, but: Option<u64>, notice: GameNoticeKind) {
        let text = peer::text(&GameNotice {
            game: self.id,
            notice,
        });
        self.crowd.send_to(seat, but, &text);
    }

    /// Tells spectators something that is not for the players.
    pub(super) fn notice_to_spectators(&mut self, notice: GameNoticeKind) {
        self.crowd.send_spectators(peer::text(&GameNotice {
            game: self.id,
            notice,
        }));
    }

    /// Tells a spectator alone, in every window.
    pub(super) fn notice_to_spectator(&mut self, player: PlayerId, notice: GameNoticeKind) {
        let text = peer::text(&GameNotice {
            game: self.id,
            notice,
        });
        self.crowd.send_spectator(player, &text);
    }

    /// Tells the players something that spectators know.
    pub(super) fn notice_to_players(&self, notice: GameNoticeKind) {
        self.crowd.send_players(&peer::text(&GameNotice {
            game: self.id,
            notice,
        }));
    }

    /// Tells everybody something that is no event of the game.
    pub(super) fn notice(&mut self, notice: GameNoticeKind) {
        self.crowd.send_all(&peer::text(&GameNotice {
            game: self.id,
            notice,
        }));
    }
}
