//! Players who look for each other in a pool at a fixed rate: how long it takes until each is notified of the started game.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    time::Duration,
};

use anyhow::{Context, Result, bail};
use memchr::memmem;
use qiguan_protocol::SUBPROTOCOL;
use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;

use crate::{
    load::{
        on_one_thread,
        server_game::answered,
        socket::{self, Reader, Width, Writer},
    },
    machine, numbers,
    stopwatch::Stopwatch,
};

/// A player looks for the next game only so many turns later, so that nobody does while being paired.
const TURNS: usize = 4;
/// How long those who were last may take.
const LAST_WITHIN: Duration = Duration::from_secs(10);

/// How many look, and how often.
#[derive(clap::Args)]
pub(crate) struct PairsArgs {
    /// Host and port.
    #[arg(long)]
    address: String,
    /// The process id of the server.
    #[arg(long)]
    pid: u32,
    /// Seeks a second of all players together.
    #[arg(long, default_value_t = 500.0)]
    rate: f64,
    /// How long to go on before anything is counted, in seconds.
    #[arg(long, default_value_t = 1.0)]
    warm_up: f64,
    /// How long to count, in seconds.
    #[arg(long, default_value_t = 4.0)]
    seconds: f64,
}

/// What came of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Pairs {
    /// Seeks that were counted; every one became a game.
    pub(crate) seeks: usize,
    /// For how long, in seconds.
    pub(crate) seconds: f64,
    /// From sending a seek to the notice of the started game: the median, in milliseconds.
    pub(crate) p50: f64,
    /// One in a hundred takes longer, in milliseconds.
    pub(crate) p99: f64,
    /// What the server needed of a core, in seconds.
    pub(crate) server_cpu: f64,
}

/// Seeks, and prints what came of it as one line of JSON.
///
/// # Errors
/// When anything is refused, or somebody is not paired.
pub(crate) fn run(args: &PairsArgs) -> Result<()> {
    on_one_thread(measure(args))
}

/// One player.
struct Player {
    number: usize,
    writer: Writer,
    greeted: Cell<bool>,
    seeks: Cell<u32>,
    /// When the open seek was sent, in nanoseconds; none before that.
    sent: Cell<Option<u64>>,
    all: Rc<All>,
}

/// What all players share.
struct All {
    clock: Stopwatch,
    /// Microseconds from seeking to the game, of seeks sent while it counts.
    taken: RefCell<Vec<u32>>,
    counts_from: Cell<u64>,
    open: Cell<usize>,
}

async fn measure(args: &PairsArgs) -> Result<Pairs> {
    let all = Rc::new(All {
        clock: Stopwatch::start(),
        taken: RefCell::default(),
        counts_from: Cell::new(u64::MAX),
        open: Cell::new(0),
    });
    let crowd = (args.rate.ceil() as usize * TURNS / 2).max(4);
    let mut players = Vec::with_capacity(crowd);
    let mut reading = JoinSet::new();
    for number in 0..crowd {
        let (reader, writer) =
            socket::open(&args.address, "/api/ws", SUBPROTOCOL, Width::Usual).await?;
        let player = Rc::new(Player {
            number,
            writer,
            greeted: Cell::new(false),
            seeks: Cell::new(0),
            sent: Cell::new(None),
            all: Rc::clone(&all),
        });
        player.writer.text(br#"{"id":1,"type":"guest"}"#)?;
        reading.spawn_local(Rc::clone(&player).read(reader));
        players.push(player);
    }
    while !players.iter().all(|player| player.greeted.get()) {
        check(&mut reading)?;
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let began = all.clock.nanos();
    let warm = (args.warm_up * 1e9) as u64;
    let end = warm + (args.seconds * 1e9) as u64;
    let mut sent = 0;
    let mut cpu_before = 0.0;
    loop {
        let now = all.clock.nanos() - began;
        if now >= end {
            break;
        }
        if now >= warm && all.counts_from.get() == u64::MAX {
            all.counts_from.set(all.clock.nanos());
            cpu_before = machine::cpu_seconds(args.pid)?;
        }
        let due = (now as f64 / 1e9 * args.rate) as usize;
        while sent < due {
            players[sent % crowd].seek()?;
            sent += 1;
        }
        check(&mut reading)?;
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let seconds = (all.clock.nanos() - all.counts_from.get()) as f64 / 1e9;
    let server_cpu = machine::cpu_seconds(args.pid)? - cpu_before;
    let waiting = Stopwatch::start();
    // Of an odd number one is left over.
    while all.open.get() > 1 {
        check(&mut reading)?;
        if waiting.elapsed() > LAST_WITHIN {
            bail!("{} players were not paired", all.open.get());
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let mut taken = all.taken.take();
    taken.sort_unstable();
    let millis = |percent| f64::from(numbers::percentile(&taken, percent)) / 1e3;
    Ok(Pairs {
        seeks: taken.len(),
        seconds,
        p50: millis(50),
        p99: millis(99),
        server_cpu,
    })
}

/// Fails if a connection has.
fn check(reading: &mut JoinSet<Result<()>>) -> Result<()> {
    reading.try_join_next().map_or(Ok(()), |ended| ended?)
}

impl Player {
    fn seek(&self) -> Result<()> {
        if self.sent.get().is_some() {
            bail!("a player was not paired within {TURNS} turns");
        }
        self.seeks.set(self.seeks.get() + 1);
        let (number, seek) = (self.number, self.seeks.get());
        let message = format!(
            r#"{{"id":{id},"type":"quick_pair","data":{{"command":"{number:08x}-0000-4000-8000-{seek:012x}","ruleset":"doushouqi/ancientchess","time":"10+5"}}}}"#,
            id = seek + 1
        );
        self.sent.set(Some(self.all.clock.nanos()));
        self.all.open.set(self.all.open.get() + 1);
        self.writer.text(message.as_bytes())
    }

    async fn read(self: Rc<Self>, mut reader: Reader) -> Result<()> {
        loop {
            let hear = |text: &[u8]| self.hear(text);
            reader.listen(&self.writer, hear).await?;
        }
    }

    fn hear(&self, text: &[u8]) -> Result<()> {
        if answered(text)?.is_some() {
            self.greeted.set(true);
            return Ok(());
        }
        if memmem::find(text, b"{\"lobby\":{\"type\":\"paired\"").is_some() {
            let sent = self.sent.take().context("paired without looking")?;
            self.all.open.set(self.all.open.get() - 1);
            if sent >= self.all.counts_from.get() {
                let taken = (self.all.clock.nanos() - sent) / 1_000;
                let taken = u32::try_from(taken).unwrap_or(u32::MAX);
                self.all.taken.borrow_mut().push(taken);
            }
        }
        Ok(())
    }
}
