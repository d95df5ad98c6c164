//! What the request log costs: games over plain HTTP, where each move is a line of it.

use anyhow::Result;

use crate::{
    load::posts::Posts,
    numbers::{median, standard_error},
    run::{
        plan::Plan,
        report::{Report, Row},
        subject::Subject,
    },
};

/// The most of a move's processor time that its line may take, as a ratio to a move without one.
const GOAL: f64 = 1.02;
/// The difference is smaller than that between two starts of the program, so both are started often.
const TIMES: usize = 4;

/// Measures and prints.
pub(super) fn measure(plan: &Plan, report: &mut Report) -> Result<()> {
    let subjects = [Subject::Server, Subject::RequestLog];
    let rounds = plan.rounds * TIMES;
    let mut samples = [const { Vec::new() }; 2];
    for round in 0..rounds {
        for place in 0..2 {
            let turn = (round + place) % 2;
            samples[turn].push(plan.posts(subjects[turn])?);
        }
    }
    report.title(&format!(
        "Request log: moves over plain HTTP, each a request of its own, 50 games at once as fast as they go; {rounds} rounds"
    ))?;
    let cpu = |posts: &Posts| posts.server_cpu * 1e6 / posts.moves.max(1) as f64;
    report.table(&[
        Row::name("", &subjects.map(Subject::name)),
        Row::numbers("moves/s", &samples, 0, |posts: &Posts| {
            posts.moves as f64 / posts.seconds
        }),
        Row::numbers("CPU ms / 1,000 moves", &samples, 2, cpu),
    ])?;
    let [without, with] = &samples;
    let each = with.iter().zip(without);
    let each: Vec<f64> = each
        .map(|(with, without)| cpu(with) / cpu(without))
        .collect();
    report.at_most_ratio("CPU per move, with its line / without", median(&each), GOAL)?;
    let chance = standard_error(&each);
    report.line(&format!(
        "  of that by chance (standard error): {chance:.3}"
    ))
}
