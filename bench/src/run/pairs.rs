//! Finding an opponent: the pairing of a full pool by itself, and the whole way from seeking to the game.

use std::{collections::HashSet, sync::Arc};

use anyhow::{Result, ensure};
use qiguan_protocol::ids::{Millis, PlayerId};
use qiguan_server::lobby::pairing::{self, Waiting};
use uuid::Uuid;

use crate::{
    load::pairs::Pairs,
    numbers::{median, spread},
    run::{plan::Plan, report::Report, subject::Database},
    stopwatch::Stopwatch,
};

/// How many wait at once.
const WAITING: usize = 5_000;
/// The events that begin a game of two.
const EVENTS: usize = 3;

/// Measures and prints.
pub(super) fn measure(plan: &Plan, report: &mut Report) -> Result<()> {
    report.title(&format!("Pairing: a pool in which {WAITING} wait, in ms"))?;
    for (name, rating, waited) in [
        ("equal ratings", equal as fn(usize) -> i32, 0),
        ("ratings from 0 to 3,000", mixed, 0),
        ("the same, after 44.9 s", mixed, 44_900),
        ("the same, anybody will do", mixed, 60_000),
    ] {
        let pool = pool(rating, Millis(waited));
        let times: Result<Vec<f64>> = (0..plan.rounds.max(3)).map(|_| once(&pool)).collect();
        report.line(&format!("{name:<26}{:>27}", spread(&times?, 2)))?;
    }
    report.title(&format!(
        "Seek to game start: {} seeks/s in one pool, over sockets; who comes within 50 ms is paired together",
        plan.seek_rate
    ))?;
    let mut samples = Vec::new();
    let mut commits = Vec::new();
    for _ in 0..plan.rounds {
        samples.push(plan.pairs()?);
        let raw = plan.raw(Database::Sqlite, EVENTS)?;
        commits.push(raw.seconds * 1e3 / (raw.rows as f64 / EVENTS as f64));
    }
    let line = |name: &str, digits, value: fn(&Pairs) -> f64| {
        let values: Vec<f64> = samples.iter().map(value).collect();
        format!("{name:<26}{:>27}", spread(&values, digits))
    };
    report.line(&line("seeks/s", 0, |pairs| {
        pairs.seeks as f64 / pairs.seconds
    }))?;
    report.line(&line("p50 ms", 1, |pairs| pairs.p50))?;
    report.line(&line("p99 ms", 1, |pairs| pairs.p99))?;
    report.line(&line("CPU ms / 1,000 seeks", 1, |pairs| {
        pairs.server_cpu * 1e6 / pairs.seeks.max(1) as f64
    }))?;
    let alone = format!("{:>27}", spread(&commits, 2));
    report.line(&format!("{:<26}{alone}", "a bare commit, ms"))?;
    let p50 = median(&samples.iter().map(|pairs| pairs.p50).collect::<Vec<_>>());
    report.ratio("p50 beside a bare commit", p50 / median(&commits))
}

fn equal(_: usize) -> i32 {
    1_500
}

fn mixed(number: usize) -> i32 {
    (number as i32 * 7_919) % 3_000
}

fn pool(rating: fn(usize) -> i32, waited: Millis) -> Vec<Waiting> {
    let player = |number: usize| Waiting {
        player: PlayerId(Uuid::from_u128(number as u128)),
        rating: rating(number),
        since: Millis(0) - waited,
        avoids: Arc::default(),
    };
    (0..WAITING).map(player).collect()
}

/// Pairs once; how long it takes, in milliseconds.
fn once(pool: &[Waiting]) -> Result<f64> {
    let watch = Stopwatch::start();
    let pairs = pairing::pair(pool, Millis(0), |_, _| false);
    let taken = watch.elapsed().as_secs_f64() * 1e3;
    let players: HashSet<usize> = pairs.iter().flat_map(|(one, two)| [*one, *two]).collect();
    ensure!(
        players.len() == pairs.len() * 2,
        "somebody has been paired twice"
    );
    // Of those who fit with nobody that is left, few can remain.
    ensure!(
        players.len() > pool.len() * 9 / 10,
        "only {} of {} have been paired",
        players.len(),
        pool.len()
    );
    Ok(taken)
}
