//! Games of other programs and the lobby of all, as clients of this one come to them: what they ask for is sent to the owner, and what the room
//! or the lobby says to them comes back.
//!
//! Nothing here is known for longer than the way to the owner is unbroken. When something may have been lost, what was not answered is asked
//! again, under the same ids, and who watched watches again by cursor.

mod hosting;
mod node_message;

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use parking_lot::Mutex;
use qiguan_environment::Clock;
use qiguan_game::{people::identity::Identity, referee::Command};
use qiguan_protocol::{
    answer::Answer,
    error::{ApiError, ErrorCode},
    event::{GameNotice, GameNoticeKind},
    ids::{GameId, Millis},
    lobby::{LobbyNotice, LobbyNoticeKind},
};
use qiguan_store::nodes::Incarnation;
use serde_json::value::RawValue;
use tokio::sync::mpsc;

use self::{
    hosting::Hosts,
    node_message::{Ask, Delivery, NodeMessage, RemoteRequest},
};
use crate::{
    cluster::{
        links::{Heard, Links},
        place::Place,
    },
    lobby::{
        self,
        handle::Lobby,
        visiting::{LOBBY, Visit, VisitorRequest},
    },
    peer::{Peer, elsewhere::ForOthers, registry::Sockets},
    room::{
        elsewhere,
        hub::{self, Hub, WeakHub},
        message::{Reply, RoomMessage},
    },
};

/// How often it is looked for what can be asked again.
const LOOKS: Duration = Duration::from_millis(100);
/// How long something waits for a game that nobody owns.
const OWNERLESS: Duration = Duration::from_secs(4);
/// How long an owner may take for an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// See the module.
pub struct Abroad {
    links: Arc<Links>,
    place: Place,
    clock: Clock,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    calls: u64,
    waiting: BTreeMap<u64, Waiting>,
    watching: HashMap<u64, Watching>,
}

/// Something that was asked and is not answered.
struct Waiting {
    ask: Box<Ask>,
    /// When it was read from the network.
    received: Millis,
    peer: Option<Arc<Peer>>,
    reply: Reply,
    /// Whom it was sent to; none if it is still to be sent.
    to: Option<Incarnation>,
    /// Whether it was sent and lost: then it may have been carried out.
    is_doubtful: bool,
    since: Duration,
}

/// A connection that watches a game of another program, or is in the lobby there.
struct Watching {
    game: GameId,
    peer: Arc<Peer>,
    of: Incarnation,
}

impl Abroad {
    /// With these ways to the other programs.
    pub fn new(links: Arc<Links>, place: Place, clock: Clock) -> Self {
        Self {
            links,
            place,
            clock,
            state: Mutex::default(),
        }
    }
}

impl lobby::visiting::Abroad for Abroad {
    fn visit(&self, visit: Box<Visit>) -> Result<(), Box<Visit>> {
        let leaves = matches!(visit.request, VisitorRequest::Leave);
        let is_elsewhere = match &visit.peer {
            Some(peer) if leaves => self.has_left_lobby(peer.id),
            _ => true,
        };
        if self.place.owns(LOBBY) {
            return Err(visit);
        }
        let Visit {
            who,
            address,
            peer,
            request,
            reply,
        } = *visit;
        if !is_elsewhere {
            reply.send(Ok(Answer::LeftLobby {}));
            return Ok(());
        }
        let asked = RemoteRequest::Lobby {
            who: who.map(Arc::unwrap_or_clone),
            address,
            request,
        };
        let id = peer.as_ref().map(|peer| peer.id);
        self.ask(LOBBY, id, asked, self.clock.now(), peer, reply);
        Ok(())
    }
}

impl hub::Abroad for Abroad {
    fn is_watched(&self, game: GameId) -> bool {
        let state = self.state.lock();
        state.watching.values().any(|it| it.game == game)
    }

