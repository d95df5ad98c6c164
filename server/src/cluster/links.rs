//! What this program says to the others on the record, and hears from them.
//!
//! Messages to a program arrive in their order, each once, or [`Heard::Reset`] tells both sides that some may not have arrived. Nothing here is
//! durable, and nothing has to be: what was lost is asked for again.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Weak},
    time::Duration,
};

use parking_lot::Mutex;
use qiguan_environment::Clock;
use qiguan_store::nodes::Incarnation;
use serde::Serialize;
use tokio::sync::{Notify, mpsc};

use crate::cluster::{
    lane::{self, Lane},
    lease::BEAT,
    seal::{Opened, Seal},
    wire::Wire,
};

/// How long nothing is heard of a program until what is under way counts as lost.
pub const SILENCE: Duration = Duration::from_millis(1_500);
/// A frame is closed when it has more bytes.
const FRAME_BYTES: usize = 64 * 1024;
/// With more bytes waiting, everything that waits counts as lost.
const WAITING_BYTES: usize = 32 * 1024 * 1024;

/// What was heard of a program.
#[derive(Debug, PartialEq, Eq)]
pub enum Heard {
    /// Messages, in order: a list in JSON.
    Messages(Incarnation, Vec<u8>),
    /// A way begins, or something may be lost, in either direction; what comes after this is complete again.
    Reset(Incarnation),
}

/// See the module.
pub struct Links {
    wire: Arc<dyn Wire>,
    seal: Seal,
    clock: Clock,
    heard: mpsc::UnboundedSender<Heard>,
    programs: Mutex<Programs>,
}

struct Programs {
    own: Option<Incarnation>,
    links: HashMap<Incarnation, Arc<Link>>,
}

/// The way to one program.
pub struct Link {
    to: Incarnation,
    state: Mutex<State>,
    wake: Notify,
}

#[derive(Default)]
struct State {
    lane: Lane,
    /// Lists in JSON that are not closed yet, a frame each.
    waiting: VecDeque<Vec<u8>>,
    bytes: usize,
    last_heard: Duration,
    /// Whether nothing is heard of it.
    is_silent: bool,
}

impl Links {
    /// With nobody yet. What is heard goes into the channel.
    pub fn new(
        wire: Arc<dyn Wire>,
        seal: Seal,
        clock: Clock,
    ) -> (Arc<Self>, mpsc::UnboundedReceiver<Heard>) {
        let (heard, hearing) = mpsc::unbounded_channel();
        let links = Arc::new(Self {
            wire,
            seal,
            clock,
            heard,
            programs: Mutex::new(Programs {
                own: None,
                links: HashMap::new(),
            }),
        });
        (links, hearing)
    }

    /// From now on this program is `own`, and the others are these. Those that are gone count as lost.
    pub fn are_there(self: &Arc<Self>, own: Incarnation, others: &[Incarnation]) {
        let mut programs = self.programs.lock();
        let gone: Vec<_> = if programs.own.replace(own) == Some(own) {
            let links = programs.links.extract_if(|node, _| !others.contains(node));
            links.map(|(node, _)| node).collect()
        } else {
            let listens = listen(Arc::downgrade(self), own);
            tokio::spawn(listens);
            programs.links.drain().map(|(node, _)| node).collect()
        };
        for node in others {
            if *node != own && !programs.links.contains_key(node) {
                let link = Arc::new(Link::to(*node, self.clock.running_for()));
                programs.links.insert(*node, Arc::clone(&link));
                self.tell(Heard::Reset(*node));
                tokio::spawn(write(Arc::downgrade(self), own, Arc::downgrade(&link)));
            }
        }
        drop(programs);
        for node in gone {
            self.tell(Heard::Reset(node));
        }
    }

    /// The way to a program, if it is one of those that are there and can be heard.
    pub fn to(&self, node: Incarnation) -> Option<Arc<Link>> {
        let programs = self.programs.lock();
        let link = programs.links.get(&node)?;
        let is_heard = !link.state.lock().is_silent;
        is_heard.then(|| Arc::clone(link))
    }

