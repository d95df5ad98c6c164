use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use bytes::Bytes;
use uuid::Uuid;

use super::*;
use crate::cluster::link::{FRAME_BYTES, Message};

/// Carries frames between programs of this process, unless it is cut.
#[derive(Default)]
struct Inside {
    inboxes: Mutex<BTreeMap<Incarnation, Inbox>>,
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

impl Message for u32 {
    fn since(&self) -> u32 {
        1
    }
}

impl Message for Vec<u32> {
    fn since(&self) -> u32 {
        1
    }
}

/// What a newer program says.
#[derive(serde::Serialize)]
struct Newer;

impl Message for Newer {
    fn since(&self) -> u32 {
        2
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
    let all = [(programs[0].own, 1), (programs[1].own, 1)];
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
                Heard::Messages(_, messages, _) => {
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
    link.send(&vec![8_u32]);
    let mut heard = Vec::new();
    while heard.len() < 2 {
        match other.hearing.recv().await.unwrap() {
            Heard::Messages(_, list, _) => {
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
    while one.links.to(other.own).unwrap().has_waiting() {
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
    one.links.are_there(one.own, &[(one.own, 1)]);
    assert_eq!(one.hearing.recv().await, Some(Heard::Reset(other.own)));
    assert!(one.links.to(other.own).is_none());
    let again = Incarnation {
        number: 2,
        ..other.own
    };
    one.links.are_there(one.own, &[(one.own, 1), (again, 1)]);
    // What is said before that is dealt with would stand before what is to be said again.
    assert!(one.links.to(again).is_none());
    one.learns_of_loss(again).await;
    assert!(one.links.to(again).is_some());
    let own = Incarnation {
        number: 2,
        ..one.own
    };
    one.links.are_there(own, &[(own, 1), (again, 1)]);
    assert_eq!(one.hearing.recv().await, Some(Heard::Reset(again)));
}

#[tokio::test]
async fn what_a_program_is_too_old_for_is_not_said_to_it() {
    let (_wire, [one, mut other]) = two();
    one.says(&other, 0..1);
    one.links.to(other.own).unwrap().send(&Newer);
    one.says(&other, 1..2);
    assert_eq!(other.hears(1).await, (vec![0, 1], 0));
}
