//! The metrics of `/metrics`: how they are gathered, and what each measures.

use std::time::Duration;

use anyhow::Context;
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use qiguan_protocol::{error::ErrorCode, limits::close};

use crate::process_meter;

/// The upper bounds of the buckets of each histogram, in seconds.
const BUCKETS: [(&str, &[f64]); 6] = [
    // From a fast disk to the time that a locked record is waited for.
    (
        "qiguan_journal_commit_seconds",
        &[
            0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.1, 0.5, 1.0, 5.0,
        ],
    ),
    ("qiguan_computer_wait_seconds", &COMPUTER_SECONDS),
    ("qiguan_computer_work_seconds", &COMPUTER_SECONDS),
    // There is a histogram for each route, so that these are few: from what is at hand to the longest that a request may take.
    (
        "qiguan_http_request_seconds",
        &[0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10.0, 30.0],
    ),
    (
        "qiguan_move_seconds",
        &[
            0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0,
        ],
    ),
    (
        "qiguan_database_acquire_seconds",
        &[0.0001, 0.001, 0.01, 0.1, 0.5, 1.0, 5.0],
    ),
];
/// From one position to the patience of people.
const COMPUTER_SECONDS: [f64; 12] = [
    0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 20.0,
];
/// How often what was measured is put into its buckets though nobody has asked for it.
const UPKEEP: Duration = Duration::from_secs(5);

/// The label of sockets that the client has closed, or whose connection broke.
pub const CLOSED_BY_CLIENT: &str = "client";

/// Begins to gather, for the whole process. `commit` is what the program was built from.
///
/// # Errors
/// When something gathers already.
pub fn install(commit: &'static str) -> anyhow::Result<PrometheusHandle> {
    let handle = builder()
        .and_then(PrometheusBuilder::install_recorder)
        .context("gathering metrics")?;
    describe(commit);
    Ok(handle)
}

/// What gathers, with the buckets of all histograms.
///
/// # Errors
/// When a histogram has no buckets.
pub fn builder() -> Result<PrometheusBuilder, BuildError> {
    let mut buckets = BUCKETS.into_iter();
    buckets.try_fold(PrometheusBuilder::new(), |builder, (name, bounds)| {
        builder.set_buckets_for_metric(Matcher::Full(name.to_owned()), bounds)
    })
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
    /// One for each value of a label, as are the other plurals. Who measures them sees to it that all are there from the start.
    Counters,
    Gauge,
    Gauges,
    Histogram,
    Histograms,
}

use Kind::{Counter, Counters, Gauge, Gauges, Histogram, Histograms};

/// What a measure is of, where several programs run on one record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    /// Of the program that tells it: all programs' values are added.
    Program,
    /// Of all programs: each tells the same.
    Cluster,
}

use Of::{Cluster, Program};

impl Of {
    /// What the description says of it.
    const fn words(self) -> &'static str {
        match self {
            Self::Program => "Of this program; the sum over programs is that of all.",
            Self::Cluster => "Of all programs, the same at each: not to be added.",
        }
    }
}

