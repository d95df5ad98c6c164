//! What every request can reach.

use std::sync::Arc;

use crate::{
    config::ServeArgs,
    http::origin::Origins,
    lobby::{hall::Limits, handle::Lobby},
    room::hub::{Hub, Services},
    socket::sockets::Sockets,
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
    /// Open sockets.
    pub sockets: Arc<Sockets>,
    /// Where players look for each other.
    pub lobby: Lobby,
    /// Renders the metrics.
    pub metrics: metrics_exporter_prometheus::PrometheusHandle,
}

impl App {
    /// The server around a hub.
    pub fn new(
        hub: Hub,
        settings: ServeArgs,
        metrics: metrics_exporter_prometheus::PrometheusHandle,
    ) -> Self {
        let origins = Origins::new(settings.public_url.as_deref(), &settings.allow_origin);
        let services = hub.services();
        let sockets = Arc::clone(&services.sockets);
        let limits = Limits {
            per_player: settings.seeks_per_player,
            per_address: settings.seeks_per_address,
        };
        let lobby = Lobby::start(Arc::clone(services), limits);
        Self(Arc::new(Inner {
            hub,
            origins,
            settings,
            sockets,
            lobby,
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
