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
/// A list of messages is closed when it has more bytes.
const LIST_BYTES: usize = 64 * 1024;
/// No frame carries more of a list: NATS takes frames of 1 MiB, if nothing else is set.
const FRAME_BYTES: usize = 256 * 1024;
/// How a frame begins that has the end of a list, or nothing.
const LAST: u8 = 0;
/// How one begins whose list goes on in the next.
const MORE: u8 = 1;
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

/// What is said on the way to a program as long as nothing is lost there; afterwards it is not said.
#[derive(Clone)]
pub struct Way {
    link: Arc<Link>,
    epoch: u32,
}

impl Way {
    /// Says something.
    pub fn send(&self, message: &impl Serialize) {
        self.link.send_in(Some(self.epoch), message);
    }
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
    /// Lists in JSON that are not closed yet.
    waiting: VecDeque<Vec<u8>>,
    bytes: usize,
    /// What is still to be sent of a list.
    rest: Vec<u8>,
    /// What has been heard of a list.
    heard: Vec<u8>,
    /// So many resets were told and not dealt with yet: what is sent meanwhile would stand before what is to be sent again.
    resets: u32,
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
        let is_another = programs.own.replace(own) != Some(own);
        // Under the lock, so that nothing of a program comes between, and a way that ends is told before the one that begins.
        let gone = |node: &Incarnation| is_another || !others.contains(node);
        for (node, _) in programs.links.extract_if(|node, _| gone(node)) {
            // To one that is still there another way begins, with a reset of its own.
            if !others.contains(&node) {
                self.tell(Heard::Reset(node));
            }
        }
        if is_another {
            tokio::spawn(listen(Arc::downgrade(self), own));
        }
        for node in others {
            if *node != own && !programs.links.contains_key(node) {
                // Its way begins with a reset.
                let link = Arc::new(Link::to(*node, self.clock.running_for()));
                programs.links.insert(*node, Arc::clone(&link));
                self.tell(Heard::Reset(*node));
                tokio::spawn(write(Arc::downgrade(self), own, Arc::downgrade(&link)));
            }
        }
    }

    /// The way to a program, if it is one of those that are there and can be heard, and no reset of it is still to be [dealt with](Self::is_reset).
    pub fn to(&self, node: Incarnation) -> Option<Arc<Link>> {
        let programs = self.programs.lock();
        let link = programs.links.get(&node)?;
        let state = link.state.lock();
        let is_open = !state.is_silent && state.resets == 0;
        is_open.then(|| Arc::clone(link))
    }

    /// A [`Heard::Reset`] of a program has been dealt with.
    pub fn is_reset(&self, node: Incarnation) {
        if let Some(link) = self.programs.lock().links.get(&node) {
            let mut state = link.state.lock();
            state.resets = state.resets.saturating_sub(1);
        }
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
        // Both locks are held until it is told: nothing of a program is told after it has gone, nor in another order than it was said.
        let programs = self.programs.lock();
        // Of one that is not known yet, the next beat tells; what it says counts as lost until then.
        let Some(link) = programs
            .links
            .get(&from)
            .filter(|_| programs.own == Some(own))
        else {
            return;
        };
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
                state.resets += 1;
                self.tell(Heard::Reset(from));
                link.wake.notify_one();
                is_next
            }
        };
        if is_next && let Some(messages) = state.list_of(&body) {
            self.tell(Heard::Messages(from, messages));
        }
    }
}

impl State {
    fn forget(&mut self) {
        self.waiting.clear();
        self.bytes = 0;
        self.rest.clear();
        self.heard.clear();
    }

    /// Adds the body of a frame to what has been heard. Comes back with the list if it is whole.
    fn list_of(&mut self, body: &[u8]) -> Option<Vec<u8>> {
        let (kind, part) = body.split_first()?;
        self.heard.extend_from_slice(part);
        let is_whole = *kind == LAST && !self.heard.is_empty();
        is_whole.then(|| std::mem::take(&mut self.heard))
    }
}

impl Link {
    fn to(to: Incarnation, now: Duration) -> Self {
        Self {
            to,
            state: Mutex::new(State {
                last_heard: now,
                resets: 1,
                ..State::default()
            }),
            wake: Notify::new(),
        }
    }

    /// Whom it leads to.
    pub const fn node(&self) -> Incarnation {
        self.to
    }

    /// What is said from here on, until something is lost.
    pub fn way(self: &Arc<Self>) -> Way {
        let epoch = self.state.lock().lane.epoch();
        Way {
            link: Arc::clone(self),
            epoch,
        }
    }

    /// Says something. If too much waits, all of it counts as lost.
    pub fn send(&self, message: &impl Serialize) {
        self.send_in(None, message);
    }

