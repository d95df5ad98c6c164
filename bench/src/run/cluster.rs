//! What it costs that several programs share a record: a move between players who sit at two programs, and a game that is watched at three.
//!
//! All programs run on one core, Postgres and NATS beside the load generator on another: so programs do not gain from being several, and what
//! they cost together is compared with what one of them costs alone.

use std::{net::TcpStream, path::Path, thread, time::Duration};

use anyhow::{Context, Result, ensure};

use crate::{
    load::{LoadArgs, Sample},
    pinned::{self, Process, Server},
    run::{
        cpu_per_thousand, load_busy, middle, moves_per_second,
        plan::Plan,
        report::{Report, Row},
        server_busy,
        subject::{Database, Subject},
    },
};

/// How much longer a move may take whose players sit at two programs, in milliseconds: the median, and what 99 of 100 keep.
const GOAL_P50: f64 = 1.0;
const GOAL_P99: f64 = 3.0;
/// How much processor time such a move may take of all programs, beside that of one alone.
const GOAL_CPU: f64 = 1.2;
/// The most frames between programs for such a move.
const GOAL_FRAMES: f64 = 1.6;
/// How much processor time all programs may take for a text to a spectator, beside that of one alone.
const GOAL_FAN_OUT: f64 = 1.1;
/// The most copies of a text for each program that is not the game's.
const GOAL_COPIES: f64 = 1.1;
/// How long NATS may take until it listens.
const LISTENS: Duration = Duration::from_secs(10);

/// Measures and prints.
pub(super) fn measure(plan: &Plan, report: &mut Report) -> Result<()> {
    let nats = Nats::start(plan)?;
    moves(plan, &nats, report)?;
    fan_out(plan, &nats, report)
}

/// Measures with these numbers of programs in turn.
fn interleaved(
    plan: &Plan,
    nats: &Nats,
    programs: [usize; 2],
    scenario: impl Fn(&mut LoadArgs),
) -> Result<[Vec<Sample>; 2]> {
    let mut samples = [const { Vec::new() }; 2];
    for round in 0..plan.rounds {
        for place in 0..2 {
            let turn = (round + place) % 2;
            samples[turn].push(nats.sample(plan, programs[turn], &scenario)?);
        }
    }
    Ok(samples)
}

fn moves(plan: &Plan, nats: &Nats, report: &mut Report) -> Result<()> {
    let rate = plan.cluster_rate;
    let samples = interleaved(plan, nats, [1, 2], |load| {
        load.games = plan.games;
        load.rate = rate;
        load.seconds = plan.seconds * plan.crowd_times;
    })?;
    report.title(&format!(
        "Moves through another program: {} games on Postgres, {rate} moves/s together; each second player at another program than the game",
        plan.games
    ))?;
    let names = ["one program", "two programs"].map(str::to_owned);
    report.table(&[
        Row::name("", &names),
        Row::numbers("moves/s", &samples, 0, moves_per_second),
        Row::numbers("p50 ms", &samples, 3, |sample| sample.p50),
        Row::numbers("p99 ms", &samples, 3, |sample| sample.p99),
        Row::numbers("CPU ms / 1,000 moves", &samples, 0, cpu_per_thousand),
        Row::numbers("frames per move", &samples, 2, |sample| {
            per_move(sample, sample.sent.frames)
        }),
        Row::numbers("messages per move", &samples, 2, |sample| {
            per_move(sample, sample.sent.messages)
        }),
        Row::numbers("programs busy %", &samples, 0, server_busy),
        Row::numbers("load generator busy %", &samples, 0, load_busy),
    ])?;
    let [one, two] = &samples;
    let more = |value: fn(&Sample) -> f64| middle(two, value) - middle(one, value);
    report.at_most("ms more, p50", more(|sample| sample.p50), GOAL_P50)?;
    report.at_most("ms more, p99", more(|sample| sample.p99), GOAL_P99)?;
    report.at_most_ratio(
        "CPU per move, two programs / one",
        middle(two, cpu_per_thousand) / middle(one, cpu_per_thousand),
        GOAL_CPU,
    )?;
    let frames = middle(two, |sample| per_move(sample, sample.sent.frames));
    report.at_most_ratio("frames between programs per move", frames, GOAL_FRAMES)
}

