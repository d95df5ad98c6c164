//! The record of the relay that stores: the server's own journal, one event a move.

use anyhow::Result;
use qiguan_environment::{Clock, Random};
use qiguan_game::{
    event::{Body, Event},
    record::Entry,
};
use qiguan_protocol::ids::{CommandId, GameId, Millis, Ply, Seq};
use qiguan_rules::{Move, Seat};
use qiguan_store::{
    journal::{Journal, Writer},
    store::Append,
};
use uuid::Uuid;

/// Where moves are written.
pub(super) struct Ledger {
    journal: Journal,
    clock: Clock,
    /// Held: the journal closes when it goes.
    _writer: Writer,
}

impl Ledger {
    /// Opens or makes the record at a URL.
    pub(super) async fn open(url: &str) -> Result<Self> {
        let store = qiguan_store::open(url, None, Random::system().epoch()).await?;
        let clock = Clock::system();
        let (journal, writer) = Journal::start(store, clock);
        Ok(Self {
            journal,
            clock,
            _writer: writer,
        })
    }

    /// Writes a move and comes back once it is durable.
    pub(super) async fn record(&self, game: GameId, ply: u32, mv: Move) -> Result<()> {
        let seat = if ply % 2 == 1 {
            Seat::First
        } else {
            Seat::Second
        };
        let event = Event {
            seq: Seq(ply),
            at: self.clock.now(),
            // As long as a real one; nothing reads it.
            command: Some(CommandId(Uuid::from_u64_pair(ply.into(), ply.into()))),
            body: Body::Moved {
                seat,
                ply: Ply(ply),
                mv,
                spent: Millis(1),
                lag: Millis(0),
            },
        };
        let entry = Entry {
            game,
            events: vec![event],
            summary: None,
        };
        self.journal
            .append(Append {
                cause: "move",
                audit_entry: None,
                commands: Vec::new(),
                quotas: Vec::new(),
                entries: vec![entry],
            })
            .await?;
        Ok(())
    }
}
