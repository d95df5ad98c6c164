//! How fast the server is on each database: beside the relay that stores nothing, and beside what the database commits when
//! nothing else is asked of it.

use anyhow::Result;

use crate::{
    load::Sample,
    numbers::{median, spread},
    raw::Raw,
    run::{
        cpu_per_thousand, middle, moves_per_second,
        plan::Plan,
        report::{Report, Row},
        subject::{Database, Subject},
    },
};

/// Among so many running games the journal is measured.
const JOURNALED: [usize; 2] = [200, 20_000];
/// So many moves are appended together there.
const TOGETHER: usize = 64;
/// The server may not be slower than so much of whichever of the two is slower.
const GOAL: f64 = 0.75;

/// Measures and prints.
pub(super) fn measure(plan: &Plan, report: &mut Report) -> Result<()> {
    journal(plan, report)?;
    for games in plan.many_games {
        for database in Database::ALL {
            one(plan, report, database, games)?;
        }
    }
    Ok(())
}

/// What a move costs in the journal, among few running games and among many, beside the rows of the database alone.
fn journal(plan: &Plan, report: &mut Report) -> Result<()> {
    let mut cpu = Vec::new();
    for games in JOURNALED {
        let (mut micros, mut bytes, mut raw) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..plan.rounds {
            let journaled = plan.journal(Database::Sqlite, games)?;
            micros.push(journaled.cpu_micros);
            bytes.push(journaled.bytes);
            let rows = plan.raw(Database::Sqlite, TOGETHER)?;
            raw.push(rows.cpu * 1e6 / rows.rows as f64);
        }
        report.title(&format!(
            "The journal alone in SQLite, {games} running games, {TOGETHER} moves a commit"
        ))?;
        report.line(&format!("CPU µs a move: {}", spread(&micros, 1)))?;
        report.line(&format!("bytes written a move: {}", spread(&bytes, 0)))?;
        report.line(&format!(
            "CPU µs a row of the database alone: {}",
            spread(&raw, 1)
        ))?;
        report.ratio(
            "CPU a move, journal / rows of the database alone",
            median(&micros) / median(&raw),
        )?;
        cpu.push(median(&micros));
    }
    if let [few, many] = cpu[..] {
        report.ratio("CPU a move among many games / among few", many / few)?;
    }
    Ok(())
}

fn one(plan: &Plan, report: &mut Report, database: Database, games: usize) -> Result<()> {
    let (mut server, mut relay, mut raw) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..plan.rounds {
        let sample = plan.playing(Subject::Server, database, games)?;
        let rows = sample.appends_per_commit.round().max(1.0) as usize;
        server.push(sample);
        relay.push(plan.playing(Subject::Relay, database, games)?);
        raw.push(plan.raw(database, rows)?);
    }
    let samples = [server, relay];
    report.title(&format!("Records in {}, {games} games", database.name()))?;
    report.table(&[
        Row::name("", &[Subject::Server, Subject::Relay].map(Subject::name)),
        Row::numbers("moves/s", &samples, 0, moves_per_second),
        Row::numbers("CPU ms / 1,000 moves", &samples, 1, cpu_per_thousand),
        Row::numbers("p50 ms", &samples, 2, |sample| sample.p50),
        Row::numbers("p99 ms", &samples, 2, |sample| sample.p99),
        Row::numbers("moves per commit", &samples, 1, |sample| {
            sample.appends_per_commit
        }),
    ])?;
    let rates: Vec<f64> = raw.iter().map(rate).collect();
    report.line(&format!(
        "rows/s of the database alone, as many in a commit: {}",
        spread(&rates, 0)
    ))?;
    let [server, relay] = &samples;
    let moves = |samples: &[Sample]| middle(samples, moves_per_second);
    let lower = moves(relay).min(median(&rates));
    report.ratio("moves/s, server / (a)", moves(server) / moves(relay))?;
    report.ratio(
        "moves/s, server / rows/s of the database alone",
        moves(server) / median(&rates),
    )?;
    report.at_least("the lower of the two", moves(server) / lower, GOAL)
}

fn rate(raw: &Raw) -> f64 {
    raw.rows as f64 / raw.seconds
}
