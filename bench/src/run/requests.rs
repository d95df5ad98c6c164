//! What the request log costs: moves over sockets, of which no line is written, and moves over plain HTTP, each of which is a line.

use anyhow::Result;

use crate::{
    load::posts::Posts,
    numbers::{median, standard_error},
    run::{
        cpu_per_thousand, interleaved, moves_per_second,
        plan::Plan,
        report::{Report, Row},
        subject::Subject,
    },
};

/// The most that the log may cost of the processor time of a move over a socket, as a ratio to a server that logs no requests.
const GOAL: f64 = 1.02;
/// The difference is smaller than that between two starts of the program, so both are started often.
const TIMES: usize = 4;
const SUBJECTS: [Subject; 2] = [Subject::Server, Subject::RequestLog];

/// Measures and prints.
pub(super) fn measure(plan: &Plan, report: &mut Report) -> Result<()> {
    let rounds = plan.rounds * TIMES;
    let sockets = interleaved(rounds, SUBJECTS, |subject| plan.saturated(subject))?;
    report.title(&format!("Request log: moves over sockets; {rounds} rounds"))?;
    report.table(&[
        Row::name("", &SUBJECTS.map(Subject::name)),
        Row::numbers("moves/s", &sockets, 0, moves_per_second),
        Row::numbers("CPU ms / 1,000 moves", &sockets, 2, cpu_per_thousand),
    ])?;
    let (ratio, chance) = compared(&sockets, cpu_per_thousand);
    report.at_most_ratio("CPU per move, with the log / without", ratio, GOAL)?;
    report.line(&format!(
        "  of that by chance (standard error): {chance:.3}"
    ))?;
    let posts = interleaved(rounds, SUBJECTS, |subject| plan.posts(subject))?;
    let cpu = |posts: &Posts| posts.server_cpu * 1e6 / posts.moves.max(1) as f64;
    report.title("The same over plain HTTP, each move a request and a line of its own")?;
    report.table(&[
        Row::name("", &SUBJECTS.map(Subject::name)),
        Row::numbers("moves/s", &posts, 0, |posts: &Posts| {
            posts.moves as f64 / posts.seconds
        }),
        Row::numbers("CPU ms / 1,000 moves", &posts, 2, cpu),
    ])?;
    let (ratio, chance) = compared(&posts, cpu);
    report.ratio("CPU per move, with its line / without", ratio)?;
    report.line(&format!(
        "  of that by chance (standard error): {chance:.3}"
    ))
}

/// The median of what the second needs for each of the first's, and its standard error.
fn compared<T>([without, with]: &[Vec<T>; 2], value: impl Fn(&T) -> f64) -> (f64, f64) {
    let pairs = with.iter().zip(without);
    let ratios: Vec<f64> = pairs
        .map(|(with, without)| value(with) / value(without))
        .collect();
    (median(&ratios), standard_error(&ratios))
}
