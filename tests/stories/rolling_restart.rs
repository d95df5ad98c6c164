//! Three programs that are ended and started one after the other under play, as an upgrade does it: games go on, nothing acknowledged is lost, and nobody
//! is charged for more time than has passed.

use std::time::Duration;

use qiguan_tests::{
    Cluster, Nats, machines::Machines, random::Random, record, slots::have_their_shares,
};

use crate::{
    cluster_faults::number,
    cluster_tables::{Pace, Shared, Table, now},
    foreign_rooms::on,
};

/// Programs.
const NODES: usize = 3;
/// By how much a clock may be wrong.
const TOLERANCE: Duration = Duration::from_millis(10);

#[tokio::test(flavor = "multi_thread")]
async fn p6_programs_are_ended_and_started_one_after_the_other_and_games_go_on() {
    let tables = number("QIGUAN_ROLLING_TABLES", 12);
    let rate = number("QIGUAN_ROLLING_MOVES_PER_SECOND", 100);
    let restarts = number("QIGUAN_ROLLING_RESTARTS", NODES as u64);
    let mut random = Random::new(28);
    let (nats, postgres) = (Nats::start().await, Cluster::start());
    let start = on(&postgres.database(), &nats).with("--restart-grace-ms", 200);
    let mut machines = Machines::start(NODES, nats, start).await;
    let database = machines.programs[0].database();
    have_their_shares(&database).await;
    let shared = Shared::new(tables as usize);
    let pace = Pace::Every(Duration::from_secs(tables) / rate as u32);
    let (mut playing, began) = (Vec::new(), now());
    for number in 0..tables as usize {
        playing.push(Table::start(number, pace, &machines, &mut random, &shared).await);
    }
    shared.all_go_on().await;
    shared.longest();
    let (before, since) = (shared.moves(), now());
    for _ in 0..restarts {
        // The oldest one: the new one is the last.
        let program = machines.take(0);
        program.terminate().await;
        program.ends().await;
        machines.add().await;
        have_their_shares(&database).await;
        shared.all_go_on().await;
    }
    let played = (shared.moves() - before) as f64 / since.elapsed().as_secs_f64();
    let mut longest = shared.longest();
    longest.sort_unstable();
    shared.is_over();
    let mut acknowledged = 0;
    for table in playing {
        let mut table = table.await.expect("a table");
        let (charged, passed) = (table.charged().await, began.elapsed());
        assert!(
            charged <= passed + TOLERANCE,
            "{charged:?} were charged, and {passed:?} have passed"
        );
        acknowledged += table.check(&database).await;
    }
    record::is_sound(&database).await;
    let at = |share: usize| longest[(longest.len() - 1) * share / 100];
    println!(
        "{restarts} programs ended and started under {played:.0} moves/s at {tables} tables: {acknowledged} moves acknowledged, none lost; \
         the longest move of a table took {:?} (p50), {:?} (p99), {:?} at most",
        at(50),
        at(99),
        at(100)
    );
    assert!(acknowledged > tables as usize);
}
