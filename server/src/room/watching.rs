//! How a room is looked at: subscriptions with their snapshot, and reading.

use std::sync::Arc;

use qiguan_protocol::{
    answer::Answer,
    ids::{Cursor, PlayerId, Seq},
    limits,
    names::Status,
    view::{GameView, LiveState},
};

use crate::{
    room::{
        audience::{
            self, Audience,
            overseer::{self, Around},
        },
        knock::{self, Read, Reply},
        refusal::Refusal,
        room::{Found, Room},
        state::State,
    },
    socket::peer::Peer,
};

impl Room {
    /// Lets a connection in and answers with what it lacks; the first live event follows without a gap.
    pub(super) fn watch(
        &mut self,
        peer: Arc<Peer>,
        player: Option<PlayerId>,
        since: Option<Cursor>,
        reply: Reply,
    ) {
        let now = self.services.clock.now();
        let Some(audience) = self.audience_of(player) else {
            return;
        };
        let changed = self.crowd.enter(peer, player, audience, now);
        let Some(state) = self.seen_by(audience) else {
            return;
        };
        let presence = self.presence(state);
        let epoch = self.services.store.epoch();
        let seq = state.seq();
        // Of a damaged game there is only what it was.
        let resumable = since
            .filter(|_| self.found != Found::Damaged)
            .filter(|cursor| {
                let known = cursor.epoch == epoch && cursor.seq > Seq(0) && cursor.seq <= seq;
                known && (seq.0 - cursor.seq.0) as usize <= limits::RESUME_EVENTS
            });
        let answer = match resumable {
            Some(cursor) => {
                audience::missed(state, cursor.seq, audience).map(|events| Answer::Missed {
                    game: self.id,
                    cursor: Cursor { epoch, seq },
                    events,
                    live: Box::new(LiveState {
                        ratings: self.ratings,
                        spectator_chat: self.talk_for(state, audience, player),
                        ..audience::live(state, audience, &self.papers, presence, now)
                    }),
                })
            }
            None => Ok(Answer::Snapshot {
                reset: since.is_some(),
                view: Box::new(GameView {
                    spectator_chat: self.talk_for(state, audience, player),
                    ..self.marked(audience::view(
                        state,
                        audience,
                        &self.papers,
                        presence,
                        epoch,
                        now,
                    ))
                }),
            }),
        };
        reply.send(answer.map_err(|_| knock::parked()));
        if changed {
            self.tell_presence();
        }
    }

    /// Has it noted which players have come or gone. While the server goes down nobody goes by themselves.
    pub fn note_attendance(&mut self) {
        let services = &self.services;
        if services.is_draining() {
            return;
        }
        if let Some(state) = self.state.as_deref() {
            let is_over = state.status == Status::Ended;
            self.noting.goes_on(state.ply(), is_over);
        }
        let here = self.crowd.here();
        for change in self.noting.changes(self.id, here, services.clock.now()) {
            services.attendance.note(change);
        }
    }

    /// As whom a player looks at this game; none is a spectator.
    fn audience_of(&self, player: Option<PlayerId>) -> Option<Audience> {
        let state = self.state.as_deref()?;
        Some(audience_of(state, player))
    }

    /// Answers a question about the game as it is.
    pub(super) fn read(&self, player: Option<PlayerId>, read: Read) {
        let Some(audience) = self.audience_of(player) else {
            return;
        };
        let known = match &read {
            // Whoever keeps order sees what is, at once.
            Read::Chat(..) | Read::Overseen(..) => self.state.as_deref(),
            Read::View(_) | Read::Events(..) | Read::SpectatorChat(_) | Read::Positions(..) => {
                self.seen_by(audience)
            }
        };
        let Some(state) = known else {
            return;
        };
        // A reader who has gone away in the meantime is nobody's concern.
        match read {
            Read::View(reply) => {
                let now = self.services.clock.now();
                let epoch = self.services.store.epoch();
                let view = audience::view(
                    state,
                    audience,
                    &self.papers,
                    self.presence(state),
                    epoch,
                    now,
                );
                drop(reply.send(Ok(GameView {
                    spectator_chat: self.talk_for(state, audience, player),
                    ..self.marked(view)
                })));
            }
            Read::Events(since, reply) => {
                drop(
                    reply.send(
                        audience::missed(state, since, audience).map_err(|_| knock::parked()),
                    ),
                );
            }
            Read::SpectatorChat(reply) => {
                let refused = || Err(Refusal::GameRunning.into());
                let may = audience::hears_spectators(state, audience);
                drop(reply.send(may.then_some(()).map_or_else(refused, Ok)));
            }
            Read::Positions(eyes, reply) => {
                let positions = match eyes {
                    None => audience::positions(state, audience).map(Some),
                    Some(eyes) => audience::positions_through(state, eyes),
                };
                let positions = positions.map_err(|_| knock::parked());
                let shown = positions.and_then(|shown| shown.ok_or(Refusal::GameRunning.into()));
                drop(reply.send(shown));
            }
            Read::Chat(said, permit, reply) => {
                drop(reply.send(overseer::chat_log(state, &said, &permit)));
            }
            Read::Overseen(attendance, permit, reply) => {
                let around = Around {
                    papers: &self.papers,
                    presence: self.presence(state),
                    attendance: &attendance,
                    epoch: self.services.store.epoch(),
                    now: self.services.clock.now(),
                };
                let seen = overseer::game(state, &around, &permit).map(|mut seen| {
                    seen.view = self.marked(seen.view);
                    Box::new(seen)
                });
                drop(reply.send(seen));
            }
        }
    }
}

/// As whom a player looks at a game; none is a spectator.
pub(super) fn audience_of(state: &State, player: Option<PlayerId>) -> Audience {
    player
        .and_then(|player| state.seat_of(player))
        .map_or(Audience::Spectators, Audience::Seat)
}