    /// The way to a program that is there, whether it can be heard or not: what is said waits.
    pub fn to_silent(&self, node: Incarnation) -> Option<Arc<Link>> {
        self.programs.lock().links.get(&node).map(Arc::clone)
    }

    /// The ways to all programs, whether they can be heard or not.
    pub fn all(&self) -> Vec<Arc<Link>> {
        self.programs
            .lock()
            .links
            .values()
            .map(Arc::clone)
            .collect()
    }

    fn tell(&self, heard: Heard) {
        // At the end of the server nobody hears any more.
        drop(self.heard.send(heard));
    }

    /// A frame has arrived.
    fn arrived(&self, own: Incarnation, frame: &[u8]) {
        let Some(opened) = self.seal.open(own, frame) else {
            metrics::counter!("qiguan_cluster_frames_refused_total").increment(1);
            return;
        };
        let Opened { from, number, body } = opened;
        let programs = self.programs.lock();
        // Of one that is not known yet, the next beat tells; what it says counts as lost until then.
        let Some(link) = programs
            .links
            .get(&from)
            .filter(|_| programs.own == Some(own))
        else {
            return;
        };
        let link = Arc::clone(link);
        drop(programs);
        let mut state = link.state.lock();
        let heard = state.lane.hear(number);
        if heard != lane::Heard::Old {
            state.last_heard = self.clock.running_for();
            state.is_silent = false;
        }
        let is_next = match heard {
            lane::Heard::Next => true,
            lane::Heard::Old => false,
            lane::Heard::Reset { is_next } => {
                metrics::counter!("qiguan_cluster_resets_total").increment(1);
                state.forget();
                // Under the lock, so that nothing is sent in the new epoch before it is told.
                self.tell(Heard::Reset(from));
                link.wake.notify_one();
                is_next
            }
        };
        if is_next && !body.is_empty() {
            self.tell(Heard::Messages(from, body));
        }
    }
}

impl State {
    fn forget(&mut self) {
        self.waiting.clear();
        self.bytes = 0;
    }
}

impl Link {
    fn to(to: Incarnation, now: Duration) -> Self {
        Self {
            to,
            state: Mutex::new(State {
                last_heard: now,
                ..State::default()
            }),
            wake: Notify::new(),
        }
    }

    /// Whom it leads to.
    pub const fn node(&self) -> Incarnation {
        self.to
    }

    /// Says something. If too much waits, all of it counts as lost.
    pub fn send(&self, message: &impl Serialize) {
        let mut state = self.state.lock();
        let frame = match state.waiting.back_mut() {
            Some(frame) if frame.len() < FRAME_BYTES => {
                frame.push(b',');
                frame
            }
            _ => {
                state.waiting.push_back(vec![b'[']);
                let Some(frame) = state.waiting.back_mut() else {
                    return;
                };
                frame
            }
        };
        let before = frame.len();
        // Serialising to memory fails only for maps with keys that are no strings; messages have none.
        drop(serde_json::to_writer(&mut *frame, message));
        let written = frame.len() - before;
        state.bytes += written;
        if state.bytes > WAITING_BYTES {
            state.forget();
            // The other side misses a frame.
            state.lane.next();
        }
        drop(state);
        self.wake.notify_one();
    }

    /// The next frame; an empty one says only that this program is there.
    fn take(&self) -> (lane::Number, Vec<u8>, bool) {
        let mut state = self.state.lock();
        let number = state.lane.next();
        let mut body = state.waiting.pop_front().unwrap_or_default();
        state.bytes = state.bytes.saturating_sub(body.len());
        if !body.is_empty() {
            body.push(b']');
        }
        (number, body, !state.waiting.is_empty())
    }

    /// Whether nothing has been heard for long, which is then said once.
    fn has_fallen_silent(&self, now: Duration) -> bool {
        let mut state = self.state.lock();
        let is_silent = now.saturating_sub(state.last_heard) >= SILENCE;
        if !is_silent || state.is_silent {
            return false;
        }
        state.is_silent = true;
        state.lane.reset();
        state.forget();
        true
    }
}

