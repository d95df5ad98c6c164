//! One program: a whole server with a runtime of its own in the one thread of the world. Its clock goes as the world lets it.

use std::{
    net::{IpAddr, Ipv4Addr},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use metrics_exporter_prometheus::PrometheusBuilder;
use qiguan_environment::{Clock, Random};
use qiguan_protocol::ids::Millis;
use qiguan_server::{
    app::{App, Server, Ways, Writers},
    cluster::{seal::Seal, wire::Wire},
    config::ServeArgs,
    jobs::{membership, running::Jobs},
    net::address::Group,
    socket::connection,
};
use qiguan_store::simulated::{Database, Link};
use tokio::runtime::{Builder, Runtime};

use crate::socket::{self, ClientEnd};

/// What all programs share, as long as every frame is of this cluster.
const SECRET: &[u8] = b"a secret that all programs of the simulated cluster share";
/// How long sockets get to send what was answered before the end.
const LAST_ANSWERS: Duration = Duration::from_millis(300);

/// What a program is started with.
pub(crate) struct Start {
    pub(crate) settings: ServeArgs,
    pub(crate) database: Database,
    pub(crate) link: Link,
    /// None for one that is alone.
    pub(crate) wire: Option<Arc<dyn Wire>>,
    /// What its clock shows at the start.
    pub(crate) at: Millis,
    pub(crate) random: Random,
}

/// A program, or the machine on which none runs just now.
pub(crate) struct Node {
    pub(crate) number: usize,
    running: Option<Running>,
    /// Until when it stands still.
    frozen_until: Option<u64>,
    /// How long it has stood still, which its clock does not know yet.
    behind: Duration,
}

struct Running {
    runtime: Runtime,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    server: Mutex<Option<App>>,
    failure: Mutex<Option<String>>,
    is_leaving: AtomicBool,
    ends: tokio::sync::Notify,
    has_ended: AtomicBool,
}

impl State {
    fn app(&self) -> Option<App> {
        let server = self.server.lock();
        server.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Node {
    pub(crate) const fn new(number: usize) -> Self {
        Self {
            number,
            running: None,
            frozen_until: None,
            behind: Duration::ZERO,
        }
    }

    /// Starts a program.
    pub(crate) fn start(&mut self, start: Start) {
        let runtime = Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .expect("a runtime");
        let state = Arc::<State>::default();
        let (number, shared) = (self.number, Arc::clone(&state));
        runtime.spawn(async move {
            if let Err(error) = runs(number, start, &shared).await {
                *shared
                    .failure
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner) = Some(format!("{error:#}"));
            }
            shared.has_ended.store(true, Ordering::Relaxed);
        });
        self.frozen_until = None;
        self.behind = Duration::ZERO;
        self.running = Some(Running { runtime, state });
    }

    /// Goes on by one step.
    pub(crate) fn step(&mut self, now: u64, by: Duration) {
        if let Some(until) = self.frozen_until {
            if now < until {
                self.behind += by;
                return;
            }
            self.frozen_until = None;
        }
        let Some(Running { runtime, .. }) = &self.running else {
            return;
        };
        let _here = tracing::info_span!("program", number = self.number, now).entered();
        let behind = std::mem::take(&mut self.behind);
        runtime.block_on(async {
            if behind > Duration::ZERO {
                tokio::time::advance(behind).await;
            }
            tokio::time::sleep(by).await;
        });
    }

    /// The power fails.
    pub(crate) fn crash(&mut self) {
        self.running = None;
        self.frozen_until = None;
        self.behind = Duration::ZERO;
    }

    /// It stands still until then.
    pub(crate) const fn freeze(&mut self, until: u64) {
        self.frozen_until = Some(until);
    }

    /// It is told to end.
    pub(crate) fn ends(&self) {
        if let Some(Running { state, .. }) = &self.running {
            state.is_leaving.store(true, Ordering::Relaxed);
            state.ends.notify_one();
        }
    }

    /// Whether a program is there and does not stand still.
    pub(crate) const fn is_moving(&self) -> bool {
        self.running.is_some() && self.frozen_until.is_none()
    }

    /// Whether there is a program.
    pub(crate) const fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Why it has ended, if it has.
    pub(crate) fn has_ended(&self) -> Option<String> {
        let running = self.running.as_ref()?;
        let failure = running.state.failure.lock();
        let failure = failure.unwrap_or_else(PoisonError::into_inner).clone();
        let has_ended = running.state.has_ended.load(Ordering::Relaxed);
        has_ended.then(|| failure.unwrap_or_else(|| "as it was told".to_owned()))
    }

    /// Whether clients can come.
    pub(crate) fn is_ready(&self) -> bool {
        self.running.as_ref().is_some_and(|running| {
            !running.state.is_leaving.load(Ordering::Relaxed) && running.state.app().is_some()
        })
    }

    /// The server, once it is ready.
    pub(crate) fn app(&self) -> Option<App> {
        self.running
            .as_ref()
            .and_then(|running| running.state.app())
    }

    /// Does something in the program's runtime, which stands still otherwise but for its clock.
    pub(crate) fn does<T>(&self, what: impl Future<Output = T>) -> Option<T> {
        self.running
            .as_ref()
            .map(|running| running.runtime.block_on(what))
    }

    /// A client connects, and its messages take so long each way.
    pub(crate) fn is_connected(&self, delay: u64, client: usize) -> Option<ClientEnd> {
        let Running { runtime, state } = self.running.as_ref()?;
        let app = state.app()?;
        let (client_end, program_end) = socket::connection(self.number, delay);
        let address = Ipv4Addr::new(10, 0, 0, client as u8);
        let sockets = app.services.sockets.tasks.clone();
        // The clock is that of the runtime.
        let _here = runtime.enter();
        let upgraded_at = app.services.clock.micros();
        let served = connection::serve(
            app,
            program_end,
            None,
            Group::of(IpAddr::V4(address)),
            upgraded_at,
            Arc::default(),
        );
        runtime.spawn(sockets.track_future(served));
        Some(client_end)
    }
}

/// Runs from the start of a program to its end.
async fn runs(number: usize, start: Start, state: &State) -> anyhow::Result<()> {
    let clock = Clock::starting_at(start.at).following();
    let store = start.database.open(&start.link);
    let name = format!("program {number}");
    let own = if start.wire.is_some() {
        Some((
            membership::join(&store, clock, start.random, &name).await?,
            name,
        ))
    } else {
        None
    };
    let is_shared = own.is_some();
    let ways = start.wire.map(|wire| Ways {
        wire,
        seal: Seal::new([SECRET]),
    });
    let metrics = PrometheusBuilder::new().build_recorder().handle();
    let (app, writers) = Server::start(
        start.settings,
        Arc::clone(&store),
        ways,
        clock,
        start.random,
        metrics,
    )
    .await?;
    let mut jobs = Jobs::start(app.clone(), own).await?;
    jobs.is_ready();
    *state.server.lock().unwrap_or_else(PoisonError::into_inner) = Some(app.clone());
    state.ends.notified().await;
    jobs.hand_over().await;
    ends(&app, jobs, writers).await;
    if is_shared {
        store.leave(clock.now()).await?;
    } else {
        store.heartbeat(clock.now()).await?;
    }
    store.close().await;
    Ok(())
}

/// Says goodbye, as `qiguan serve` does.
async fn ends(app: &App, jobs: Jobs, writers: Writers) {
    let services = &app.services;
    services.draining.store(true, Ordering::Relaxed);
    services.sockets.announce(false);
    tokio::time::sleep(LAST_ANSWERS).await;
    services.sockets.close();
    services.sockets.tasks.close();
    services.sockets.tasks.wait().await;
    app.hub.close().await;
    jobs.end();
    writers.close().await;
}
