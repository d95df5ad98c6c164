//! What `/metrics` tells: how it is gathered, and what each measure is.

use std::time::Duration;

use anyhow::Context;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

/// The upper bounds of a commit's duration, in seconds: from a fast disk to the time that a locked record is waited for.
const COMMIT_SECONDS: [f64; 12] = [
    0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.1, 0.5, 1.0, 5.0,
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
        .and_then(PrometheusBuilder::install_recorder)
        .context("gathering metrics")?;
    describe();
    Ok(handle)
}

/// Keeps what is gathered small, for as long as it is awaited.
pub async fn upkeep(handle: PrometheusHandle) {
    let mut times = tokio::time::interval(UPKEEP);
    loop {
        times.tick().await;
        handle.run_upkeep();
    }
}

fn describe() {
    metrics::describe_gauge!("qiguan_rooms_open", "Rooms that are open in this process.");
    metrics::describe_gauge!("qiguan_sockets_open", "WebSockets that are open.");
    metrics::describe_gauge!(
        "qiguan_streams_open",
        "Streams of games and of channels that are read over plain HTTP."
    );
    metrics::describe_counter!(
        "qiguan_room_rebuilds_total",
        "Rooms rebuilt from their record after a panic."
    );
    metrics::describe_counter!(
        "qiguan_rooms_parked_total",
        "Rooms given up after panicking again and again."
    );
    metrics::describe_counter!(
        "qiguan_games_damaged_total",
        "Games opened whose record is invalid from some event on."
    );
    metrics::describe_gauge!(
        "qiguan_lobby_seeks",
        "Seeks that are open, places in pools included."
    );
    metrics::describe_counter!("qiguan_pairings_total", "Games that began in the lobby.");
    metrics::describe_counter!(
        "qiguan_lobby_resets_total",
        "Times that the lobby panicked and restarted."
    );
    metrics::describe_counter!(
        "qiguan_password_hashes_total",
        "Hashes of passwords computed, for right and wrong ones."
    );
    metrics::describe_histogram!(
        "qiguan_journal_commit_seconds",
        "How long each transaction of the journal took."
    );
    metrics::describe_counter!(
        "qiguan_journal_batches_total",
        "Appends by rooms, stored or not; several share a transaction."
    );
    metrics::describe_counter!(
        "qiguan_journal_failed_total",
        "Appends by rooms that failed, or whose outcome is unknown."
    );
    metrics::describe_counter!(
        "qiguan_attendance_left_out_total",
        "Entries of the connection log that could not be stored."
    );
    metrics::gauge!("qiguan_rooms_open").set(0.0);
    metrics::gauge!("qiguan_sockets_open").set(0.0);
    metrics::gauge!("qiguan_streams_open").set(0.0);
    for counter in [
        "qiguan_room_rebuilds_total",
        "qiguan_rooms_parked_total",
        "qiguan_games_damaged_total",
        "qiguan_journal_batches_total",
        "qiguan_journal_failed_total",
        "qiguan_attendance_left_out_total",
    ] {
        metrics::counter!(counter).absolute(0);
    }
}
