//! What goes to the connections of one other program that have come to a game or to the lobby here: to each alone, or to spectators one copy for
//! all.

use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;

use crate::{
    abroad::{node_message::NodeMessage, people::BorrowedMessage},
    cluster::link::Way,
    peer::{outbox::Outbox, registry::Sockets},
    room::{
        spectator_text::SpectatorText,
        spectators::{Carrier, Route},
    },
    services::Services,
};

/// The count of these copies.
const TEXTS: &str = "qiguan_cluster_texts_sent_total";

/// See the module: of one game, until something of the way is lost.
pub(super) struct Copies {
    way: Way,
    services: Arc<Services>,
}

impl Copies {
    /// On this way.
    pub(super) fn new(way: Way, services: Arc<Services>) -> Arc<Self> {
        Arc::new(Self { way, services })
    }

    fn numbers(&self) -> &Sockets {
        &self.services.sockets
    }

    /// How a connection that watches by this call is reached.
    pub(super) fn route(self: &Arc<Self>, watch: u64) -> Route {
        let carrier: Arc<dyn Carrier> = Arc::<Self>::clone(self);
        Route { carrier, watch }
    }

    /// The outbox of a connection that watches by this call: its texts go there.
    pub(super) fn outbox(&self, watch: u64) -> Outbox {
        let way = self.way.clone();
        Outbox::carried_by(move |text: Utf8Bytes| {
            metrics::counter!(TEXTS).increment(1);
            way.send(&BorrowedMessage::Text { watch, text: &text });
        })
    }
}

impl Carrier for Copies {
    fn opens_group(&self) -> u64 {
        self.numbers().number()
    }

    fn joins(&self, group: u64, watch: u64) {
        self.way.send(&NodeMessage::JoinsGroup { watch, group });
    }

    fn leaves(&self, watch: u64) {
        self.way.send(&NodeMessage::LeavesGroup { watch });
    }

    fn carry(&self, group: u64, text: &SpectatorText) {
        let text = text.text();
        metrics::counter!(TEXTS).increment(1);
        self.way.send(&BorrowedMessage::GroupText { group, text });
    }
}
