//! Connections of this program that watch games of others, or are in the lobby there.

use std::sync::Arc;

use qiguan_protocol::{
    event::{GameNotice, GameNoticeKind},
    ids::GameId,
    lobby::{LobbyNotice, LobbyNoticeKind},
};
use qiguan_store::nodes::Incarnation;

use crate::{
    abroad::{Abroad, State, node_message::NodeMessage},
    lobby::visiting::LOBBY,
    peer::Peer,
};

/// A connection that watches a game of another program, or is in the lobby there.
pub(super) struct Watching {
    pub(super) game: GameId,
    pub(super) peer: Arc<Peer>,
    pub(super) of: Incarnation,
}

impl Abroad {
    /// Tells a program that a connection does not watch there, or not by this call.
    pub(super) fn leave_at(&self, node: Incarnation, game: GameId, peer: u64, watch: Option<u64>) {
        if let Some(link) = self.links.to(node) {
            link.send(&NodeMessage::Unwatch { game, peer, watch });
        }
    }
}

impl State {
    /// A connection watches a game no more. Comes back with the program at which it did, if it did.
    pub(super) fn leave(&mut self, game: GameId, peer: u64) -> Option<Incarnation> {
        let left = self
            .watching
            .extract_if(|_, it| it.game == game && it.peer.id == peer);
        left.map(|(_, it)| it.of).last()
    }

    /// Tells connections that they get nothing more of what they watch: clients watch again.
    pub(super) fn drop_watching(&mut self, which: impl Fn(&Watching) -> bool) {
        let dropped = self.watching.extract_if(|_, it| which(it));
        for (call, Watching { game, peer, .. }) in dropped {
            // One that has not been answered is asked again instead.
            if !self.waiting.contains_key(&call) {
                if game == LOBBY {
                    let lobby = LobbyNoticeKind::Reset {};
                    peer.send(&LobbyNotice { lobby });
                } else {
                    let notice = GameNoticeKind::Dropped {};
                    peer.send(&GameNotice { game, notice });
                }
            }
        }
    }
}
