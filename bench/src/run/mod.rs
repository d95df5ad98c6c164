//! The whole measurement: each subject in turn, several rounds, and a table of what came of it.

mod before;
mod cluster;
mod crowd;
mod memory;
mod pairs;
mod perft;
mod plan;
mod records;
mod report;
mod requests;
mod searches;
mod start;
mod subject;
mod verify;

use std::path::PathBuf;

use anyhow::Result;

use self::{
    plan::Plan,
    report::{Report, Row},
    subject::Subject,
};
use crate::{
    load::Sample,
    machine,
    numbers::{median, standard_error},
};

/// The server may not be slower than so much of the relay that stores.
const GOAL_OF_DURABLE: f64 = 0.8;
/// The most memory for an idle connection, in KiB.
const GOAL_IDLE_KIB: f64 = 12.0;
/// A saturated core that nobody else uses is busy for more than so many percent of the time; the rest are waits for the disk.
const ALONE: f64 = 80.0;

/// How much is measured. Everything runs on 127.0.0.1, the server on one core and the load generator on another.
#[derive(clap::Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub(crate) struct RunArgs {
    /// A smoke test of a few seconds: the numbers mean little.
    #[arg(long)]
    quick: bool,
    /// How often each subject is measured; the median counts.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// How long each measurement takes, in seconds.
    #[arg(long, default_value_t = 4.0)]
    seconds: f64,
    /// Games at once.
    #[arg(long, default_value_t = 200)]
    games: usize,
    /// Moves a second of all games together, where the rate is fixed.
    #[arg(long, default_value_t = 1_000.0)]
    rate: f64,
    /// Idle connections; fewer if the limit of open files is lower.
    #[arg(long, default_value_t = 5_000)]
    idle: usize,
    /// Spectators of one game.
    #[arg(long, default_value_t = 5_000)]
    spectators: usize,
    /// With and without a spectator who reads nothing, so many turns of sixteen seconds each.
    #[arg(long, default_value_t = 8)]
    turns: usize,
    /// Only how fast moves are generated.
    #[arg(long)]
    only_rules: bool,
    /// Only the databases: moves, the memory of games, and how fast whole records are taken in and checked.
    #[arg(long, conflicts_with = "only_rules")]
    only_records: bool,
    /// Only how opponents are found.
    #[arg(long, conflicts_with_all = ["only_rules", "only_records"])]
    only_pairs: bool,
    /// Only how stored games are searched.
    #[arg(long, conflicts_with_all = ["only_rules", "only_records", "only_pairs"])]
    only_searches: bool,
    /// Only how a game reaches all who watch it.
    #[arg(long, conflicts_with_all = ["only_rules", "only_records", "only_pairs", "only_searches"])]
    only_crowd: bool,
    /// Only how a server starts with very many running games.
    #[arg(long, conflicts_with_all = ["only_rules", "only_records", "only_pairs", "only_searches", "only_crowd"])]
    only_start: bool,
    /// Only what it costs that programs share a record.
    #[arg(long, conflicts_with_all = ["only_rules", "only_records", "only_pairs", "only_searches", "only_crowd", "only_start"])]
    only_cluster: bool,
    /// Only what the request log costs.
    #[arg(long, conflicts_with_all = ["only_rules", "only_records", "only_pairs", "only_searches", "only_crowd", "only_start", "only_cluster"])]
    only_requests: bool,
    /// Only what a move costs beside this other build of the server.
    #[arg(long, value_name = "PROGRAM", conflicts_with_all = ["only_rules", "only_records", "only_pairs", "only_searches", "only_crowd", "only_start", "only_cluster", "only_requests"])]
    before: Option<PathBuf>,
    /// Running games that a server starts with.
    #[arg(long, default_value_t = 100_000)]
    running: u32,
    /// Stored games that are searched. (A million take some minutes to write, on each database.)
    #[arg(long, default_value_t = 1_000_000)]
    stored: u32,
    /// Where records are kept while it runs; absent: beside the program.
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
}

