//! The registry of open sockets. The HTTP server forgets a connection once it has become a WebSocket; this does not.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
    time::Duration,
};

use axum::extract::ws::Utf8Bytes;
use parking_lot::Mutex;
use qiguan_environment::Random;
use qiguan_game::people::identity::Identity;
use qiguan_protocol::{
    event::{ServerNotice, ServerNoticeKind},
    ids::{Millis, PlayerId, SessionId},
    limits,
};
use serde::Serialize;
use tokio_util::task::TaskTracker;

use crate::peer::{
    self, Peer,
    elsewhere::{Elsewhere, ForOthers},
};

/// The longest time that clients are asked to wait before they come back after a restart, in milliseconds.
const RETRY_SPREAD_MS: u32 = 2_000;
/// How long clients take that go over to another program, at most: the last of them begins then, and another second.
pub const LONGEST_MOVE: Duration = Duration::from_millis(1_250 + RETRY_SPREAD_MS as u64);

/// So many endings of sessions are remembered: far more than there can be while one is looked up.
const ENDINGS: usize = 4_096;

/// Every open socket. At the end they are notified, and waited for.
pub struct Sockets {
    /// Every socket's task.
    pub tasks: TaskTracker,
    random: Random,
    open: Mutex<Open>,
    /// The sockets that players have at other programs. Others are told of what changes here under the lock of `open`, so in its order.
    pub elsewhere: Elsewhere,
}

#[derive(Default)]
struct Open {
    next: u64,
    peers: BTreeMap<u64, Arc<Peer>>,
    /// Those who have said who they are, by player.
    players: BTreeMap<PlayerId, Vec<Identified>>,
    /// How often sessions have ended.
    endings: u64,
    /// Whose sessions ended last, the latest last.
    ended: VecDeque<PlayerId>,
    /// The operator's announcements for new connections.
    active: Option<Utf8Bytes>,
    phase: Phase,
}

impl Open {
    /// Whether a session of this player may have ended since there were so many endings.
    fn has_ended(&self, player: PlayerId, endings: u64) -> bool {
        let since = usize::try_from(self.endings - endings).unwrap_or(usize::MAX);
        since > self.ended.len() || self.ended.iter().rev().take(since).any(|of| *of == player)
    }
}

/// A socket and who is there.
struct Identified {
    peer: Arc<Peer>,
    identity: Arc<Identity>,
}

/// Whether one of these sockets follows its player's own games.
fn follow_own_games(sockets: &[Identified]) -> bool {
    sockets.iter().any(|socket| socket.peer.follows_own_games())
}

/// How far the end of the server has come. Late connections receive what the others received.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    Serving,
    /// Whether other programs go on.
    Announced(bool),
    Closed,
}

impl Sockets {
    /// No socket yet. `random numbers` spreads the clients' return after a restart.
    pub fn new(random: Random) -> Self {
        Self {
            tasks: TaskTracker::new(),
            random,
            open: Mutex::default(),
            elsewhere: Elsewhere::default(),
        }
    }

    /// A new socket, until it [leaves](Self::leave).
    pub fn enter(&self) -> Arc<Peer> {
        let mut open = self.open.lock();
        open.next += 1;
        let peer = Arc::new(Peer::new(open.next));
        open.peers.insert(peer.id, Arc::clone(&peer));
        if let Some(active) = &open.active {
            peer.outbox.push(active.clone());
        }
        match open.phase {
            Phase::Serving => {}
            Phase::Announced(elsewhere) => self.tell(&peer, elsewhere),
            Phase::Closed => self.end(&peer),
        }
        peer
    }

    /// A number of its own, for a client of another program.
    pub fn number(&self) -> u64 {
        let mut open = self.open.lock();
        open.next += 1;
        open.next
    }

    /// How often sessions have ended so far: to be read before a session is looked up.
    pub fn endings(&self) -> u64 {
        self.open.lock().endings
    }

