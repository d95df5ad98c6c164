//! What every request can reach.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    config::ServeArgs,
    http::origin::Origins,
    room::hub::{Hub, Services},
};

/// The running server. Cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Inner>);

/// See [`App`].
pub struct Inner {
    /// All rooms.
    pub hub: Hub,
    /// Which pages may use this server.
    pub origins: Origins,
    /// The settings.
    pub settings: ServeArgs,
    /// Open sockets: at the end they are told, and waited for.
    pub sockets: Sockets,
    /// Renders the metrics.
    pub metrics: metrics_exporter_prometheus::PrometheusHandle,
}

/// The registry of open sockets. The HTTP server forgets a connection once it has become a WebSocket; this does not.
#[derive(Default)]
pub struct Sockets {
    next: AtomicU64,
    /// Every socket's task.
    pub tasks: TaskTracker,
    /// The server is about to restart: tell clients.
    pub announce: CancellationToken,
    /// The server restarts now: close.
    pub close: CancellationToken,
}

impl Sockets {
    /// A number for a new connection.
    pub fn number(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }
}

impl App {
    /// The server around a hub.
    pub fn new(
        hub: Hub,
        settings: ServeArgs,
        metrics: metrics_exporter_prometheus::PrometheusHandle,
    ) -> Self {
        let origins = Origins::new(settings.public_url.as_deref(), &settings.allow_origin);
        Self(Arc::new(Inner {
            hub,
            origins,
            settings,
            sockets: Sockets::default(),
            metrics,
        }))
    }

    /// What rooms need, and others too.
    pub fn services(&self) -> &Services {
        self.hub.services()
    }
}

impl std::ops::Deref for App {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}
