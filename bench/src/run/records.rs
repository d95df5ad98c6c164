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

/// The server may not be slower than so much of whichever of the two is slower.
const GOAL: f64 = 0.75;

/// Measures and prints.
pub(super) fn measure(plan: &Plan, report: &mut Report) -> Result<()> {
    for games in plan.many_games {
        for database in Database::ALL {
            one(plan, report, database, games)?;
        }
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
