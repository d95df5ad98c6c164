//! Everything in one run: contestants in turn, the server on one core, the load on another.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::Context;
use qiguan_rules::{Game, RuleSet, perft};
use serde_json::Value;

use crate::{
    process::{Process, sibling},
    report::{Round, median, spread},
    stopwatch::Stopwatch,
};

/// Measures everything.
#[derive(clap::Args)]
pub(crate) struct RunArgs {
    /// One short round of each, to see that it works.
    #[arg(long)]
    quick: bool,
    /// How many games at once.
    #[arg(long, default_value_t = 200)]
    games: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Contestant {
    Relay,
    DurableRelay,
    Server,
}

impl Contestant {
    const ALL: [Self; 3] = [Self::Relay, Self::DurableRelay, Self::Server];

    const fn name(self) -> &'static str {
        match self {
            Self::Relay => "(a) relay",
            Self::DurableRelay => "(b) relay + journal",
            Self::Server => "qiguan",
        }
    }

    fn start(self, folder: &Path) -> anyhow::Result<(Process, String)> {
        let words = |words: &[&str]| {
            words
                .iter()
                .map(|word| (*word).to_owned())
                .collect::<Vec<_>>()
        };
        let database = format!("sqlite:{}", folder.join("bench.db").display());
        let mut process = match self {
            Self::Relay => Process::on_core(0, &sibling("qiguan-bench")?, &words(&["relay"]))?,
            Self::DurableRelay => Process::on_core(
                0,
                &sibling("qiguan-bench")?,
                &words(&["relay", "--journal", &database]),
            )?,
            Self::Server => {
                let limits = [
                    "--messages-per-second",
                    "1000000",
                    "--message-burst",
                    "1000000",
                ];
                let more = [
                    "--games-per-player",
                    "100000",
                    "--max-connections",
                    "20000",
                    "--log",
                    "warn",
                ];
                let place = ["serve", "--listen", "127.0.0.1:0", "--database", &database];
                Process::on_core(
                    0,
                    &sibling("qiguan")?,
                    &words(&[&place[..], &limits, &more].concat()),
                )?
            }
        };
        let line = process.line()?;
        let address = line
            .strip_prefix("listening on http://")
            .context("the ready line")?
            .to_owned();
        Ok((process, address))
    }
}

/// A folder for one database, removed afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(number: usize) -> anyhow::Result<Self> {
        let path =
            std::env::temp_dir().join(format!("qiguan-bench-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What can't be removed is left to the system's own tidying.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs and prints.
pub(crate) fn run(args: &RunArgs) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let (rounds, seconds) = if args.quick { (1, 1.5) } else { (3, 4.0) };
    writeln!(
        out,
        "Medians [least-most] of {rounds} rounds of {seconds} s; server on one core, load on another.\n"
    )?;
    for (title, rate) in [
        ("as fast as it goes", 0.0),
        ("1,000 moves/s in all", 1_000.0),
    ] {
        let mut results = Contestant::ALL.map(|contestant| (contestant, Vec::new()));
        for round in 0..rounds {
            for (contestant, results) in &mut results {
                results.push(measure(*contestant, args.games, seconds, rate, round)?);
            }
        }
        writeln!(out, "{} games, {title}", args.games)?;
        writeln!(
            out,
            "{:<22}{:>30}{:>26}{:>26}{:>26}",
            "", "moves/s", "CPU ms / 1,000 moves", "p50 ms", "p99 ms"
        )?;
        for (contestant, rounds) in &results {
            writeln!(
                out,
                "{:<22}{:>30}{:>26}{:>26}{:>26}",
                contestant.name(),
                spread(rounds, |round| round.rate),
                spread(rounds, |round| round.cpu),
                spread(rounds, |round| round.p50),
                spread(rounds, |round| round.p99),
            )?;
        }
        let [relay, durable, server] = results.map(|(_, rounds)| rounds);
        for (name, other) in [("(a)", &relay), ("(b)", &durable)] {
            let ratio = |of: fn(&Round) -> f64| median(&server, of) / median(other, of);
            writeln!(
                out,
                "qiguan / {name}: moves/s {:.2}, CPU {:.2}, p50 {:.2}, p99 {:.2}",
                ratio(|round| round.rate),
                ratio(|round| round.cpu),
                ratio(|round| round.p50),
                ratio(|round| round.p99),
            )?;
        }
        writeln!(out)?;
    }
    let idle = if args.quick { 500 } else { 4_000 };
    writeln!(
        out,
        "memory per idle connection ({idle}, each a guest who watches): {:.1} KiB",
        memory(idle)?
    )?;
    rules(&mut out, if args.quick { 5 } else { 6 })
}

fn measure(
    contestant: Contestant,
    games: u32,
    seconds: f64,
    rate: f64,
    round: usize,
) -> anyhow::Result<Round> {
    let folder = Folder::new(round)?;
    let (server, address) = contestant.start(&folder.0)?;
    let mut words = vec![
        "load".to_owned(),
        "--address".to_owned(),
        address,
        "--games".to_owned(),
        games.to_string(),
    ];
    words.extend([
        "--seconds".to_owned(),
        seconds.to_string(),
        "--rate".to_owned(),
        rate.to_string(),
    ]);
    if contestant != Contestant::Server {
        words.push("--relay".to_owned());
    }
    let mut load = Process::on_core(1, &sibling("qiguan-bench")?, &words)?;
    anyhow::ensure!(load.line()? == "begin", "the load begins");
    let before = server.cpu_ms()?;
    let measured: Value = serde_json::from_str(&load.line()?)?;
    let cpu = server.cpu_ms()? - before;
    let number = |name: &str| {
        measured[name]
            .as_f64()
            .with_context(|| format!("no {name}"))
    };
    let moves = number("moves")?;
    Ok(Round {
        rate: moves / number("seconds")?,
        cpu: cpu / moves * 1_000.0,
        p50: number("p50")?,
        p99: number("p99")?,
    })
}

fn memory(connections: u32) -> anyhow::Result<f64> {
    let folder = Folder::new(99)?;
    let (server, address) = Contestant::Server.start(&folder.0)?;
    let idle = |count: u32| {
        let words =
            ["load", "--address", &address, "--idle", &count.to_string()].map(ToOwned::to_owned);
        let mut load = Process::on_core(1, &sibling("qiguan-bench")?, &words)?;
        anyhow::ensure!(load.line()? == "begin", "the load begins");
        anyhow::Ok(load)
    };
    // A few first, so that what the server needs once does not count.
    let few = idle(50)?;
    let before = server.resident_kib()?;
    let many = idle(connections)?;
    let after = server.resident_kib()?;
    many.finish()?;
    few.finish()?;
    Ok((after - before) / f64::from(connections))
}

fn rules(out: &mut impl Write, depth: u32) -> anyhow::Result<()> {
    let game = Game::start(&RuleSet::named("doushouqi/ancientchess")?);
    for (name, count) in [
        ("bulk", perft::perft as fn(&Game, u32) -> u64),
        ("every leaf made", perft::perft_made),
    ] {
        let watch = Stopwatch::start();
        let nodes = count(&game, depth);
        let rate = nodes as f64 / watch.elapsed().as_secs_f64() / 1e6;
        writeln!(
            out,
            "Dou Shou Qi perft {depth}, {name}: {nodes} leaves, {rate:.0} million/s"
        )?;
    }
    Ok(())
}