    fn forward(&self, game: GameId, message: RoomMessage) -> Result<(), RoomMessage> {
        if game == LOBBY {
            // There is no such game.
            return Err(message);
        }
        let now = self.clock.now();
        let (what, received, peer, reply) = match message {
            RoomMessage::Watch {
                peer,
                player,
                since,
                preview,
                reply,
            } => {
                let watch = RemoteRequest::Watch {
                    player,
                    since,
                    preview,
                };
                (watch, now, Some(peer), reply)
            }
            RoomMessage::Command(request) if !matches!(request.command, Command::Adjudicate(_)) => {
                let request = *request;
                let command = RemoteRequest::Command {
                    command: request.command,
                    cause: request.cause.to_owned(),
                    id: request.id,
                    who: Arc::unwrap_or_clone(request.who),
                    waited: Millis(0),
                    from: request.from,
                };
                (command, request.received, request.peer, request.reply)
            }
            RoomMessage::Keep(keep) => {
                let keep = *keep;
                let asked = RemoteRequest::Keep {
                    player: keep.player,
                    kind: keep.kind,
                    text: keep.text,
                };
                self.ask(game, keep.peer, asked, now, None, keep.reply);
                return Ok(());
            }
            RoomMessage::SpectatorMessage(said) => {
                let said = *said;
                let asked = RemoteRequest::SpectatorMessage {
                    who: Arc::unwrap_or_clone(said.who),
                    address: said.address,
                    command: said.command,
                    text: said.text,
                    reach: said.reach,
                };
                (asked, now, None, said.reply)
            }
            RoomMessage::Unwatch { peer, reply } => {
                self.unwatch(game, peer);
                if let Some(reply) = reply {
                    reply.send(Ok(Answer::Unwatched { game }));
                }
                return Ok(());
            }
            here @ (RoomMessage::Command(_)
            | RoomMessage::Read { .. }
            | RoomMessage::DeleteIfAbandoned { .. }
            | RoomMessage::Name { .. }
            | RoomMessage::Revised
            | RoomMessage::Wake(_)) => return Err(here),
        };
        let id = peer.as_ref().map(|peer| peer.id);
        self.ask(game, id, what, received, peer, reply);
        Ok(())
    }
}

impl Abroad {
    /// A connection leaves the lobby, also with what it has asked there and is not answered. Whether any program knows of it.
    fn has_left_lobby(&self, peer: u64) -> bool {
        let mut state = self.state.lock();
        let is_it = |it: &Waiting| it.ask.game == LOBBY && it.ask.subscriber() == Some(peer);
        let unanswered: Vec<_> = state.waiting.extract_if(.., |_, it| is_it(it)).collect();
        let was_there = state.leave(LOBBY, peer).is_some();
        drop(state);
        let was_sent = unanswered
            .iter()
            .any(|(_, it)| it.to.is_some() || it.is_doubtful);
        for (_, it) in unanswered {
            it.reply.send(Err(unreachable()));
        }
        was_there || was_sent
    }

    fn ask(
        &self,
        game: GameId,
        id: Option<u64>,
        what: RemoteRequest,
        received: Millis,
        peer: Option<Arc<Peer>>,
        reply: Reply,
    ) {
        let mut state = self.state.lock();
        state.calls += 1;
        let call = state.calls;
        let mut waiting = Waiting {
            ask: Box::new(Ask {
                call,
                game,
                re: reply.re(),
                peer: id,
                round_trip: Millis(0),
                what,
            }),
            received,
            peer,
            reply,
            to: None,
            is_doubtful: false,
            since: self.clock.running_for(),
        };
        // What was asked before and is still to be sent goes first.
        let owner = self.place.owner_of(game);
        let waits = |it: &Waiting| it.ask.game == game && (it.to.is_none() || it.to != owner);
        if !state.waiting.values().any(waits) {
            self.send(&mut state.watching, &mut waiting);
        }
        state.waiting.insert(call, waiting);
    }

    /// Sends what waits to the owner of its game, if there is a way.
    fn send(&self, watching: &mut HashMap<u64, Watching>, waiting: &mut Waiting) {
        let ask = &mut waiting.ask;
        let owner = self.place.owner_of(ask.game);
        let Some(link) = owner.and_then(|owner| self.links.to(owner)) else {
            return;
        };
        if let RemoteRequest::Command { waited, .. } = &mut ask.what {
            *waited = Millis((self.clock.now() - waiting.received).0.max(0));
        }
        if let Some(peer) = &waiting.peer {
            ask.round_trip = peer.round_trip();
            let is_it = |it: &Watching| it.game == ask.game && it.peer.id == peer.id;
            // Who opens a seek may see the lobby already, and goes on to see it over what that has led to.
            let is_there = !ask.what.shows() && watching.values().any(is_it);
            if ask.what.subscribes() && !is_there {
                watching.retain(|_, it| !is_it(it));
                let peer = Arc::clone(peer);
                let (game, of) = (ask.game, link.node());
                watching.insert(ask.call, Watching { game, peer, of });
            }
        }
        waiting.to = Some(link.node());
        link.send(&BorrowedMessage::Ask(ask));
    }