    /// A socket has said who is there. False, and nothing is noted, if a session of the player has ended since there were so many
    /// `endings`: it may have been this one, and is to be looked up again. None for a session that is too new to have ended.
    #[must_use]
    pub fn identified(
        &self,
        peer: &Arc<Peer>,
        identity: Arc<Identity>,
        endings: Option<u64>,
    ) -> bool {
        let mut open = self.open.lock();
        if endings.is_some_and(|endings| open.has_ended(identity.id, endings)) {
            return false;
        }
        if !open.peers.contains_key(&peer.id) {
            return true;
        }
        let sockets = open.players.entry(identity.id).or_default();
        if sockets.is_empty() {
            self.elsewhere.say(ForOthers::Connected {
                who: &identity,
                follows_own_games: peer.follows_own_games(),
            });
        }
        sockets.retain(|known| known.peer.id != peer.id);
        sockets.push(Identified {
            peer: Arc::clone(peer),
            identity,
        });
        true
    }

    /// From now on a socket of a player is told how their games stand. False if it was already.
    pub fn follow_own_games(&self, peer: &Peer, player: PlayerId) -> bool {
        let open = self.open.lock();
        let sockets = open.players.get(&player).map_or(&[][..], Vec::as_slice);
        let did_follow = follow_own_games(sockets);
        if !peer.follow_own_games() {
            return false;
        }
        if !did_follow
            && follow_own_games(sockets)
            && let Some(first) = sockets.first()
        {
            self.elsewhere.say(ForOthers::Connected {
                who: &first.identity,
                follows_own_games: true,
            });
        }
        true
    }

    /// Who is connected to this program and follows their own games.
    pub fn who_follow_own_games(&self) -> Vec<PlayerId> {
        let open = self.open.lock();
        let players = open.players.iter();
        let following = players.filter(|(_, sockets)| follow_own_games(sockets));
        following.map(|(player, _)| *player).collect()
    }

    /// The sockets of a player.
    pub fn of(&self, player: PlayerId) -> Vec<Arc<Peer>> {
        let open = self.open.lock();
        let sockets = open.players.get(&player).into_iter().flatten();
        sockets.map(|socket| Arc::clone(&socket.peer)).collect()
    }

    /// How many players are connected, to this program or another.
    pub fn players(&self) -> usize {
        let open = self.open.lock();
        let here = |player| open.players.contains_key(&player);
        open.players.len() + self.elsewhere.players(here)
    }

    /// How many players are connected to this program.
    pub fn players_here(&self) -> usize {
        self.open.lock().players.len()
    }

    /// Whether a player is connected, to this program or another.
    pub fn is_online(&self, player: PlayerId) -> bool {
        self.open.lock().players.contains_key(&player) || self.elsewhere.has(player)
    }

    /// Every player who is connected to this program and whether they follow their own games, as long as nobody comes or goes.
    pub fn each_player(&self, mut each: impl FnMut(&Identity, bool)) {
        let open = self.open.lock();
        for sockets in open.players.values() {
            if let Some(first) = sockets.first() {
                each(&first.identity, follow_own_games(sockets));
            }
        }
    }

    /// Those with an account who are connected, at most so many: who came last first, then those of other programs.
    pub fn accounts(&self, most: usize) -> Vec<Arc<Identity>> {
        let open = self.open.lock();
        let sockets = open.players.values().filter_map(|sockets| sockets.first());
        let mut accounts: Vec<_> = sockets
            .filter(|first| !first.identity.is_guest())
            .map(|first| (Reverse(first.peer.id), Arc::clone(&first.identity)))
            .collect();
        drop(open);
        accounts.sort_unstable_by_key(|(came, _)| *came);
        let here = accounts.into_iter().map(|(_, identity)| identity);
        let all = here.chain(self.elsewhere.accounts());
        let mut seen = BTreeSet::new();
        all.filter(|who| seen.insert(who.id)).take(most).collect()
    }

