//! How a room is looked at: subscriptions with their snapshot, and reading.

use std::sync::Arc;

use qiguan_game::{
    audience::{self, Audience, overseer, snapshot::Snapshot},
    refusal::Refusal,
    state::State,
};
use qiguan_protocol::{
    answer::Answer,
    ids::{Cursor, PlayerId, Seq},
    limits,
};

use crate::{
    peer::Peer,
    room::{
        message::{Read, Reply},
        room::Room,
        spectators::Route,
    },
    services::programs::Unstored,
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
        preview: bool,
        route: Option<Route>,
        reply: Reply,
    ) {
        let now = self.services.clock.now();
        let Some(audience) = self.record.audience_of(player) else {
            return;
        };
        let Some(state) = self.record.seen_by(audience) else {
            return;
        };
        let id = peer.id;
        let changed = self.crowd.enter_by(route, peer, player, audience, now);
        if preview && audience == Audience::Spectators {
            self.crowd.is_preview(id);
        }
        let snapshot = self.snapshot(state, audience, player);
        let resumable = self.resumable(&snapshot, since);
        let reset = since.is_some();
        let made = move || answer(&snapshot, resumable, reset);
        if state.seq().0 as usize > LONG {
            // Everybody's other games go on in the meantime; what happens in this one comes after the answer.
            let turn = self.services.folds.turn().await;
            let sent = turn.run(move || reply.send(Ok(made()))).await;
            if sent.is_none() {
                tracing::error!(game = %self.record.id(), "could not show a game");
            }
        } else {
            reply.send(Ok(made()));
        }
        if changed {
            self.tell_presence();
        }
    }

    /// Answers with what a connection lacks that gets nothing after that.
    pub(super) fn show(&self, player: Option<PlayerId>, since: Option<Cursor>, reply: Reply) {
        let Some(audience) = self.record.audience_of(player) else {
            return;
        };
        let Some(state) = self.record.seen_by(audience) else {
            return;
        };
        let snapshot = self.snapshot(state, audience, player);
        let resumable = self.resumable(&snapshot, since);
        reply.send(Ok(answer(&snapshot, resumable, since.is_some())));
    }

    /// From which event on a client that has been here before lacks what has happened; none if it gets all of the game.
    fn resumable(&self, snapshot: &Snapshot, since: Option<Cursor>) -> Option<Seq> {
        let epoch = self.services.store.epoch();
        let seq = snapshot.seq();
        // Of a damaged game there is only what it was.
        let since = since.filter(|_| !self.record.is_damaged());
        let known = since.filter(|cursor| {
            let known = cursor.epoch == epoch && cursor.seq > Seq(0) && cursor.seq <= seq;
            known && (seq.0 - cursor.seq.0) as usize <= limits::RESUME_EVENTS
        });
        known.map(|cursor| cursor.seq)
    }

    /// The game at this moment, for a reader.
    fn snapshot(&self, state: &State, audience: Audience, player: Option<PlayerId>) -> Snapshot {
        let (presence, stopped_since) = match &self.owner_knows {
            Some(known) => (known.presence, known.stopped_since),
            None => (self.presence(), self.outage.since()),
        };
        Snapshot {
            state: state.snapshot(),
            audience,
            drafts: self.record.drafts().clone(),
            presence,
            epoch: self.services.store.epoch(),
            now: self.services.clock.now(),
            stopped_since,
            ratings: self.ratings.known(),
            damaged: self.record.is_damaged(),
            said: self.spectator_chat.lines_for(state, audience, player),
        }
    }

    /// Answers a question about the game as it is. A reader who has gone away in the meantime is nobody's concern.
    pub(super) fn read(&self, player: Option<PlayerId>, read: Read) {
        let (Some(audience), Some(state)) = (self.record.audience_of(player), self.record.state())
        else {
            return;
        };
        match read {
            Read::Snapshot(reply) => {
                if let Some(state) = self.record.seen_by(audience) {
                    drop(reply.send(Ok(Box::new(self.snapshot(state, audience, player)))));
                }
            }
            Read::SpectatorChat(reply) => {
                let known = self.record.seen_by(audience);
                let may = known.is_some_and(|known| audience::hears_spectators(known, audience));
                let refused = || Err(Refusal::GameRunning.into());
                drop(reply.send(may.then_some(()).map_or_else(refused, Ok)));
            }
            Read::Unstored(reply) => {
                let visible = state.visible.iter().map(|(seq, at)| (*seq, *at));
                drop(reply.send(Ok(Unstored {
                    presence: self.presence(),
                    stopped_since: self.outage.since(),
                    visible: visible.collect(),
                })));
            }
            // Moderators see the current state at once.
            Read::Chat(said, permit, reply) => {
                drop(reply.send(overseer::chat_log(state, &said, &permit)));
            }
            Read::Overseen(connections, permit, reply) => {
                let snapshot = Snapshot {
                    said: Vec::new(),
                    ..self.snapshot(state, Audience::Spectators, None)
                };
                let seen = overseer::game(&snapshot, &connections, &permit);
                drop(reply.send(seen.map(Box::new)));
            }
        }
    }
}

/// What a client lacks that watches from now on.
fn answer(snapshot: &Snapshot, since: Option<Seq>, reset: bool) -> Answer {
    match since {
        Some(since) => snapshot.missed(since),
        None => Answer::Snapshot {
            reset,
            view: Box::new(snapshot.view()),
        },
    }
}
