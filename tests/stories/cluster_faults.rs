//! Three programs on one Postgres with NATS between them, of which one after the other is killed, frozen or ended under play, and what they share
//! breaks down: nothing acknowledged is lost or doubled, nobody sees what is not stored, and play goes on by itself.

use std::{collections::BTreeMap, time::Duration};

use qiguan_tests::{Cluster, Nats, Stop, machines::Machines, random::Random, record};

use crate::{
    cluster_tables::{Pace, Shared, Table},
    foreign_rooms::on,
};

/// Games that are played all the time.
const TABLES: usize = 8;
/// Programs.
const NODES: usize = 3;

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    /// A program is killed, and another one started.
    Kill,
    /// A program stands still for longer than its lease, and goes on.
    Freeze,
    /// A program is ended with SIGTERM, and another one started.
    End,
    /// NATS is killed, and started again.
    Nats,
    /// Postgres is stopped at once, and started again.
    Postgres,
}

impl Fault {
    fn drawn(random: &mut Random) -> Self {
        match random.below(20) {
            0..=8 => Self::Kill,
            9..=13 => Self::Freeze,
            14..=16 => Self::End,
            17..=18 => Self::Nats,
            _ => Self::Postgres,
        }
    }
}

/// How long it took until the first move of each game after faults of a kind, of those with a player at the program of the fault by themselves:
/// at a frozen program they wait for as long as they have patience.
#[derive(Default)]
struct Pauses(BTreeMap<(Fault, Players), Vec<Duration>>);

/// Where the players of a game are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Players {
    /// Both are at programs without a fault.
    Elsewhere,
    /// One of them, or both, are at the program of the fault.
    There,
}

impl Pauses {
    #[expect(clippy::print_stdout, reason = "the report of a long run")]
    fn print(&mut self) {
        for ((fault, players), pauses) in &mut self.0 {
            pauses.sort_unstable();
            let at = |share: usize| pauses[(pauses.len() - 1) * share / 100];
            println!(
                "{fault:?}, players {players:?}: {} games, first move after {:?} (p50), {:?} (p90), {:?} (p99), {:?} at most",
                pauses.len(),
                at(50),
                at(90),
                at(99),
                at(100)
            );
        }
    }
}

/// A number from the environment.
pub(super) fn number(variable: &str, otherwise: u64) -> u64 {
    match std::env::var(variable) {
        Ok(text) => text.parse().expect("a number"),
        Err(_) => otherwise,
    }
}

async fn suffer(
    machines: &mut Machines,
    postgres: &mut Cluster,
    fault: Fault,
    which: usize,
    random: &mut Random,
) {
    match fault {
        Fault::Kill => {
            machines.take(which).kill().await;
            machines.add().await;
        }
        Fault::End => {
            let program = machines.take(which);
            program.terminate().await;
            program.ends().await;
            machines.add().await;
        }
        Fault::Freeze => {
            machines.programs[which].signal("STOP").await;
            // That long it stands still: it is the fault, and nothing waits for it.
            tokio::time::sleep(Duration::from_millis(500 + random.below(3_000))).await;
            machines.programs[which].signal("CONT").await;
        }
        Fault::Nats => {
            machines.nats.is_killed();
            tokio::time::sleep(Duration::from_millis(random.below(3_000))).await;
            machines.nats.comes_back().await;
        }
        Fault::Postgres => {
            postgres.stop(Stop::Immediate);
            postgres.start_again();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn p7_programs_that_are_killed_frozen_and_ended_under_play_lose_nothing_acknowledged() {
    let faults = number("QIGUAN_CLUSTER_FAULTS", 10);
    let mut random = Random::new(24);
    let shared = Shared::new(TABLES);
    let (nats, mut postgres) = (Nats::start().await, Cluster::start());
    let start = on(&postgres.database(), &nats).with("--restart-grace-ms", 200);
    let mut machines = Machines::start(NODES, nats, start).await;
    let mut playing = Vec::new();
    for number in 0..TABLES {
        playing.push(Table::start(number, Pace::Rests, &machines, &mut random, &shared).await);
    }
    shared.all_go_on().await;
    let mut over = Vec::new();
    let mut pauses = Pauses::default();
    for _ in 0..faults {
        let fault = Fault::drawn(&mut random);
        let which = random.below(machines.programs.len() as u64) as usize;
        let there = match fault {
            Fault::Nats | Fault::Postgres => Vec::new(),
            _ => shared.tables_at(machines.programs[which].address()),
        };
        let fails = suffer(&mut machines, &mut postgres, fault, which, &mut random);
        let (first, ()) = tokio::join!(shared.all_go_on(), fails);
        for (table, first) in first.into_iter().enumerate() {
            let players = if there.contains(&table) {
                Players::There
            } else {
                Players::Elsewhere
            };
            pauses.0.entry((fault, players)).or_default().extend(first);
        }
        for (number, table) in playing.iter_mut().enumerate() {
            if table.is_finished() {
                let next = Table::start(number, Pace::Rests, &machines, &mut random, &shared);
                let ended = std::mem::replace(table, next.await);
                over.push(ended.await.expect("a table"));
            }
        }
    }
    shared.is_over();
    let database = machines.programs[0].database();
    let mut acknowledged = 0;
    for table in playing {
        over.push(table.await.expect("a table"));
    }
    for table in over {
        acknowledged += table.check(&database).await;
    }
    record::is_sound(&database).await;
    pauses.print();
    println!("{faults} faults, {acknowledged} moves acknowledged and none of them lost or doubled");
    assert!(acknowledged > TABLES, "only {acknowledged} moves");
}
