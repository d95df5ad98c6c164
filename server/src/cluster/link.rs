//! The way to one other program: what waits to be said to it, in frames, and what has been heard of it.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use parking_lot::Mutex;
use qiguan_protocol::ids::Millis;
use qiguan_store::nodes::Incarnation;
use serde::Serialize;
use tokio::sync::Notify;

use crate::cluster::{
    lane::{self, Lane},
    round_trip::{self, RoundTrip},
};

/// How long nothing is heard of a program until what is under way counts as lost.
const SILENCE: Duration = Duration::from_millis(1_500);
/// A list of messages is closed when it has more bytes.
const LIST_BYTES: usize = 64 * 1024;
/// No frame carries more of a list: NATS takes frames of 1 MiB, if nothing else is set.
pub(super) const FRAME_BYTES: usize = 256 * 1024;
/// How a frame begins that has the end of a list, or nothing.
const LAST: u8 = 0;
/// How one begins whose list goes on in the next.
const MORE: u8 = 1;
/// With more bytes waiting, everything that waits counts as lost.
const WAITING_BYTES: usize = 32 * 1024 * 1024;

/// What was heard of a program.
#[derive(Debug, PartialEq, Eq)]
pub enum Heard {
    /// Messages, in order: a list in JSON. They were sent when this process had run for so long, or the shortest way from there later.
    Messages(Incarnation, Vec<u8>, Duration),
    /// A way begins, or something may be lost, in either direction; what comes after this is complete again.
    Reset(Incarnation),
}

/// What programs say to each other.
pub trait Message: Serialize {
    /// From which version on a program can read it.
    fn since(&self) -> u32;
}

/// What is said on the way to a program as long as nothing is lost there; afterwards it is not said.
#[derive(Clone)]
pub struct Way {
    link: Arc<Link>,
    epoch: u32,
}

impl Way {
    /// See [`Link::round_trip`].
    pub fn round_trip(&self) -> Millis {
        self.link.round_trip()
    }

    /// Says something.
    pub fn send(&self, message: &impl Message) {
        self.link.send_in(Some(self.epoch), message);
    }
}

/// The way to one program.
pub struct Link {
    to: Incarnation,
    /// Which version both programs speak.
    version: u32,
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
    round_trip: RoundTrip,
    /// Whether anything was ever heard of it.
    was_heard: bool,
    /// Whether nothing is heard of it.
    is_silent: bool,
}

fn millis(time: Duration) -> Millis {
    Millis(time.as_micros().div_ceil(1_000) as i64)
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
    /// The way to a program, which begins with a reset that is still to be dealt with.
    pub(super) fn to(to: Incarnation, version: u32, now: Duration) -> Self {
        Self {
            to,
            version,
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

    /// Whether the program can be heard, and no reset of it is still to be [dealt with](Self::is_reset).
    pub(super) fn is_open(&self) -> bool {
        let state = self.state.lock();
        !state.is_silent && state.resets == 0
    }

    /// How much is still to be sent.
    pub(super) fn waiting_bytes(&self) -> usize {
        let state = self.state.lock();
        state.bytes + state.rest.len()
    }

    /// Whether anything has been heard of the program: then it hears this one as well, and does its share.
    pub fn was_heard(&self) -> bool {
        self.state.lock().was_heard
    }

    /// Whether the program is heard now.
    pub(super) fn is_heard(&self) -> bool {
        let state = self.state.lock();
        state.was_heard && !state.is_silent
    }

    /// How long the way there and back takes, in whole milliseconds, rounded up; nothing as long as that was not measured.
    pub fn round_trip(&self) -> Millis {
        millis(self.state.lock().round_trip.least().unwrap_or_default())
    }

    /// A [`Heard::Reset`] has been dealt with.
    pub(super) fn is_reset(&self) {
        let mut state = self.state.lock();
        state.resets = state.resets.saturating_sub(1);
    }

    /// Waits until there is something to be said.
    pub(super) async fn woken(&self) {
        self.wake.notified().await;
    }

    /// What is said from here on, until something is lost.
    pub fn way(self: &Arc<Self>) -> Way {
        let epoch = self.state.lock().lane.epoch();
        Way {
            link: Arc::clone(self),
            epoch,
        }
    }

    /// Says something. If too much waits, all of it counts as lost. What the other program is too old for is not said.
    pub fn send(&self, message: &impl Message) {
        self.send_in(None, message);
    }

    fn send_in(&self, epoch: Option<u32>, message: &impl Message) {
        if message.since() > self.version {
            return;
        }
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
        metrics::counter!("qiguan_cluster_messages_sent_total").increment(1);
        self.wake.notify_one();
    }

    /// The next frame, and whether there are more; one without a list says only that this program is there.
    pub(super) fn take(&self, now: Duration) -> (lane::Number, Vec<u8>, bool) {
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
        if !part.is_empty() {
            metrics::counter!("qiguan_cluster_frames_sent_total").increment(1);
        }
        let kind = if state.rest.is_empty() { LAST } else { MORE };
        let mut body = Vec::with_capacity(round_trip::BYTES + 1 + part.len());
        body.extend_from_slice(&state.round_trip.stamp(now));
        body.push(kind);
        body.extend_from_slice(&part);
        let more = !state.rest.is_empty() || !state.waiting.is_empty();
        (number, body, more)
    }

    /// A frame of it has arrived. What has been heard with it is told under the lock: in the order in which it was said.
    pub(super) fn hears(
        &self,
        number: lane::Number,
        body: &[u8],
        now: Duration,
        tell: impl Fn(Heard),
    ) {
        let mut state = self.state.lock();
        let Some((stamp, body)) = body.split_first_chunk() else {
            return;
        };
        let heard = state.lane.hear(number);
        let mut late = Duration::ZERO;
        if heard != lane::Heard::Old {
            state.last_heard = now;
            state.was_heard = true;
            late = state.round_trip.hears(stamp, now);
            state.is_silent = false;
        }
        let is_next = match heard {
            lane::Heard::Next => true,
            lane::Heard::Old => false,
            lane::Heard::Reset { is_next } => {
                metrics::counter!("qiguan_cluster_resets_total").increment(1);
                state.forget();
                state.resets += 1;
                tell(Heard::Reset(self.to));
                self.wake.notify_one();
                is_next
            }
        };
        if is_next && let Some(messages) = state.list_of(body) {
            tell(Heard::Messages(self.to, messages, now.saturating_sub(late)));
        }
    }

    /// Whether anything is still to be sent.
    #[cfg(test)]
    pub(super) fn has_waiting(&self) -> bool {
        !self.state.lock().waiting.is_empty()
    }

    /// Looks whether nothing has been heard for long, which is told once.
    pub(super) fn look_for_silence(&self, now: Duration, tell: impl Fn(Heard)) {
        let mut state = self.state.lock();
        if state.is_silent || now.saturating_sub(state.last_heard) < SILENCE {
            return;
        }
        state.is_silent = true;
        state.round_trip = RoundTrip::default();
        state.lane.reset();
        state.forget();
        state.resets += 1;
        tracing::warn!(node = %self.to, "nothing is heard of a program");
        tell(Heard::Reset(self.to));
    }
}
