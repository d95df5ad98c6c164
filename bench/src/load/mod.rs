//! The load generator: one thread, one connection a player, every move measured from sending to the opponent's receipt.

pub(crate) mod attacks;
pub(crate) mod computers;
mod dialect;
pub(crate) mod held;
pub(crate) mod many;
mod neighbours;
pub(crate) mod pairs;
mod people;
pub(crate) mod posts;
mod programs;
mod relay_game;
pub(crate) mod scan;
mod scrape;
mod server_game;
mod socket;
mod table;
mod tally;
mod turns;

use std::{
    io::Write,
    path::{Path, PathBuf},
    rc::Rc,
    time::Duration,
};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use tokio::task::LocalSet;

use self::{people::People, programs::Programs, scrape::Metrics, table::Pace, tally::Tally};
pub(crate) use self::{
    programs::Sent,
    turns::{Times, Turns},
};
use crate::{machine, numbers, stopwatch::Stopwatch};

/// How long it may take until everybody sits and games can begin.
const SEATED_WITHIN: Duration = Duration::from_mins(1);

/// Whom the games are played with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Partner {
    /// `qiguan serve`.
    Server,
    /// `qiguan-bench relay`.
    Relay,
}

impl Partner {
    /// As it is typed.
    const fn name(self) -> &'static &'static str {
        match self {
            Self::Server => &"server",
            Self::Relay => &"relay",
        }
    }
}

/// What is played.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct LoadArgs {
    /// Whom the games are played with.
    #[arg(long)]
    pub(crate) partner: Partner,
    /// Host and port.
    #[arg(long)]
    pub(crate) address: String,
    /// The process id of the server or relay, for its processor time and memory.
    #[arg(long)]
    pub(crate) pid: u32,
    /// Host and port of another program on the same record, as often as there are others. Then the second player of each game comes to another
    /// program than the first, but in one with spectators, who come to all in turn.
    #[arg(long = "other")]
    pub(crate) others: Vec<String>,
    /// The process ids of the others.
    #[arg(long = "other-pid")]
    pub(crate) other_pids: Vec<u32>,
    /// How many games at once.
    #[arg(long, default_value_t = 200)]
    pub(crate) games: usize,
    /// How many spectators the first game has; then it is the only one, and each move waits until all have the last.
    #[arg(long, default_value_t = 0)]
    pub(crate) spectators: usize,
    /// Measure by turns: so many with one spectator more who reads nothing, and twice as many without; 0 for none.
    #[arg(long, default_value_t = 0)]
    pub(crate) stalled_turns: usize,
    /// Moves a second of all games together; 0 for as fast as they go.
    #[arg(long, default_value_t = 0.0)]
    pub(crate) rate: f64,
    /// Sit and watch, but do not play.
    #[arg(long)]
    pub(crate) idle: bool,
    /// How long to play before anything is counted, in seconds.
    #[arg(long, default_value_t = 1.0)]
    pub(crate) warm_up: f64,
    /// How long to count, or how long each turn is counted, in seconds.
    #[arg(long, default_value_t = 4.0)]
    pub(crate) seconds: f64,
}

impl LoadArgs {
    /// The words with which this program does this.
    pub(crate) fn words(&self) -> Vec<&dyn ToString> {
        let mut words: Vec<&dyn ToString> = vec![
            &"load",
            &"--partner",
            self.partner.name(),
            &"--address",
            &self.address,
            &"--pid",
            &self.pid,
            &"--games",
            &self.games,
            &"--spectators",
            &self.spectators,
            &"--stalled-turns",
            &self.stalled_turns,
            &"--rate",
            &self.rate,
            &"--warm-up",
            &self.warm_up,
            &"--seconds",
            &self.seconds,
        ];
        for other in &self.others {
            words.extend([&"--other" as &dyn ToString, other]);
        }
        for pid in &self.other_pids {
            words.extend([&"--other-pid" as &dyn ToString, pid]);
        }
        if self.idle {
            words.push(&"--idle");
        }
        words
    }

    /// Host and port of every program.
    fn addresses(&self) -> Vec<String> {
        let first = std::iter::once(&self.address);
        first.chain(&self.others).cloned().collect()
    }

    /// The processor time that all programs have used, in seconds.
    fn cpu_seconds(&self) -> Result<f64> {
        let pids = std::iter::once(&self.pid).chain(&self.other_pids);
        pids.map(|pid| machine::cpu_seconds(*pid)).sum()
    }
}

/// What came of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Sample {
    /// Moves that reached the opponent.
    pub(crate) moves: u64,
    /// How long was counted, in seconds.
    pub(crate) seconds: f64,
    /// Processor time of the server, of all programs together, user and system, in seconds.
    pub(crate) server_cpu: f64,
    /// Processor time of the load generator, in seconds.
    pub(crate) load_cpu: f64,
    /// From sending to the opponent's receipt: the median, in milliseconds.
    pub(crate) p50: f64,
    /// The same that 99 of 100 moves keep.
    pub(crate) p99: f64,
    /// From sending until the last of all who watch has it: the median, in milliseconds.
    pub(crate) last_p50: f64,
    /// The same that 99 of 100 moves keep.
    pub(crate) last_p99: f64,
    /// Bytes of messages sent for a move.
    pub(crate) bytes_sent: f64,
    /// Bytes of messages that both players got for a move, the answer included.
    pub(crate) bytes_received: f64,
    /// Bytes of the message that brought the move to the opponent.
    pub(crate) bytes_to_opponent: f64,
    /// Games that ended and were replaced.
    pub(crate) games_ended: u64,
    /// What rooms appended, for each transaction of the journal; zero of a relay.
    pub(crate) appends_per_commit: f64,
    /// What programs have sent to each other; nothing of one that is alone.
    pub(crate) sent: Sent,
    /// Where it was measured by turns, what each kind of turn has shown.
    pub(crate) turns: Option<Turns>,
    /// Connections that read, spectators included.
    pub(crate) connections: usize,
    /// The server's memory before the first connection, in KiB.
    pub(crate) resident_before: u64,
    /// The server's memory once everybody was there; of idle connections, at the end. In KiB.
    pub(crate) resident: u64,
}

