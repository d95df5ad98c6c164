//! People who play at a fixed rate, beside whatever else goes on: how long their moves take.

use std::{rc::Rc, time::Duration};

use anyhow::Result;

use crate::load::{LoadArgs, Partner, failed, people::People, seated, table::Pace, tally::Tally};

/// From how many addresses they come.
const HOMES: u8 = 4;

/// How many play, and how fast.
#[derive(clap::Args)]
pub(crate) struct NeighbourArgs {
    /// How many pairs play.
    #[arg(long = "games", value_name = "GAMES", default_value_t = 8)]
    games: usize,
    /// Moves a second of all pairs together.
    #[arg(long, default_value_t = 240.0)]
    rate: f64,
}

/// Pairs of people at their games.
pub(super) struct Neighbours {
    tally: Rc<Tally>,
    /// They go when this does.
    _people: People,
}

impl Neighbours {
    /// They sit down and begin.
    pub(super) async fn begin(args: &NeighbourArgs, address: &str, pid: u32) -> Result<Self> {
        let load = LoadArgs {
            partner: Partner::Server,
            address: address.to_owned(),
            pid,
            others: Vec::new(),
            other_pids: Vec::new(),
            games: args.games,
            spectators: 0,
            stalled_turns: 0,
            rate: args.rate,
            idle: false,
            warm_up: 0.0,
            seconds: 0.0,
        };
        let tally = Rc::new(Tally::new());
        let pace = Pace::Every((args.games as f64 / args.rate * 1e9) as u64);
        let mut people = People::new(&load, Rc::clone(&tally), pace);
        people.homes = HOMES;
        for game in 0..args.games {
            people.seat(game).await?;
        }
        seated(&tally, args.games).await?;
        tally.started.set(true);
        people.begin(pace);
        Ok(Self {
            tally,
            _people: people,
        })
    }

    /// Counts for so many seconds: how long moves took until the opponent had them, sorted, in nanoseconds.
    pub(super) async fn moves(&self, seconds: f64) -> Result<Vec<u32>> {
        self.tally.counting.set(true);
        tokio::time::sleep(Duration::from_secs_f64(seconds)).await;
        self.tally.counting.set(false);
        failed(&self.tally)?;
        let mut took = self.tally.to_opponent.take();
        took.sort_unstable();
        Ok(took)
    }
}
