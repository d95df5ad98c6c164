//! One connected client as the rest of the server knows it: somewhere to send to, and how far away it is.

use std::sync::atomic::{AtomicI64, Ordering};

use axum::extract::ws::Utf8Bytes;
use bytes::Bytes;
use qiguan_protocol::{
    answer::{Answer, AnswerFrame},
    error::ApiError,
    ids::{Millis, RequestId},
};
use serde::Serialize;

use crate::socket::outbox::Outbox;

/// Most messages are shorter: a move with the position after it has 300 to 800 bytes.
const USUAL_BYTES: usize = 1_024;

/// A connected client.
pub struct Peer {
    /// A number of its own in this process.
    pub id: u64,
    /// What waits to be sent.
    pub outbox: Outbox,
    round_trip: AtomicI64,
}

impl Peer {
    /// A client that has just connected.
    pub fn new(id: u64) -> Self {
        Self {
            id,
            outbox: Outbox::default(),
            round_trip: AtomicI64::new(0),
        }
    }

    /// The round trip, as the server's own pings measured it last.
    pub fn round_trip(&self) -> Millis {
        Millis(self.round_trip.load(Ordering::Relaxed))
    }

    /// Notes a measured round trip, smoothed a little so that one late answer does not count as lag.
    pub fn measured(&self, round_trip: Millis) {
        let before = self.round_trip.load(Ordering::Relaxed);
        let smooth = if before == 0 {
            round_trip.0
        } else {
            (before * 3 + round_trip.0) / 4
        };
        self.round_trip.store(smooth, Ordering::Relaxed);
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
