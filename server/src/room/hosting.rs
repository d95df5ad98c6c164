//! Clients of other programs at the games of this one. A room does not notice: each has a connection here whose texts are sent on.

use std::{collections::HashMap, sync::Arc, time::Duration};

use axum::extract::ws::Utf8Bytes;
use parking_lot::Mutex;
use qiguan_protocol::{
    answer::{Answer, AnswerFrame},
    error::ApiError,
    ids::{GameId, Millis},
};
use qiguan_store::nodes::Incarnation;
use tokio::{
    sync::mpsc::{self, error::TryRecvError},
    time::timeout,
};

use crate::{
    cluster::links::{Link, Links},
    peer::{self, Peer, outbox::Outbox},
    room::{
        hub::Hub,
        message::{Reply, RoomMessage},
        node_message::{Ask, NodeMessage, RoomRequest},
    },
};

/// How long a host of nobody stays.
const IDLE: Duration = Duration::from_secs(1);

/// What another program says of one game.
pub(super) enum Request {
    /// See [`NodeMessage::Ask`].
    Ask(Box<Ask>),
    /// See [`NodeMessage::Unwatch`].
    Unwatch(u64),
}

type Key = (Incarnation, GameId);

/// Who passes on what the clients of each other program ask of each game, in order.
#[derive(Default)]
pub(super) struct Hosts(Mutex<HashMap<Key, mpsc::UnboundedSender<Request>>>);

impl Hosts {
    /// Passes something on.
    pub(super) fn tell(
        self: &Arc<Self>,
        hub: &Hub,
        links: &Links,
        from: Incarnation,
        game: GameId,
        request: Request,
    ) {
        let mut hosts = self.0.lock();
        let request = match hosts.get(&(from, game)) {
            Some(host) => match host.send(request) {
                Ok(()) => return,
                Err(back) => back.0,
            },
            None => request,
        };
        let Some(link) = links.to(from) else {
            return;
        };
        let (sender, inbox) = mpsc::unbounded_channel();
        // Its receiver is here.
        drop(sender.send(request));
        hosts.insert((from, game), sender);
        drop(hosts);
        let host = Host {
            hub: hub.clone(),
            link,
            game,
            connections: HashMap::new(),
        };
        tokio::spawn(host.serve(Arc::clone(self), inbox));
    }

    /// What clients of this program watch counts as left.
    pub(super) fn forget(&self, from: Incarnation) {
        self.0.lock().retain(|(node, _), _| *node != from);
    }

    /// Whether a host may end: nothing waits for it any more.
    fn may_end(
        &self,
        key: Key,
        inbox: &mut mpsc::UnboundedReceiver<Request>,
    ) -> Result<(), Request> {
        let mut hosts = self.0.lock();
        match inbox.try_recv() {
            Ok(request) => Err(request),
            Err(TryRecvError::Empty) => {
                hosts.remove(&key);
                Ok(())
            }
            // It is off the list already, and perhaps another one is on it.
            Err(TryRecvError::Disconnected) => Ok(()),
        }
    }
}

/// Passes on what the clients of one program ask of one game.
struct Host {
    hub: Hub,
    link: Arc<Link>,
    game: GameId,
    /// The clients by the numbers of their program, with the numbers that they have here, and whether they watch.
    connections: HashMap<u64, Connection>,
}

struct Connection {
    id: u64,
    watches: bool,
}

impl Host {
    async fn serve(mut self, hosts: Arc<Hosts>, mut inbox: mpsc::UnboundedReceiver<Request>) {
        loop {
            let request = match timeout(IDLE, inbox.recv()).await {
                Ok(Some(request)) => request,
                Ok(None) => break,
                Err(_) if self.connections.values().any(|it| it.watches) => continue,
                Err(_) => match hosts.may_end((self.link.node(), self.game), &mut inbox) {
                    Ok(()) => break,
                    Err(request) => request,
                },
            };
            match request {
                Request::Ask(ask) => self.ask(*ask).await,
                Request::Unwatch(peer) => self.unwatch(peer).await,
            }
        }
        let all: Vec<_> = self.connections.keys().copied().collect();
        for peer in all {
            self.unwatch(peer).await;
        }
    }

    async fn ask(&mut self, ask: Ask) {
        let services = self.hub.services();
        let clock = services.clock;
        let (call, re) = (ask.call, ask.re);
        let (link, number) = (Arc::clone(&self.link), services.sockets.number());
        let peer = ask.peer.map(|peer| {
            let connection = self.connections.entry(peer).or_insert(Connection {
                id: number,
                watches: false,
            });
            let through = Arc::clone(&link);
            let outbox = Outbox::carried_by(move |text: Utf8Bytes| {
                let text = text.as_str().to_owned();
                through.send(&NodeMessage::Text { watch: call, text });
            });
            connection.watches |= matches!(ask.what, RoomRequest::Watch { .. });
            let peer = Peer::elsewhere(connection.id, outbox);
            peer.answered_within(ask.round_trip);
            Arc::new(peer)
        });
        let waited = match &ask.what {
            RoomRequest::Command { waited, .. } => *waited,
            _ => Millis(0),
        };
        let reply = Reply::to(move |result: Result<Answer, ApiError>| {
            let is_ok = result.is_ok();
            let text = peer::text(&AnswerFrame::new(re, result));
            let text = text.as_str().to_owned();
            link.send(&NodeMessage::Answer { call, is_ok, text });
        });
        let id = peer.as_ref().map(|peer| peer.id);
        let Some(message) = ask.what.into_message(id, peer, clock.now() - waited, reply) else {
            return;
        };
        if let Err(back) = self.hub.send_here(self.game, message).await {
            // Nobody is to be answered: it is asked of another program.
            back.withdraw();
            self.link.send(&NodeMessage::NotHere { call });
        }
    }

    async fn unwatch(&mut self, peer: u64) {
        if let Some(Connection { id, watches: true }) = self.connections.remove(&peer) {
            let gone = RoomMessage::Unwatch {
                peer: id,
                reply: None,
            };
            // Nobody watches there whose game is another program's.
            drop(self.hub.send_here(self.game, gone).await);
        }
    }
}
