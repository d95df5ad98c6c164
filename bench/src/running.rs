//! Very many running games in a record, as a server leaves them that was killed.

use anyhow::{Context, Result, ensure};
use qiguan_environment::Clock as Time;
use qiguan_game::{
    event::{Body, Event},
    record::Entry,
    state::State,
    testing::Table,
};
use qiguan_protocol::{
    ids::{CommandId, Epoch, GameId, Millis, PlayerId},
    time_control::Clock,
};
use qiguan_store::store::Append;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{load, stopwatch::Stopwatch};

/// So many games are written at once.
const TOGETHER: u32 = 500;
/// So many moves each has.
const PLIES: usize = 40;
/// What is played, and with which clocks: half of the games can be over within minutes, the others within days.
const KINDS: [(&str, Clock); 4] = [
    ("xiangqi/standard", QUICK),
    ("xiangqi/standard", SLOW),
    ("doushouqi/booklet", QUICK),
    ("doushouqi/booklet", SLOW),
];
const QUICK: Clock = Clock::Fischer {
    initial_ms: Millis(600_000),
    increment_ms: Millis(5_000),
};
const SLOW: Clock = Clock::PerMove {
    move_ms: Millis(3 * 86_400_000),
};

/// What is written.
#[derive(clap::Args)]
pub(crate) struct RunningArgs {
    /// The database, in which nothing is yet: `sqlite:` and a path, or `postgres://`.
    #[arg(long)]
    database: String,
    /// How many games it gets.
    #[arg(long)]
    games: u32,
}

/// What came of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Running {
    /// Games that were written in a second.
    pub(crate) filled: f64,
}

/// Writes the games, and prints what came of it as one line of JSON.
///
/// # Errors
/// When the database refuses anything.
pub(crate) fn run(args: &RunningArgs) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    load::print(&runtime.block_on(async {
        let store = qiguan_store::open(&args.database, None, Epoch(1)).await?;
        let (watch, now) = (Stopwatch::start(), Time::system().now());
        let played: Vec<Vec<Event>> = (0..)
            .zip(KINDS)
            .map(|(number, (ruleset, clock))| {
                let mut table = Table::open(game(number), ruleset, clock, u64::from(number) + 1);
                table.plays(PLIES);
                table.events()
            })
            .collect();
        let mut next = 0;
        while next < args.games {
            let until = args.games.min(next + TOGETHER);
            let games = (next..until).zip(played.iter().cycle());
            let batches: Result<Vec<Append>> = games
                .map(|(number, events)| append(number, events, now))
                .collect();
            let stored = store.append(&batches?).await;
            ensure!(stored.iter().all(Result::is_ok), "{:?}", stored.first());
            next = until;
        }
        store.heartbeat(now).await?;
        store.close().await;
        let filled = f64::from(args.games) / watch.elapsed().as_secs_f64();
        anyhow::Ok(Running { filled })
    })?)
}

fn game(number: u32) -> GameId {
    GameId(Uuid::from_u128(u128::from(number) + (1 << 100)))
}

/// The same game between other people, in which the last move has just been played.
fn append(number: u32, events: &[Event], now: Millis) -> Result<Append> {
    let last = events.last().context("no events")?.at;
    let named = |name: &mut qiguan_game::event::Player, seat| {
        let id = u128::from(number) * 2 + seat;
        name.id = PlayerId(Uuid::from_u128((1 << 90) + id));
        name.name = format!("Player {id}");
    };
    let events: Vec<Event> = events
        .iter()
        .map(|event| {
            let mut event = event.clone();
            event.at = event.at + (now - last);
            let command = (u128::from(number) << 32) + u128::from(event.seq.0);
            event.command = Some(CommandId(Uuid::from_u128(command)));
            if let Body::Created(created) = &mut event.body {
                named(&mut created.player, 0);
            }
            if let Body::Joined { player, .. } = &mut event.body {
                named(player, 1);
            }
            event
        })
        .collect();
    let state = State::fold(game(number), events.clone())
        .map_err(|damaged| anyhow::anyhow!("game {number} does not fold: {damaged}"))?;
    ensure!(
        state.clock.is_running(),
        "the clock of game {number} stands"
    );
    Ok(Append::new(
        "bench",
        vec![Entry {
            game: game(number),
            events,
            summary: Some(state.summary()),
        }],
    ))
}
