//! The journal alone: what a move costs the processor and the disk when it is appended among so many running games, without rooms, rules or sockets.

use std::time::Duration;

use anyhow::{Result, bail};
use qiguan_environment::{Clock, Random};
use qiguan_game::{
    event::{Body, Event},
    record::Entry,
    testing::{Table, fischer},
};
use qiguan_protocol::ids::{Epoch, GameId, Millis, Ply, Seq};
use qiguan_rules::{Move, Seat};
use qiguan_store::store::{Append, Store};
use serde::{Deserialize, Serialize};

use crate::{load, machine, stopwatch::Stopwatch};

/// When every move is said to have been made.
const AT: i64 = 1_700_000_000_000;
/// So many games are opened in one transaction.
const OPENED: usize = 500;

/// What is measured.
#[derive(clap::Args)]
pub(crate) struct JournalArgs {
    /// The database: `sqlite:` and a path, or `postgres://`. A new one.
    #[arg(long)]
    database: String,
    /// Running games, which take turns.
    #[arg(long, default_value_t = 20_000)]
    games: usize,
    /// Moves in each transaction.
    #[arg(long, default_value_t = 64)]
    moves: usize,
    /// How long, in seconds.
    #[arg(long, default_value_t = 6.0)]
    seconds: f64,
}

/// What came of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Journaled {
    /// Moves that were appended.
    pub(crate) moves: u64,
    /// Processor time of this process for each of them, user and system, in microseconds.
    pub(crate) cpu_micros: f64,
    /// Bytes written for each of them: the write-ahead log, and what is moved from it into the file.
    pub(crate) bytes: f64,
}

/// Appends, and prints what came of it as one line of JSON.
///
/// # Errors
/// When the database refuses anything.
pub(crate) fn run(args: &JournalArgs) -> Result<()> {
    if args.games == 0 || args.moves == 0 {
        bail!("--games and --moves are 1 or more");
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    load::print(&runtime.block_on(measure(args))?)
}

async fn measure(args: &JournalArgs) -> Result<Journaled> {
    let store = qiguan_store::open(&args.database, None, Epoch(1)).await?;
    let games = open(&store, args.games).await?;
    let mv: Move = "a3a4".parse()?;
    let (mut next, window) = (0, Duration::from_secs_f64(args.seconds));
    let mut append = async || {
        let batches = (next..next + args.moves as u64).map(|number| {
            let place = (number % games.len() as u64) as usize;
            moved(games[place], number / games.len() as u64, mv)
        });
        next += args.moves as u64;
        appended(&store, &batches.collect::<Vec<_>>()).await?;
        anyhow::Ok(next)
    };
    // What is prepared once is not counted.
    let first = append().await?;
    let mut last = first;
    let process = std::process::id();
    let (cpu, bytes) = (machine::cpu_seconds(process)?, machine::written(process)?);
    let clock = Stopwatch::start();
    while clock.elapsed() < window {
        last = append().await?;
    }
    let moves = last - first;
    let (cpu, bytes) = (
        machine::cpu_seconds(process)? - cpu,
        machine::written(process)? - bytes,
    );
    store.close().await;
    Ok(Journaled {
        moves,
        cpu_micros: cpu * 1e6 / moves as f64,
        bytes: bytes as f64 / moves as f64,
    })
}

/// Opens games with ids as the server draws them, and each with its number of events.
async fn open(store: &Store, games: usize) -> Result<Vec<(GameId, u32)>> {
    let (random, clock) = (Random::system(), Clock::system());
    let mut opened = Vec::with_capacity(games);
    while opened.len() < games {
        let mut batches = Vec::new();
        for _ in 0..OPENED.min(games - opened.len()) {
            let game = random.game_id(clock.now());
            let table = Table::open(game, "doushouqi/booklet", fischer(), 1);
            let events = table.events();
            opened.push((game, events.len() as u32));
            let entry = Entry {
                game,
                events,
                summary: Some(table.state.summary()),
            };
            batches.push(Append::new("create_game", vec![entry]));
        }
        appended(store, &batches).await?;
    }
    Ok(opened)
}

async fn appended(store: &Store, batches: &[Append]) -> Result<()> {
    for result in store.append(batches).await {
        result?;
    }
    Ok(())
}

/// The next move of a game, as long as most are.
fn moved((game, events): (GameId, u32), before: u64, mv: Move) -> Append {
    let ply = before as u32 + 1;
    let body = Body::Moved {
        seat: if ply % 2 == 1 {
            Seat::First
        } else {
            Seat::Second
        },
        ply: Ply(ply),
        mv,
        spent: Millis(1_234),
        lag: Millis(12),
    };
    let event = Event {
        seq: Seq(events + ply),
        at: Millis(AT + i64::from(ply) * 1_246),
        command: Some(Random::system().command_id()),
        body,
    };
    let entry = Entry {
        game,
        events: vec![event],
        summary: None,
    };
    Append::new("move", vec![entry])
}
