//! The spectators of a game, and the texts that wait for each.
//!
//! A text that is for them is noted here and handed out a few spectators at a time, in turn, with the rest of the server
//! going on in between: thousands of them never stand between the two players. A spectator who is reached gets everything that has
//! come up by then, so that a busy game costs each spectator fewer, larger writes.
//!
//! Those of another program are a group: a text goes there once, at once, and that program hands it out as described here.
//!
//! **Invariant:** each spectator gets every text that was noted after they came in, once and in order.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use axum::extract::ws::Utf8Bytes;
use qiguan_protocol::ids::PlayerId;

use crate::{peer::Peer, room::spectator_text::SpectatorText};

/// How many are served before others get a turn: sending to so many takes about half a millisecond.
const AT_ONCE: usize = 32;

/// Carries texts to one other program.
pub trait Carrier: Send + Sync {
    /// The number of a new group of spectators there. None is used twice.
    fn opens_group(&self) -> u64;
    /// From now on a connection there gets what its group gets.
    fn joins(&self, group: u64, watch: u64);
    /// From now on a connection there gets what is sent to it alone.
    fn leaves(&self, watch: u64);
    /// Carries a text for a group.
    fn carry(&self, group: u64, text: &SpectatorText);
}

/// How a connection of another program is reached.
#[derive(Clone)]
pub struct Route {
    /// The way to its program: connections with the same one share texts.
    pub carrier: Arc<dyn Carrier>,
    /// By which number that knows that it watches.
    pub watch: u64,
}

/// Everybody who watches without a seat.
#[derive(Default)]
pub struct Spectators {
    watching: Vec<Spectator>,
    /// Those of other programs.
    groups: Vec<Group>,
    /// Texts that not everybody has yet, the oldest first.
    pending: VecDeque<SpectatorText>,
    /// How many texts were noted before the first of `pending`.
    before: u64,
    /// Who is served next in this round.
    next: usize,
    /// How many texts everybody has at least when this round is over.
    round_gives: u64,
}

struct Spectator {
    peer: Arc<Peer>,
    player: Option<PlayerId>,
    /// How many of the texts noted so far need not be sent here any more.
    has: u64,
}

/// The spectators of another program.
struct Group {
    carrier: Arc<dyn Carrier>,
    number: u64,
    /// By the numbers that their connections have here.
    members: BTreeMap<u64, Member>,
}

struct Member {
    peer: Arc<Peer>,
    player: Option<PlayerId>,
    watch: u64,
}

impl Spectators {
    /// Lets a spectator in, who gets what is noted from now on.
    pub fn enter(&mut self, peer: Arc<Peer>, player: Option<PlayerId>, route: Option<Route>) {
        let Some(Route { carrier, watch }) = route else {
            let has = self.noted();
            self.watching.push(Spectator { peer, player, has });
            return;
        };
        let is_it = |group: &Group| Arc::ptr_eq(&group.carrier, &carrier);
        let index = self.groups.iter().position(is_it).unwrap_or_else(|| {
            let number = carrier.opens_group();
            self.groups.push(Group {
                carrier,
                number,
                members: BTreeMap::new(),
            });
            self.groups.len() - 1
        });
        if let Some(group) = self.groups.get_mut(index) {
            group.carrier.joins(group.number, watch);
            let member = Member {
                peer: Arc::clone(&peer),
                player,
                watch,
            };
            group.members.insert(peer.id, member);
        }
    }

    /// Lets a connection go. False if it was not here.
    pub fn leave(&mut self, peer: u64) -> bool {
        self.leave_group(peer).is_some() || self.leave_here(peer)
    }

    fn leave_group(&mut self, peer: u64) -> Option<Member> {
        let left = |group: &mut Group| group.members.remove(&peer);
        let member = self.groups.iter_mut().find_map(left);
        // Those who come later are in another group: a connection that still counts itself to this one gets nothing more by it.
        self.groups.retain(|group| !group.members.is_empty());
        member
    }

    fn leave_here(&mut self, peer: u64) -> bool {
        let here = |spectator: &Spectator| spectator.peer.id == peer;
        match self.watching.iter().position(here) {
            Some(index) => {
                self.remove(index);
                true
            }
            None => false,
        }
    }

