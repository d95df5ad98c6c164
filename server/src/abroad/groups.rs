//! Spectators here of games that other programs have. The owner of a game sends one copy of each text for all of them, which is handed out here as
//! the owner hands it out to its own.

use std::{collections::BTreeMap, sync::Arc};

use axum::extract::ws::Utf8Bytes;
use parking_lot::Mutex;
use qiguan_store::nodes::Incarnation;

use crate::{
    abroad::{Abroad, watching::Watchings},
    peer::Peer,
    room::{spectator_text::SpectatorText, spectators::Spectators},
};

/// A group of spectators: the program that has their game, and the number that it has given the group.
pub(super) type GroupId = (Incarnation, u64);

/// The spectators of one group.
#[derive(Default)]
pub(super) struct Members(Mutex<Handing>);

#[derive(Default)]
struct Handing {
    spectators: Spectators,
    /// Whether a task hands out what is left.
    is_handed_out: bool,
}

impl Members {
    /// A connection gets what comes from now on.
    fn enter(&self, peer: Arc<Peer>) {
        self.0.lock().spectators.enter(peer, None, None);
    }

    /// A connection gets nothing more. True if nobody is left.
    fn leave(&self, peer: u64) -> bool {
        let spectators = &mut self.0.lock().spectators;
        spectators.leave(peer);
        spectators.is_empty()
    }

    /// A connection gets what has come so far, and nothing more. True if nobody is left.
    fn take(&self, peer: u64) -> bool {
        let spectators = &mut self.0.lock().spectators;
        spectators.take_one(peer);
        spectators.is_empty()
    }

    /// Sends a connection a text, after all that has come so far.
    fn tell(&self, peer: &Peer, text: Utf8Bytes) {
        self.0.lock().spectators.tell_one(peer, text);
    }

    /// A text for all. The first few get it at once; the others have it handed out beside everything else.
    fn note(self: &Arc<Self>, text: SpectatorText) {
        let mut handing = self.0.lock();
        handing.spectators.note(text);
        if !handing.is_handed_out && !handing.spectators.send_some() {
            handing.is_handed_out = true;
            tokio::spawn(Arc::clone(self).hand_out());
        }
    }

    async fn hand_out(self: Arc<Self>) {
        loop {
            // Tasks woken by what has been sent so far have a turn first.
            tokio::task::yield_now().await;
            let mut handing = self.0.lock();
            if handing.spectators.send_some() {
                handing.is_handed_out = false;
                return;
            }
        }
    }
}

/// All groups with somebody in them.
#[derive(Default)]
pub(super) struct Groups(BTreeMap<GroupId, Arc<Members>>);

impl Groups {
    fn enter(&mut self, group: GroupId, peer: Arc<Peer>) {
        self.0.entry(group).or_default().enter(peer);
    }

    /// A connection gets nothing more of a group.
    pub(super) fn leave(&mut self, group: GroupId, peer: u64) {
        if self.0.get(&group).is_some_and(|it| it.leave(peer)) {
            self.0.remove(&group);
        }
    }

    fn take(&mut self, group: GroupId, peer: u64) {
        if self.0.get(&group).is_some_and(|it| it.take(peer)) {
            self.0.remove(&group);
        }
    }
}

impl Watchings {
    /// A connection that watches by this call gets what its group gets.
    pub(super) fn joins(&mut self, from: Incarnation, call: u64, group: u64) {
        self.is_alone(from, call);
        let group = (from, group);
        let (all, groups) = self.parts();
        if let Some(watching) = all.get_mut(&call).filter(|it| it.of == from) {
            groups.enter(group, Arc::clone(&watching.peer));
            watching.group = Some(group);
        }
    }

    /// One gets what is sent to it alone, after what its group has got.
    pub(super) fn is_alone(&mut self, from: Incarnation, call: u64) {
        let (all, groups) = self.parts();
        if let Some(watching) = all.get_mut(&call).filter(|it| it.of == from)
            && let Some(group) = watching.group.take()
        {
            groups.take(group, watching.peer.id);
        }
    }

    /// A text for one connection.
    pub(super) fn text(&self, from: Incarnation, call: u64, text: Utf8Bytes) {
        let Some(watching) = self.get(call).filter(|it| it.of == from) else {
            return;
        };
        let members = watching.group.and_then(|group| self.members(group));
        match members {
            Some(members) => members.tell(&watching.peer, text),
            None => watching.peer.outbox.push(text),
        }
    }

    fn members(&self, group: GroupId) -> Option<&Arc<Members>> {
        self.groups.0.get(&group)
    }
}

impl Abroad {
    /// A program has a text for one connection.
    pub(super) fn hear_for_one(&self, from: Incarnation, watch: u64, text: String) {
        let state = self.state.lock();
        state.watching.text(from, watch, text.into());
    }

    /// A connection watches in a group there.
    pub(super) fn joins_group(&self, from: Incarnation, watch: u64, group: u64) {
        self.state.lock().watching.joins(from, watch, group);
    }

    /// A connection is in no group there any more.
    pub(super) fn leaves_group(&self, from: Incarnation, watch: u64) {
        self.state.lock().watching.is_alone(from, watch);
    }

    /// A program has a text for all connections in a group.
    pub(super) fn hear_for_group(&self, from: Incarnation, group: u64, text: String) {
        let state = self.state.lock();
        let members = state.watching.members((from, group)).map(Arc::clone);
        drop(state);
        if let Some(members) = members {
            members.note(SpectatorText::of_another_program(text));
        }
    }
}

#[cfg(test)]
mod tests;
