//! How games are played with the server and with the relay: the same moves in two languages.

use anyhow::Result;

use crate::load::{relay_game::RelayGame, server_game::ServerGame, socket::Writer};

/// A move as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoveText {
    bytes: [u8; 6],
    length: u8,
}

impl MoveText {
    /// The longest move, `b10c10`, has six bytes.
    pub(super) fn new(text: &[u8]) -> Option<Self> {
        let mut bytes = [0; 6];
        bytes.get_mut(..text.len())?.copy_from_slice(text);
        Some(Self {
            bytes,
            length: text.len() as u8,
        })
    }

    /// The move's text.
    pub(super) fn as_bytes(&self) -> &[u8] {
        self.bytes
            .get(..usize::from(self.length))
            .unwrap_or_default()
    }
}

/// What a message meant for the game.
pub(super) enum Heard {
    /// Nothing.
    Nothing,
    /// A game has begun; the first seat may play this.
    Begun(MoveText),
    /// A move, and what may be played upon it.
    Moved {
        ply: u32,
        by: usize,
        reply: Option<MoveText>,
    },
    /// The game is over; a new one is on its way.
    Over,
}

/// One game in the protocol of the server under test.
pub(super) enum Dialect {
    /// With the server.
    Server(ServerGame),
    /// With the relay.
    Relay(RelayGame),
}

impl Dialect {
    /// What a player says first.
    pub(super) fn greet(&self, seat: usize, writer: &Writer) -> Result<()> {
        match self {
            Self::Server(_) => ServerGame::greet(writer),
            Self::Relay(game) => game.greet(seat, writer),
        }
    }

    /// Understands a message to a seat, and does what it calls for beside playing.
    pub(super) fn hear(
        &mut self,
        seat: usize,
        text: &[u8],
        writers: &[Writer; 2],
    ) -> Result<Heard> {
        match self {
            Self::Server(game) => game.hear(seat, text, writers),
            Self::Relay(game) => game.hear(text),
        }
    }

    /// Writes the message that plays a move.
    pub(super) fn write_move(&mut self, ply: u32, mv: MoveText, message: &mut Vec<u8>) {
        match self {
            Self::Server(game) => game.write_move(ply, mv, message),
            Self::Relay(game) => game.write_move(ply, mv, message),
        }
    }
}