    fn unwatch(&self, game: GameId, peer: u64) {
        let mut state = self.state.lock();
        let mut at: HashSet<_> = state.leave(game, peer).into_iter().collect();
        let is_it = |it: &Waiting| it.ask.game == game && it.watches(peer);
        let unanswered: Vec<_> = state.waiting.extract_if(.., |_, it| is_it(it)).collect();
        at.extend(unanswered.iter().filter_map(|(_, it)| it.to));
        drop(state);
        for (_, it) in unanswered {
            it.reply.send(Err(unreachable()));
        }
        for node in at {
            self.leave_at(node, game, peer, None);
        }
    }

    /// Tells a program that a connection does not watch there, or not by this call.
    fn leave_at(&self, node: Incarnation, game: GameId, peer: u64, watch: Option<u64>) {
        if let Some(link) = self.links.to(node) {
            link.send(&NodeMessage::Unwatch { game, peer, watch });
        }
    }

    /// Tells other programs who is connected here, and players who are connected there.
    fn say(&self, what: ForOthers<'_>) {
        match what {
            ForOthers::Connected(who) => {
                for link in self.links.all() {
                    link.send(&BorrowedMessage::Connected { who });
                }
            }
            ForOthers::Gone(player) => {
                for link in self.links.all() {
                    link.send(&NodeMessage::Gone { player });
                }
            }
            ForOthers::Tell {
                node,
                player,
                only_followers,
                text,
            } => {
                if let Some(link) = self.links.to(node) {
                    let text = text.as_str().to_owned();
                    link.send(&NodeMessage::Tell {
                        player,
                        only_followers,
                        text,
                    });
                }
            }
        }
    }

    /// Tells a program who is connected here, from the beginning.
    fn say_who_is_here(&self, sockets: &Sockets, to: Incarnation) {
        if let Some(link) = self.links.to_silent(to) {
            sockets.each_player(|who| link.send(&BorrowedMessage::Connected { who }));
        }
    }

