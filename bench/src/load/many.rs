//! Very many games in which nothing happens, and then nobody looks at them any more: what each costs the server in memory.
//!
//! Two players sit at as many games as a connection may watch, so that it is the games that count and not the connections.

use std::{cell::Cell, rc::Rc, time::Duration};

use anyhow::{Context, Result, bail};
use qiguan_protocol::{SUBPROTOCOL, limits::WATCHED_GAMES};
use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;

use crate::{
    load::{
        on_one_thread, scan,
        scrape::Metrics,
        server_game::{answered, asking, opening},
        socket::{self, Reader, Width, Writer},
    },
    machine,
    stopwatch::Stopwatch,
};

/// How many pairs sit down at the same time.
const TOGETHER: usize = 16;
/// How long rooms may take to close after everybody has left; they wait for half a minute by themselves.
const EMPTY_WITHIN: Duration = Duration::from_mins(3);
/// The number of the request for an identity.
const GREET: u32 = 1;
/// Requests that open a game are numbered from here, the others from its double, three for each game.
const OPEN: u32 = 1_000;

/// How many games, and whose memory.
#[derive(clap::Args)]
pub(crate) struct ManyArgs {
    /// Host and port.
    #[arg(long)]
    address: String,
    /// The process id of the server.
    #[arg(long)]
    pid: u32,
    /// How many games.
    #[arg(long)]
    games: usize,
}

/// What came of it. Memory is what of the server is in RAM, in KiB.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Many {
    /// The games.
    pub(crate) games: usize,
    /// How long it took to open and join them all, in seconds.
    pub(crate) seconds: f64,
    /// Before the first connection.
    pub(crate) before: u64,
    /// With all games running and watched by their players.
    pub(crate) running: u64,
    /// After all players have left and the rooms have closed; the games go on. What is free stays with the process.
    pub(crate) left: u64,
    /// The same after as many further games, which found that free memory: what has grown belongs to the games that were left.
    pub(crate) left_again: u64,
}

/// Opens games, leaves them, and prints what came of it as one line of JSON.
///
/// # Errors
/// When anything is refused or takes too long.
pub(crate) fn run(args: &ManyArgs) -> Result<()> {
    on_one_thread(measure(args))
}

async fn measure(args: &ManyArgs) -> Result<Many> {
    let before = machine::resident_kib(args.pid)?;
    let clock = Stopwatch::start();
    let mut players = open(args, 0).await?;
    let seconds = clock.elapsed().as_secs_f64();
    let running = machine::resident_kib(args.pid)?;
    players.shutdown().await;
    empty(&args.address).await?;
    let left = machine::resident_kib(args.pid)?;
    open(args, 1).await?.shutdown().await;
    empty(&args.address).await?;
    Ok(Many {
        games: args.games,
        seconds,
        before,
        running,
        left,
        left_again: machine::resident_kib(args.pid)?,
    })
}

/// Opens all games, and hands over the connections that watch them.
async fn open(args: &ManyArgs, round: usize) -> Result<JoinSet<Result<()>>> {
    let mut players = JoinSet::new();
    let mut sitting = JoinSet::new();
    let pairs = args.games.div_ceil(WATCHED_GAMES);
    for pair in 0..pairs {
        if sitting.len() == TOGETHER {
            seated(&mut sitting, &mut players).await?;
        }
        let games = (args.games - pair * WATCHED_GAMES).min(WATCHED_GAMES);
        let pair = Pair::connect(&args.address, round * pairs + pair, games).await?;
        sitting.spawn_local(pair);
    }
    while !sitting.is_empty() {
        seated(&mut sitting, &mut players).await?;
    }
    Ok(players)
}

type Sitting = JoinSet<Result<[(Rc<Pair>, Reader); 2]>>;

