//! Whole programs in one thread, on a database, a network and clocks of the test's own: what happens follows from a seed, and is judged
//! afterwards by what must never happen (docs/simulation.md).
//!
//! `cargo test -p qiguan-server --test simulation` runs so many seeds, `… -- SEED…` certain ones, telling what happened.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test without a harness tells what it has found, and stops where it can't go on"
)]

mod history;
mod kind;
mod node;
mod player;
mod socket;
mod wire;
mod world;

use std::{
    process::ExitCode,
    sync::{
        Mutex,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
};

use qiguan_environment::planted::{Fault, plant};
use qiguan_server::config::ServeArgs;

use crate::kind::Kind;

/// So many worlds are tried by default.
const SEEDS: u64 = 360;
/// One in so many worlds runs twice, and has to come to the same.
const TWICE: u64 = 10;
/// Within so many worlds each planted fault is found, unless another number is asked for.
const WITHIN: u64 = 10_000;
/// After so many worlds a search for a planted fault says how far it has come.
const SAYS_EVERY: u64 = 100;
/// Worlds that find planted faults (`make simulate-planted` looks for them).
const FINDS: [(Fault, u64); 8] = [
    (Fault::NoFence, 256),
    (Fault::LongLease, 90),
    (Fault::GapIgnored, 95),
    (Fault::DuplicateApplied, 2),
    (Fault::ClockNotCorrected, 58),
    (Fault::WatermarkIgnored, 59),
    (Fault::LobbyTwice, 574),
    (Fault::SecretInFrame, 0),
];

/// What is asked for.
struct Arguments {
    /// Certain worlds, of which everything is told.
    certain: Vec<u64>,
    /// Otherwise so many, from this one on.
    seeds: u64,
    from: u64,
    /// The faults that are planted, each by itself.
    faults: Vec<Fault>,
}

impl Arguments {
    /// What the words say: numbers of worlds, or a name of a planted fault.
    fn of(words: &[String]) -> Self {
        let number = |name: &str| {
            let text = std::env::var(name).ok()?;
            Some(text.parse().expect("a number"))
        };
        let named = |word: &String| {
            Fault::ALL
                .into_iter()
                .find(|fault| format!("{fault:?}") == *word)
        };
        let all = words.iter().any(|word| word == "planted");
        let faults: Vec<Fault> = if all {
            Fault::ALL.to_vec()
        } else {
            words.iter().filter_map(named).collect()
        };
        let seeds = if faults.is_empty() { SEEDS } else { WITHIN };
        Self {
            certain: words.iter().filter_map(|word| word.parse().ok()).collect(),
            seeds: number("QIGUAN_SEEDS").unwrap_or(seeds),
            from: number("QIGUAN_SEED").unwrap_or(0),
            faults,
        }
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let asked = Arguments::of(&words);
    let settings = world::settings();
    let are_well = if !asked.certain.is_empty() {
        tells(&asked, &settings)
    } else if !asked.faults.is_empty() {
        // Each is looked for, whatever becomes of those before it.
        let found = asked.faults.iter();
        let found = found.map(|fault| finds(*fault, &asked, &settings));
        found.filter(|is_found| *is_found).count() == asked.faults.len()
    } else {
        let keep_their_promises = p18_p19_worlds_keep_their_promises(&asked, &settings);
        keep_their_promises && planted_faults_are_found(&asked, &settings)
    };
    if are_well {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Tells all that happens in certain worlds.
fn tells(asked: &Arguments, settings: &ServeArgs) -> bool {
    // What the programs log stands between what happens in the world.
    let filter = std::env::var("QIGUAN_LOG").unwrap_or_else(|_| "warn".to_owned());
    let lines = tracing_subscriber::fmt().without_time().with_ansi(false);
    lines
        .with_env_filter(tracing_subscriber::EnvFilter::new(filter))
        .init();
    plant(asked.faults.first().copied());
    let mut are_well = true;
    for seed in &asked.certain {
        let outcome = world::run(*seed, settings);
        for line in &outcome.lines {
            println!("{line}");
        }
        println!(
            "seed {seed}: {} moves, {:016x}, {}",
            outcome.moves,
            outcome.number,
            outcome.violation.as_deref().unwrap_or("nothing wrong")
        );
        are_well &= outcome.violation.is_none();
    }
    are_well
}

/// Tries one world after the other, on all cores.
fn p18_p19_worlds_keep_their_promises(asked: &Arguments, settings: &ServeArgs) -> bool {
    let (next, moves) = (AtomicU64::new(asked.from), AtomicUsize::new(0));
    // What all of them come to, in whatever order.
    let number = AtomicU64::new(0);
    let found = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..qiguan_environment::cores() {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= asked.from + asked.seeds {
                        return;
                    }
                    let outcome = world::run(seed, settings);
                    moves.fetch_add(outcome.moves, Ordering::Relaxed);
                    number.fetch_xor(outcome.number, Ordering::Relaxed);
                    if seed.is_multiple_of(TWICE)
                        && world::run(seed, settings).number != outcome.number
                    {
                        println!("seed {seed}: what happened is not the same the second time");
                        found.lock().expect("a list").push(seed);
                    }
                    if let Some(violation) = outcome.violation {
                        println!("seed {seed}: {violation}");
                        found.lock().expect("a list").push(seed);
                    }
                }
            });
        }
    });
    let found = found.into_inner().expect("a list");
    println!(
        "{} worlds, {} commands acknowledged, {:016x}, {} worlds with a fault{}",
        asked.seeds,
        moves.into_inner(),
        number.into_inner(),
        found.len(),
        if found.is_empty() {
            ""
        } else {
            "; repeat one with `cargo test -p qiguan-server --test simulation -- SEED`"
        }
    );
    found.is_empty()
}

/// Whether what is judged is judged at all: worlds that are known to find planted faults find them, and nothing without.
fn planted_faults_are_found(asked: &Arguments, settings: &ServeArgs) -> bool {
    let have_run = asked.from..asked.from + asked.seeds;
    let mut are_found = true;
    for (fault, seed) in FINDS {
        // Nothing was found in those that have just run.
        let runs = !have_run.contains(&seed);
        let before = runs.then(|| world::run(seed, settings).violation).flatten();
        plant(Some(fault));
        let planted = world::run(seed, settings).violation;
        plant(None);
        if planted.is_none() || before.is_some() {
            println!("seed {seed} finds {before:?}, and {planted:?} with {fault:?} planted");
            are_found = false;
        }
    }
    are_found
}

/// Whether a planted fault is found, and in which world.
fn finds(fault: Fault, asked: &Arguments, settings: &ServeArgs) -> bool {
    let wanted = Kind::finding(fault);
    plant(Some(fault));
    let found = (asked.from..asked.from + asked.seeds).find_map(|seed| {
        if seed > asked.from && seed.is_multiple_of(SAYS_EVERY) {
            println!(
                "{fault:?} is not found by seeds {} to {}",
                asked.from,
                seed - 1
            );
        }
        if wanted.is_some_and(|kind| kind != Kind::of_seed(seed)) {
            return None;
        }
        let violation = world::run(seed, settings).violation?;
        Some((seed, violation))
    });
    plant(None);
    match &found {
        Some((seed, violation)) => println!("{fault:?} is found by seed {seed}: {violation}"),
        None => println!(
            "{fault:?} is not found within {} seeds from {} on",
            asked.seeds, asked.from
        ),
    }
    found.is_some()
}
