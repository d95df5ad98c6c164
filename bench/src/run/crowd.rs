//! How one game reaches thousands who watch it, and whether one of them who reads nothing is felt by the players.

use anyhow::{Context, Result};

use crate::{
    load::{Sample, Times},
    numbers::percentile,
    run::{
        interleaved, kib_per_connection, load_busy, middle, moves_per_second,
        plan::Plan,
        report::{Report, Row},
        server_busy,
        subject::Subject,
    },
};

/// The least part of the bare relay's speed.
const GOAL_OF_RELAY: f64 = 0.8;
/// By how much a spectator who reads nothing may slow the players' p99 at most, in percent.
const GOAL_STALLED: f64 = 10.0;

/// Measures and prints.
pub(super) fn measure(plan: &Plan, report: &mut Report) -> Result<()> {
    fan_out(plan, report)?;
    stalled(plan, report)
}

fn fan_out(plan: &Plan, report: &mut Report) -> Result<()> {
    let long = plan.fan_out(Subject::Server)?.bytes_to_opponent.round() as usize;
    let subjects = [Subject::Server, Subject::Relay, Subject::RelayLong(long)];
    let samples = interleaved(plan.rounds, subjects, |subject| plan.fan_out(subject))?;
    report.title(&format!(
        "Fan-out: 1 game, {} spectators; the next move when all have the last",
        plan.spectators
    ))?;
    report.table(&[
        Row::name("", &subjects.map(Subject::name)),
        Row::numbers("moves/s", &samples, 1, moves_per_second),
        Row::numbers("deliveries/s", &samples, 0, |sample| {
            moves_per_second(sample) * sample.connections as f64
        }),
        Row::numbers("opponent p50 ms", &samples, 2, |sample| sample.p50),
        Row::numbers("opponent p99 ms", &samples, 2, |sample| sample.p99),
        Row::numbers("last spectator p50 ms", &samples, 1, |sample| {
            sample.last_p50
        }),
        Row::numbers("last spectator p99 ms", &samples, 1, |sample| {
            sample.last_p99
        }),
        Row::numbers("CPU us per delivery", &samples, 2, cpu_per_delivery),
        Row::numbers("server busy %", &samples, 0, server_busy),
        Row::numbers("load generator busy %", &samples, 0, load_busy),
        Row::numbers("KiB per connection", &samples, 1, kib_per_connection),
    ])?;
    let [server, relay, long] = &samples;
    let rate = |samples: &[Sample]| middle(samples, moves_per_second);
    let cpu = |samples: &[Sample]| middle(samples, cpu_per_delivery);
    report.at_least(
        "deliveries/s, server / (a)",
        rate(server) / rate(relay),
        GOAL_OF_RELAY,
    )?;
    report.ratio(
        "deliveries/s, server / (a) with as many bytes out",
        rate(server) / rate(long),
    )?;
    report.ratio("CPU per delivery, server / (a)", cpu(server) / cpu(relay))
}

/// The players' p99 in one game that goes on, with and without one who reads nothing.
fn stalled(plan: &Plan, report: &mut Report) -> Result<()> {
    let (of_each, seconds) = plan.stalled_turns;
    let turns = plan.stalled(Subject::Server)?.turns;
    let turns = turns.context("the load generator has not measured by turns")?;
    report.title(&format!(
        "A stalled spectator: one game, {of_each} turns of {seconds} s without, with, and again without one more who reads nothing; records in memory"
    ))?;
    let names = ["all read", "one does not", "all read, again"].map(str::to_owned);
    let turns = turns.map(|times| vec![times]);
    report.table(&[
        Row::name("", &names),
        Row::numbers("moves", &turns, 0, |times| times.to_opponent.len() as f64),
        Row::numbers("opponent p50 ms", &turns, 2, |times| {
            millis(&[&times.to_opponent], 50)
        }),
        Row::numbers("opponent p99 ms", &turns, 2, |times| {
            millis(&[&times.to_opponent], 99)
        }),
        Row::numbers("last reader p99 ms", &turns, 1, |times| {
            millis(&[&times.to_last], 99)
        }),
    ])?;
    let p99 = |kinds: &[&Vec<Times>]| {
        let times = kinds.iter().flat_map(|kind| kind.iter());
        let times: Vec<&[u32]> = times.map(|times| times.to_opponent.as_slice()).collect();
        millis(&times, 99)
    };
    let [before, with, after] = &turns;
    let added = |with: f64, without: f64| (with / without - 1.0) * 100.0;
    let alike = added(p99(&[after]), p99(&[before]));
    report.line(&format!(
        "  % between the players' p99 in the two that are alike: {alike:.1}"
    ))?;
    report.at_most(
        "% that it adds to the players' p99",
        added(p99(&[with]), p99(&[before, after])),
        GOAL_STALLED,
    )
}

/// So many of a hundred of all these times are not longer, in milliseconds.
fn millis(times: &[&[u32]], percent: usize) -> f64 {
    let mut times = times.concat();
    times.sort_unstable();
    f64::from(percentile(&times, percent)) / 1e6
}

fn cpu_per_delivery(sample: &Sample) -> f64 {
    sample.server_cpu * 1e6 / (sample.moves.max(1) as f64 * sample.connections as f64)
}
