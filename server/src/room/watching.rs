//! How a room is looked at: subscriptions with their snapshot, and reading.

use std::sync::Arc;

use qiguan_game::{
    audience::{
        self, Audience,
        overseer::{self, Around},
        snapshot::Snapshot,
    },
    refusal::Refusal,
    state::State,
};
use qiguan_protocol::{
    answer::Answer,
    error::ApiError,
    ids::{Cursor, PlayerId, Seq},
    limits,
    names::Status,
};

use crate::{
    peer::Peer,
    room::{
        message::{Read, Reply},
        room::{RecordHealth, Room},
    },
};

/// A game with more events is shown beside the threads that answer everybody: none that was opened since games have a greatest length,
/// but for one in which very much is said.
const LONG: usize = 4_096;

impl Room {
    /// Lets a connection in and answers with what it lacks; the first live event follows without a gap.
    pub(super) async fn watch(
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
        let Some(state) = self.seen_by(audience) else {
            return;
        };
        let long = state.seq().0 as usize > LONG;
        let changed = self.crowd.enter(peer, player, audience, now);
        let Some(snapshot) = self
            .seen_by(audience)
            .map(|state| self.snapshot(state, audience, player))
        else {
            return;
        };
        let resumable = self.resumable(&snapshot, since);
        let reset = since.is_some();
        let made = move || answer(&snapshot, resumable, reset);
        if long {
            // Everybody's other games go on in the meantime; what happens in this one comes after the answer.
            let turn = self.services.folds.turn().await;
            let sent = turn.run(move || reply.send(made())).await;
            if sent.is_none() {
                tracing::error!(game = %self.id, "could not show a game");
            }
        } else {
            reply.send(made());
        }
        if changed {
            self.tell_presence();
        }
    }

    /// From which event on a client that has been here before lacks what has happened; none if it gets all of the game.
    fn resumable(&self, snapshot: &Snapshot, since: Option<Cursor>) -> Option<Seq> {
        let epoch = self.services.store.epoch();
        let seq = snapshot.seq();
        // Of a damaged game there is only what it was.
        let since = since.filter(|_| self.record_health != RecordHealth::Damaged);
        let known = since.filter(|cursor| {
            let known = cursor.epoch == epoch && cursor.seq > Seq(0) && cursor.seq <= seq;
            known && (seq.0 - cursor.seq.0) as usize <= limits::RESUME_EVENTS
        });
        known.map(|cursor| cursor.seq)
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

    /// The game at this moment, for a reader.
    fn snapshot(&self, state: &State, audience: Audience, player: Option<PlayerId>) -> Snapshot {
        Snapshot {
            state: state.snapshot(),
            audience,
            drafts: self.drafts.clone(),
            presence: self.presence(state),
            epoch: self.services.store.epoch(),
            now: self.services.clock.now(),
            standing: self.storage_down.map(|down| down.since),
            ratings: self.ratings,
            damaged: self.record_health == RecordHealth::Damaged,
            said: self.talk_for(state, audience, player),
        }
    }

    /// Answers a question about the game as it is.
    pub(super) fn read(&self, player: Option<PlayerId>, read: Read) {
        let Some(audience) = self.audience_of(player) else {
            return;
        };
        let known = match &read {
            // Moderators see the current state at once.
            Read::Chat(..) | Read::Overseen(..) => self.state.as_deref(),
            Read::Snapshot(_) | Read::SpectatorChat(_) => self.seen_by(audience),
        };
        let Some(state) = known else {
            return;
        };
        // A reader who has gone away in the meantime is nobody's concern.
        match read {
            Read::Snapshot(reply) => {
                drop(reply.send(Ok(Box::new(self.snapshot(state, audience, player)))));
            }
            Read::SpectatorChat(reply) => {
                let refused = || Err(Refusal::GameRunning.into());
                let may = audience::hears_spectators(state, audience);
                drop(reply.send(may.then_some(()).map_or_else(refused, Ok)));
            }
            Read::Chat(said, permit, reply) => {
                drop(reply.send(overseer::chat_log(state, &said, &permit)));
            }
            Read::Overseen(attendance, permit, reply) => {
                let around = Around {
                    drafts: &self.drafts,
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

/// What a client lacks that watches from now on.
fn answer(snapshot: &Snapshot, since: Option<Seq>, reset: bool) -> Result<Answer, ApiError> {
    let answer = match since {
        Some(since) => snapshot.missed(since),
        None => Ok(Answer::Snapshot {
            reset,
            view: Box::new(snapshot.view()),
        }),
    };
    answer.map_err(|_| ApiError::parked())
}

/// As whom a player looks at a game; none is a spectator.
pub(super) fn audience_of(state: &State, player: Option<PlayerId>) -> Audience {
    player
        .and_then(|player| state.seat_of(player))
        .map_or(Audience::Spectators, Audience::Seat)
}
