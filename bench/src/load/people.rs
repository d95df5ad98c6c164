//! Players and spectators: one task for each connection.

use std::{net::Ipv4Addr, rc::Rc};

use anyhow::{Context, Result};
use tokio::task::AbortHandle;

use crate::load::{
    LoadArgs, Partner,
    dialect::Dialect,
    relay_game::{self, RelayGame},
    server_game::{ServerGame, Style},
    socket::{self, Frame, Reader, Width, Writer},
    table::{Pace, Table, Turn},
    tally::Tally,
};

/// Everybody who takes part.
pub(super) struct People {
    partner: Partner,
    /// The programs to which they come.
    addresses: Vec<String>,
    spectators: usize,
    /// From how many addresses of their own the players come, each game from one; 0 for the usual one.
    pub(super) homes: u8,
    tally: Rc<Tally>,
    pace: Pace,
    tables: Vec<Rc<Table>>,
}

impl People {
    /// Nobody yet.
    pub(super) fn new(args: &LoadArgs, tally: Rc<Tally>, pace: Pace) -> Self {
        Self {
            partner: args.partner,
            addresses: args.addresses(),
            spectators: 0,
            homes: 0,
            tally,
            pace,
            tables: Vec::new(),
        }
    }

    /// Two players sit down to a new game.
    pub(super) async fn seat(&mut self, number: usize) -> Result<()> {
        let home = match self.homes {
            0 => Ipv4Addr::UNSPECIFIED,
            homes => Ipv4Addr::new(127, 0, 1, (number % usize::from(homes)) as u8 + 1),
        };
        // A game belongs to the program to which it is opened.
        let far = usize::from(!matches!(self.pace, Pace::Together(_)));
        let (first, first_writer) = self.connect(number, home, Width::Usual).await?;
        let (second, second_writer) = self.connect(number + far, home, Width::Usual).await?;
        let style = match self.pace {
            Pace::Together(_) => Style::Steady,
            Pace::AtOnce | Pace::Every(_) => Style::Wander,
        };
        let dialect = match self.partner {
            Partner::Server => Dialect::Server(ServerGame::new(number, style)),
            Partner::Relay => Dialect::Relay(RelayGame::new(number)),
        };
        let writers = [first_writer, second_writer];
        let table = Rc::new(Table::new(
            dialect,
            writers,
            Rc::clone(&self.tally),
            self.pace,
        ));
        for (seat, reader) in [first, second].into_iter().enumerate() {
            table.greet(seat)?;
            self.spawn(player(Rc::clone(&table), seat, reader));
        }
        self.tables.push(table);
        Ok(())
    }

    /// A spectator comes to the first game.
    pub(super) async fn spectate(&mut self) -> Result<()> {
        let table = Rc::clone(self.tables.first().context("no game to watch")?);
        let (reader, writer) = self.arrive(&table, Width::Usual).await?;
        self.spectators += 1;
        let tally = Rc::clone(&self.tally);
        self.spawn(spectator(self.partner, table, tally, reader, writer));
        Ok(())
    }

    /// A spectator comes to the first game, and reads nothing from then on. The handle makes them go.
    pub(super) async fn stall(&self) -> Result<AbortHandle> {
        let table = self.tables.first().context("no game to watch")?;
        let (mut reader, writer) = self.arrive(table, Width::Narrow).await?;
        let (partner, tally) = (self.partner, Rc::clone(&self.tally));
        Ok(self.spawn(async move {
            while !arrived(partner, &mut reader)? {
                reader.fill().await?;
            }
            tally.is_ready();
            std::future::pending::<()>().await;
            // Held until the end: the connection stays open.
            drop((reader, writer));
            Ok(())
        }))
    }

    async fn arrive(&self, table: &Table, width: Width) -> Result<(Reader, Writer)> {
        let (reader, writer) = self
            .connect(self.spectators, Ipv4Addr::UNSPECIFIED, width)
            .await?;
        match self.partner {
            Partner::Server => {
                ServerGame::spectate(&table.game_id().context("no game to watch")?, &writer)?;
            }
            Partner::Relay => writer.text(b"room 0 seat 2")?,
        }
        Ok((reader, writer))
    }

    /// Lets every game begin; at a fixed pace, one after the other.
    pub(super) fn begin(&self, pace: Pace) {
        let apart = match pace {
            Pace::Every(nanos) => nanos / self.tables.len().max(1) as u64,
            Pace::AtOnce | Pace::Together(_) => 0,
        };
        for (table, place) in self.tables.iter().zip(0..) {
            if let Some(turn) = table.begin(apart * place) {
                let table = Rc::clone(table);
                self.spawn(async move { play(&table, turn).await });
            }
        }
    }

    /// A connection to one of the programs in turn.
    async fn connect(&self, turn: usize, from: Ipv4Addr, width: Width) -> Result<(Reader, Writer)> {
        let address = self
            .addresses
            .iter()
            .cycle()
            .nth(turn % self.addresses.len().max(1));
        let address = address.context("no program")?;
        let (path, protocol) = match self.partner {
            Partner::Server => ("/api/ws", qiguan_protocol::SUBPROTOCOL),
            Partner::Relay => ("/", ""),
        };
        let stream = socket::connect(from, address, width).await?;
        socket::upgrade(stream, address, path, protocol).await
    }

    /// Runs a task whose failure makes the measurement void.
    fn spawn(&self, task: impl Future<Output = Result<()>> + 'static) -> AbortHandle {
        let tally = Rc::clone(&self.tally);
        tokio::task::spawn_local(async move {
            if let Err(error) = task.await {
                tally.fail(error);
            }
        })
        .abort_handle()
    }
}

async fn player(table: Rc<Table>, seat: usize, mut reader: Reader) -> Result<()> {
    loop {
        let mut due = None;
        let hear = |text: &[u8]| -> Result<()> {
            due = table.hear(seat, text)?.or(due);
            Ok(())
        };
        reader.listen(table.writer(seat), hear).await?;
        if let Some(turn) = due {
            play(&table, turn).await?;
        }
    }
}

async fn play(table: &Table, turn: Turn) -> Result<()> {
    table.wait().await;
    table.play(turn)
}

/// Whether what has come by now tells a spectator that they are there.
fn arrived(partner: Partner, reader: &mut Reader) -> Result<bool> {
    while let Some(frame) = reader.frame()? {
        if let Frame::Text(text) = frame
            && is_here(partner, text)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether this tells a spectator that they are there.
fn is_here(partner: Partner, text: &[u8]) -> Result<bool> {
    match partner {
        Partner::Server => ServerGame::watches(text),
        Partner::Relay => Ok(text.starts_with(b"{\"joined\"")),
    }
}

async fn spectator(
    partner: Partner,
    table: Rc<Table>,
    tally: Rc<Tally>,
    mut reader: Reader,
    writer: Writer,
) -> Result<()> {
    loop {
        let hear = |text: &[u8]| -> Result<()> {
            let moved = match partner {
                Partner::Server => ServerGame::moved(text),
                Partner::Relay => relay_game::moved(text).is_some(),
            };
            if is_here(partner, text)? {
                tally.is_ready();
            }
            if moved && let Some(turn) = table.arrives() {
                table.play(turn)?;
            }
            Ok(())
        };
        reader.listen(&writer, hear).await?;
    }
}
