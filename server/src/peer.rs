//! One connected client as the rest of the server knows it: somewhere to send to, and how far away it is.

pub mod elsewhere;
pub mod endings;
pub mod outbox;
pub mod presence;
pub mod registry;

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use axum::extract::ws::Utf8Bytes;
use bytes::Bytes;
use qiguan_protocol::{
    answer::{Answer, AnswerFrame},
    error::ApiError,
    ids::{Millis, RequestId},
};
use serde::Serialize;

use crate::peer::outbox::Outbox;

/// Most messages are shorter: a move with the position after it has 300 to 800 bytes.
const USUAL_BYTES: usize = 1_024;
/// No round trip has been measured yet.
const UNKNOWN: i64 = i64::MAX;

/// A connected client.
pub struct Peer {
    /// A number of its own in this process.
    pub id: u64,
    /// What waits to be sent.
    pub outbox: Outbox,
    /// Whether it has asked to be told how its player's games stand.
    follows_own_games: AtomicBool,
    /// The least round trip measured so far, in milliseconds; [`UNKNOWN`] before the first.
    round_trip: AtomicI64,
}

impl Peer {
    /// A client that has just connected.
    pub fn new(id: u64) -> Self {
        Self::elsewhere(id, Outbox::default())
    }

    /// A client of another program, whose outbox is carried there.
    pub fn elsewhere(id: u64, outbox: Outbox) -> Self {
        Self {
            id,
            outbox,
            follows_own_games: AtomicBool::new(false),
            round_trip: AtomicI64::new(UNKNOWN),
        }
    }

    /// From now on it is told how its player's games stand. False if it was already.
    pub fn follow_own_games(&self) -> bool {
        !self.follows_own_games.swap(true, Ordering::Relaxed)
    }

    /// Whether it is told how its player's games stand.
    pub fn follows_own_games(&self) -> bool {
        self.follows_own_games.load(Ordering::Relaxed)
    }

    /// The least round trip of this connection; nothing as long as none was measured.
    pub fn round_trip(&self) -> Millis {
        match self.round_trip.load(Ordering::Relaxed) {
            UNKNOWN => Millis(0),
            least => Millis(least),
        }
    }

    /// The client has answered within this time something that it could not know before: its round trip is no longer. A client
    /// can answer late, but not early, so the least of all measurements counts, and one prompt answer is enough.
    pub fn answered_within(&self, time: Millis) {
        self.round_trip.fetch_min(time.0.max(0), Ordering::Relaxed);
    }

    /// Queues the answer to a request.
    pub fn answer(&self, re: Option<RequestId>, result: Result<Answer, ApiError>) {
        self.send(&AnswerFrame::new(re, result));
    }

    /// Queues any message of the protocol.
    pub fn send(&self, message: &impl Serialize) {
        self.outbox.push(text(message));
    }
}

/// A message of the protocol as text, to be shared by all who get it.
pub fn text(message: &impl Serialize) -> Utf8Bytes {
    let mut text = Vec::with_capacity(USUAL_BYTES);
    // Serialising to memory fails only for maps with keys that are no strings; the protocol has none.
    drop(serde_json::to_writer(&mut text, message));
    shared(&text)
}

/// JSON as text to be sent, as long as it is: what it was written into, with its spare room, is used again at once.
pub fn shared(json: &[u8]) -> Utf8Bytes {
    // JSON is always UTF-8.
    Utf8Bytes::try_from(Bytes::copy_from_slice(json)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m7_one_prompt_answer_is_the_round_trip_however_late_the_others_are() {
        let peer = Peer::new(1);
        assert_eq!(peer.round_trip(), Millis(0));
        for (time, least) in [(120, 120), (500, 120), (3, 3), (500, 3), (500, 3)] {
            peer.answered_within(Millis(time));
            assert_eq!(peer.round_trip(), Millis(least));
        }
    }

    #[test]
    fn m7_a_connection_that_is_slow_from_the_beginning_is_credited_its_round_trip() {
        let peer = Peer::new(1);
        for time in [310, 290, 305] {
            peer.answered_within(Millis(time));
        }
        assert_eq!(peer.round_trip(), Millis(290));
    }
}