fn fan_out(plan: &Plan, nats: &Nats, report: &mut Report) -> Result<()> {
    let programs = [1, 3];
    let samples = interleaved(plan, nats, programs, |load| {
        load.spectators = plan.spectators;
        load.seconds = plan.seconds * plan.crowd_times;
    })?;
    report.title(&format!(
        "Spectators at other programs: 1 game on Postgres, {} spectators at all programs in turn; the next move when all have the last",
        plan.spectators
    ))?;
    let names = ["one program", "three programs"].map(str::to_owned);
    let copies = |sample: &Sample| per_move(sample, sample.sent.texts) / (programs[1] - 1) as f64;
    report.table(&[
        Row::name("", &names),
        Row::numbers("moves/s", &samples, 1, moves_per_second),
        Row::numbers("last spectator p50 ms", &samples, 1, |sample| {
            sample.last_p50
        }),
        Row::numbers("last spectator p99 ms", &samples, 1, |sample| {
            sample.last_p99
        }),
        Row::numbers("CPU us per delivery", &samples, 2, cpu_per_delivery),
        Row::numbers("copies per move, program", &samples, 2, copies),
        Row::numbers("programs busy %", &samples, 0, server_busy),
        Row::numbers("load generator busy %", &samples, 0, load_busy),
    ])?;
    let [one, three] = &samples;
    report.at_most_ratio(
        "CPU per delivery, three programs / one",
        middle(three, cpu_per_delivery) / middle(one, cpu_per_delivery),
        GOAL_FAN_OUT,
    )?;
    let copies = middle(three, copies);
    report.at_most_ratio(
        "copies of a text for each other program",
        copies,
        GOAL_COPIES,
    )
}

fn per_move(sample: &Sample, count: f64) -> f64 {
    count / sample.moves.max(1) as f64
}

fn cpu_per_delivery(sample: &Sample) -> f64 {
    cpu_per_thousand(sample) / sample.connections as f64
}

/// A NATS server of this run.
struct Nats {
    url: String,
    key: String,
    _process: Process,
}

impl Nats {
    fn start(plan: &Plan) -> Result<Self> {
        // A program that takes the port in between makes the start fail, and nothing else.
        let port = std::net::TcpListener::bind("127.0.0.1:0")?
            .local_addr()?
            .port();
        let folder = plan.programs.data();
        let key = folder.join("cluster.key");
        std::fs::write(&key, "a secret that the programs of a measurement share\n")?;
        let log = folder.join("nats.log");
        let words = ["--addr", "127.0.0.1", "--port"].map(str::to_owned);
        let more = [
            port.to_string(),
            "--log".to_owned(),
            log.display().to_string(),
        ];
        let words = [&words[..], &more[..]].concat();
        let process = pinned::beside(plan.load, Path::new("nats-server"), &words)?;
        let step = Duration::from_millis(20);
        let mut waited = Duration::ZERO;
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            ensure!(
                waited < LISTENS,
                "nats-server does not listen: is it installed?"
            );
            thread::sleep(step);
            waited += step;
        }
        Ok(Self {
            url: format!("nats://127.0.0.1:{port}"),
            key: key.display().to_string(),
            _process: process,
        })
    }

    /// What so many programs on a new record make of it.
    fn sample(
        &self,
        plan: &Plan,
        programs: usize,
        scenario: impl Fn(&mut LoadArgs),
    ) -> Result<Sample> {
        let database = plan.programs.new_database(Database::Postgres)?;
        pinned::settle()?;
        let flags = ["--nats", &self.url, "--cluster-key", &self.key];
        let start = || plan.programs.serve_with(&database, plan.server, &flags);
        let programs: Result<Vec<Server>> = (0..programs).map(|_| start()).collect();
        let programs = programs?;
        let (first, others) = programs.split_first().context("no program")?;
        let mut load = plan.load_on(Subject::Server, first);
        load.others = others.iter().map(|other| other.address.clone()).collect();
        load.other_pids = others.iter().map(Server::pid).collect();
        scenario(&mut load);
        plan.own(plan.load, &load.words())
    }
}
