//! Clients of other programs at the games and in the lobby of this one. Neither notices: each client has a connection here whose texts are
//! sent on.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use parking_lot::Mutex;
use qiguan_environment::planted::{Fault, is_planted};
use qiguan_game::people::identity::Identity;
use qiguan_protocol::{
    answer::{Answer, AnswerFrame},
    error::{ApiError, ErrorCode},
    ids::{GameId, Millis},
};
use qiguan_store::nodes::Incarnation;
use tokio::{
    sync::mpsc::{self, error::TryRecvError},
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use crate::{
    abroad::{
        copies::Copies,
        node_message::{Ask, Delivery, NodeMessage, RemoteRequest},
        people::BorrowedMessage,
    },
    cluster::{link::Way, links::Links},
    lobby::{
        handle::Lobby,
        visiting::{LOBBY, Visit, VisitorRequest},
    },
    net::address::Group,
    peer::{self, Peer, outbox::Outbox},
    room::{
        hub::Hub,
        message::{ReadMark, Reply, RoomMessage},
    },
};

/// How long a host of nobody stays.
const IDLE: Duration = Duration::from_secs(1);

/// What another program says of one game, or of the lobby.
pub(super) enum Request {
    /// See [`NodeMessage::Ask`], and when it was sent.
    Ask(Box<Ask>, Millis),
    /// See [`NodeMessage::Unwatch`].
    Unwatch(u64, Option<u64>),
    /// See [`NodeMessage::Confirmed`].
    Confirmed(u64),
}

/// Whose requests are passed on in order: those of one program to one game, or of one of its clients to the lobby.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    from: Incarnation,
    game: GameId,
    /// Only in the lobby, where a request can wait for the record: the client, or what it asks over HTTP.
    client: Option<u64>,
}

/// What clients of other programs come to.
pub(super) struct Hosts {
    hub: Hub,
    lobby: Lobby,
    inboxes: Mutex<BTreeMap<Key, Inbox>>,
}

/// The way to a host.
struct Inbox {
    sender: mpsc::UnboundedSender<Request>,
    /// What it is still to pass on is void.
    is_void: CancellationToken,
}

impl Hosts {
    /// Of nobody yet.
    pub(super) fn new(hub: Hub, lobby: Lobby) -> Self {
        Self {
            hub,
            lobby,
            inboxes: Mutex::default(),
        }
    }