    /// Tells every connection of a player.
    pub fn tell_player(&self, player: PlayerId, message: &impl Serialize) {
        let peers = self.of(player);
        if peers.is_empty() && !self.elsewhere.has(player) {
            return;
        }
        let text = peer::text(message);
        self.elsewhere.tell(player, &text, false);
        for peer in peers {
            peer.outbox.push(text.clone());
        }
    }

    /// Tells the connections that a player has to other programs.
    pub fn tell_elsewhere(&self, player: PlayerId, message: &impl Serialize) {
        if self.elsewhere.has(player) {
            self.elsewhere.tell(player, &peer::text(message), false);
        }
    }

    /// Passes on what another program tells a player.
    pub fn pass_on(&self, player: PlayerId, text: &Utf8Bytes, only_followers: bool) {
        for peer in self.of(player) {
            if !only_followers || peer.follows_own_games() {
                peer.outbox.push(text.clone());
            }
        }
    }

    /// Tells those connections of a player that follow their own games; the message is made only if there are any.
    pub fn tell_own_game<M: Serialize>(
        &self,
        player: PlayerId,
        message: impl FnOnce() -> Option<M>,
    ) {
        let open = self.open.lock();
        let sockets = open.players.get(&player).into_iter().flatten();
        let following = sockets.filter(|socket| socket.peer.follows_own_games());
        let peers: Vec<_> = following.map(|socket| Arc::clone(&socket.peer)).collect();
        drop(open);
        if peers.is_empty() && !self.elsewhere.is_followed(player) {
            return;
        }
        if let Some(text) = message().map(|message| peer::text(&message)) {
            self.elsewhere.tell(player, &text, true);
            for peer in peers {
                peer.outbox.push(text.clone());
            }
        }
    }

    /// Who is connected, and by which sessions.
    pub fn sessions(&self) -> Vec<(PlayerId, SessionId)> {
        let open = self.open.lock();
        let all = open.players.values().flatten();
        all.map(|socket| (socket.identity.id, socket.identity.session))
            .collect()
    }

    /// Closes those sockets of a player whose sessions have ended.
    pub(super) fn end_sessions(
        &self,
        player: PlayerId,
        has_ended: impl Fn(&Identity) -> bool,
        code: u16,
        reason: &str,
    ) {
        let mut open = self.open.lock();
        open.endings += 1;
        open.ended.push_back(player);
        if open.ended.len() > ENDINGS {
            open.ended.pop_front();
        }
        for socket in open.players.get(&player).into_iter().flatten() {
            if has_ended(&socket.identity) {
                socket.peer.outbox.close(code, reason.to_owned());
            }
        }
    }

    /// A socket is gone; `player` is who was there.
    pub fn leave(&self, peer: &Peer, player: Option<PlayerId>) {
        let mut open = self.open.lock();
        open.peers.remove(&peer.id);
        if let Some(player) = player
            && let Some(sockets) = open.players.get_mut(&player)
        {
            let did_follow = follow_own_games(sockets);
            sockets.retain(|known| known.peer.id != peer.id);
            match sockets.first() {
                None => {
                    open.players.remove(&player);
                    self.elsewhere.say(ForOthers::Gone(player));
                }
                Some(first) if did_follow && !follow_own_games(sockets) => {
                    self.elsewhere.say(ForOthers::Connected {
                        who: &first.identity,
                        follows_own_games: false,
                    });
                }
                Some(_) => {}
            }
        }
    }

    /// The announcements have changed: connected clients are notified, and so are new ones as long as an announcement
    /// is in force.
    pub fn announcements(&self, (notice, for_all): &(ServerNotice, bool)) {
        let text = peer::text(notice);
        let mut open = self.open.lock();
        for peer in open.peers.values() {
            peer.outbox.push(text.clone());
        }
        open.active = for_all.then_some(text);
    }

    /// The server is about to restart: every client gets a time to come back, each a different one. If other programs go on, it may come to one
    /// of them before this one ends ([`LONGEST_MOVE`]).
    pub fn announce(&self, elsewhere: bool) {
        let mut open = self.open.lock();
        open.phase = Phase::Announced(elsewhere);
        open.peers
            .values()
            .for_each(|peer| self.tell(peer, elsewhere));
    }