#[rustfmt::skip]
const METRICS: [(Of, Kind, &str, &str); 64] = [
    (Program, Gauge, "qiguan_rooms_open", "Rooms that are open in this process."),
    (Program, Gauge, "qiguan_games_running", "Games that are being played, those against computers included."),
    (Program, Gauge, "qiguan_players_online", "Players with a WebSocket, guests included."),
    (Program, Counters, "qiguan_http_requests_total", "Requests answered over HTTP. Labels `method`, `route` (as in the OpenAPI document; `web` for pages and files of the web client, `other` for methods that a route does not have) and `status` (`2xx`)."),
    (Program, Histograms, "qiguan_http_request_seconds", "How long each request took until its answer began. Labels `method` and `route`."),
    (Program, Counters, "qiguan_refusals_total", "Requests refused over HTTP and WebSockets. Label `code`: the error code; `rate_limited` and `limit_reached` are limits."),
    (Program, Histogram, "qiguan_move_seconds", "How long each move took that came over a WebSocket, from when it was read until its answer was queued: judged, stored, and over NATS and back where another program has the game. Refused moves count."),
    (Program, Gauge, "qiguan_games_unheld", "Running games whose clocks have not been held since the start."),
    (Program, Gauge, "qiguan_sockets_open", "WebSockets that are open."),
    (Program, Counters, "qiguan_sockets_closed_total", "WebSockets that have ended. Label `code`: the close code that was sent; `client` where the client has closed it or is gone."),
    (Program, Gauge, "qiguan_streams_open", "Streams of games, of channels and of what players receive that are read over plain HTTP."),
    (Program, Gauge, "qiguan_connections_open", "Connections that are open, WebSockets included."),
    (Program, Gauge, "qiguan_connections_limit", "Connections that can be open at once: --max-connections, or less where the limit of open files is lower."),
    (Program, Counter, "qiguan_connections_refused_total", "Connections that were answered 503 or closed at once: too many in all or from one address."),
    (Program, Counter, "qiguan_connections_stalled_total", "Connections cut off because their clients took nothing of what was sent for ten seconds, or too little for long."),
    (Program, Counter, "qiguan_room_rebuilds_total", "Rooms rebuilt from their record after a panic."),
    (Program, Counter, "qiguan_rooms_parked_total", "Rooms given up after panicking again and again."),
    (Program, Counter, "qiguan_games_damaged_total", "Games opened whose record is invalid from some event on."),
    (Program, Counter, "qiguan_games_packed_total", "Games that were packed into one row each, those that went on since and were packed again included."),
    (Program, Gauge, "qiguan_lobby_seeks", "Seeks that are open, places in pools included."),
    (Program, Counter, "qiguan_pairings_total", "Games that began in the lobby."),
    (Program, Counter, "qiguan_lobby_resets_total", "Times that the lobby panicked and restarted."),
    (Program, Counter, "qiguan_password_hashes_total", "Hashes of passwords computed, for right and wrong ones."),
    (Program, Histogram, "qiguan_journal_commit_seconds", "How long each transaction of the journal took."),
    (Program, Counter, "qiguan_journal_batches_total", "Appends by rooms, stored or not; several share a transaction."),
    (Program, Counter, "qiguan_journal_failed_total", "Appends by rooms that failed, or whose outcome is unknown."),
    (Program, Gauges, "qiguan_database_connections", "Connections to the database that are open. Label `for`: `read`, `write`."),
    (Program, Gauges, "qiguan_database_connections_idle", "Those of them that nobody uses. Label `for`."),
    (Program, Gauges, "qiguan_database_connections_limit", "So many connections to the database are opened at most. Label `for`."),
    (Program, Histogram, "qiguan_database_acquire_seconds", "How long each reader and writer waited for a connection to the database."),
    (Program, Counter, "qiguan_connection_log_dropped_total", "Entries of the connection log that could not be stored."),
    (Program, Counter, "qiguan_push_delivered_total", "Messages to devices that their push services have taken."),
    (Program, Counter, "qiguan_push_failed_total", "Messages to devices that could not be delivered."),
    (Program, Counter, "qiguan_push_gone_total", "Devices removed because their push services no longer know them."),
    (Program, Counter, "qiguan_push_dropped_total", "Messages to devices left out because too many were waiting."),
    (Program, Gauge, "qiguan_computer_threads_busy", "Threads that think for computer players, hints and reviews."),
    (Program, Gauges, "qiguan_computer_waiting", "Owners for whom work waits for such a thread, for moves, hints and reviews."),
    (Program, Histograms, "qiguan_computer_wait_seconds", "How long each piece of such work waited for a thread."),
    (Program, Histograms, "qiguan_computer_work_seconds", "How long each piece of such work took a thread."),
    (Program, Counter, "qiguan_computer_hints_refused_total", "Hints that were refused because too many were waiting."),
    (Program, Counter, "qiguan_computer_panics_total", "Pieces of such work that panicked; the thread goes on."),
    (Cluster, Gauge, "qiguan_cluster_programs", "Programs on the record, this one among them, those that are silent too."),
    (Cluster, Gauge, "qiguan_cluster_version", "What every program on the record can read; it grows when an upgrade is finished."),
    (Program, Gauge, "qiguan_cluster_slots_owned", "Slots that this program owns, of 4,096. Less than that in all: some are nobody's just now."),
    (Program, Gauge, "qiguan_cluster_links_open", "Other programs that are heard over NATS."),
    (Program, Gauge, "qiguan_cluster_waiting_bytes", "What waits to be sent to other programs."),
    (Program, Counter, "qiguan_cluster_frames_sent_total", "Frames with messages that this program has sent to others. Those that say only that it is there do not count."),
    (Program, Counter, "qiguan_cluster_messages_sent_total", "Messages to other programs, of which a frame holds one or more."),
    (Program, Counter, "qiguan_cluster_texts_sent_total", "Those of them that are texts for clients of other programs: one for each player's connection, and one for all spectators of a game at a program."),
    (Program, Counter, "qiguan_cluster_requests_forwarded_total", "What was asked here of games and of the lobby that other programs own."),
    (Program, Counter, "qiguan_cluster_take_overs_total", "Programs that this one has taken over from because they were gone."),
    (Program, Counter, "qiguan_cluster_slots_handed_over_total", "Slots that this program has handed to others."),
    (Program, Gauge, "qiguan_clock_correction_seconds", "By how much this machine's clock is put right by the database's, as far as that has come."),
    (Program, Counter, "qiguan_cluster_beats_failed_total", "Times that this program could not note that it is alive."),
    (Program, Counter, "qiguan_cluster_frames_refused_total", "Frames of other programs that were not sealed with the cluster's key, or that were changed."),
    (Program, Counter, "qiguan_cluster_resets_total", "Times that frames between this program and another were lost, so that what was under way was asked again."),
    (Program, Gauges, "qiguan_build_info", "Always 1. Labels `version` and `commit`: what runs."),
    (Program, Counter, "process_cpu_seconds_total", "Whole seconds of the processor that the process has used, in user and system mode."),
    (Program, Gauge, "process_resident_memory_bytes", "Memory of the process that is in RAM."),
    (Program, Gauge, "process_virtual_memory_bytes", "Address space of the process."),
    (Program, Gauge, "process_open_fds", "Open files of the process, connections included."),
    (Program, Gauge, "process_max_fds", "The limit of open files."),
    (Program, Gauge, "process_threads", "Threads of the process."),
    (Program, Gauge, "process_start_time_seconds", "When the process started, in seconds since 1970."),
];

