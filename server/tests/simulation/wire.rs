//! The network between the programs: frames come late, twice or not at all, and a way can be cut in one direction. What arrives keeps its order, as
//! over NATS.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, VecDeque},
    hash::{DefaultHasher, Hash, Hasher},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;
use bytes::Bytes;
use qiguan_server::cluster::wire::Wire;
use qiguan_store::nodes::Incarnation;
use qiguan_tests::random::Random;
use tokio::sync::mpsc;

/// So many frames wait for a program that does not take them.
const INBOX: usize = 4_096;

/// So many of 10,000 frames are followed by one that no program has sent just now, where there is such rubbish.
const RUBBISH: u64 = 500;
/// So many of the last frames can come again.
const REMEMBERED: usize = 200;

/// The network, as the world and all programs share it.
#[derive(Clone)]
pub(crate) struct Network(Arc<Mutex<State>>);

struct State {
    random: Random,
    /// The time in the world, in milliseconds.
    now: u64,
    frames: u64,
    inboxes: HashMap<Incarnation, (usize, mpsc::Sender<Bytes>)>,
    /// By the time at which each arrives, and the order in which they were sent.
    under_way: BTreeMap<(u64, u64), Frame>,
    /// When the last frame arrives that was sent from a machine to a program.
    last: HashMap<(usize, Incarnation), u64>,
    /// Until when what is sent from a machine to a program is lost.
    lost_until: HashMap<(usize, Incarnation), u64>,
    /// From which machine to which nothing arrives.
    cuts: BTreeSet<(usize, usize)>,
    quality: Quality,
    /// What rubbish arrives beside the frames follows from this; none if none does.
    rubbish: Option<Random>,
    /// The last frames of all programs, some of which are gone.
    before: VecDeque<Bytes>,
    /// One number for all frames that were sent, and when.
    hash: DefaultHasher,
    /// Texts that nobody may read on the way, and the first frame in which one could be read.
    secrets: Vec<String>,
    leak: Option<String>,
}

struct Frame {
    from: usize,
    to: Incarnation,
    body: Bytes,
}

/// How well frames travel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quality {
    /// The shortest and the longest way, in milliseconds.
    pub(crate) delay: (u64, u64),
    /// How many of 10,000 frames are lost.
    pub(crate) lost: u64,
    /// For how long those after them on the same way are lost, too, in milliseconds.
    pub(crate) lost_for: u64,
    /// How many of 10,000 arrive twice.
    pub(crate) twice: u64,
}

impl Quality {
    /// As in one computing centre.
    pub(crate) const GOOD: Self = Self {
        delay: (0, 2),
        lost: 0,
        lost_for: 0,
        twice: 0,
    };
}

