//! The metrics of `/metrics`: how they are gathered, and what each measures.

use std::time::Duration;

use anyhow::Context;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

/// The upper bounds of a commit's duration, in seconds: from a fast disk to the time that a locked record is waited for.
const COMMIT_SECONDS: [f64; 12] = [
    0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.1, 0.5, 1.0, 5.0,
];
/// The upper bounds of how long work of the computer players waits and takes, in seconds: from one position to the patience of people.
const COMPUTER_SECONDS: [f64; 12] = [
    0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 20.0,
];
/// How often what was measured is put into its buckets though nobody has asked for it.
const UPKEEP: Duration = Duration::from_secs(5);

/// Begins to gather, for the whole process.
///
/// # Errors
/// When something gathers already.
pub fn install() -> anyhow::Result<PrometheusHandle> {
    let handle = PrometheusBuilder::new()
        .set_buckets_for_metric(
            Matcher::Full("qiguan_journal_commit_seconds".to_owned()),
            &COMMIT_SECONDS,
        )
        .and_then(|builder| builder.set_buckets_for_metric(computers("wait"), &COMPUTER_SECONDS))
        .and_then(|builder| builder.set_buckets_for_metric(computers("work"), &COMPUTER_SECONDS))
        .and_then(PrometheusBuilder::install_recorder)
        .context("gathering metrics")?;
    describe();
    Ok(handle)
}

/// A histogram of the computer players.
fn computers(what: &str) -> Matcher {
    Matcher::Full(format!("qiguan_computer_{what}_seconds"))
}

/// Keeps what is gathered small, for as long as it is awaited.
pub async fn upkeep(handle: PrometheusHandle) {
    let mut times = tokio::time::interval(UPKEEP);
    loop {
        times.tick().await;
        handle.run_upkeep();
    }
}

/// What kind of measure it is.
#[derive(Clone, Copy)]
enum Kind {
    Counter,
    Gauge,
    /// One for each value of a label.
    Gauges,
    Histogram,
}

use Kind::{Counter, Gauge, Gauges, Histogram};

#[rustfmt::skip]
const METRICS: [(Kind, &str, &str); 28] = [
    (Gauge, "qiguan_rooms_open", "Rooms that are open in this process."),
    (Gauge, "qiguan_games_unheld", "Running games whose clocks have not been held since the start."),
    (Gauge, "qiguan_sockets_open", "WebSockets that are open."),
    (Gauge, "qiguan_streams_open", "Streams of games and of channels that are read over plain HTTP."),
    (Counter, "qiguan_room_rebuilds_total", "Rooms rebuilt from their record after a panic."),
    (Counter, "qiguan_rooms_parked_total", "Rooms given up after panicking again and again."),
    (Counter, "qiguan_games_damaged_total", "Games opened whose record is invalid from some event on."),
    (Counter, "qiguan_games_packed_total", "Games that were packed into one row each, those that went on since and were packed again included."),
    (Gauge, "qiguan_lobby_seeks", "Seeks that are open, places in pools included."),
    (Counter, "qiguan_pairings_total", "Games that began in the lobby."),
    (Counter, "qiguan_lobby_resets_total", "Times that the lobby panicked and restarted."),
    (Counter, "qiguan_password_hashes_total", "Hashes of passwords computed, for right and wrong ones."),
    (Histogram, "qiguan_journal_commit_seconds", "How long each transaction of the journal took."),
    (Counter, "qiguan_journal_batches_total", "Appends by rooms, stored or not; several share a transaction."),
    (Counter, "qiguan_journal_failed_total", "Appends by rooms that failed, or whose outcome is unknown."),
    (Counter, "qiguan_connection_log_dropped_total", "Entries of the connection log that could not be stored."),
    (Counter, "qiguan_push_delivered_total", "Messages to devices that their push services have taken."),
    (Counter, "qiguan_push_failed_total", "Messages to devices that could not be delivered."),
    (Counter, "qiguan_push_gone_total", "Devices removed because their push services no longer know them."),
    (Counter, "qiguan_push_dropped_total", "Messages to devices left out because too many were waiting."),
    (Gauge, "qiguan_computer_threads_busy", "Threads that think for computer players, hints and reviews."),
    (Gauges, "qiguan_computer_waiting", "Owners for whom work waits for such a thread, for moves, hints and reviews."),
    (Histogram, "qiguan_computer_wait_seconds", "How long each piece of such work waited for a thread."),
    (Histogram, "qiguan_computer_work_seconds", "How long each piece of such work took a thread."),
    (Counter, "qiguan_computer_hints_refused_total", "Hints that were refused because too many were waiting."),
    (Counter, "qiguan_cluster_frames_refused_total", "Frames of other programs that were not sealed with the cluster's key, or that were changed."),
    (Counter, "qiguan_cluster_resets_total", "Times that frames between this program and another were lost, so that what was under way was asked again."),
    (Counter, "qiguan_computer_panics_total", "Pieces of such work that panicked; the thread goes on."),
];

/// Tells what each measure is; counters and gauges begin at 0.
fn describe() {
    for (kind, name, description) in METRICS {
        match kind {
            Counter => {
                metrics::describe_counter!(name, description);
                metrics::counter!(name).absolute(0);
            }
            Gauge => {
                metrics::describe_gauge!(name, description);
                metrics::gauge!(name).set(0.0);
            }
            Gauges => metrics::describe_gauge!(name, description),
            Histogram => metrics::describe_histogram!(name, description),
        }
    }
}