/// Plays, and prints the sample as one line of JSON.
///
/// # Errors
/// When anything at all goes wrong: a refusal, a lost or doubled move, a closed connection.
pub(crate) fn run(args: LoadArgs) -> Result<()> {
    on_one_thread(measure(args))
}

/// The folder of the programs, and a new one for the records of a measurement: in `data`, or beside the programs.
fn folders(data: Option<&Path>, name: &str) -> Result<[PathBuf; 2]> {
    let bench = std::env::current_exe()?;
    let beside = bench.parent().context("a program lies in a folder")?;
    let own = format!("{name}-{}", std::process::id());
    let data = data.unwrap_or(beside).join(own);
    std::fs::create_dir_all(&data)?;
    Ok([beside.to_owned(), data])
}

/// Runs a measurement on this thread, and prints what came of it as one line of JSON.
fn on_one_thread<T: Serialize>(measuring: impl Future<Output = Result<T>>) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    print(&LocalSet::new().block_on(&runtime, measuring)?)
}

/// Prints what came of a measurement as one line of JSON.
pub(crate) fn print(measured: &impl Serialize) -> Result<()> {
    writeln!(std::io::stdout(), "{}", serde_json::to_string(measured)?)?;
    Ok(())
}

async fn measure(args: LoadArgs) -> Result<Sample> {
    let resident_before = machine::resident_kib(args.pid)?;
    let programs = Programs::new(args.addresses());
    programs.have_their_shares().await?;
    let tally = Rc::new(Tally::new());
    let pace = match args.spectators {
        0 if args.rate > 0.0 => Pace::Every((args.games as f64 / args.rate * 1e9) as u64),
        0 => Pace::AtOnce,
        spectators => Pace::Together(spectators + 2),
    };
    let mut people = People::new(&args, Rc::clone(&tally), pace);
    for game in 0..args.games {
        people.seat(game).await?;
    }
    seated(&tally, args.games).await?;
    for _ in 0..args.spectators {
        people.spectate().await?;
    }
    seated(&tally, args.games + args.spectators).await?;
    let mut resident = machine::resident_kib(args.pid)?;

    if !args.idle {
        tally.started.set(true);
        people.begin(pace);
    }
    tokio::time::sleep(Duration::from_secs_f64(args.warm_up)).await;
    let own = std::process::id();
    let sent_before = programs.sent().await?;
    let before = (args.cpu_seconds()?, machine::cpu_seconds(own)?);
    let window = Stopwatch::start();
    let turns = if args.stalled_turns > 0 {
        Some(turns::take(&people, &tally, args.stalled_turns, args.seconds).await?)
    } else {
        tally.counting.set(true);
        tokio::time::sleep(Duration::from_secs_f64(args.seconds)).await;
        tally.counting.set(false);
        None
    };
    let seconds = window.elapsed().as_secs_f64();
    let after = (args.cpu_seconds()?, machine::cpu_seconds(own)?);
    let sent = programs.sent().await?.since(&sent_before);
    if args.idle {
        resident = machine::resident_kib(args.pid)?;
    }
    failed(&tally)?;
    let appends_per_commit = match args.partner {
        Partner::Server => appends_per_commit(&args.address).await?,
        Partner::Relay => 0.0,
    };

    let moves = tally.moves.get();
    let per_move = |bytes: u64| bytes as f64 / (moves.max(1)) as f64;
    tally.to_opponent.borrow_mut().sort_unstable();
    tally.to_last.borrow_mut().sort_unstable();
    let times = tally.to_opponent.borrow();
    Ok(Sample {
        moves,
        seconds,
        server_cpu: after.0 - before.0,
        load_cpu: after.1 - before.1,
        p50: millis(&times, 50),
        p99: millis(&times, 99),
        last_p50: millis(&tally.to_last.borrow(), 50),
        last_p99: millis(&tally.to_last.borrow(), 99),
        bytes_sent: per_move(tally.bytes_sent.get()),
        bytes_received: per_move(tally.bytes_received.get()),
        bytes_to_opponent: per_move(tally.bytes_to_opponent.get()),
        games_ended: tally.games_ended.get(),
        appends_per_commit,
        sent,
        turns,
        connections: args.games * 2 + args.spectators,
        resident_before,
        resident,
    })
}

/// How well the journal shares its transactions, over the server's whole life.
async fn appends_per_commit(address: &str) -> Result<f64> {
    let metrics = Metrics::read(address).await?;
    let appends = metrics.value("qiguan_journal_batches_total")?;
    Ok(appends / metrics.value("qiguan_journal_commit_seconds_count")?)
}

fn millis(sorted: &[u32], percent: usize) -> f64 {
    f64::from(numbers::percentile(sorted, percent)) / 1e6
}

/// Waits until so many are ready.
async fn seated(tally: &Tally, expected: usize) -> Result<()> {
    let waiting = Stopwatch::start();
    while tally.ready.get() < expected {
        failed(tally)?;
        if waiting.elapsed() > SEATED_WITHIN {
            bail!(
                "only {} of {expected} games and spectators are ready",
                tally.ready.get()
            );
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    Ok(())
}

fn failed(tally: &Tally) -> Result<()> {
    tally.failure.borrow_mut().take().map_or(Ok(()), Err)
}