impl Network {
    /// With rubbish that follows from a number of its own, if there is to be any.
    pub(crate) fn new(random: Random, rubbish: Option<Random>) -> Self {
        Self(Arc::new(Mutex::new(State {
            random,
            now: 0,
            frames: 0,
            inboxes: HashMap::new(),
            under_way: BTreeMap::new(),
            last: HashMap::new(),
            lost_until: HashMap::new(),
            cuts: BTreeSet::new(),
            quality: Quality::GOOD,
            rubbish,
            before: VecDeque::new(),
            hash: DefaultHasher::new(),
            secrets: Vec::new(),
            leak: None,
        })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The network as a machine sees it.
    pub(crate) fn at(&self, machine: usize) -> Arc<dyn Wire> {
        Arc::new(Machine {
            machine,
            network: self.clone(),
        })
    }

    pub(crate) fn is(&self, quality: Quality) {
        self.state().quality = quality;
    }

    /// From now on nothing arrives on this way, or everything again.
    pub(crate) fn cut(&self, from: usize, to: usize, is_cut: bool) {
        let mut state = self.state();
        if is_cut {
            state.cuts.insert((from, to));
        } else {
            state.cuts.remove(&(from, to));
        }
    }

    /// A text that nobody may read on the way.
    pub(crate) fn is_secret(&self, text: &str) {
        self.state().secrets.push(text.to_owned());
    }

    /// The secret that could be read, if one could.
    pub(crate) fn leak(&self) -> Option<String> {
        self.state().leak.clone()
    }

    /// One number for all that was sent.
    pub(crate) fn number(&self) -> u64 {
        self.state().hash.finish()
    }

    /// Hands out what has arrived by this time.
    pub(crate) fn deliver(&self, now: u64) {
        let mut state = self.state();
        state.now = now;
        let later = state.under_way.split_off(&(now + 1, 0));
        let arrived = std::mem::replace(&mut state.under_way, later);
        for frame in arrived.into_values() {
            if let Some((machine, inbox)) = state.inboxes.get(&frame.to)
                && !state.cuts.contains(&(frame.from, *machine))
            {
                // A program that takes nothing, or is gone, loses it.
                drop(inbox.try_send(frame.body));
            }
        }
    }
}

impl State {
    /// What no program has sent just now: bytes without a meaning, a frame that was cut off or changed on the way, or one that arrived before,
    /// perhaps at another program or from one that is gone.
    fn rubbish(&mut self, frame: &Bytes) -> Option<Bytes> {
        self.before.truncate(REMEMBERED - 1);
        self.before.push_front(frame.clone());
        let random = self.rubbish.as_mut()?;
        if random.below(10_000) >= RUBBISH {
            return None;
        }
        let mut bytes = frame.to_vec();
        Some(match random.below(4) {
            0 => {
                let bytes = (0..random.below(300)).map(|_| random.next() as u8);
                bytes.collect()
            }
            1 => {
                bytes.truncate(random.below(bytes.len() as u64 + 1) as usize);
                bytes.into()
            }
            2 => {
                let at = random.below(bytes.len() as u64) as usize;
                bytes[at] ^= 1 << random.below(8);
                bytes.into()
            }
            _ => {
                let ago = random.below(self.before.len() as u64) as usize;
                self.before[ago].clone()
            }
        })
    }

    fn send(&mut self, from: usize, to: Incarnation, body: &Bytes) {
        let (shortest, longest) = self.quality.delay;
        let delay = shortest + self.random.below(longest - shortest + 1);
        let last = self.last.entry((from, to)).or_default();
        *last = (*last).max(self.now + delay);
        let at = *last;
        self.arrives_at(at, from, to, body.clone());
    }

    fn arrives_at(&mut self, at: u64, from: usize, to: Incarnation, body: Bytes) {
        self.frames += 1;
        self.under_way
            .insert((at, self.frames), Frame { from, to, body });
    }
}

struct Machine {
    machine: usize,
    network: Network,
}

#[async_trait]
impl Wire for Machine {
    async fn send(&self, to: Incarnation, frame: Vec<u8>) {
        let mut state = self.network.state();
        let now = state.now;
        (now, self.machine, to, &frame).hash(&mut state.hash);
        let number = state.hash.finish();
        tracing::trace!(to = %to, bytes = frame.len(), number, "sends a frame");
        if state.leak.is_none() {
            // Texts are looked for many times faster than bytes in a debug build.
            let text = String::from_utf8_lossy(&frame);
            let can_be_read = |secret: &&String| text.contains(secret.as_str());
            state.leak = state.secrets.iter().find(can_be_read).cloned();
        }
        let body = Bytes::from(frame);
        if let Some(rubbish) = state.rubbish(&body) {
            // A frame that comes again is no faster than it was at first.
            let at = now + state.quality.delay.0;
            state.arrives_at(at, self.machine, to, rubbish);
        }
        let copies = match state.random.below(10_000) {
            _ if state
                .lost_until
                .get(&(self.machine, to))
                .is_some_and(|until| now < *until) =>
            {
                0
            }
            drawn if drawn < state.quality.lost => {
                let until = now + state.quality.lost_for;
                state.lost_until.insert((self.machine, to), until);
                0
            }
            drawn if drawn < state.quality.lost + state.quality.twice => 2,
            _ => 1,
        };
        for _ in 0..copies {
            state.send(self.machine, to, &body);
        }
    }

    async fn receive(&self, own: Incarnation) -> anyhow::Result<mpsc::Receiver<Bytes>> {
        let (inbox, received) = mpsc::channel(INBOX);
        let mut state = self.network.state();
        state
            .inboxes
            .retain(|_, (machine, _)| *machine != self.machine);
        state.inboxes.insert(own, (self.machine, inbox));
        Ok(received)
    }
}