    /// The server restarts now: every connection is closed after what has been answered so far.
    pub fn close(&self) {
        let mut open = self.open.lock();
        open.phase = Phase::Closed;
        open.peers.values().for_each(|peer| self.end(peer));
    }

    fn tell(&self, peer: &Peer, elsewhere: bool) {
        let retry_in_ms = self.retry_in();
        let notice = ServerNoticeKind::Restarting {
            retry_in_ms,
            elsewhere,
        };
        peer.send(&ServerNotice { notice });
    }

    fn end(&self, peer: &Peer) {
        let reason = format!("the server restarts; retry_in_ms={}", self.retry_in());
        peer.outbox.close(limits::close::RESTART, reason);
    }

    fn retry_in(&self) -> Millis {
        Millis(i64::from(250 + self.random.below(RETRY_SPREAD_MS)))
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Poll, Waker};

    use qiguan_protocol::{ids::SessionId, names::Role};

    use super::*;
    use crate::peer::outbox::Taken;
    use qiguan_game::people::identity::Scopes;

    fn taken(peer: &Peer) -> (usize, Option<u16>) {
        let mut frames = Vec::new();
        let mut context = Context::from_waker(Waker::noop());
        match peer.outbox.poll_take(&mut context, &mut frames) {
            Poll::Ready(Taken::Close(closing)) => (frames.len(), Some(closing.code)),
            Poll::Ready(Taken::Frames) | Poll::Pending => (frames.len(), None),
        }
    }

    #[test]
    fn a_late_connection_is_notified_like_the_others() {
        let sockets = Sockets::new(Random::system());
        let early = sockets.enter();
        assert_eq!(taken(&early), (0, None));
        sockets.announce(false);
        let late = sockets.enter();
        assert_eq!((taken(&early), taken(&late)), ((1, None), (1, None)));
        sockets.close();
        let last = sockets.enter();
        for peer in [early, late, last] {
            assert_eq!(taken(&peer), (0, Some(limits::close::RESTART)));
        }
    }

    fn somebody() -> Arc<Identity> {
        Arc::new(Identity {
            id: PlayerId(uuid::Uuid::from_u128(1)),
            name: "Calm Carp 1000".to_owned(),
            role: Role::Guest,
            session: SessionId(uuid::Uuid::from_u128(2)),
            scopes: Scopes::ALL,
        })
    }

    #[test]
    fn d5_a_session_that_ends_while_it_is_looked_up_opens_no_socket() {
        let sockets = Sockets::new(Random::system());
        let (peer, who) = (sockets.enter(), somebody());
        let before = sockets.endings();
        sockets.end_sessions(who.id, |_| true, limits::close::SIGNED_OUT, "it has ended");
        assert!(!sockets.identified(&peer, Arc::clone(&who), Some(before)));
        assert!(!sockets.is_online(who.id));
        let after = sockets.endings();
        // Other connections do not matter.
        let other = PlayerId(uuid::Uuid::from_u128(9));
        sockets.end_sessions(other, |_| true, limits::close::SIGNED_OUT, "it has ended");
        assert!(sockets.identified(&peer, Arc::clone(&who), Some(after)));
        assert!(sockets.is_online(who.id));
    }

    #[test]
    fn a_closed_connection_is_forgotten() {
        let sockets = Sockets::new(Random::system());
        let peer = sockets.enter();
        let identity = somebody();
        let player = identity.id;
        assert!(sockets.identified(&peer, identity, None));
        assert_eq!(sockets.of(player).len(), 1);
        sockets.leave(&peer, Some(player));
        sockets.announce(true);
        assert_eq!(taken(&peer), (0, None));
        assert!(sockets.of(player).is_empty());
        assert_eq!(Arc::strong_count(&peer), 1);
    }
}
