//! Connections of one program watch a game of another while texts are on the way between the two.

use std::{
    collections::{BTreeMap, VecDeque},
    task::{Context, Poll, Waker},
};

use proptest::prelude::*;
use qiguan_protocol::ids::{GameId, PlayerId};
use tokio::runtime::Runtime;
use uuid::Uuid;

use super::*;
use crate::{
    abroad::watching::Watching,
    peer::outbox::Outbox,
    room::spectators::{Carrier, Route},
};

const GAME: GameId = GameId(Uuid::from_u128(7));
const OWNER: Incarnation = Incarnation {
    node: Uuid::from_u128(1),
    number: 1,
};

/// What the owner has said.
enum Message {
    Joins(u64, u64),
    Leaves(u64),
    Group(u64, String),
    Alone(u64, String),
}

/// What the owner has said and has not arrived.
#[derive(Default)]
struct Way {
    messages: Mutex<VecDeque<Message>>,
    groups: Mutex<u64>,
}

impl Way {
    fn say(&self, message: Message) {
        self.messages.lock().push_back(message);
    }
}

impl Carrier for Way {
    fn opens_group(&self) -> u64 {
        let mut groups = self.groups.lock();
        *groups += 1;
        *groups
    }

    fn joins(&self, group: u64, watch: u64) {
        self.say(Message::Joins(group, watch));
    }

    fn leaves(&self, watch: u64) {
        self.say(Message::Leaves(watch));
    }

    fn carry(&self, group: u64, text: &SpectatorText) {
        self.say(Message::Group(group, text.text().to_string()));
    }
}

/// What a connection asks of the owner.
enum Request {
    Watch { connection: u64, call: u64 },
    Unwatch { connection: u64 },
}

/// The owner and the program of the connections.
struct Two {
    runtime: Runtime,
    way: Arc<Way>,
    spectators: Spectators,
    /// Those who have taken a seat, and their outboxes.
    seated: BTreeMap<u64, Arc<Peer>>,
    noted: u64,
    requests: VecDeque<Request>,
    calls: u64,
    watchings: Watchings,
    peers: Vec<Arc<Peer>>,
    heard: Vec<Vec<String>>,
    /// The connections that watch, as their program knows.
    is_watching: Vec<bool>,
}

fn player(connection: u64) -> PlayerId {
    PlayerId(Uuid::from_u128(u128::from(connection) + 1))
}

impl Two {
    fn with(connections: u64) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread();
        Self {
            runtime: { runtime }.build().unwrap(),
            way: Arc::default(),
            spectators: Spectators::default(),
            seated: BTreeMap::new(),
            noted: 0,
            requests: VecDeque::new(),
            calls: 0,
            watchings: Watchings::default(),
            peers: (0..connections).map(|id| Arc::new(Peer::new(id))).collect(),
            heard: vec![Vec::new(); connections as usize],
            is_watching: vec![false; connections as usize],
        }
    }

    fn watches(&mut self, connection: u64) {
        self.calls += 1;
        let call = self.calls;
        let watching = Watching {
            game: GAME,
            peer: Arc::clone(&self.peers[connection as usize]),
            of: OWNER,
            group: None,
        };
        self.watchings.insert(call, watching);
        self.is_watching[connection as usize] = true;
        self.requests.push_back(Request::Watch { connection, call });
    }

    fn leaves(&mut self, connection: u64) {
        self.watchings.leave(GAME, connection);
        self.is_watching[connection as usize] = false;
        self.requests.push_back(Request::Unwatch { connection });
    }

    /// The owner notes a text, for spectators and players.
    fn notes(&mut self) {
        self.noted += 1;
        let text = self.noted.to_string();
        for peer in self.seated.values() {
            peer.outbox.push(text.clone().into());
        }
        self.spectators
            .note(SpectatorText::of_another_program(text));
    }

    /// A connection that watches takes a seat, if the owner knows that it watches.
    fn is_seated(&mut self, connection: u64) {
        if let Some(peer) = self.spectators.take(player(connection)) {
            self.seated.insert(connection, peer);
        }
    }

    /// The next that was asked arrives at the owner.
    fn is_asked(&mut self) {
        match self.requests.pop_front() {
            Some(Request::Watch { connection, call }) => {
                let way = Arc::clone(&self.way);
                let carried = move |text: Utf8Bytes| {
                    way.say(Message::Alone(call, text.to_string()));
                };
                let peer = Arc::new(Peer::elsewhere(connection, Outbox::carried_by(carried)));
                let is_seated = self.seated.remove(&connection).is_some();
                self.spectators.leave(connection);
                if is_seated {
                    self.seated.insert(connection, peer);
                } else {
                    let carrier: Arc<dyn Carrier> = Arc::<Way>::clone(&self.way);
                    let route = Route {
                        carrier,
                        watch: call,
                    };
                    self.spectators
                        .enter(peer, Some(player(connection)), Some(route));
                }
                // The answer, which shows everything up to now.
                let answer = format!("snapshot {}", self.noted);
                self.way.say(Message::Alone(call, answer));
            }
            Some(Request::Unwatch { connection }) => {
                self.seated.remove(&connection);
                self.spectators.leave(connection);
            }
            None => {}
        }
    }

    /// The next that the owner has said arrives.
    fn hears(&mut self) {
        let message = self.way.messages.lock().pop_front();
        let _entered = self.runtime.enter();
        match message {
            Some(Message::Joins(group, watch)) => self.watchings.joins(OWNER, watch, group),
            Some(Message::Leaves(watch)) => self.watchings.is_alone(OWNER, watch),
            Some(Message::Group(group, text)) => {
                let members = self.watchings.members((OWNER, group)).map(Arc::clone);
                if let Some(members) = members {
                    members.note(SpectatorText::of_another_program(text));
                }
            }
            Some(Message::Alone(watch, text)) => self.watchings.text(OWNER, watch, text.into()),
            None => {}
        }
    }

    /// Those who hand out have a few turns, and the connections read what has come.
    fn reads(&mut self, turns: usize) {
        self.runtime.block_on(async {
            for _ in 0..turns {
                tokio::task::yield_now().await;
            }
        });
        for (peer, heard) in self.peers.iter().zip(&mut self.heard) {
            let mut frames = Vec::new();
            let mut context = Context::from_waker(Waker::noop());
            match peer.outbox.poll_take(&mut context, &mut frames) {
                Poll::Ready(_) | Poll::Pending => {}
            }
            heard.extend(frames.iter().map(ToString::to_string));
        }
    }

    fn settles(&mut self) {
        while !self.requests.is_empty() || !self.way.messages.lock().is_empty() {
            self.is_asked();
            self.hears();
        }
        self.reads(20);
    }

    /// Each has texts without a gap after each snapshot, and who watches has all of them.
    fn is_whole(&self) {
        for (connection, heard) in self.heard.iter().enumerate() {
            let mut last: Option<u64> = None;
            for text in heard {
                let number = if let Some(number) = text.strip_prefix("snapshot ") {
                    number.parse().unwrap()
                } else {
                    let number = text.parse().unwrap();
                    assert_eq!(last, Some(number - 1), "{connection}: {heard:?}");
                    number
                };
                last = Some(number);
            }
            if self.is_watching[connection] {
                assert_eq!(last, Some(self.noted), "{connection}: {heard:?}");
            }
        }
    }
}