/// Measures and prints.
///
/// # Errors
/// When a program is missing, or a measurement is void: a move lost, a request refused, a connection closed.
pub(crate) fn run(args: &RunArgs) -> Result<()> {
    let plan = Plan::new(args)?;
    let mut report = Report::new(std::io::stdout());
    report.line(&machine::description())?;
    if args.only_rules {
        return perft::measure(&plan, &mut report);
    }
    if args.only_pairs {
        return pairs::measure(&plan, &mut report);
    }
    if args.only_searches {
        return searches::measure(&plan, &mut report);
    }
    if args.only_crowd {
        return crowd::measure(&plan, &mut report);
    }
    if args.only_start {
        return start::measure(&plan, &mut report);
    }
    if args.only_cluster {
        return cluster::measure(&plan, &mut report);
    }
    if args.only_requests {
        return requests::measure(&plan, &mut report);
    }
    if let Some(before) = &args.before {
        return before::measure(&plan, &mut report, before);
    }
    report.line(&format!(
        "{} games, {} rounds of {} s each unless a table says otherwise; server on core {}, load generator on core {}; records in {}",
        plan.games,
        plan.rounds,
        plan.seconds,
        plan.server.core,
        plan.load.core,
        plan.programs.data().display()
    ))?;
    if plan.server.core == plan.load.core {
        report.line(
            "There is one core only: server and load generator share it, and so the rates.",
        )?;
    }
    if args.only_records {
        records::measure(&plan, &mut report)?;
        memory::measure(&plan, &mut report)?;
        return verify::measure(&plan, &mut report);
    }
    saturated(&plan, &mut report)?;
    at_rate(&plan, &mut report)?;
    crowd::measure(&plan, &mut report)?;
    requests::measure(&plan, &mut report)?;
    cluster::measure(&plan, &mut report)?;
    pairs::measure(&plan, &mut report)?;
    idle(&plan, &mut report)?;
    records::measure(&plan, &mut report)?;
    memory::measure(&plan, &mut report)?;
    verify::measure(&plan, &mut report)?;
    start::measure(&plan, &mut report)?;
    searches::measure(&plan, &mut report)?;
    perft::measure(&plan, &mut report)
}

fn saturated(plan: &Plan, report: &mut Report) -> Result<()> {
    let long = plan.saturated(Subject::Server)?.bytes_to_opponent.round() as usize;
    let subjects = [
        Subject::Server,
        Subject::Relay,
        Subject::Durable,
        Subject::DurableLong(long),
    ];
    let samples = interleaved(plan.saturated_rounds, subjects, |subject| {
        plan.saturated(subject)
    })?;
    report.title(&format!(
        "Saturated: each game sends its next move as soon as the opponent has the last; {} rounds of {:.1} s",
        plan.saturated_rounds, plan.saturated_seconds
    ))?;
    report.table(&[
        Row::name("", &subjects.map(Subject::name)),
        Row::numbers("moves/s", &samples, 0, moves_per_second),
        Row::numbers("CPU ms / 1,000 moves", &samples, 1, cpu_per_thousand),
        Row::numbers("p50 ms", &samples, 2, |sample| sample.p50),
        Row::numbers("p99 ms", &samples, 2, |sample| sample.p99),
        Row::numbers("server busy %", &samples, 0, server_busy),
        Row::numbers("load generator busy %", &samples, 0, load_busy),
        Row::numbers("bytes in per move", &samples, 0, |sample| sample.bytes_sent),
        Row::numbers("bytes out per move", &samples, 0, |sample| {
            sample.bytes_received
        }),
        Row::numbers("of them to the opponent", &samples, 0, |sample| {
            sample.bytes_to_opponent
        }),
        Row::numbers("games ended", &samples, 0, |sample| {
            sample.games_ended as f64
        }),
    ])?;
    let [server, relay, durable, durable_long] = &samples;
    let cpu = |samples: &[Sample]| middle(samples, cpu_per_thousand);
    let what = "moves/s, server / (b)";
    let ratio = rate(server) / rate(durable);
    let each: Vec<f64> = server
        .iter()
        .zip(durable)
        .map(|(server, durable)| moves_per_second(server) / moves_per_second(durable))
        .collect();
    let shared = |samples: &Vec<Sample>| middle(samples, busiest) < ALONE;
    if samples.iter().any(shared) {
        // Waiting for a core that others use is not slowness: such a ratio tends to 1 and says little.
        report.ratio(what, ratio)?;
        let why = "neither core was busy all the time, so other programs ran too";
        report.line(&format!("  The goal is not judged: {why}."))?;
    } else {
        report.at_least(what, ratio, GOAL_OF_DURABLE)?;
    }
    let chance = standard_error(&each);
    report.line(&format!(
        "  of that by chance (standard error): {chance:.2}"
    ))?;
    report.ratio(
        "what CPU per move alone would make of it",
        cpu(durable) / cpu(server),
    )?;
    report.ratio(
        "moves/s, server / (b) with as many bytes out",
        rate(server) / rate(durable_long),
    )?;
    report.ratio("moves/s, server / (a)", rate(server) / rate(relay))?;
    report.ratio("moves/s, (b) / (a)", rate(durable) / rate(relay))?;
    report.ratio("CPU per move, server / (a)", cpu(server) / cpu(relay))
}