/// Sends what waits for one program, and that this one is there.
async fn write(links: Weak<Links>, own: Incarnation, link: Weak<Link>) {
    loop {
        let Some((links, link)) = links.upgrade().zip(link.upgrade()) else {
            return;
        };
        if link.has_fallen_silent(links.clock.running_for()) {
            tracing::warn!(node = %link.to, "nothing is heard of a program");
            links.tell(Heard::Reset(link.to));
        }
        loop {
            let (number, body, more) = link.take();
            if let Some(frame) = links.seal.seal((own, link.to), number, &body) {
                links.wire.send(link.to, frame).await;
            }
            if !more {
                break;
            }
        }
        drop(links);
        // Whether it was woken or the time is over, something is to be said.
        let woken = tokio::time::timeout(BEAT, link.wake.notified()).await;
        drop((woken, link));
    }
}

/// Receives what is sent to this program, until it is another one.
async fn listen(links: Weak<Links>, own: Incarnation) {
    loop {
        let Some(listening) = links.upgrade() else {
            return;
        };
        let received = listening.wire.receive(own).await;
        drop(listening);
        let mut received = match received {
            Ok(received) => received,
            Err(error) => {
                tracing::warn!(%error, "nothing can be received from other programs");
                tokio::time::sleep(BEAT).await;
                continue;
            }
        };
        while let Some(frame) = received.recv().await {
            let Some(links) = links.upgrade() else {
                return;
            };
            if links.programs.lock().own != Some(own) {
                return;
            }
            links.arrived(own, &frame);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use async_trait::async_trait;
    use bytes::Bytes;
    use uuid::Uuid;

    use super::*;

    /// Carries frames between programs of this process, unless it is cut.
    #[derive(Default)]
    struct Inside {
        inboxes: Mutex<HashMap<Incarnation, Inbox>>,
        is_cut: AtomicBool,
    }

    struct Inbox {
        sender: mpsc::Sender<Bytes>,
        receiver: Option<mpsc::Receiver<Bytes>>,
    }

    impl Inside {
        /// What is sent before anybody receives it waits.
        fn with_inbox<T>(&self, of: Incarnation, then: impl FnOnce(&mut Inbox) -> T) -> T {
            let mut inboxes = self.inboxes.lock();
            then(inboxes.entry(of).or_insert_with(|| {
                let (sender, receiver) = mpsc::channel(64);
                Inbox {
                    sender,
                    receiver: Some(receiver),
                }
            }))
        }
    }

    #[async_trait]
    impl Wire for Inside {
        async fn send(&self, to: Incarnation, frame: Vec<u8>) {
            if !self.is_cut.load(Ordering::Relaxed) {
                let inbox = self.with_inbox(to, |inbox| inbox.sender.clone());
                drop(inbox.send(frame.into()).await);
            }
        }

        async fn receive(&self, own: Incarnation) -> anyhow::Result<mpsc::Receiver<Bytes>> {
            let receiver = self.with_inbox(own, |inbox| inbox.receiver.take());
            receiver.ok_or_else(|| anyhow::anyhow!("somebody receives already"))
        }
    }

    struct Program {
        own: Incarnation,
        links: Arc<Links>,
        hearing: mpsc::UnboundedReceiver<Heard>,
    }

    fn program(wire: &Arc<Inside>, node: u128) -> Program {
        let wire: Arc<Inside> = Arc::clone(wire);
        let seal = Seal::new([b"a secret of programs".as_slice()]);
        let (links, hearing) = Links::new(wire, seal, Clock::system());
        let own = Incarnation {
            node: Uuid::from_u128(node),
            number: 1,
        };
        Program {
            own,
            links,
            hearing,
        }
    }

    fn two() -> (Arc<Inside>, [Program; 2]) {
        let wire = Arc::new(Inside::default());
        let mut programs = [program(&wire, 1), program(&wire, 2)];
        let all = [programs[0].own, programs[1].own];
        for program in &mut programs {
            program.links.are_there(program.own, &all);
            // Its way begins.
            assert!(matches!(program.hearing.try_recv(), Ok(Heard::Reset(_))));
        }
        (wire, programs)
    }

    impl Program {
        /// Says numbers to another, one after the other.
        fn says(&self, to: &Self, numbers: std::ops::Range<u32>) {
            let link = self.links.to(to.own).unwrap();
            numbers.for_each(|number| link.send(&number));
        }

        /// Hears until a number has come. What was heard since the last reset, and how many there were.
        async fn hears(&mut self, last: u32) -> (Vec<u32>, usize) {
            let (mut heard, mut resets) = (Vec::new(), 0);
            while heard.last() != Some(&last) {
                match self.hearing.recv().await.unwrap() {
                    Heard::Messages(_, messages) => {
                        heard.extend(serde_json::from_slice::<Vec<u32>>(&messages).unwrap());
                    }
                    Heard::Reset(_) => {
                        heard.clear();
                        resets += 1;
                    }
                }
            }
            (heard, resets)
        }
    }

    #[tokio::test]
    async fn what_is_said_is_heard_in_order() {
        let (_wire, [one, mut other]) = two();
        one.says(&other, 0..5_000);
        let (heard, resets) = other.hears(4_999).await;
        assert_eq!(heard, (0..5_000).collect::<Vec<_>>());
        assert_eq!(resets, 0);
    }

    #[tokio::test]
    async fn both_learn_that_something_was_lost_and_go_on() {
        let (wire, [mut one, mut other]) = two();
        one.says(&other, 0..10);
        other.hears(9).await;
        wire.is_cut.store(true, Ordering::Relaxed);
        one.says(&other, 10..20);
        while !one
            .links
            .to(other.own)
            .unwrap()
            .state
            .lock()
            .waiting
            .is_empty()
        {
            tokio::task::yield_now().await;
        }
        wire.is_cut.store(false, Ordering::Relaxed);
        // The next frame tells, at the latest the one that says only that somebody is there.
        assert_eq!(other.hearing.recv().await, Some(Heard::Reset(one.own)));
        assert_eq!(one.hearing.recv().await, Some(Heard::Reset(other.own)));
        one.says(&other, 20..30);
        other.says(&one, 0..3);
        assert_eq!(other.hears(29).await, ((20..30).collect(), 0));
        assert_eq!(one.hears(2).await, ((0..3).collect(), 0));
    }

    #[tokio::test]
    async fn a_program_that_is_silent_can_not_be_reached_until_it_is_heard_again() {
        let (wire, [mut one, other]) = two();
        wire.is_cut.store(true, Ordering::Relaxed);
        assert_eq!(one.hearing.recv().await, Some(Heard::Reset(other.own)));
        assert!(one.links.to(other.own).is_none());
        wire.is_cut.store(false, Ordering::Relaxed);
        while one.links.to(other.own).is_none() {
            tokio::task::yield_now().await;
        }
        let mut other = other;
        one.says(&other, 0..1);
        other.hears(0).await;
    }

    #[tokio::test]
    async fn a_program_that_is_gone_or_comes_back_as_another_counts_as_lost() {
        let (_wire, [mut one, other]) = two();
        one.links.are_there(one.own, &[one.own]);
        assert_eq!(one.hearing.recv().await, Some(Heard::Reset(other.own)));
        assert!(one.links.to(other.own).is_none());
        let again = Incarnation {
            number: 2,
            ..other.own
        };
        one.links.are_there(one.own, &[one.own, again]);
        assert!(one.links.to(again).is_some());
        assert_eq!(one.hearing.recv().await, Some(Heard::Reset(again)));
        let own = Incarnation {
            number: 2,
            ..one.own
        };
        one.links.are_there(own, &[own, again]);
        assert_eq!(one.hearing.recv().await, Some(Heard::Reset(again)));
    }
}
