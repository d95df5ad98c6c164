//! One connected client as the rest of the server knows it: somewhere to send to, and how far away it is.

pub mod elsewhere;
pub mod endings;
pub mod outbox;
pub mod presence;
pub mod registry;

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};

use axum::extract::ws::Utf8Bytes;
use bytes::Bytes;
use parking_lot::Mutex;
use qiguan_game::clock::Delay;
use qiguan_protocol::{
    answer::{Answer, AnswerFrame},
    error::{ApiError, ErrorCode},
    ids::{GameId, Millis, RequestId},
};
use serde::Serialize;
use tokio::sync::Notify;

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
    /// How much longer the way is of a client of another program, in milliseconds.
    between_programs: AtomicI64,
    /// The game of another program that it has last asked for something, and how long the way there and back was.
    far_game: Mutex<Option<(GameId, Millis)>>,
    /// How often it has begun to read and was done with it: odd while something that was read is not passed on.
    readings: AtomicU64,
    /// What was read is passed on.
    passed_on: Notify,
}

/// Something is being read, until this is dropped.
pub struct Reading<'a>(&'a Peer);

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        self.0.readings.fetch_add(1, Ordering::SeqCst);
        self.0.passed_on.notify_waiters();
    }
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
            between_programs: AtomicI64::new(0),
            far_game: Mutex::default(),
            readings: AtomicU64::new(0),
            passed_on: Notify::new(),
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

    /// How much later it sees and is heard: with the least round trip of this connection, nothing as long as none was measured.
    pub fn delay(&self) -> Delay {
        let round_trip = match self.round_trip.load(Ordering::Relaxed) {
            UNKNOWN => 0,
            least => least,
        };
        Delay {
            round_trip: Millis(round_trip),
            between_programs: Millis(self.between_programs.load(Ordering::Relaxed)),
        }
    }

    /// The way to its program and back takes so long, beside that from there to the client. Unlike that it can get longer.
    pub fn is_as_far_as(&self, program: Millis) {
        self.between_programs.store(program.0, Ordering::Relaxed);
    }

    /// It asks something of a game of another program, to which the way there and back takes so long.
    pub fn asks_far_game(&self, game: GameId, way: Millis) {
        *self.far_game.lock() = Some((game, way));
    }

    /// How long the way there and back was to the program that had a game before it came to this one; nothing if it was not asked there. A turn
    /// that began there was shown over that way.
    pub fn earlier_way(&self, game: GameId) -> Millis {
        let far = self.far_game.lock().filter(|(far, _)| *far == game);
        far.map_or(Millis(0), |(_, way)| way)
    }

    /// Something is read from the network: as long as the guard is there, it is not passed on. To be called before the time is taken.
    pub fn reads(&self) -> Reading<'_> {
        self.readings.fetch_add(1, Ordering::SeqCst);
        Reading(self)
    }

    /// Waits until what has been read so far is passed on.
    pub async fn has_passed_on(&self) {
        let readings = self.readings.load(Ordering::SeqCst);
        if readings.is_multiple_of(2) {
            return;
        }
        loop {
            // A wake between the look and the wait is not missed.
            let passed_on = self.passed_on.notified();
            if self.readings.load(Ordering::SeqCst) != readings {
                return;
            }
            passed_on.await;
        }
    }

    /// The client has answered within this time something that it could not know before: its round trip is no longer. A client
    /// can answer late, but not early, so the least of all measurements counts, and one prompt answer is enough.
    pub fn answered_within(&self, time: Millis) {
        let between_programs = self.between_programs.load(Ordering::Relaxed);
        let time = (time.0 - between_programs).max(0);
        self.round_trip.fetch_min(time, Ordering::Relaxed);
    }

    /// Queues the answer to a request.
    pub fn answer(&self, re: Option<RequestId>, result: Result<Answer, ApiError>) {
        if let Err(error) = &result {
            refused(error.code);
        }
        self.send(&AnswerFrame::new(re, result));
    }

    /// Queues any message of the protocol.
    pub fn send(&self, message: &impl Serialize) {
        self.outbox.push(text(message));
    }
}

/// Counts a request on a socket that is answered with an error.
pub fn refused(code: ErrorCode) {
    metrics::counter!("qiguan_refusals_total", "code" => code.as_str()).increment(1);
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

    const fn delay(round_trip: i64, between_programs: i64) -> Delay {
        Delay {
            round_trip: Millis(round_trip),
            between_programs: Millis(between_programs),
        }
    }

    #[test]
    fn m7_one_prompt_answer_is_the_round_trip_however_late_the_others_are() {
        let peer = Peer::new(1);
        assert_eq!(peer.delay(), Delay::default());
        for (time, least) in [(120, 120), (500, 120), (3, 3), (500, 3), (500, 3)] {
            peer.answered_within(Millis(time));
            assert_eq!(peer.delay(), delay(least, 0));
        }
    }

    #[test]
    fn m7_the_way_between_programs_comes_on_top_and_an_answer_that_comes_over_it_is_no_slower() {
        let peer = Peer::new(1);
        peer.is_as_far_as(Millis(30));
        assert_eq!(peer.delay(), delay(0, 30));
        peer.answered_within(Millis(70));
        assert_eq!(peer.delay(), delay(40, 30));
        peer.is_as_far_as(Millis(10));
        assert_eq!(peer.delay(), delay(40, 10));
        peer.answered_within(Millis(5));
        assert_eq!(peer.delay(), delay(0, 10));
    }

    #[test]
    fn m7_the_way_to_a_game_before_it_moved_is_known_of_the_game_that_was_last_asked_for() {
        let peer = Peer::new(1);
        let [one, other] = [1, 2].map(|number| GameId(uuid::Uuid::from_u128(number)));
        assert_eq!(peer.earlier_way(one), Millis(0));
        peer.asks_far_game(one, Millis(300));
        assert_eq!(peer.earlier_way(one), Millis(300));
        assert_eq!(peer.earlier_way(other), Millis(0));
        // It is no part of what is measured of the connection.
        assert_eq!(peer.delay(), Delay::default());
        peer.asks_far_game(other, Millis(20));
        assert_eq!(peer.earlier_way(one), Millis(0));
    }

    #[tokio::test]
    async fn what_is_being_read_is_waited_for_and_what_is_read_later_is_not() {
        let peer = Peer::new(1);
        peer.has_passed_on().await;
        let reading = peer.reads();
        let mut passed_on = Box::pin(peer.has_passed_on());
        assert!(futures_util::poll!(passed_on.as_mut()).is_pending());
        drop(reading);
        let _later = peer.reads();
        passed_on.await;
    }

    #[test]
    fn m7_a_connection_that_is_slow_from_the_beginning_is_credited_its_round_trip() {
        let peer = Peer::new(1);
        for time in [310, 290, 305] {
            peer.answered_within(Millis(time));
        }
        assert_eq!(peer.delay(), delay(290, 0));
    }
}