    /// Passes something on.
    pub(super) fn tell(
        self: &Arc<Self>,
        links: &Links,
        from: Incarnation,
        game: GameId,
        request: Request,
    ) {
        let client = match &request {
            Request::Ask(ask, _) => ask.peer.unwrap_or(ask.call),
            Request::Unwatch(peer, _) => *peer,
            Request::Confirmed(_) => 0,
        };
        let key = Key {
            from,
            game,
            client: (game == LOBBY).then_some(client),
        };
        let mut hosts = self.inboxes.lock();
        if game == LOBBY && matches!(request, Request::Unwatch(_, None)) {
            // What a client asked there who has left is not to be carried out after that: it may have waited for the record.
            if let Some(host) = hosts.remove(&key) {
                host.is_void.cancel();
            }
            return;
        }
        let request = match hosts.get(&key) {
            Some(host) => match host.sender.send(request) {
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
        let is_void = CancellationToken::new();
        let way_in = Inbox {
            sender,
            is_void: is_void.clone(),
        };
        hosts.insert(key, way_in);
        drop(hosts);
        let way = link.way();
        let host = Host {
            hosts: Arc::clone(self),
            copies: Copies::new(way.clone(), Arc::clone(self.hub.services())),
            way,
            key,
            connections: BTreeMap::new(),
        };
        tokio::spawn(host.serve(inbox, is_void));
    }

    /// What clients of this program watch counts as left. What they have asked and is not passed on yet, that program asks again.
    pub(super) fn forget(&self, from: Incarnation) {
        self.inboxes.lock().retain(|key, host| {
            let stays = key.from != from;
            if !stays {
                host.is_void.cancel();
            }
            stays
        });
    }

    /// Whether a host may end: nothing waits for it any more.
    fn may_end(
        &self,
        key: Key,
        inbox: &mut mpsc::UnboundedReceiver<Request>,
    ) -> Result<(), Request> {
        let mut hosts = self.inboxes.lock();
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

/// Passes on what the clients of one program ask.
struct Host {
    hosts: Arc<Hosts>,
    /// The way to the program, until something of it is lost: then its clients come again.
    way: Way,
    copies: Arc<Copies>,
    key: Key,
    /// The clients by the numbers of their program.
    connections: BTreeMap<u64, Connection>,
}

/// A client of another program.
struct Connection {
    /// The number that it has here.
    id: u64,
    /// By which call texts follow, if they do, and how it leaves.
    leaves: Option<(u64, Leaves)>,
    /// What the room knows that it watches.
    watches: Option<Arc<Peer>>,
}

/// How a client leaves what it has come to.
enum Leaves {
    /// The game.
    Game,
    /// The lobby, as this visitor.
    Lobby(Option<Identity>, Group),
}

impl Host {
    async fn serve(mut self, inbox: mpsc::UnboundedReceiver<Request>, is_void: CancellationToken) {
        // A request that is dropped while it waits has done nothing yet, or has been passed on.
        is_void.run_until_cancelled(self.passes_on(inbox)).await;
        let all: Vec<_> = self.connections.keys().copied().collect();
        for peer in all {
            self.unwatch(peer).await;
        }
    }

    /// Passes on in order what is asked, for as long as anybody is there.
    async fn passes_on(&mut self, mut inbox: mpsc::UnboundedReceiver<Request>) {
        loop {
            let request = match timeout(IDLE, inbox.recv()).await {
                Ok(Some(request)) => request,
                Ok(None) => break,
                Err(_) if self.connections.values().any(|it| it.leaves.is_some()) => continue,
                Err(_) => match self.hosts.may_end(self.key, &mut inbox) {
                    Ok(()) => break,
                    Err(request) => request,
                },
            };
            match request {
                Request::Ask(ask, sent) => self.ask(*ask, sent).await,
                Request::Confirmed(number) => {
                    let program = self.key.from;
                    let confirmed = RoomMessage::Confirmed(ReadMark { program, number });
                    // Nobody waits for it any more whose game is another program's.
                    drop(self.hosts.hub.send_here(self.key.game, confirmed).await);
                }
                Request::Unwatch(peer, watch) => {
                    let leaves = self
                        .connections
                        .get(&peer)
                        .and_then(|it| it.leaves.as_ref());
                    if watch.is_none() || leaves.map(|(by, _)| *by) == watch {
                        self.unwatch(peer).await;
                    }
                }
            }
        }
    }

    async fn ask(&mut self, ask: Ask, sent: Millis) {
        let services = self.hosts.hub.services();
        let number = services.sockets.number();
        let (call, re, way) = (ask.call, ask.re, self.way.clone());
        let is_leave = matches!(
            &ask.what,
            RemoteRequest::Lobby {
                request: VisitorRequest::Leave,
                ..
            }
        );
        let client = ask.peer;
        let peer = ask.peer.map(|peer| {
            let connection = self.connections.entry(peer).or_insert(Connection {
                id: number,
                leaves: None,
                watches: None,
            });
            if ask.what.subscribes() {
                let leaves = match &ask.what {
                    // Who a visitor is can be said later than that they come.
                    RemoteRequest::Lobby { who, address, .. } => {
                        Leaves::Lobby(who.clone(), *address)
                    }
                    _ => Leaves::Game,
                };
                let by = match &connection.leaves {
                    Some((by, _)) if !ask.what.shows() => *by,
                    _ => call,
                };
                connection.leaves = Some((by, leaves));
            }
            connection.peer(&ask, &self.way, &self.copies)
        });
        let waited = match &ask.what {
            RemoteRequest::Command { waited, .. } => *waited,
            _ => Millis(0),
        };
        let reply = Reply::to(move |result: Result<Answer, ApiError>| {
            // This program has lost the game meanwhile.
            if matches!(&result, Err(error) if error.code == ErrorCode::Elsewhere) {
                return way.send(&NodeMessage::NotHere { call });
            }
            let is_ok = result.is_ok();
            let text = peer::text(&AnswerFrame::new(re, result));
            let text = text.as_str();
            way.send(&BorrowedMessage::Answer { call, is_ok, text });
        });
        let id = peer.as_ref().map(|peer| peer.id);
        let received = if is_planted(Fault::ClockNotCorrected) {
            sent
        } else {
            sent - waited
        };
        let back = match ask
            .what
            .into_delivery(self.key.game, id, peer, received, reply)
        {
            // No game has the name of the lobby.
            Some(Delivery::Room(message)) if self.key.game == LOBBY => {
                message.fail(ApiError::elsewhere());
                None
            }
            Some(Delivery::Room(mut message)) => {
                if let RoomMessage::Watch { route, .. } = &mut message {
                    *route = Some(self.copies.route(call));
                }
                let sent = self.hosts.hub.send_here(self.key.game, message).await;
                sent.err().map(RoomMessage::withdraw)
            }
            Some(Delivery::Lobby(visit)) if services.place.owns(LOBBY) => {
                self.hosts.lobby.is_visited(visit).await;
                None
            }
            Some(Delivery::Lobby(visit)) => {
                visit.reply.withdraw();
                Some(())
            }
            None => None,
        };
        let connection = client.and_then(|client| self.connections.get_mut(&client));
        if let Some(connection) = connection
            && (is_leave
                || back.is_some() && matches!(connection.leaves, Some((by, _)) if by == call))
        {
            connection.leaves = None;
        }
        if back.is_some() {
            // Nobody is to be answered: it is asked of another program.
            self.way.send(&NodeMessage::NotHere { call });
        }
    }

    async fn unwatch(&mut self, peer: u64) {
        let Some(Connection { id, leaves, .. }) = self.connections.remove(&peer) else {
            return;
        };
        match leaves.map(|(_, leaves)| leaves) {
            Some(Leaves::Game) => {
                let gone = RoomMessage::Unwatch {
                    peer: id,
                    reply: None,
                };
                // Nobody watches there whose game is another program's.
                drop(self.hosts.hub.send_here(self.key.game, gone).await);
            }
            Some(Leaves::Lobby(who, address)) => {
                let visit = Visit {
                    who: who.map(Arc::new),
                    address,
                    peer: Some(Arc::new(Peer::elsewhere(id, Outbox::default()))),
                    request: VisitorRequest::Leave,
                    reply: Reply::to_nobody(),
                };
                self.hosts.lobby.is_visited(visit).await;
            }
            None => {}
        }
    }
}

impl Connection {
    /// The connection as a room knows it: the one that watches, also for what else it asks, so that the room knows how far away it is now.
    fn peer(&mut self, ask: &Ask, way: &Way, copies: &Copies) -> Arc<Peer> {
        let is_watch = matches!(ask.what, RemoteRequest::Watch { .. });
        let known = self.watches.as_ref().filter(|_| !is_watch);
        let peer = known.map_or_else(
            || Arc::new(Peer::elsewhere(self.id, copies.outbox(ask.call))),
            Arc::clone,
        );
        let between_programs = way.round_trip();
        peer.is_as_far_as(between_programs);
        if ask.round_trip > Millis(0) {
            peer.answered_within(ask.round_trip + between_programs);
        }
        if is_watch {
            self.watches = Some(Arc::clone(&peer));
        }
        peer
    }
}