    /// Carries messages for as long as the server runs.
    pub async fn run(
        self: Arc<Self>,
        hub: WeakHub,
        lobby: Lobby,
        mut hearing: mpsc::UnboundedReceiver<Heard>,
    ) {
        let Some(hosts) = hub
            .upgrade()
            .map(|hub| Arc::new(Hosts::new(hub, lobby.clone())))
        else {
            return;
        };
        if let Some(hub) = hub.upgrade() {
            let abroad = Arc::downgrade(&self);
            let sockets = &hub.services().sockets;
            sockets.elsewhere.through(move |what| {
                if let Some(abroad) = abroad.upgrade() {
                    abroad.say(what);
                }
            });
        }
        let mut changes = self.place.changes();
        let mut looks = tokio::time::interval(LOOKS);
        looks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            let heard = tokio::select! {
                heard = hearing.recv() => match heard {
                    Some(heard) => Some(heard),
                    None => return,
                },
                _ = looks.tick() => None,
                changed = changes.changed() => match changed {
                    Ok(()) => None,
                    Err(_) => return,
                },
            };
            let Some(hub) = hub.upgrade() else {
                return;
            };
            match heard {
                Some(Heard::Messages(from, messages)) => {
                    self.hear(&hub, &hosts, from, &messages);
                }
                Some(Heard::Reset(from)) => {
                    let sockets = &hub.services().sockets;
                    hosts.forget(from);
                    sockets.elsewhere.forget(from);
                    self.say_who_is_here(sockets, from);
                    self.lose(from);
                    self.links.is_reset(from);
                    self.look(&hub, &lobby);
                }
                None => self.look(&hub, &lobby),
            }
        }
    }

    fn hear(&self, hub: &Hub, hosts: &Arc<Hosts>, from: Incarnation, messages: &[u8]) {
        let messages: Vec<&RawValue> = match serde_json::from_slice(messages) {
            Ok(messages) => messages,
            Err(error) => {
                tracing::error!(node = %from, %error, "what another program says can't be read");
                return;
            }
        };
        let sockets = &hub.services().sockets;
        for message in messages {
            let message = match serde_json::from_str(message.get()) {
                Ok(message) => message,
                // A program of another release says more than this one knows.
                Err(error) => {
                    tracing::warn!(node = %from, %error, "a message of another program can't be read");
                    continue;
                }
            };
            match message {
                NodeMessage::Connected { who } => sockets.elsewhere.connected(from, who),
                NodeMessage::Gone { player } => sockets.elsewhere.gone(from, player),
                NodeMessage::Ask(ask) => {
                    let game = ask.game;
                    hosts.tell(&self.links, from, game, hosting::Request::Ask(ask));
                }
                NodeMessage::Unwatch { game, peer, watch } => {
                    hosts.tell(
                        &self.links,
                        from,
                        game,
                        hosting::Request::Unwatch(peer, watch),
                    );
                }
                NodeMessage::Answer { call, is_ok, text } => {
                    let mut state = self.state.lock();
                    // One that was lost, and is answered all the same, is asked again: what it has led to there was let go.
                    let is_it = |it: &Waiting| it.to == Some(from);
                    if !state.waiting.get(&call).is_some_and(is_it) {
                        continue;
                    }
                    let Some(waiting) = state.waiting.remove(&call) else {
                        continue;
                    };
                    // What was refused in the lobby ends nothing else that the connection does there.
                    let is_over = !is_ok && waiting.ask.game != LOBBY;
                    if is_over {
                        state.watching.remove(&call);
                    }
                    drop(state);
                    if is_over && let Some(peer) = waiting.ask.subscriber() {
                        self.leave_at(from, waiting.ask.game, peer, Some(call));
                    }
                    waiting.reply.send_text(text.into());
                }
                NodeMessage::NotHere { call } => {
                    let mut state = self.state.lock();
                    let State {
                        waiting, watching, ..
                    } = &mut *state;
                    if let Some(waiting) = waiting.get_mut(&call)
                        && waiting.to == Some(from)
                    {
                        waiting.to = None;
                        watching.remove(&call);
                    }
                }
                NodeMessage::Tell {
                    player,
                    only_followers,
                    text,
                } => sockets.pass_on(player, &text.into(), only_followers),
                NodeMessage::Text { watch, text } => {
                    let state = self.state.lock();
                    if let Some(watching) = state.watching.get(&watch)
                        && watching.of == from
                    {
                        watching.peer.outbox.push(text.into());
                    }
                }
            }
        }
    }

    /// What was under way between this program and another may be lost.
    fn lose(&self, node: Incarnation) {
        let mut state = self.state.lock();
        for waiting in state.waiting.values_mut() {
            if waiting.to == Some(node) {
                waiting.is_lost();
            }
        }
        state.drop_watching(|it| it.of == node);
    }

    /// Sends again what has to be, and fails what has waited for too long.
    fn look(&self, hub: &Hub, lobby: &Lobby) {
        let now = self.clock.running_for();
        let mut state = self.state.lock();
        let place = &self.place;
        // The owner itself says so too, unless it is gone.
        state.drop_watching(|it| place.owner_of(it.game) != Some(it.of));
        let State {
            waiting, watching, ..
        } = &mut *state;
        let mut over = Vec::new();
        // Games of which something could not be sent: what was asked later does not go before it.
        let mut stuck = HashSet::new();
        for (call, it) in &mut *waiting {
            let game = it.ask.game;
            if it.to.is_some() && it.to != place.owner_of(game) {
                it.is_lost();
            }
            if it.to.is_none() && !stuck.contains(&game) {
                self.send(watching, it);
            }
            if it.to.is_none() {
                stuck.insert(game);
            }
            let limit = if it.to.is_some() { PATIENCE } else { OWNERLESS };
            if place.owns(game) || now.saturating_sub(it.since) > limit {
                over.push(*call);
            }
        }
        let over: Vec<_> = over
            .into_iter()
            .filter_map(|call| waiting.remove(&call))
            .collect();
        for it in over.iter().filter(|it| it.ask.game != LOBBY) {
            watching.remove(&it.ask.call);
        }
        drop(state);
        let (mut here, mut elsewhere) = (Vec::new(), Vec::new());
        for it in over {
            let game = it.ask.game;
            if place.owns(game) {
                here.extend(it.here().map(|delivery| (game, delivery)));
                continue;
            }
            if let Some((node, peer)) = it.to.zip(it.ask.subscriber())
                && game != LOBBY
            {
                self.leave_at(node, game, peer, Some(it.ask.call));
            }
            if it.is_command() && (it.is_doubtful || it.to.is_some()) {
                // Whether it was carried out is not known.
                it.reply.send(Err(ApiError::internal()));
            } else {
                elsewhere.extend(it.unreachable().here().map(|delivery| (game, delivery)));
            }
        }
        if !here.is_empty() || !elsewhere.is_empty() {
            let (hub, lobby) = (hub.clone(), lobby.clone());
            tokio::spawn(deliver(hub, lobby, here, elsewhere));
        }
    }
}

