//! What clients of this program have asked of other programs, and what is not answered.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use qiguan_protocol::{
    answer::Answer,
    error::{ApiError, ErrorCode},
    ids::{GameId, Millis},
};
use qiguan_store::nodes::Incarnation;

use crate::{
    abroad::{
        Abroad, State,
        node_message::{Ask, Delivery, RemoteRequest},
        people::BorrowedMessage,
        watching::{Watching, Watchings},
    },
    lobby::{
        handle::Lobby,
        visiting::{LOBBY, Visit, VisitorRequest},
    },
    peer::Peer,
    room::{elsewhere, hub::Hub, message::Reply},
};

/// How long something waits for a game that nobody owns.
const OWNERLESS: Duration = Duration::from_secs(4);
/// How long an owner may take for an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Something that was asked and is not answered.
pub(super) struct Waiting {
    pub(super) ask: Box<Ask>,
    /// When it was read from the network.
    received: Millis,
    peer: Option<Arc<Peer>>,
    pub(super) reply: Reply,
    /// Whom it was sent to; none if it is still to be sent.
    pub(super) to: Option<Incarnation>,
    /// Whether it was sent and lost: then it may have been carried out.
    is_doubtful: bool,
    since: Duration,
}

impl Abroad {
    /// A connection asks something of the lobby, or leaves it. Whether another program may know of it there.
    pub(super) fn comes_to_lobby(&self, visit: &Visit) -> bool {
        match &visit.peer {
            Some(peer) if matches!(visit.request, VisitorRequest::Leave) => {
                self.has_left_lobby(peer.id)
            }
            Some(peer) => {
                let owner = self.place.owner_of(LOBBY);
                self.state.lock().has_left_earlier_lobby(peer.id, owner);
                true
            }
            None => true,
        }
    }

    /// A connection leaves the lobby, also with what it has asked there and is not answered. Whether any program knows of it.
    fn has_left_lobby(&self, peer: u64) -> bool {
        let mut state = self.state.lock();
        let is_it = |it: &Waiting| it.ask.game == LOBBY && it.ask.subscriber() == Some(peer);
        let unanswered: Vec<_> = state.waiting.extract_if(.., |_, it| is_it(it)).collect();
        let was_there = state.watching.leave(LOBBY, peer).is_some();
        drop(state);
        let was_sent = unanswered
            .iter()
            .any(|(_, it)| it.to.is_some() || it.is_doubtful);
        for (_, it) in unanswered {
            it.reply.send(Err(unreachable()));
        }
        was_there || was_sent
    }