#[derive(Clone, Debug)]
enum Step {
    Watch(prop::sample::Index),
    Leave(prop::sample::Index),
    Seat(prop::sample::Index),
    Note,
    Ask,
    Hear,
    Read(usize),
}

proptest! {
    #[test]
    fn p15_each_gets_what_follows_its_snapshot_once_whatever_is_on_the_way(
        steps in prop::collection::vec(prop_oneof![
            3 => any::<prop::sample::Index>().prop_map(Step::Watch),
            1 => any::<prop::sample::Index>().prop_map(Step::Leave),
            1 => any::<prop::sample::Index>().prop_map(Step::Seat),
            4 => Just(Step::Note),
            4 => Just(Step::Ask),
            8 => Just(Step::Hear),
            2 => (0..3_usize).prop_map(Step::Read),
        ], 1..300),
        crowd in prop_oneof![1..5_u64, 30..70_u64],
    ) {
        let mut two = Two::with(crowd);
        for connection in 0..crowd / 2 {
            two.watches(connection);
        }
        for step in steps {
            match step {
                Step::Watch(index) => two.watches(index.index(crowd as usize) as u64),
                Step::Leave(index) => two.leaves(index.index(crowd as usize) as u64),
                Step::Seat(index) => two.is_seated(index.index(crowd as usize) as u64),
                Step::Note => two.notes(),
                Step::Ask => two.is_asked(),
                Step::Hear => two.hears(),
                Step::Read(turns) => two.reads(turns),
            }
        }
        two.settles();
        two.is_whole();
    }
}

#[test]
fn p15_one_copy_goes_to_all_who_watch_there() {
    let mut two = Two::with(50);
    for connection in 0..50 {
        two.watches(connection);
    }
    two.settles();
    assert_eq!(two.spectators.len(), 50);
    for _ in 0..3 {
        two.notes();
    }
    assert_eq!(two.way.messages.lock().len(), 3);
    // One has a seat: everything is said to them as well.
    two.is_seated(7);
    two.notes();
    assert_eq!(two.way.messages.lock().len(), 6);
    assert_eq!(two.spectators.len(), 49);
    two.settles();
    two.is_whole();
}

#[test]
fn p15_a_group_that_is_empty_is_over_and_who_comes_next_is_in_another() {
    let mut two = Two::with(2);
    two.watches(0);
    two.settles();
    two.spectators.leave(0);
    two.watches(1);
    two.settles();
    two.notes();
    two.settles();
    assert_eq!(two.heard, [vec!["snapshot 0"], vec!["snapshot 0", "1"]]);
}