impl State {
    /// A connection watches a game no more. Comes back with the program at which it did, if it did.
    fn leave(&mut self, game: GameId, peer: u64) -> Option<Incarnation> {
        let left = self
            .watching
            .extract_if(|_, it| it.game == game && it.peer.id == peer);
        left.map(|(_, it)| it.of).last()
    }

    /// Tells connections that they get nothing more of what they watch: clients watch again.
    fn drop_watching(&mut self, which: impl Fn(&Watching) -> bool) {
        let dropped = self.watching.extract_if(|_, it| which(it));
        for (call, Watching { game, peer, .. }) in dropped {
            // One that has not been answered is asked again instead.
            if !self.waiting.contains_key(&call) {
                if game == LOBBY {
                    let lobby = LobbyNoticeKind::Reset {};
                    peer.send(&LobbyNotice { lobby });
                } else {
                    let notice = GameNoticeKind::Dropped {};
                    peer.send(&GameNotice { game, notice });
                }
            }
        }
    }
}

/// Hands out what has come to this program, in order, and what can only be read from the record.
async fn deliver(
    hub: Hub,
    lobby: Lobby,
    here: Vec<(GameId, Delivery)>,
    elsewhere: Vec<(GameId, Delivery)>,
) {
    for (game, delivery) in here {
        match delivery {
            Delivery::Room(message) => hub.send(game, message).await,
            Delivery::Lobby(visit) => lobby.is_visited(visit).await,
        }
    }
    for (game, delivery) in elsewhere {
        match delivery {
            Delivery::Room(message) => elsewhere::answer(hub.services(), game, message).await,
            Delivery::Lobby(visit) => visit.reply.send(Err(unreachable())),
        }
    }
}

fn unreachable() -> ApiError {
    let message = "the program that plays this can't be reached right now; try again in a moment";
    ApiError::new(ErrorCode::Busy, message)
}

impl Waiting {
    /// It was sent, and nobody knows whether it has arrived.
    const fn is_lost(&mut self) {
        self.is_doubtful |= self.to.is_some();
        self.to = None;
    }

    /// Whether it is to watch over this connection.
    fn watches(&self, peer: u64) -> bool {
        matches!(self.ask.what, RemoteRequest::Watch { .. }) && self.ask.peer == Some(peer)
    }

    /// Its owner can't be reached: where the record has no answer, it is to be asked again.
    fn unreachable(mut self) -> Self {
        let reply = std::mem::replace(&mut self.reply, Reply::to_nobody());
        self.reply = Reply::to(move |result: Result<Answer, ApiError>| {
            reply.send(result.map_err(|error| match error.code {
                ErrorCode::Elsewhere => unreachable(),
                _ => error,
            }));
        });
        self
    }

    /// Whether something may have come of it.
    const fn is_command(&self) -> bool {
        match &self.ask.what {
            RemoteRequest::Watch { .. } => false,
            RemoteRequest::Lobby { request, .. } => matches!(request, VisitorRequest::Player(_)),
            RemoteRequest::Command { .. }
            | RemoteRequest::Keep { .. }
            | RemoteRequest::SpectatorMessage { .. } => true,
        }
    }

    /// The same as something for this program.
    fn here(self) -> Option<Delivery> {
        let id = self.ask.peer;
        self.ask
            .what
            .into_delivery(id, self.peer, self.received, self.reply)
    }
}

/// The same as some of [`NodeMessage`], lent to be written.
#[derive(serde::Serialize)]
#[serde(rename_all = "snake_case")]
enum BorrowedMessage<'a> {
    Ask(&'a Ask),
    Connected { who: &'a Identity },
}
