//! One game of two players, with whatever spectators it has: when each move is sent, and what is measured of it.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    time::Duration,
};

use anyhow::{Result, ensure};

use crate::load::{
    dialect::{Dialect, Heard, MoveText},
    socket::Writer,
    tally::Tally,
};

/// When a player moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Pace {
    /// As soon as the opponent's move is there.
    AtOnce,
    /// Every so many nanoseconds.
    Every(u64),
    /// When so many have the last move.
    Together(usize),
}

/// A move to be made by a seat.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    seat: usize,
    mv: MoveText,
}

/// One game.
pub(super) struct Table {
    dialect: RefCell<Dialect>,
    writers: [Writer; 2],
    tally: Rc<Tally>,
    pace: Pace,
    /// When the next move is due at a fixed pace, in nanoseconds of the clock.
    slot: Cell<u64>,
    /// The last move that each seat has seen.
    seen: [Cell<u32>; 2],
    /// When the last move was sent.
    sent_at: Cell<u64>,
    /// How many have the last move.
    arrived: Cell<usize>,
    /// The move that waits, for the start or for everybody to have the last one.
    due: Cell<Option<Turn>>,
    message: RefCell<Vec<u8>>,
}

impl Table {
    /// Two players at a table.
    pub(super) fn new(
        dialect: Dialect,
        writers: [Writer; 2],
        tally: Rc<Tally>,
        pace: Pace,
    ) -> Self {
        Self {
            dialect: RefCell::new(dialect),
            writers,
            tally,
            pace,
            slot: Cell::new(0),
            seen: [Cell::new(0), Cell::new(0)],
            sent_at: Cell::new(0),
            arrived: Cell::new(0),
            due: Cell::new(None),
            message: RefCell::default(),
        }
    }

    /// The id of the game that is played with the server.
    pub(super) fn game_id(&self) -> Option<String> {
        match &*self.dialect.borrow() {
            Dialect::Server(game) => game.id(),
            Dialect::Relay(_) => None,
        }
    }

    /// Lets a player say the first words.
    pub(super) fn greet(&self, seat: usize) -> Result<()> {
        self.dialect.borrow().greet(seat, &self.writers[seat])
    }

    /// Where messages of a seat go.
    pub(super) fn writer(&self, seat: usize) -> &Writer {
        &self.writers[seat]
    }

    /// Begins to play; at a fixed pace, `delay` nanoseconds from now.
    pub(super) fn begin(&self, delay: u64) -> Option<Turn> {
        self.slot.set(self.tally.clock.nanos() + delay);
        self.due.take()
    }

    /// Takes in a message to a player. What comes back is to be played when it is time.
    pub(super) fn hear(&self, seat: usize, text: &[u8]) -> Result<Option<Turn>> {
        let tally = &self.tally;
        tally.add(&tally.bytes_received, text.len());
        let heard = self.dialect.borrow_mut().hear(seat, text, &self.writers)?;
        match heard {
            Heard::Nothing => Ok(None),
            Heard::Begun(mv) => Ok(self.begun(mv)),
            Heard::Over => {
                ensure!(
                    !matches!(self.pace, Pace::Together(_)),
                    "the game that was watched is over"
                );
                tally.add(&tally.games_ended, 1);
                Ok(None)
            }
            Heard::Moved { ply, by, reply } => {
                let seen = &self.seen[seat];
                ensure!(
                    ply == seen.get() + 1,
                    "move {ply} after move {}",
                    seen.get()
                );
                seen.set(ply);
                if by != seat {
                    tally.add(&tally.moves, 1);
                    tally.add(&tally.bytes_to_opponent, text.len());
                    tally.took(&tally.to_opponent, self.sent_at.get());
                }
                let turn = reply.filter(|_| by != seat).map(|mv| Turn { seat, mv });
                if !matches!(self.pace, Pace::Together(_)) {
                    return Ok(turn);
                }
                if turn.is_some() {
                    self.due.set(turn);
                }
                Ok(self.arrives())
            }
        }
    }

    fn begun(&self, mv: MoveText) -> Option<Turn> {
        for seen in &self.seen {
            seen.set(0);
        }
        let first = Turn { seat: 0, mv };
        if self.tally.started.get() {
            return Some(first);
        }
        self.due.set(Some(first));
        self.tally.is_ready();
        None
    }

    /// One more has the last move. Once everybody has it, the next is due.
    pub(super) fn arrives(&self) -> Option<Turn> {
        let Pace::Together(everybody) = self.pace else {
            return None;
        };
        self.arrived.set(self.arrived.get() + 1);
        if self.arrived.get() < everybody {
            return None;
        }
        self.tally.took(&self.tally.to_last, self.sent_at.get());
        self.due.take()
    }

    /// Waits until a move is due.
    pub(super) async fn wait(&self) {
        if let Pace::Every(nanos) = self.pace {
            let due = self.slot.get();
            self.slot.set(due + nanos);
            let now = self.tally.clock.nanos();
            if due > now {
                tokio::time::sleep(Duration::from_nanos(due - now)).await;
            }
        }
    }

    /// Sends a move.
    pub(super) fn play(&self, turn: Turn) -> Result<()> {
        let mut message = self.message.borrow_mut();
        message.clear();
        let ply = self.seen[turn.seat].get() + 1;
        self.dialect
            .borrow_mut()
            .write_move(ply, turn.mv, &mut message);
        self.arrived.set(0);
        self.tally.add(&self.tally.bytes_sent, message.len());
        self.sent_at.set(self.tally.clock.nanos());
        self.writers[turn.seat].text(&message)
    }
}
