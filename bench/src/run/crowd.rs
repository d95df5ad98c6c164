//! How one game reaches thousands who watch it, and whether one of them who reads nothing is felt by the players.

use anyhow::Result;

use crate::{
    load::Sample,
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
/// Of three games that are compared, how many spectators read nothing.
const STALLED: [usize; 3] = [0, 1, 0];

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

/// The players' p99 over the moves of all rounds: of one round's few moves it would be the slowest alone. Every round is played once
/// more as it was, since what two equal ones differ by is what chance makes of it.
fn stalled(plan: &Plan, report: &mut Report) -> Result<()> {
    let mut times = [const { Vec::new() }; 3];
    let mut samples = [const { Vec::new() }; 3];
    for round in 0..plan.rounds {
        // Forth and back: what grows slower by the minute falls on all of them alike.
        let mut order = [0, 1, 2];
        if round % 2 == 1 {
            order.reverse();
        }
        for kind in order {
            let sample = plan.stalled(Subject::Server, STALLED[kind])?;
            times[kind].extend_from_slice(&sample.to_opponent);
            samples[kind].push(sample);
        }
    }
    report.title(&format!(
        "A stalled spectator: the same game, without and with one more who reads nothing; {} moves each, records in memory",
        times.each_ref().map(Vec::len).iter().min().unwrap_or(&0)
    ))?;
    let names = ["all read", "one does not", "all read, again"].map(str::to_owned);
    report.table(&[
        Row::name("", &names),
        Row::numbers("moves/s", &samples, 1, moves_per_second),
        Row::numbers("opponent p50 ms", &samples, 2, |sample| sample.p50),
        Row::numbers("opponent p99 ms", &samples, 2, |sample| sample.p99),
        Row::numbers("last reader p99 ms", &samples, 1, |sample| sample.last_p99),
    ])?;
    let percentile_of = |times: &[&[u32]]| {
        let mut times = times.concat();
        times.sort_unstable();
        f64::from(percentile(&times, 99))
    };
    let [before, with, after] = &times;
    let added = |with: f64, without: f64| (with / without - 1.0) * 100.0;
    let equal = added(percentile_of(&[after]), percentile_of(&[before]));
    report.line(&format!(
        "  % between the players' p99 in the two that are alike: {equal:.1}"
    ))?;
    report.at_most(
        "% that it adds to the players' p99",
        added(percentile_of(&[with]), percentile_of(&[before, after])),
        GOAL_STALLED,
    )
}

fn cpu_per_delivery(sample: &Sample) -> f64 {
    sample.server_cpu * 1e6 / (sample.moves.max(1) as f64 * sample.connections as f64)
}
