//! Who is in which room, and whose turn it is there.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use qiguan_protocol::ids::GameId;
use tokio::sync::mpsc::UnboundedSender;
use tokio_tungstenite::tungstenite::Utf8Bytes;

/// All rooms, by number.
#[derive(Default)]
pub(super) struct Rooms(Mutex<HashMap<u32, Arc<Room>>>);

/// One room.
pub(super) struct Room {
    /// What the record calls it.
    pub(super) game: GameId,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The last move taken.
    ply: u32,
    players: Vec<UnboundedSender<Utf8Bytes>>,
    spectators: Vec<UnboundedSender<Utf8Bytes>>,
}

impl Rooms {
    /// The room with a number, made if it is not there.
    pub(super) fn room(&self, number: u32, new: impl FnOnce() -> GameId) -> Arc<Room> {
        let mut rooms = lock(&self.0);
        let room = rooms.entry(number).or_insert_with(|| {
            Arc::new(Room {
                game: new(),
                state: Mutex::default(),
            })
        });
        Arc::clone(room)
    }
}

impl Room {
    /// Lets somebody in: seats 0 and 1 play, others look on.
    pub(super) fn enter(&self, seat: u32, outbox: UnboundedSender<Utf8Bytes>) {
        let mut state = lock(&self.state);
        if seat < 2 {
            state.players.push(outbox);
        } else {
            state.spectators.push(outbox);
        }
    }

    /// Takes a move if it is this seat's turn and the next in number.
    pub(super) fn take(&self, seat: u32, ply: u32) -> bool {
        let mut state = lock(&self.state);
        let fits = ply == state.ply + 1 && seat == state.ply % 2;
        if fits {
            state.ply = ply;
        }
        fits
    }

    /// Sends to everybody, the players first.
    pub(super) fn send(&self, text: &Utf8Bytes) {
        let state = lock(&self.state);
        for outbox in state.players.iter().chain(&state.spectators) {
            // Disconnected clients get nothing.
            let _ = outbox.send(text.clone());
        }
    }
}

/// A panic while the lock is held leaves a room that is still a room.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_next_move_of_the_seat_on_turn_is_taken() {
        let rooms = Rooms::default();
        let room = rooms.room(7, || GameId(uuid::Uuid::nil()));
        let tries = [
            (1, 1),
            (0, 2),
            (0, 1),
            (0, 1),
            (0, 2),
            (1, 3),
            (1, 2),
            (0, 3),
        ];
        let taken = tries.map(|(seat, ply)| room.take(seat, ply));
        assert_eq!(taken, [false, false, true, false, false, false, true, true]);
    }
}
