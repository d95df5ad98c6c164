//! `qiguan serve`: runs the server, from opening the records to the shutdown.

mod traces;

use std::{
    io::{IsTerminal, Write},
    net::SocketAddr,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use anyhow::Context;
use qiguan_environment::{Clock, Random};
use qiguan_protocol::ids::Epoch;
use qiguan_server::{
    app::{App, Server, Ways},
    config::ServeArgs,
    fd_limit,
    http::{server, web},
    jobs::{membership, running::Jobs},
    memory, metric_names,
    peer::registry::LONGEST_MOVE,
    router,
};
use qiguan_store::{
    failpoints,
    nodes::Incarnation,
    opening::{Served, Step},
    store::Store,
};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;
use tracing::{Level, Subscriber};
use tracing_subscriber::{
    EnvFilter, Layer, filter::filter_fn, fmt, layer::SubscriberExt, registry::LookupSpan,
    util::SubscriberInitExt,
};

use self::traces::Traces;

/// The commit that the program was built from, or `unknown`.
const COMMIT: &str = env!("QIGUAN_COMMIT");
/// So many connections to the listener for metrics are open at most.
const SCRAPES: usize = 16;
/// How long sockets get to send what was answered before the restart.
const LAST_ANSWERS: Duration = Duration::from_millis(300);
/// How long the end may take in all; the rest is cut off.
const LONGEST_END: Duration = Duration::from_secs(4);

/// Runs the server until SIGTERM or SIGINT.
///
/// # Errors
/// When it can't start: the settings, the records or the address are not as they should be.
pub(crate) fn run(settings: ServeArgs) -> anyhow::Result<()> {
    failpoints::check()?;
    let runtime = runtime(qiguan_environment::cores())?;
    let traces = Traces::start(runtime.handle())?;
    start_logging(&settings, traces.as_ref())?;
    let served = runtime.block_on(async {
        let served = serve(settings).await;
        if let Some(traces) = traces {
            traces.end().await;
        }
        served
    });
    // Whatever still runs now has had its time.
    runtime.shutdown_timeout(Duration::from_millis(500));
    served
}

/// What runs the tasks, on so many cores. On one core all of them share a thread: it takes them in the order in which they were woken,
/// so that the rooms that a commit has woken all run before the sockets that they write to, and neither's code displaces the
/// other's with every move.
fn runtime(cores: usize) -> std::io::Result<tokio::runtime::Runtime> {
    let mut builder = match cores {
        0 | 1 => tokio::runtime::Builder::new_current_thread(),
        _ => tokio::runtime::Builder::new_multi_thread(),
    };
    builder.enable_all().build()
}

fn start_logging(settings: &ServeArgs, traces: Option<&Traces>) -> anyhow::Result<()> {
    let filter =
        EnvFilter::try_new(&settings.log).with_context(|| format!("--log {}", settings.log))?;
    let registry = tracing_subscriber::registry();
    match traces {
        // The filter stands in front of everything: what is not asked for costs its makers no more than a comparison.
        None => registry.with(filter).with(lines(settings.log_json)).init(),
        // Traces are no matter of how much is logged.
        Some(traces) => registry
            .with(lines(settings.log_json).with_filter(filter))
            .with(traces.layer())
            .init(),
    }
    Ok(())
}

/// What writes the log to standard error.
fn lines<S>(is_json: bool) -> impl Layer<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    // Libraries that see raw bytes print them at their lowest levels, tokens included. No filter can ask for that.
    let no_bytes =
        filter_fn(|event| event.target().starts_with("qiguan") || *event.level() <= Level::INFO);
    let lines = fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    let lines = if is_json {
        lines.json().boxed()
    } else {
        lines.boxed()
    };
    lines.with_filter(no_bytes)
}

