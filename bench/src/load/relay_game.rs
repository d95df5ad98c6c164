//! A game with the relay: pieces going to and fro, in messages of the length that the relay was measured with before.

use std::io::Write;

use anyhow::{Context, Result, bail};

use crate::load::{
    dialect::{Heard, MoveText},
    scan,
    socket::Writer,
};

/// Legal moves of Dou Shou Qi that can be repeated for ever.
const TO_AND_FRO: [&[u8]; 4] = [b"a3a4", b"g7g6", b"a4a3", b"g6g7"];

/// One room of the relay.
pub(super) struct RelayGame {
    room: usize,
    joined: usize,
}

impl RelayGame {
    /// The game in a room.
    pub(super) const fn new(room: usize) -> Self {
        Self { room, joined: 0 }
    }

    /// Enters the room.
    pub(super) fn greet(&self, seat: usize, writer: &Writer) -> Result<()> {
        writer.text(format!("room {} seat {seat}", self.room).as_bytes())
    }

    /// Understands a message.
    pub(super) fn hear(&mut self, text: &[u8]) -> Result<Heard> {
        if let Some(ply) = moved(text) {
            let by = ((ply + 1) % 2) as usize;
            let reply = Some(to_and_fro(ply)?);
            return Ok(Heard::Moved { ply, by, reply });
        }
        if !text.starts_with(b"{\"joined\"") {
            bail!(
                "the relay says what it should not: {}",
                String::from_utf8_lossy(text)
            );
        }
        self.joined += 1;
        if self.joined == 2 {
            return Ok(Heard::Begun(to_and_fro(0)?));
        }
        Ok(Heard::Nothing)
    }

    /// Writes the message that plays a move.
    pub(super) fn write_move(&self, ply: u32, mv: MoveText, message: &mut Vec<u8>) {
        let text = String::from_utf8_lossy(mv.as_bytes());
        // Writing into memory does not fail.
        let _ = write!(
            message,
            r#"{{"id":5,"type":"move","data":{{"room":{},"ply":{ply},"move":"{text}"}}}}"#,
            self.room
        );
    }
}

/// The number of the move that a message brings, if it brings one.
pub(super) fn moved(text: &[u8]) -> Option<u32> {
    text.starts_with(b"{\"id\":")
        .then(|| scan::number_after(text, b"\"ply\":"))
        .flatten()
}

/// The move after so many plies.
fn to_and_fro(plies: u32) -> Result<MoveText> {
    let text = TO_AND_FRO[plies as usize % TO_AND_FRO.len()];
    MoveText::new(text).context("a move too long")
}