/// Waits until a pair has all its games; from then on its connections only answer pings.
async fn seated(sitting: &mut Sitting, players: &mut JoinSet<Result<()>>) -> Result<()> {
    let pair = sitting.join_next().await.context("nobody sits down")??;
    for (seat, (pair, mut reader)) in pair?.into_iter().enumerate() {
        players.spawn_local(async move {
            loop {
                pair.listen(seat, &mut reader).await?;
            }
        });
    }
    if let Some(gone) = players.try_join_next() {
        gone??;
    }
    Ok(())
}

/// Waits until no room is open.
async fn empty(address: &str) -> Result<()> {
    let waiting = Stopwatch::start();
    while Metrics::read(address).await?.value("qiguan_rooms_open")? > 0.0 {
        if waiting.elapsed() > EMPTY_WITHIN {
            bail!("rooms stay open though nobody is there");
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    Ok(())
}

/// Two players and all their games.
struct Pair {
    number: usize,
    games: usize,
    writers: [Writer; 2],
    greeted: Cell<usize>,
    /// Answers that are still to come.
    left: Cell<usize>,
    commands: Cell<usize>,
}

impl Pair {
    /// Two connections, and the way to their games.
    async fn connect(
        address: &str,
        number: usize,
        games: usize,
    ) -> Result<impl Future<Output = Result<[(Rc<Self>, Reader); 2]>> + use<>> {
        let (mut first, first_writer) =
            socket::open(address, "/api/ws", SUBPROTOCOL, Width::Usual).await?;
        let (mut second, second_writer) =
            socket::open(address, "/api/ws", SUBPROTOCOL, Width::Usual).await?;
        let pair = Rc::new(Self {
            number,
            games,
            writers: [first_writer, second_writer],
            greeted: Cell::new(0),
            left: Cell::new(games * 3),
            commands: Cell::new(0),
        });
        Ok(async move {
            for writer in &pair.writers {
                writer.text(format!(r#"{{"id":{GREET},"type":"guest"}}"#).as_bytes())?;
            }
            while pair.left.get() > 0 {
                tokio::select! {
                    heard = pair.listen(0, &mut first) => heard?,
                    heard = pair.listen(1, &mut second) => heard?,
                }
            }
            Ok([(Rc::clone(&pair), first), (pair, second)])
        })
    }

    /// Waits for bytes, and deals with every whole message in them.
    async fn listen(&self, seat: usize, reader: &mut Reader) -> Result<()> {
        reader
            .listen(&self.writers[seat], |text| self.hear(text))
            .await
    }

    fn hear(&self, text: &[u8]) -> Result<()> {
        match answered(text)? {
            Some(GREET) => {
                self.greeted.set(self.greeted.get() + 1);
                if self.greeted.get() == 2 {
                    for game in 0..self.games {
                        let message = opening(OPEN + game as u32, &self.command(), 1);
                        self.writers[0].text(message.as_bytes())?;
                    }
                }
            }
            Some(re @ OPEN..) if re < OPEN * 2 => {
                let game = scan::text_after(text, b"\"game\":\"").context("no game")?;
                let game = std::str::from_utf8(game)?;
                let id = OPEN * 2 + (re - OPEN) * 3;
                self.ask(0, id, "watch", game, None)?;
                self.ask(1, id + 1, "join", game, Some(&self.command()))?;
                self.ask(1, id + 2, "watch", game, None)?;
            }
            Some(_) => self.left.set(self.left.get().saturating_sub(1)),
            None => {}
        }
        Ok(())
    }

    fn ask(
        &self,
        seat: usize,
        id: u32,
        kind: &str,
        game: &str,
        command: Option<&str>,
    ) -> Result<()> {
        let message = asking(id, kind, game, command);
        self.writers[seat].text(message.as_bytes())
    }

    /// A command id that no other pair uses.
    fn command(&self) -> String {
        self.commands.set(self.commands.get() + 1);
        format!(
            "{:08x}-0000-4000-8000-{:012x}",
            self.number,
            self.commands.get()
        )
    }
}
