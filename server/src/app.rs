//! What every request can reach.

use std::sync::Arc;

use crate::{
    config::ServeArgs,
    http::origin::Origins,
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
    pub sockets: Sockets,
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
        let sockets = Sockets::new(hub.services().dice);
        Self(Arc::new(Inner {
            hub,
            origins,
            settings,
            sockets,
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