    pub(super) fn ask(
        &self,
        game: GameId,
        id: Option<u64>,
        what: RemoteRequest,
        received: Millis,
        peer: Option<Arc<Peer>>,
        reply: Reply,
    ) {
        metrics::counter!("qiguan_cluster_requests_forwarded_total").increment(1);
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
    fn send(&self, watching: &mut Watchings, waiting: &mut Waiting) {
        let ask = &mut waiting.ask;
        let owner = self.place.owner_of(ask.game);
        let Some(link) = owner.and_then(|owner| self.links.to(owner)) else {
            return;
        };
        if let RemoteRequest::Command { waited, .. } = &mut ask.what {
            *waited = Millis((self.clock.now() - waiting.received).0.max(0));
        }
        if let Some(peer) = &waiting.peer {
            ask.round_trip = peer.delay().round_trip;
            peer.asks_far_game(ask.game, link.round_trip());
            // Who opens a seek may see the lobby already, and goes on to see it over what that has led to.
            let is_there = !ask.what.shows() && watching.has(ask.game, peer.id);
            if ask.what.subscribes() && !is_there {
                let peer = Arc::clone(peer);
                let (game, of) = (ask.game, link.node());
                let group = None;
                let watches = Watching {
                    game,
                    peer,
                    of,
                    group,
                };
                watching.insert(ask.call, watches);
            }
        }
        waiting.to = Some(link.node());
        link.send(&BorrowedMessage::Ask(ask));
    }

    pub(super) fn unwatch(&self, game: GameId, peer: u64) {
        let mut state = self.state.lock();
        let mut at: BTreeSet<_> = state.watching.leave(game, peer).into_iter().collect();
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

    /// Sends again what has to be, and fails what has waited for too long.
    pub(super) fn look(self: &Arc<Self>, hub: &Hub, lobby: &Lobby) {
        let now = self.clock.running_for();
        let mut state = self.state.lock();
        let place = &self.place;
        // The owner itself says so too, unless it is gone.
        state.drop_watching(|it| place.owner_of(it.game) != Some(it.of));
        let State {
            waiting, watching, ..
        } = &mut *state;
        let (mut over, mut arrived) = (Vec::new(), BTreeSet::new());
        // Games of which something could not be sent: what was asked later does not go before it.
        let mut stuck = BTreeSet::new();
        for (call, it) in &mut *waiting {
            let game = it.ask.game;
            if place.owns(game) {
                arrived.insert(game);
                continue;
            }
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
            if now.saturating_sub(it.since) > limit {
                over.push(*call);
            }
        }
        let over: Vec<_> = over
            .into_iter()
            .filter_map(|call| waiting.remove(&call))
            .collect();
        for it in over.iter().filter(|it| it.ask.game != LOBBY) {
            watching.remove(it.ask.call);
        }
        if arrived.remove(&LOBBY) {
            state.lobby_arrives();
        }
        let is_to_be_passed_on = !state.to_lobby.is_empty() && !state.is_passed_on;
        state.is_passed_on |= is_to_be_passed_on;
        drop(state);
        // The rooms take it themselves, each before anything that is sent to it later.
        for game in arrived {
            hub.has_arrived(game);
        }
        if is_to_be_passed_on {
            tokio::spawn(Arc::clone(self).pass_on(lobby.clone()));
        }
        self.give_up(hub, over);
    }

    /// Answers what has waited for too long.
    fn give_up(&self, hub: &Hub, over: Vec<Waiting>) {
        let mut elsewhere = Vec::new();
        for it in over {
            let game = it.ask.game;
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
        if !elsewhere.is_empty() {
            tokio::spawn(answer_from_record(hub.clone(), elsewhere));
        }
    }

    /// Passes on what has come to the lobby here, in order, until there is nothing more.
    async fn pass_on(self: Arc<Self>, lobby: Lobby) {
        while let Some(visit) = self.next_visit() {
            lobby.is_visited(visit).await;
        }
    }

    fn next_visit(&self) -> Option<Visit> {
        let mut state = self.state.lock();
        let next = state.to_lobby.pop_front();
        state.is_passed_on = next.is_some();
        next
    }
}

impl State {
    /// Whether something that was asked of a game is not answered.
    pub(super) fn has_waiting(&self, game: GameId) -> bool {
        self.waiting.values().any(|it| it.ask.game == game)
    }

    /// Takes what was asked of a game that is this program's, in order.
    pub(super) fn take_waiting(&mut self, game: GameId) -> Vec<Delivery> {
        let all = self.waiting.extract_if(.., |_, it| it.ask.game == game);
        let all: Vec<_> = all.collect();
        // What is not answered yet is asked again here: nobody is told that they get no more of it.
        for (call, _) in &all {
            self.watching.remove(*call);
        }
        all.into_iter().filter_map(|(_, it)| it.here()).collect()
    }

    /// What was asked of the lobby is to be passed on to that of this program.
    pub(super) fn lobby_arrives(&mut self) {
        for delivery in self.take_waiting(LOBBY) {
            match delivery {
                Delivery::Lobby(visit) => self.to_lobby.push_back(visit),
                // Nothing else is asked of it.
                Delivery::Room(message) => message.fail(ApiError::elsewhere()),
            }
        }
    }
}

/// Answers what can only be read from the record.
async fn answer_from_record(hub: Hub, asked: Vec<(GameId, Delivery)>) {
    for (game, delivery) in asked {
        match delivery {
            Delivery::Room(message) => elsewhere::answer(hub.services(), game, message).await,
            Delivery::Lobby(visit) => visit.reply.send(Err(unreachable())),
        }
    }
}

pub(super) fn unreachable() -> ApiError {
    let message = "the program that plays this can't be reached right now; try again in a moment";
    ApiError::new(ErrorCode::Busy, message)
}

impl Waiting {
    /// It was sent, and nobody knows whether it has arrived.
    pub(super) const fn is_lost(&mut self) {
        self.is_doubtful |= self.to.is_some();
        self.to = None;
    }

    /// Whether it is to watch over this connection.
    pub(super) fn watches(&self, peer: u64) -> bool {
        matches!(self.ask.what, RemoteRequest::Watch { .. }) && self.ask.peer == Some(peer)
    }

    /// Its owner can't be reached: where the record has no answer, it is to be asked again.
    pub(super) fn unreachable(mut self) -> Self {
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
            RemoteRequest::Watch { .. }
            | RemoteRequest::TurnNotices { .. }
            | RemoteRequest::Revised {} => false,
            RemoteRequest::Lobby { request, .. } => matches!(request, VisitorRequest::Player(_)),
            RemoteRequest::Command { .. }
            | RemoteRequest::Adjudicate { .. }
            | RemoteRequest::Keep { .. }
            | RemoteRequest::SpectatorMessage { .. } => true,
        }
    }

    /// The same as something for this program.
    fn here(self) -> Option<Delivery> {
        let Ask {
            game, peer, what, ..
        } = *self.ask;
        what.into_delivery(game, peer, self.peer, self.received, self.reply)
    }
}