    /// Takes out a connection of a player, who has got everything by then.
    pub fn take(&mut self, player: PlayerId) -> Option<Arc<Peer>> {
        let elsewhere = self.groups.iter().find_map(|group| {
            let mut members = group.members.iter();
            let (peer, member) = members.find(|(_, member)| member.player == Some(player))?;
            group.carrier.leaves(member.watch);
            Some(*peer)
        });
        if let Some(member) = elsewhere.and_then(|peer| self.leave_group(peer)) {
            return Some(member.peer);
        }
        let theirs = |spectator: &Spectator| spectator.player == Some(player);
        let index = self.watching.iter().position(theirs)?;
        self.serve(index);
        Some(self.remove(index).peer)
    }

    /// Sends a player's connections a text, after all that was noted before.
    pub fn tell(&mut self, player: PlayerId, text: &Utf8Bytes) {
        let members = self.groups.iter().flat_map(|group| group.members.values());
        for member in members.filter(|member| member.player == Some(player)) {
            member.peer.outbox.push(text.clone());
        }
        for index in 0..self.watching.len() {
            let is_theirs = |spectator: &Spectator| spectator.player == Some(player);
            if self.watching.get(index).is_some_and(is_theirs) {
                self.serve(index);
                if let Some(spectator) = self.watching.get(index) {
                    spectator.peer.outbox.push(text.clone());
                }
            }
        }
    }

    /// Sends a connection of this program a text, after all that was noted before.
    pub fn tell_one(&mut self, peer: &Peer, text: Utf8Bytes) {
        let is_it = |spectator: &Spectator| spectator.peer.id == peer.id;
        if let Some(index) = self.watching.iter().position(is_it) {
            self.serve(index);
        }
        peer.outbox.push(text);
    }

