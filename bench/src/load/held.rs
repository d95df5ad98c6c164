//! Waits until a server has held the clocks of all games that were running when it started.

use std::time::Duration;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use crate::{
    load::{on_one_thread, scrape::Metrics},
    machine,
    stopwatch::Stopwatch,
};

/// How long that may take.
const WITHIN: Duration = Duration::from_mins(30);

/// Which server.
#[derive(clap::Args)]
pub(crate) struct HeldArgs {
    /// Host and port.
    #[arg(long)]
    address: String,
    /// The process id of the server.
    #[arg(long)]
    pid: u32,
}

/// What came of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Held {
    /// How long it took, in seconds.
    pub(crate) seconds: f64,
    /// The most rooms that were open at the same time, as far as was seen.
    pub(crate) most_rooms: f64,
    /// The server's memory, in KiB: when this began, at most, and in the end, when the clocks of all games run again.
    pub(crate) before: u64,
    pub(crate) most: u64,
    pub(crate) after: u64,
}

/// Waits, and prints what came of it as one line of JSON.
///
/// # Errors
/// When it takes too long.
pub(crate) fn run(args: &HeldArgs) -> Result<()> {
    on_one_thread(measure(args))
}

async fn measure(args: &HeldArgs) -> Result<Held> {
    let watch = Stopwatch::start();
    let before = machine::resident_kib(args.pid)?;
    let mut held = Held {
        seconds: 0.0,
        most_rooms: 0.0,
        before,
        most: before,
        after: before,
    };
    let mut quiet = 0;
    // The rooms are opened once more when the time to come back is over.
    while quiet < 60 {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let metrics = Metrics::read(&args.address).await?;
        let left = metrics.value("qiguan_games_unheld")?;
        let rooms = metrics.value("qiguan_rooms_open")?;
        held.after = machine::resident_kib(args.pid)?;
        held.most = held.most.max(held.after);
        held.most_rooms = held.most_rooms.max(rooms);
        if left > 0.0 {
            held.seconds = watch.elapsed().as_secs_f64();
        }
        quiet = if left > 0.0 || rooms > 0.0 {
            0
        } else {
            quiet + 1
        };
        if watch.elapsed() > WITHIN {
            bail!("{left} games have not been held");
        }
    }
    Ok(held)
}
