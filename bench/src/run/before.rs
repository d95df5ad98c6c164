//! What a move costs, beside another build of the server: both run at the same time on the same core, each under moves of its own at a fixed rate.
//! One after the other they differ by a quarter from one start to the next; so whatever the machine does falls on both.

use std::{path::Path, thread};

use anyhow::{Context, Result, anyhow};

use crate::{
    load::Sample,
    numbers::{median, standard_error},
    pinned,
    run::{
        cpu_per_thousand, moves_per_second,
        plan::Plan,
        report::{Report, Row},
        subject::{Programs, Subject},
    },
};

/// The most processor time of a move, as a ratio to the build before.
const GOAL: f64 = 1.02;
/// Moves a second of each.
const RATE: f64 = 5_000.0;
/// How often and for how long the two are measured, in rounds and seconds of the plan.
const TIMES: usize = 3;
const LONGER: f64 = 2.0;

/// Measures this build and the one before, and prints.
pub(super) fn measure(plan: &Plan, report: &mut Report, before: &Path) -> Result<()> {
    let rounds = plan.rounds * TIMES;
    let seconds = plan.seconds * LONGER;
    let this = plan.programs.server.as_path();
    let mut samples = [const { Vec::new() }; 2];
    for round in 0..rounds {
        // The first to start is another one in each round.
        let first = round % 2;
        let order = [[this, before], [before, this]][first];
        let [one, other] = together(plan, order, seconds)?;
        samples[first].push(one);
        samples[1 - first].push(other);
    }
    report.title(&format!(
        "Beside {}, at the same time on one core: {RATE} moves/s each, SQLite in memory; {rounds} rounds of {seconds} s",
        before.display()
    ))?;
    report.table(&[
        Row::name("", &["this".to_owned(), "before".to_owned()]),
        Row::numbers("moves/s", &samples, 0, moves_per_second),
        Row::numbers("CPU ms / 1,000 moves", &samples, 2, cpu_per_thousand),
    ])?;
    let [now, earlier] = &samples;
    let pairs = now.iter().zip(earlier);
    let ratios: Vec<f64> = pairs
        .map(|(now, earlier)| cpu_per_thousand(now) / cpu_per_thousand(earlier))
        .collect();
    report.at_most_ratio("CPU per move, this / before", median(&ratios), GOAL)?;
    report.line(&format!(
        "  of that by chance (standard error): {:.3}",
        standard_error(&ratios)
    ))
}

/// Both under moves of their own, from the same moment on.
fn together(plan: &Plan, programs: [&Path; 2], seconds: f64) -> Result<[Sample; 2]> {
    let [first, second] = plan.programs.two_files()?;
    let first = Programs::serve_by(programs[0], &first, plan.server)?;
    let second = Programs::serve_by(programs[1], &second, plan.server)?;
    let loads = [&first, &second].map(|server| {
        let mut load = plan.load_on(Subject::Server, server);
        (load.games, load.rate, load.seconds) = (plan.games, RATE, seconds);
        let words = load.words();
        words.iter().map(|word| word.to_string()).collect()
    });
    let (place, bench) = (plan.load, plan.programs.bench.as_path());
    thread::scope(|scope| {
        let both = loads.map(|words: Vec<String>| {
            scope.spawn(move || -> Result<Sample> {
                let printed = pinned::output(place, bench, &words)?;
                serde_json::from_str(&printed).context(printed)
            })
        });
        let [one, other] = both.map(|measured| {
            let panicked = |_| anyhow!("a thread that measures panicked");
            measured.join().map_err(panicked)?
        });
        Ok([one?, other?])
    })
}
