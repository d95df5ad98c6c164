//! Connections of this program that watch games of others, or are in the lobby there.

use std::{collections::BTreeMap, sync::Arc};

use qiguan_protocol::{
    event::{GameNotice, GameNoticeKind},
    ids::GameId,
    lobby::{LobbyNotice, LobbyNoticeKind},
};
use qiguan_store::nodes::Incarnation;

use crate::{
    abroad::{
        Abroad, State,
        groups::{GroupId, Groups},
        node_message::NodeMessage,
    },
    lobby::visiting::LOBBY,
    peer::Peer,
};

/// A connection that watches a game of another program, or is in the lobby there.
pub(super) struct Watching {
    pub(super) game: GameId,
    pub(super) peer: Arc<Peer>,
    pub(super) of: Incarnation,
    /// Whose texts it gets.
    pub(super) group: Option<GroupId>,
}

impl Abroad {
    /// Tells a program that a connection does not watch there, or not by this call.
    pub(super) fn leave_at(&self, node: Incarnation, game: GameId, peer: u64, watch: Option<u64>) {
        if let Some(link) = self.links.to(node) {
            link.send(&NodeMessage::Unwatch { game, peer, watch });
        }
    }
}

/// All of them.
#[derive(Default)]
pub(super) struct Watchings {
    /// By the calls that their texts come under.
    by_call: BTreeMap<u64, Watching>,
    /// The call by which a connection watches a game.
    calls: BTreeMap<(GameId, u64), u64>,
    pub(super) groups: Groups,
}

impl Watchings {
    /// A connection watches by this call, and by no other.
    pub(super) fn insert(&mut self, call: u64, watching: Watching) {
        let key = (watching.game, watching.peer.id);
        if let Some(before) = self.calls.get(&key).copied() {
            self.remove(before);
        }
        self.calls.insert(key, call);
        self.by_call.insert(call, watching);
    }

    pub(super) fn get(&self, call: u64) -> Option<&Watching> {
        self.by_call.get(&call)
    }

    pub(super) fn remove(&mut self, call: u64) -> Option<Watching> {
        let watching = self.by_call.remove(&call)?;
        self.calls.remove(&(watching.game, watching.peer.id));
        if let Some(group) = watching.group {
            self.groups.leave(group, watching.peer.id);
        }
        Some(watching)
    }

    /// By their calls, and the groups that they are in.
    pub(super) const fn parts(&mut self) -> (&mut BTreeMap<u64, Watching>, &mut Groups) {
        (&mut self.by_call, &mut self.groups)
    }

    /// Whether a connection watches a game.
    pub(super) fn has(&self, game: GameId, peer: u64) -> bool {
        self.calls.contains_key(&(game, peer))
    }

    /// The program at which a connection watches a game.
    fn at(&self, game: GameId, peer: u64) -> Option<Incarnation> {
        let call = self.calls.get(&(game, peer))?;
        self.by_call.get(call).map(|it| it.of)
    }

    /// Whether anybody watches a game.
    pub(super) fn has_any(&self, game: GameId) -> bool {
        self.by_call.values().any(|it| it.game == game)
    }

    /// A connection watches a game no more. Comes back with the program at which it did, if it did.
    pub(super) fn leave(&mut self, game: GameId, peer: u64) -> Option<Incarnation> {
        let call = self.calls.get(&(game, peer)).copied()?;
        self.remove(call).map(|left| left.of)
    }
}

impl State {
    /// A connection that was in the lobby at a program which has it no more hears of that before anything that comes of what it asks now.
    pub(super) fn has_left_earlier_lobby(&mut self, peer: u64, owner: Option<Incarnation>) {
        let before = self.watching.at(LOBBY, peer);
        if before.is_some() && before != owner {
            self.drop_watching(|it| it.game == LOBBY && it.peer.id == peer);
        }
    }

    /// Tells connections that they get nothing more of what they watch: clients watch again.
    pub(super) fn drop_watching(&mut self, which: impl Fn(&Watching) -> bool) {
        let all = self.watching.by_call.iter();
        let dropped: Vec<u64> = all
            .filter(|(_, it)| which(it))
            .map(|(call, _)| *call)
            .collect();
        for call in dropped {
            let Some(Watching { game, peer, .. }) = self.watching.remove(call) else {
                continue;
            };
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