    fn send_in(&self, epoch: Option<u32>, message: &impl Serialize) {
        let mut state = self.state.lock();
        if epoch.is_some_and(|epoch| epoch != state.lane.epoch()) {
            return;
        }
        let frame = match state.waiting.back_mut() {
            Some(frame) if frame.len() < LIST_BYTES => {
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

    /// The next frame, and whether there are more; one without a list says only that this program is there.
    fn take(&self) -> (lane::Number, Vec<u8>, bool) {
        let mut state = self.state.lock();
        let number = state.lane.next();
        if state.rest.is_empty()
            && let Some(mut list) = state.waiting.pop_front()
        {
            state.bytes = state.bytes.saturating_sub(list.len());
            list.push(b']');
            state.rest = list;
        }
        let end = state.rest.len().min(FRAME_BYTES);
        let later = state.rest.split_off(end);
        let part = std::mem::replace(&mut state.rest, later);
        let kind = if state.rest.is_empty() { LAST } else { MORE };
        let mut body = Vec::with_capacity(1 + part.len());
        body.push(kind);
        body.extend_from_slice(&part);
        let more = !state.rest.is_empty() || !state.waiting.is_empty();
        (number, body, more)
    }

    /// Looks whether nothing has been heard for long, which is told once.
    fn look_for_silence(&self, links: &Links) {
        let now = links.clock.running_for();
        let mut state = self.state.lock();
        if state.is_silent || now.saturating_sub(state.last_heard) < SILENCE {
            return;
        }
        state.is_silent = true;
        state.lane.reset();
        state.forget();
        state.resets += 1;
        tracing::warn!(node = %self.to, "nothing is heard of a program");
        links.tell(Heard::Reset(self.to));
    }
}

/// Sends what waits for one program, and that this one is there.
async fn write(links: Weak<Links>, own: Incarnation, link: Weak<Link>) {
    loop {
        let Some((links, link)) = links.upgrade().zip(link.upgrade()) else {
            return;
        };
        // Others may keep a way that has ended.
        let is_it = |it: &Arc<Link>| Arc::ptr_eq(it, &link);
        if !links.programs.lock().links.get(&link.to).is_some_and(is_it) {
            return;
        }
        loop {
            link.look_for_silence(&links);
            let (number, body, more) = link.take();
            if let Some(frame) = links.seal.seal((own, link.to), number, &body) {
                // What can't be sent in time is lost, which the next number tells.
                let sent = tokio::time::timeout(BEAT, links.wire.send(link.to, frame));
                drop(sent.await);
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
        // Once it is another one, that listens, and nobody takes its place.
        if listening.programs.lock().own != Some(own) {
            return;
        }
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
            assert!(frame.len() < FRAME_BYTES + 256, "{}", frame.len());
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
        }
        for program in &mut programs {
            // Its way begins.
            let Ok(Heard::Reset(other)) = program.hearing.try_recv() else {
                panic!("no way begins");
            };
            program.links.is_reset(other);
        }
        (wire, programs)
    }

    impl Program {
        /// Says numbers to another, one after the other.
        fn says(&self, to: &Self, numbers: std::ops::Range<u32>) {
            let link = self.links.to(to.own).unwrap();
            numbers.for_each(|number| link.send(&number));
        }

        /// Hears that something may be lost, and has dealt with it.
        async fn learns_of_loss(&mut self, of: Incarnation) {
            assert_eq!(self.hearing.recv().await, Some(Heard::Reset(of)));
            self.links.is_reset(of);
        }

        /// Hears until a number has come. What was heard since the last reset, and how many there were.
        async fn hears(&mut self, last: u32) -> (Vec<u32>, usize) {
            let (mut heard, mut resets) = (Vec::new(), 0);
            while heard.last() != Some(&last) {
                match self.hearing.recv().await.unwrap() {
                    Heard::Messages(_, messages) => {
                        heard.extend(serde_json::from_slice::<Vec<u32>>(&messages).unwrap());
                    }
                    Heard::Reset(node) => {
                        self.links.is_reset(node);
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
    async fn a_message_that_is_larger_than_any_frame_arrives_in_parts() {
        let (_wire, [one, mut other]) = two();
        let long = vec![7_u32; FRAME_BYTES];
        let link = one.links.to(other.own).unwrap();
        link.send(&long);
        link.send(&[8_u32]);
        let mut heard = Vec::new();
        while heard.len() < 2 {
            match other.hearing.recv().await.unwrap() {
                Heard::Messages(_, list) => {
                    heard.extend(serde_json::from_slice::<Vec<Vec<u32>>>(&list).unwrap());
                }
                Heard::Reset(of) => panic!("{of} is lost"),
            }
        }
        assert_eq!(heard, [long, vec![8]]);
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
        other.learns_of_loss(one.own).await;
        one.learns_of_loss(other.own).await;
        one.says(&other, 20..30);
        other.says(&one, 0..3);
        assert_eq!(other.hears(29).await, ((20..30).collect(), 0));
        assert_eq!(one.hears(2).await, ((0..3).collect(), 0));
    }

    #[tokio::test]
    async fn a_program_that_is_silent_can_not_be_reached_until_it_is_heard_again() {
        let (wire, [mut one, other]) = two();
        wire.is_cut.store(true, Ordering::Relaxed);
        one.learns_of_loss(other.own).await;
        assert!(one.links.to(other.own).is_none());
        wire.is_cut.store(false, Ordering::Relaxed);
        let mut other = other;
        // Each side may have to learn of what the other has lost meanwhile; then it goes on.
        loop {
            while let Ok(Heard::Reset(of)) = one.hearing.try_recv() {
                one.links.is_reset(of);
            }
            if let Some(link) = one.links.to(other.own) {
                link.send(&0_u32);
            }
            if tokio::time::timeout(BEAT, other.hears(0)).await.is_ok() {
                break;
            }
        }
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
        // What is said before that is dealt with would stand before what is to be said again.
        assert!(one.links.to(again).is_none());
        one.learns_of_loss(again).await;
        assert!(one.links.to(again).is_some());
        let own = Incarnation {
            number: 2,
            ..one.own
        };
        one.links.are_there(own, &[own, again]);
        assert_eq!(one.hearing.recv().await, Some(Heard::Reset(again)));
    }
}