/// Tells what each measure is; counters and gauges begin at 0.
fn describe(commit: &'static str) {
    for (of, kind, name, description) in METRICS {
        let description = format!("{description} {}", of.words());
        match kind {
            Counter => {
                metrics::describe_counter!(name, description);
                metrics::counter!(name).absolute(0);
            }
            Gauge => {
                metrics::describe_gauge!(name, description);
                metrics::gauge!(name).set(0.0);
            }
            Histogram => {
                metrics::describe_histogram!(name, description);
                // Once it is known it is shown, though nothing was measured yet.
                drop(metrics::histogram!(name));
            }
            Counters => metrics::describe_counter!(name, description),
            Gauges => metrics::describe_gauge!(name, description),
            Histograms => metrics::describe_histogram!(name, description),
        }
    }
    for code in ErrorCode::ALL {
        metrics::counter!("qiguan_refusals_total", "code" => code.as_str()).absolute(0);
    }
    let codes = close::by_name()
        .into_iter()
        .map(|(_, code)| code.to_string());
    for code in codes.chain([CLOSED_BY_CLIENT.to_owned()]) {
        metrics::counter!("qiguan_sockets_closed_total", "code" => code).absolute(0);
    }
    process_meter::is_of(commit);
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, path::Path};

    use super::*;

    /// The rows of the table in docs/metrics.md: name, kind and what it is of.
    fn documented() -> BTreeSet<[String; 3]> {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/metrics.md");
        let text = std::fs::read_to_string(file).unwrap();
        let rows = text
            .lines()
            .filter(|line| line.starts_with("| `qiguan_") || line.starts_with("| `process_"));
        let row = |line: &str| {
            let mut cells = line
                .split('|')
                .skip(1)
                .map(|cell| cell.trim().replace('`', ""));
            std::array::from_fn(|_| cells.next().unwrap())
        };
        rows.map(row).collect()
    }

    #[test]
    fn the_table_of_the_docs_has_every_metric_and_no_other() {
        let ours = METRICS.iter().map(|(of, kind, name, _)| {
            let kind = match kind {
                Counter | Counters => "counter",
                Gauge | Gauges => "gauge",
                Histogram | Histograms => "histogram",
            };
            let of = match of {
                Program => "node",
                Cluster => "cluster",
            };
            [*name, kind, of].map(str::to_owned)
        });
        assert_eq!(ours.collect::<BTreeSet<_>>(), documented());
        assert_eq!(METRICS.len(), documented().len());
    }

    fn sources(folder: &Path, texts: &mut String) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, texts);
            } else if path.extension().is_some_and(|it| it == "rs")
                && !path.ends_with("metric_names.rs")
            {
                texts.push_str(&std::fs::read_to_string(path).unwrap());
            }
        }
    }

    #[test]
    fn every_metric_is_measured_and_nothing_is_measured_that_has_no_name_here() {
        let mut texts = String::new();
        for part in ["server/src", "store/src"] {
            sources(
                &Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(part),
                &mut texts,
            );
        }
        let named: BTreeSet<&str> = METRICS.iter().map(|(_, _, name, _)| *name).collect();
        let quoted = texts.split('"').filter(|text| {
            let is_name = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
            let is_ours = text.starts_with("qiguan_") || text.starts_with("process_");
            is_ours && text.bytes().all(is_name)
        });
        // Names of crates stand in filters of the log, and nothing else begins so.
        let measured: BTreeSet<&str> = quoted.filter(|name| !is_crate(name)).collect();
        assert_eq!(measured, named);
    }

    fn is_crate(name: &str) -> bool {
        let parts = [
            "server", "store", "game", "rules", "protocol", "engine", "client", "web",
        ];
        parts
            .iter()
            .any(|part| name.strip_prefix("qiguan_") == Some(part))
    }
}