    /// Takes out a connection of this program, which has got everything by then.
    pub fn take_one(&mut self, peer: u64) {
        let is_it = |spectator: &Spectator| spectator.peer.id == peer;
        if let Some(index) = self.watching.iter().position(is_it) {
            self.serve(index);
            self.remove(index);
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        let elsewhere = self.groups.iter().map(|group| group.members.len());
        self.watching.len() + elsewhere.sum::<usize>()
    }

    /// Whether nobody is here.
    pub const fn is_empty(&self) -> bool {
        self.watching.is_empty() && self.groups.is_empty()
    }

    /// Notes a text for everybody. To other programs it goes at once.
    pub fn note(&mut self, text: SpectatorText) {
        for group in &self.groups {
            group.carrier.carry(group.number, &text);
        }
        if !self.watching.is_empty() {
            self.pending.push_back(text);
        }
    }

    /// Whether somebody still has to be served.
    pub fn has_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Serves the next few. True if all have been served then.
    pub fn send_some(&mut self) -> bool {
        if !self.has_pending() {
            return true;
        }
        if self.next == 0 {
            self.round_gives = self.noted();
        }
        let end = self.watching.len().min(self.next + AT_ONCE);
        for index in self.next..end {
            self.serve(index);
        }
        self.next = end;
        if end == self.watching.len() {
            self.next = 0;
            self.pending
                .drain(..(self.round_gives - self.before) as usize);
            self.before = self.round_gives;
        }
        !self.has_pending()
    }

    /// Serves everybody.
    pub fn serve_all(&mut self) {
        while !self.send_some() {}
    }

    fn noted(&self) -> u64 {
        self.before + self.pending.len() as u64
    }

    fn serve(&mut self, index: usize) {
        let noted = self.noted();
        if let Some(spectator) = self.watching.get_mut(index) {
            for text in self.pending.range((spectator.has - self.before) as usize..) {
                spectator.peer.outbox.push(text.text().clone());
            }
            spectator.has = noted;
        }
    }

    /// The order of the others stays, so that nobody is passed over in this round.
    fn remove(&mut self, index: usize) -> Spectator {
        if index < self.next {
            self.next -= 1;
        }
        let gone = self.watching.remove(index);
        if self.watching.is_empty() {
            self.before = self.noted();
            self.pending.clear();
            self.next = 0;
        }
        gone
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Poll, Waker};

    use proptest::prelude::*;

    use super::*;

    fn taken(peer: &Peer) -> Vec<String> {
        let mut frames = Vec::new();
        match peer
            .outbox
            .poll_take(&mut Context::from_waker(Waker::noop()), &mut frames)
        {
            Poll::Ready(_) | Poll::Pending => {}
        }
        frames.iter().map(ToString::to_string).collect()
    }

    fn full(count: u64) -> (Spectators, Vec<Arc<Peer>>) {
        let mut spectators = Spectators::default();
        let peers: Vec<_> = (0..count).map(|id| Arc::new(Peer::new(id))).collect();
        for peer in &peers {
            spectators.enter(Arc::clone(peer), None, None);
        }
        (spectators, peers)
    }

    #[test]
    fn a_large_crowd_is_served_a_few_at_a_time() {
        let (mut spectators, peers) = full(AT_ONCE as u64 + 1);
        spectators.note("a".into());
        assert!(!spectators.send_some());
        spectators.note("b".into());
        assert_eq!(taken(&peers[0]), ["a"]);
        assert!(!spectators.send_some(), "the last one got both");
        assert_eq!(taken(&peers[AT_ONCE]), ["a", "b"]);
        spectators.serve_all();
        assert_eq!(taken(&peers[0]), ["b"]);
        assert_eq!(taken(&peers[AT_ONCE]), [""; 0]);
    }

    #[test]
    fn nothing_is_pending_without_spectators() {
        let (mut spectators, _peers) = full(2);
        spectators.note("a".into());
        assert!(spectators.leave(0) && spectators.leave(1) && !spectators.leave(1));
        assert!(!spectators.has_pending());
        spectators.note("b".into());
        assert!(!spectators.has_pending());
    }

    #[test]
    fn a_spectator_who_takes_a_seat_has_got_everything_before() {
        let mut spectators = Spectators::default();
        let player = PlayerId(uuid::Uuid::from_u128(1));
        spectators.enter(Arc::new(Peer::new(1)), Some(player), None);
        spectators.note("a".into());
        let peer = spectators.take(player).unwrap();
        assert_eq!(taken(&peer), ["a"]);
        assert!(spectators.take(player).is_none());
    }

    #[test]
    fn what_is_for_one_comes_to_one_after_what_is_for_all() {
        let mut spectators = Spectators::default();
        let player = PlayerId(uuid::Uuid::from_u128(1));
        let peers = [1, 2, 3].map(|id| Arc::new(Peer::new(id)));
        for peer in &peers[..2] {
            spectators.enter(Arc::clone(peer), Some(player), None);
        }
        spectators.enter(Arc::clone(&peers[2]), None, None);
        spectators.note("a".into());
        spectators.tell(player, &"b".into());
        spectators.note("c".into());
        spectators.serve_all();
        assert_eq!(taken(&peers[0]), ["a", "b", "c"]);
        assert_eq!(taken(&peers[1]), ["a", "b", "c"]);
        assert_eq!(taken(&peers[2]), ["a", "c"]);
    }

    #[derive(Clone, Debug)]
    enum Step {
        Enter,
        Leave(prop::sample::Index),
        Note,
        Serve,
    }

    proptest! {
        #[test]
        fn everybody_gets_each_text_noted_after_they_came_once_and_in_order(
            steps in prop::collection::vec(prop_oneof![
                4 => Just(Step::Enter),
                1 => any::<prop::sample::Index>().prop_map(Step::Leave),
                3 => Just(Step::Note),
                3 => Just(Step::Serve),
            ], 1..300),
            crowd in 0..3 * AT_ONCE as u64,
        ) {
            let (mut spectators, peers) = full(crowd);
            let mut watching: Vec<_> = peers.into_iter().map(|peer| (peer, Vec::new(), Vec::new())).collect();
            let mut number = 0;
            for step in steps {
                match step {
                    Step::Enter => {
                        let peer = Arc::new(Peer::new(1_000 + watching.len() as u64 + number));
                        number += 1_000;
                        spectators.enter(Arc::clone(&peer), None, None);
                        watching.push((peer, Vec::new(), Vec::new()));
                    }
                    Step::Leave(index) if !watching.is_empty() => {
                        let (peer, _, _) = watching.remove(index.index(watching.len()));
                        prop_assert!(spectators.leave(peer.id));
                    }
                    Step::Leave(_) => {}
                    Step::Note => {
                        number += 1;
                        spectators.note(SpectatorText::of_another_program(number.to_string()));
                        for (_, due, _) in &mut watching {
                            due.push(number.to_string());
                        }
                    }
                    Step::Serve => {
                        spectators.send_some();
                        for (peer, _, got) in &mut watching {
                            got.extend(taken(peer));
                        }
                    }
                }
            }
            spectators.serve_all();
            for (peer, due, got) in &mut watching {
                got.extend(taken(peer));
                prop_assert_eq!(due, got);
            }
        }
    }
}