fn at_rate(plan: &Plan, report: &mut Report) -> Result<()> {
    let subjects = [Subject::Server, Subject::Relay, Subject::Durable];
    let samples = interleaved(plan.rounds, subjects, |subject| plan.at_rate(subject))?;
    report.title(&format!(
        "Fixed rate: the same games, {} moves/s together; from sending to the opponent's receipt",
        plan.rate
    ))?;
    report.table(&[
        Row::name("", &subjects.map(Subject::name)),
        Row::numbers("moves/s", &samples, 0, moves_per_second),
        Row::numbers("p50 ms", &samples, 3, |sample| sample.p50),
        Row::numbers("p99 ms", &samples, 3, |sample| sample.p99),
        Row::numbers("CPU ms / 1,000 moves", &samples, 0, cpu_per_thousand),
    ])?;
    let [server, _, durable] = &samples;
    let p50 = |samples: &[Sample]| middle(samples, |sample| sample.p50);
    let p99 = |samples: &[Sample]| middle(samples, |sample| sample.p99);
    report.ratio("p50, server / (b)", p50(server) / p50(durable))?;
    report.ratio("p99, server / (b)", p99(server) / p99(durable))
}

fn idle(plan: &Plan, report: &mut Report) -> Result<()> {
    idle_kind(plan, report, "all at one game", |subject| {
        plan.idle_spectators(subject)
    })?;
    idle_kind(plan, report, "two at each game", |subject| {
        plan.idle_players(subject)
    })
}

fn idle_kind(
    plan: &Plan,
    report: &mut Report,
    kind: &str,
    measure: impl Fn(Subject) -> Result<Sample>,
) -> Result<()> {
    let subjects = [Subject::Server, Subject::Relay];
    let samples = interleaved(1, subjects, measure)?;
    report.title(&format!("Idle: {} connections, {kind}", plan.idle))?;
    report.table(&[
        Row::name("", &subjects.map(Subject::name)),
        Row::numbers("KiB per connection", &samples, 1, kib_per_connection),
        Row::numbers("KiB before the first", &samples, 0, |sample| {
            sample.resident_before as f64
        }),
        Row::numbers("CPU % of a core", &samples, 1, server_busy),
    ])?;
    let [server, _] = &samples;
    report.at_most(
        "KiB per idle connection, the record's cache and half a game included",
        middle(server, kib_per_connection),
        GOAL_IDLE_KIB,
    )
}

/// Measures each subject once in every round, so that a slow minute of the machine falls on all of them. Each round begins with
/// another one: what the one before leaves behind falls on all of them, too.
fn interleaved<T, const N: usize>(
    rounds: usize,
    subjects: [Subject; N],
    measure: impl Fn(Subject) -> Result<T>,
) -> Result<[Vec<T>; N]> {
    let mut samples = [const { Vec::new() }; N];
    for round in 0..rounds {
        for place in 0..N {
            let turn = (round + place) % N;
            samples[turn].push(measure(subjects[turn])?);
        }
    }
    Ok(samples)
}

fn middle(samples: &[Sample], value: impl Fn(&Sample) -> f64) -> f64 {
    median(&samples.iter().map(value).collect::<Vec<_>>())
}

/// Moves a second over all rounds together.
fn rate(samples: &[Sample]) -> f64 {
    let moves: u64 = samples.iter().map(|sample| sample.moves).sum();
    let seconds: f64 = samples.iter().map(|sample| sample.seconds).sum();
    moves as f64 / seconds
}

fn moves_per_second(sample: &Sample) -> f64 {
    sample.moves as f64 / sample.seconds
}

fn cpu_per_thousand(sample: &Sample) -> f64 {
    sample.server_cpu * 1e6 / sample.moves.max(1) as f64
}

fn server_busy(sample: &Sample) -> f64 {
    sample.server_cpu / sample.seconds * 100.0
}

fn busiest(sample: &Sample) -> f64 {
    server_busy(sample).max(load_busy(sample))
}

fn load_busy(sample: &Sample) -> f64 {
    sample.load_cpu / sample.seconds * 100.0
}

fn kib_per_connection(sample: &Sample) -> f64 {
    let grown = sample.resident.saturating_sub(sample.resident_before);
    grown as f64 / sample.connections.max(1) as f64
}
