//! Games of other programs, as clients of this one play and watch them: what they ask for is sent to the owner, and what the room says to them
//! comes back.
//!
//! Nothing here is known for longer than the way to the owner is unbroken. When something may have been lost, what was not answered is asked
//! again, under the same ids, and who watched watches again by cursor.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
    time::Duration,
};

use parking_lot::Mutex;
use qiguan_environment::Clock;
use qiguan_game::{people::identity::Identity, referee::Command};
use qiguan_protocol::{
    answer::Answer,
    error::ApiError,
    event::{GameNotice, GameNoticeKind},
    ids::{GameId, Millis},
};
use qiguan_store::nodes::Incarnation;
use serde_json::value::RawValue;
use tokio::sync::mpsc;

use crate::{
    cluster::{
        links::{Heard, Links},
        place::Place,
    },
    peer::{Peer, elsewhere::ForOthers, registry::Sockets},
    room::{
        elsewhere,
        hosting::{self, Hosts},
        hub::{Hub, WeakHub},
        message::{Reply, RoomMessage},
        node_message::{Ask, NodeMessage, RoomRequest},
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
    /// Whether it was ever sent: then it may have been carried out.
    was_sent: bool,
    since: Duration,
}

/// A connection that watches a game of another program.
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

    /// Whether somebody here watches a game of another program.
    pub(super) fn is_watched(&self, game: GameId) -> bool {
        let state = self.state.lock();
        state.watching.values().any(|it| it.game == game)
    }

    /// Sends a message to the owner of its game. What can only be answered here comes back.
    pub(super) fn forward(&self, game: GameId, message: RoomMessage) -> Result<(), RoomMessage> {
        let now = self.clock.now();
        let (what, received, peer, reply) = match message {
            RoomMessage::Watch {
                peer,
                player,
                since,
                preview,
                reply,
            } => {
                let watch = RoomRequest::Watch {
                    player,
                    since,
                    preview,
                };
                (watch, now, Some(peer), reply)
            }
            RoomMessage::Command(request) if !matches!(request.command, Command::Adjudicate(_)) => {
                let request = *request;
                let command = RoomRequest::Command {
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
                let asked = RoomRequest::Keep {
                    player: keep.player,
                    kind: keep.kind,
                    text: keep.text,
                };
                self.ask(game, keep.peer, asked, now, None, keep.reply);
                return Ok(());
            }
            RoomMessage::SpectatorMessage(said) => {
                let said = *said;
                let asked = RoomRequest::SpectatorMessage {
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

    fn ask(
        &self,
        game: GameId,
        id: Option<u64>,
        what: RoomRequest,
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
            was_sent: false,
            since: self.clock.running_for(),
        };
        self.send(&mut state.watching, &mut waiting);
        state.waiting.insert(call, waiting);
    }

    /// Sends what waits to the owner of its game, if there is a way.
    fn send(&self, watching: &mut HashMap<u64, Watching>, waiting: &mut Waiting) {
        let ask = &mut waiting.ask;
        let owner = self.place.owner_of(ask.game);
        let Some(link) = owner.and_then(|owner| self.links.to(owner)) else {
            return;
        };
        if let RoomRequest::Command { waited, .. } = &mut ask.what {
            *waited = Millis((self.clock.now() - waiting.received).0.max(0));
        }
        if let Some(peer) = &waiting.peer {
            ask.round_trip = peer.round_trip();
            if let RoomRequest::Watch { .. } = ask.what {
                watching.retain(|_, it| it.game != ask.game || it.peer.id != peer.id);
                let peer = Arc::clone(peer);
                let (game, of) = (ask.game, link.node());
                watching.insert(ask.call, Watching { game, peer, of });
            }
        }
        waiting.to = Some(link.node());
        waiting.was_sent = true;
        link.send(&BorrowedMessage::Ask(ask));
    }

    fn unwatch(&self, game: GameId, peer: u64) {
        let mut state = self.state.lock();
        let mut of = None;
        state.watching.retain(|_, it| {
            let is_it = it.game == game && it.peer.id == peer;
            if is_it {
                of = Some(it.of);
            }
            !is_it
        });
        drop(state);
        if let Some(link) = of.and_then(|of| self.links.to(of)) {
            link.send(&NodeMessage::Unwatch { game, peer });
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
    pub async fn run(self: Arc<Self>, hub: WeakHub, mut hearing: mpsc::UnboundedReceiver<Heard>) {
        let hosts = Arc::new(Hosts::default());
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
                    self.look(&hub);
                }
                None => self.look(&hub),
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
                    hosts.tell(hub, &self.links, from, game, hosting::Request::Ask(ask));
                }
                NodeMessage::Unwatch { game, peer } => {
                    hosts.tell(
                        hub,
                        &self.links,
                        from,
                        game,
                        hosting::Request::Unwatch(peer),
                    );
                }
                NodeMessage::Answer { call, is_ok, text } => {
                    let mut state = self.state.lock();
                    let Some(waiting) = state.waiting.remove(&call) else {
                        continue;
                    };
                    if !is_ok {
                        state.watching.remove(&call);
                    }
                    drop(state);
                    waiting.reply.send_text(text.into());
                }
                NodeMessage::NotHere { call } => {
                    let mut state = self.state.lock();
                    state.watching.remove(&call);
                    if let Some(waiting) = state.waiting.get_mut(&call) {
                        waiting.to = None;
                    }
                }
                NodeMessage::Tell {
                    player,
                    only_followers,
                    text,
                } => sockets.pass_on(player, &text.into(), only_followers),
                NodeMessage::Text { watch, text } => {
                    let state = self.state.lock();
                    if let Some(watching) = state.watching.get(&watch) {
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
                waiting.to = None;
            }
        }
        state.drop_watching(|it| it.of == node);
    }

    /// Sends again what has to be, and fails what has waited for too long.
    fn look(&self, hub: &Hub) {
        let now = self.clock.running_for();
        let mut state = self.state.lock();
        let place = &self.place;
        // The owner itself says so too, unless it is gone.
        state.drop_watching(|it| place.owner_of(it.game) != Some(it.of));
        let State {
            waiting, watching, ..
        } = &mut *state;
        let mut over = Vec::new();
        for (call, it) in &mut *waiting {
            let owner = place.owner_of(it.ask.game);
            if it.to.is_some() && it.to != owner {
                it.to = None;
            }
            if it.to.is_none() {
                self.send(watching, it);
            }
            let limit = if it.to.is_some() { PATIENCE } else { OWNERLESS };
            if place.owns(it.ask.game) || now.saturating_sub(it.since) > limit {
                over.push(*call);
            }
        }
        let over: Vec<_> = over
            .into_iter()
            .filter_map(|call| waiting.remove(&call))
            .collect();
        for it in &over {
            watching.remove(&it.ask.call);
        }
        drop(state);
        for it in over {
            let game = it.ask.game;
            if place.owns(game) {
                if let Some(message) = it.here() {
                    let hub = hub.clone();
                    tokio::spawn(async move { hub.send(game, message).await });
                }
            } else if it.was_sent && it.is_command() {
                // Whether it was carried out is not known.
                it.reply.send(Err(ApiError::internal()));
            } else if let Some(message) = it.here() {
                // What can be read of it, the record says.
                let services = Arc::clone(hub.services());
                tokio::spawn(async move { elsewhere::answer(&services, game, message).await });
            }
        }
    }
}

impl State {
    /// Tells connections that they get nothing more of what they watch: clients watch again.
    fn drop_watching(&mut self, which: impl Fn(&Watching) -> bool) {
        let dropped = self.watching.extract_if(|_, it| which(it));
        for (call, Watching { game, peer, .. }) in dropped {
            // One that has not been answered is asked again instead.
            if !self.waiting.contains_key(&call) {
                let notice = GameNoticeKind::Dropped {};
                peer.send(&GameNotice { game, notice });
            }
        }
    }
}

impl Waiting {
    /// Whether something may have come of it.
    const fn is_command(&self) -> bool {
        !matches!(self.ask.what, RoomRequest::Watch { .. })
    }

    /// The same as a message to a room of this program.
    fn here(self) -> Option<RoomMessage> {
        let id = self.ask.peer;
        self.ask
            .what
            .into_message(id, self.peer, self.received, self.reply)
    }
}

/// The same as some of [`NodeMessage`], lent to be written.
#[derive(serde::Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum BorrowedMessage<'a> {
    Ask(&'a Ask),
    Connected { who: &'a Identity },
}