async fn serve(settings: ServeArgs) -> anyhow::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let metrics = metric_names::install(COMMIT)?;
    // What the process needs beside the server, until its end.
    let mut process = JoinSet::new();
    process.spawn(metric_names::upkeep(metrics.clone()));
    process.spawn(memory::give_back());

    let clock = settings.clock();
    let random = Random::system();
    // The file stays locked for as long as the program runs.
    let (Served { store, hold: _hold }, records) = open(&settings, clock, random.epoch()).await?;
    let own = join(&settings, &store, clock, random).await?;
    let ways = Ways::over_nats(&settings, &store).await?;
    let (app, writers) =
        Server::start(settings, Arc::clone(&store), ways, clock, random, metrics).await?;
    let is_shared = own.is_some();
    let settings = &app.settings;
    let max_connections =
        fd_limit::room_for(settings.max_connections).context("the limit of open files")?;
    let listener = listen(settings.listen).await?;
    let address = listener.local_addr()?;
    let scraping = match settings.metrics_listen {
        Some(address) => Some(listen(address).await?),
        None => None,
    };
    let metrics = scraping.as_ref().map(TcpListener::local_addr).transpose()?;
    let mut jobs = Jobs::start(app.clone(), own).await?;

    let stop = CancellationToken::new();
    let serving = tokio::spawn(server::serve(
        listener,
        router::router(app.clone()),
        app.clone(),
        max_connections,
        stop.clone(),
    ));
    let scraping = scraping.map(|listener| {
        let router = router::for_prometheus(app.clone());
        server::serve(listener, router, app.clone(), SCRAPES, stop.clone())
    });
    if let Some(scraping) = scraping {
        process.spawn(scraping);
    }
    if let Some(reason) = web::missing() {
        tracing::warn!(
            reason,
            "this program was built without the web client; see docs/operations.md"
        );
    }
    let metrics = metrics.map(tracing::field::display);
    tracing::info!(%address, metrics, records, running = jobs.running(), version = env!("CARGO_PKG_VERSION"), commit = COMMIT, "ready");
    ready(&format!("listening on http://{address}"));
    jobs.is_ready();

    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    tracing::info!("restarting: no new games; notifying clients");
    tokio::select! {
        () = go_elsewhere(&app, &mut jobs) => {}
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    app.services.draining.store(true, Ordering::Relaxed);
    let end = end(&app, &stop, serving);
    if tokio::time::timeout(LONGEST_END, end).await.is_err() {
        tracing::warn!("some tasks did not end in time; everything acknowledged is stored");
    }
    jobs.end();
    process.abort_all();
    writers.close().await;
    // The last sign of life: nobody is charged from here on.
    let last = if is_shared {
        store.leave(clock.now()).await
    } else {
        store.heartbeat(clock.now()).await
    };
    if let Err(error) = last {
        tracing::warn!(%error, "could not write the last heartbeat");
    }
    store.close().await;
    tracing::info!("ended");
    Ok(())
}

async fn listen(address: SocketAddr) -> anyhow::Result<TcpListener> {
    let listener = TcpListener::bind(address).await;
    listener.with_context(|| format!("listening on {address}"))
}

/// Joins other programs on the record, under a name for people.
async fn join(
    settings: &ServeArgs,
    store: &Store,
    clock: Clock,
    random: Random,
) -> anyhow::Result<Option<(Incarnation, String)>> {
    if !store.can_be_shared() {
        return Ok(None);
    }
    let name = format!("{}, process {}", settings.listen, std::process::id());
    let own = membership::join(store, clock, random, &name).await?;
    Ok(Some((own, name)))
}

/// Opens the records, logs what is done to their tables, and tells where they are.
async fn open(
    settings: &ServeArgs,
    clock: Clock,
    epoch: Epoch,
) -> anyhow::Result<(Served, String)> {
    if settings.trusts_the_whole_machine() {
        tracing::warn!(
            "any program on this machine can choose the address it is counted by: list only the proxy, such as \
             --trusted-proxy 127.0.0.1, and let it set X-Forwarded-For (docs/operations.md)"
        );
    }
    let database = settings.database_url()?;
    let longest = Duration::from_secs(settings.database_wait_seconds);
    qiguan_store::reachable(&database, longest).await?;
    let max_mib = (settings.database_max_mib > 0).then_some(settings.database_max_mib);
    let mut since = clock.now();
    let mut steps = |step: Step<'_>| match step {
        Step::Copies(to) => {
            tracing::warn!(to = %to.display(), "copying the record before its tables are changed");
        }
        Step::Begins(change) => {
            since = clock.now();
            tracing::warn!(
                from = change.from,
                to = change.to,
                "changing the tables: older programs will refuse the record afterwards. For Postgres, keep a dump from before"
            );
        }
        Step::Done(change) => {
            let took_ms = (clock.now() - since).0;
            tracing::warn!(
                from = change.from,
                to = change.to,
                took_ms,
                "the tables are changed"
            );
        }
    };
    let served = qiguan_store::serve(&database, max_mib, epoch, &mut steps).await?;
    Ok((served, qiguan_store::shown(&database)))
}

/// Hands the games over to other programs, if there are any, and lets clients go over to these while their connections here still serve.
async fn go_elsewhere(app: &App, jobs: &mut Jobs) {
    if !jobs.hand_over().await {
        return;
    }
    let sockets = &app.services.sockets;
    sockets.announce(true);
    sockets.tasks.close();
    // Clients that know nothing of this stay until they are closed.
    drop(tokio::time::timeout(LONGEST_MOVE, sockets.tasks.wait()).await);
}

/// Tells everybody, lets rooms finish, says goodbye.
async fn end(app: &App, stop: &CancellationToken, serving: tokio::task::JoinHandle<()>) {
    app.services.sockets.announce(false);
    tokio::time::sleep(LAST_ANSWERS).await;
    app.services.sockets.close();
    app.services.sockets.tasks.close();
    app.services.sockets.tasks.wait().await;
    stop.cancel();
    app.hub.close().await;
    // A panic in the accept loop has been logged by the runtime.
    drop(serving.await);
}

/// Reports to the process that started the program that it can be reached.
fn ready(line: &str) {
    let mut out = std::io::stdout().lock();
    // Nobody has to listen.
    let _ = writeln!(out, "{line}");
    let _ = out.flush();
}
