//! The lobby's task: hands calls and the time to the state, opens games, tells everybody.
//!
//! **Invariant:** it waits for nobody. What takes time (the record) has tasks of its own, and comes back as a call.

use std::{
    collections::{BTreeMap, BTreeSet},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use qiguan_protocol::{
    answer::Answer,
    error::ApiError,
    ids::{CommandId, GameId, Millis, PlayerId, SeekId},
    lobby::{self, Counts, LobbyNotice, LobbyNoticeKind},
    push::PushKind,
};
use qiguan_store::failpoints;
use tokio::sync::mpsc::{Receiver, WeakSender};

use crate::{
    lobby::{
        earlier_pairing,
        handle::{Accepting, Before, Call, Own, Seeking, has_lobby},
        pools::PoolKey,
        shown,
        starting::{self, NotStarted},
        state::{
            self, HTTP_SEEK, Limits, LobbyState,
            board::Changes,
            matching::{self, Failure, Opening, OpeningId},
            seek::{Refusal, Seek, SeekLifetime, SeekRequest, SeekStatus},
        },
    },
    peer::{self, Peer},
    room::message::Reply,
    services::{Services, push::Notice},
};

/// Seeks that one snapshot shows.
const SHOWN: usize = 200;
/// Changes are sent four times a second.
const TELL_EVERY: Millis = Millis(250);
/// Who comes to a pool within so long after a pairing is paired together with others who do.
const GATHER: Millis = Millis(50);
/// How often pools are paired only because waiting widens what is allowed, and the state looks who is gone.
const LOOK_EVERY: Millis = Millis(1_000);
/// How long a pairing is worth telling a device of that can't be reached: the game has begun.
const PAIRING_KEEP: Millis = Millis(60_000);

/// Runs until nobody can ask it any more. After a panic it starts again, with an empty state.
pub async fn run(
    services: Arc<Services>,
    limits: Limits,
    is_shared: bool,
    own: WeakSender<Call>,
    mut inbox: Receiver<Call>,
) {
    let mut task = Task {
        now: services.clock.now(),
        services,
        is_shared,
        own,
        state: LobbyState::new(limits),
        listeners: BTreeMap::new(),
        apart: BTreeSet::new(),
        waiting: BTreeMap::new(),
        told: Counts::default(),
        tell_at: Millis(0),
        pair_at: Millis(0),
        look_at: Millis(0),
    };
    loop {
        let due = task.due();
        let at = task.services.clock.instant(due.unwrap_or_default());
        let call = tokio::select! {
            biased;
            call = inbox.recv() => match call {
                Some(call) => Some(call),
                None => return,
            },
            () = tokio::time::sleep_until(at), if due.is_some() => None,
        };
        task.now = task.services.clock.now();
        let worked = catch_unwind(AssertUnwindSafe(|| {
            if let Some(call) = call {
                task.answer(call);
            }
            task.tick();
        }));
        if worked.is_err() {
            metrics::counter!("qiguan_lobby_resets_total").increment(1);
            tracing::error!("the lobby panicked and restarts");
            task.reset(false);
        }
    }
}

struct Task {
    services: Arc<Services>,
    /// Whether one program has the lobby for several.
    is_shared: bool,
    own: WeakSender<Call>,
    now: Millis,
    state: LobbyState,
    /// Connections that receive changes.
    listeners: BTreeMap<u64, Arc<Peer>>,
    /// Those of them whose players are shadowbanned, and who see the seeks of others who are.
    apart: BTreeSet<u64>,
    /// Who waits for games that are being opened.
    waiting: BTreeMap<OpeningId, Vec<Reply>>,
    told: Counts,
    tell_at: Millis,
    pair_at: Millis,
    look_at: Millis,
}

impl Task {
    /// When there is something to do without being asked.
    fn due(&mut self) -> Option<Millis> {
        let look = (!self.listeners.is_empty() || self.state.is_in_use()).then_some(self.look_at);
        let tell = self.has_changes().then_some(self.tell_at);
        let pair = self.state.is_stirred().then_some(self.pair_at);
        [look, tell, pair].into_iter().flatten().min()
    }

    fn tick(&mut self) {
        let now = self.now;
        let looks = self.look_at <= now;
        self.close_if_elsewhere();
        if looks {
            self.look_at = now + LOOK_EVERY;
            self.state.tick(now);
            metrics::gauge!("qiguan_lobby_seeks").set(self.state.len() as f64);
        }
        if looks || (self.state.is_stirred() && self.pair_at <= now) {
            self.pair_at = now + GATHER;
            let presence = &self.services.presence;
            let together = |one, two| presence.are_together(one, two);
            for opening in self.state.pair(looks, now, together) {
                self.open(opening);
            }
        }
        let counts = self.counts();
        let counted = looks && counts != self.told;
        if (counted || self.has_changes()) && self.tell_at <= now {
            self.tell_at = now + TELL_EVERY;
            self.told = counts;
            self.tell_changes(counted.then_some(counts));
        }
    }

    /// Where another program has the lobby, or nobody, everybody is to come to it again.
    fn close_if_elsewhere(&mut self) {
        if self.is_shared && !has_lobby(&self.services) {
            self.reset(true);
        }
    }

    fn answer(&mut self, call: Call) {
        let now = self.now;
        match call {
            Call::Close(closing) => {
                self.close_if_elsewhere();
                drop(closing);
            }
            Call::Enter {
                peer,
                player,
                own,
                reply,
            } => {
                if let Some(player) = player {
                    self.state.enters(player, peer.id, now);
                }
                // What the others have not received yet comes with the next changes.
                let mut shown: Vec<SeekId> = self.state.board().shown().collect();
                if own.shadowbanned {
                    shown.extend(self.state.apart().shown());
                    self.apart.insert(peer.id);
                } else {
                    self.apart.remove(&peer.id);
                }
                let lobby = Box::new(self.snapshot(&shown, player, own));
                self.listeners.insert(peer.id, peer);
                reply.send(Ok(Answer::Lobby { lobby }));
            }
            Call::Leave {
                peer,
                player,
                reply,
            } => {
                self.listeners.remove(&peer);
                self.apart.remove(&peer);
                if let Some(player) = player {
                    self.services.own_pairings.may_not_know(player);
                    self.state.leaves(player, peer, now);
                }
                reply.send(Ok(Answer::LeftLobby {}));
            }
            Call::Look { player, own, reply } => {
                let lobby = Box::new(self.look(player, own));
                reply.send(Ok(Answer::Lobby { lobby }));
            }
            // Callers who have gone away in the meantime want no answer.
            Call::Terms { seek, reply } => {
                let terms = self.state.get(seek).map(|seek| seek.request.terms.clone());
                drop(reply.send(terms));
            }
            Call::Before {
                player,
                request,
                command,
                peer,
                reply,
            } => drop(reply.send(self.before(player, peer, &request, command))),
            Call::Seek(seeking) => self.seek(*seeking),
            Call::Ask {
                player,
                seek,
                peer,
                reply,
            } => {
                let status = self.state.ask(player, seek, now);
                if let Ok(SeekStatus::Paired(game)) = status {
                    earlier_pairing::is_not(&self.services, player, game, peer);
                }
                answer_seek(reply, status.map(|status| (seek, status)));
            }
            Call::Cancel {
                player,
                seek,
                reply,
            } => {
                let status = self.state.cancel(player, seek, now);
                answer_seek(reply, status.map(|status| (seek, status)));
            }
            Call::LeavePools { player, reply } => {
                let seeks = self.state.leave_pools(player, now);
                reply.send(Ok(Answer::LeftPools { seeks }));
            }
            Call::Dismiss(player) => self.state.dismiss(player, now),
            Call::PutAway(error) => {
                for (owner, seek) in self.state.put_away(now) {
                    let error = error.clone();
                    self.tell(owner, LobbyNoticeKind::SeekEnded { seek, error });
                }
            }
            Call::Avoids { player, avoids } => self.state.avoids(player, &avoids),
            Call::Accept(accepting) => self.accept(*accepting),
            Call::Again {
                player,
                seek,
                command,
                reply,
            } => {
                let again = self.state.accepted(player, seek, command);
                self.accepted(again, reply);
            }
            Call::Opened { opening, result } => self.opened(&opening, result),
        }
    }

    /// The lobby as it stands.
    fn look(&self, player: Option<PlayerId>, own: Own) -> lobby::Lobby {
        let open = self.state.open(own.shadowbanned);
        let mut shown: Vec<SeekId> = open.map(|seek| seek.id).collect();
        shown.sort_unstable();
        self.snapshot(&shown, player, own)
    }

    fn before(
        &mut self,
        player: PlayerId,
        peer: Option<u64>,
        request: &SeekRequest,
        command: CommandId,
    ) -> Option<Before> {
        let before = self.state.before(player, request, command);
        // The seek lives on with the connection over which it was asked again.
        if let (Some(peer), Some(Ok((_, SeekStatus::Open)))) = (peer, before) {
            self.state.enters(player, peer, self.now);
        }
        before
    }

    fn seek(&mut self, seeking: Seeking) {
        let Seeking {
            seeker,
            request,
            command,
            peer,
            reply,
        } = seeking;
        failpoints::point("after_check", "seek");
        let way = match peer {
            Some(peer) => {
                self.state.enters(seeker.player(), peer, self.now);
                if seeker.shadowbanned && self.listeners.contains_key(&peer) {
                    self.apart.insert(peer);
                }
                SeekLifetime::Socket
            }
            None => SeekLifetime::Http {
                until: self.now + HTTP_SEEK,
            },
        };
        let id = self.services.random.seek_id();
        let placed = self.state.seek(id, seeker, request, command, way, self.now);
        answer_seek(reply, placed);
    }

    fn accept(&mut self, accepting: Accepting) {
        let Accepting {
            seek,
            acceptor,
            command,
            reply,
        } = accepting;
        let accepting = self.state.accept(seek, acceptor, command, self.now);
        self.accepted(accepting, reply);
    }

    fn accepted(&mut self, accepting: Result<matching::Accepting, Refusal>, reply: Reply) {
        match accepting {
            Ok(matching::Accepting::Opens(opening)) => {
                self.waiting.entry(opening.id).or_default().push(reply);
                self.open(*opening);
            }
            Ok(matching::Accepting::Waits(opening)) => {
                self.waiting.entry(opening).or_default().push(reply);
            }
            Ok(matching::Accepting::Paired(game)) => reply.send(Ok(Answer::Paired { game })),
            Err(refusal) => reply.send(Err(refusal.into())),
        }
    }

    /// Has a game stored; what came of it comes back as a call.
    fn open(&self, opening: Opening) {
        let services = Arc::clone(&self.services);
        let own = self.own.clone();
        tokio::spawn(async move {
            let result = starting::start(&services, &opening).await;
            let opening = Box::new(opening);
            if let Some(lobby) = own.upgrade() {
                // Without a lobby there is nobody left to notify.
                drop(lobby.send(Call::Opened { opening, result }).await);
            }
        });
    }

    fn opened(&mut self, opening: &Opening, result: Result<GameId, NotStarted>) {
        let waiting = self.waiting.remove(&opening.id).unwrap_or_default();
        let parties = [&opening.owner, &opening.other];
        match result {
            Ok(game) => {
                self.state.opened(opening.id, Ok(game), self.now);
                metrics::counter!("qiguan_pairings_total").increment(1);
                for reply in waiting {
                    reply.send(Ok(Answer::Paired { game }));
                }
                for party in parties {
                    let player = party.seeker.player();
                    if self.state.is_here(player) {
                        let connections = self.state.connections_of(player);
                        earlier_pairing::is_not(&self.services, player, game, connections);
                    }
                    let seek = party.seek;
                    let paired = LobbyNoticeKind::Paired { game, seek };
                    self.tell(player, paired);
                }
                self.tell_devices(game, opening);
            }
            Err(NotStarted { failure, error }) => {
                self.state.opened(opening.id, Err(failure), self.now);
                let unfit = match failure {
                    Failure::Unfit(player) => Some(player),
                    Failure::NotStored => None,
                };
                for party in parties {
                    if let (Some(seek), true) = (party.seek, unfit == Some(party.seeker.player())) {
                        let error = error.clone();
                        let ended = LobbyNoticeKind::SeekEnded { seek, error };
                        self.tell(party.seeker.player(), ended);
                    }
                }
                // A player who accepts learns what is wrong on their side, but not on the other's.
                let owner_is_unfit = unfit == Some(opening.owner.seeker.player());
                for reply in waiting {
                    reply.send(Err(if owner_is_unfit {
                        Refusal::Gone.into()
                    } else {
                        error.clone()
                    }));
                }
            }
        }
    }

    /// Tells every connection of a player.
    fn tell(&self, player: PlayerId, lobby: LobbyNoticeKind) {
        self.services
            .sockets
            .tell_player(player, &LobbyNotice { lobby });
    }

    /// Tells the devices on which the two have searched; who has accepted a seek is there.
    fn tell_devices(&self, game: GameId, opening: &Opening) {
        let (owner, other) = (&opening.owner, &opening.other);
        for (party, opponent) in [(owner, other), (other, owner)] {
            if party.seek.is_some() {
                self.services.push.tell(Notice {
                    player: party.seeker.player(),
                    session: Some(party.seeker.who.session),
                    kind: PushKind::Pairing,
                    game,
                    opponent: opponent.seeker.who.name.clone(),
                    ruleset: opening.request.terms.ruleset.clone(),
                    at: self.now,
                    keep: PAIRING_KEEP,
                });
            }
        }
    }

    fn tell_changes(&mut self, counts: Option<Counts>) {
        let changes = self.state.board().take_changes();
        if counts.is_some() || !changes.is_empty() {
            let changed = self.changed(changes, counts);
            self.tell_listeners(changed);
        }
        let changes = self.state.apart().take_changes();
        if !changes.is_empty() {
            let lobby = self.changed(changes, None);
            let text = peer::text(&LobbyNotice { lobby });
            let apart = self.apart.iter().filter_map(|id| self.listeners.get(id));
            for peer in apart {
                peer.outbox.push(text.clone());
            }
        }
    }

    fn changed(&self, changes: Changes, counts: Option<Counts>) -> LobbyNoticeKind {
        let seeks = changes.shown.iter().filter_map(|id| self.state.get(*id));
        LobbyNoticeKind::Changed {
            added: seeks.filter_map(shown::seek).collect(),
            removed: changes.hidden,
            pools: self.counted(changes.pools),
            counts,
        }
    }

    fn has_changes(&mut self) -> bool {
        self.state.board().has_changes() || self.state.apart().has_changes()
    }

    fn tell_listeners(&self, lobby: LobbyNoticeKind) {
        if self.listeners.is_empty() {
            return;
        }
        let text = peer::text(&LobbyNotice { lobby });
        for peer in self.listeners.values() {
            peer.outbox.push(text.clone());
        }
    }

    fn snapshot(&self, shown: &[SeekId], player: Option<PlayerId>, own: Own) -> lobby::Lobby {
        let state = &self.state;
        let seeks: Vec<lobby::Seek> = shown
            .iter()
            .filter_map(|id| state.get(*id))
            .filter_map(shown::seek)
            .take(SHOWN)
            .collect();
        let own_seeks: Vec<&Seek> = player
            .into_iter()
            .flat_map(|player| state.seeks_of(player))
            .collect();
        lobby::Lobby {
            more: u32::try_from(shown.len() - seeks.len()).unwrap_or(u32::MAX),
            seeks,
            pools: self.counted(state.pools().collect()),
            counts: self.counts(),
            own_seeks: own_seeks
                .iter()
                .filter_map(|seek| shown::seek(seek))
                .collect(),
            own_pools: own_seeks
                .iter()
                .filter_map(|seek| shown::in_pool(seek))
                .collect(),
            challenges: own.challenges,
            playing: own.playing,
            server_time: self.now,
        }
    }

    fn counted(&self, pools: Vec<PoolKey>) -> Vec<lobby::Pool> {
        let counted = pools.into_iter();
        let counted = counted.map(|pool| shown::pool(pool, self.state.waiting_in(pool)));
        counted.collect()
    }

    fn counts(&self) -> Counts {
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Counts {
            players: number(self.services.sockets.players()),
            games: number(self.services.presence.games()),
        }
    }

    /// After a panic nothing that was known can be relied on, nor after the lobby has come to another program. Games that are being opened are
    /// stored or not, all the same.
    fn reset(&mut self, is_elsewhere: bool) {
        let owners = self.state.reset();
        self.waiting.clear();
        self.tell_listeners(LobbyNoticeKind::Reset {});
        let listening = |peer: &Peer| self.listeners.contains_key(&peer.id);
        let reset = LobbyNotice {
            lobby: LobbyNoticeKind::Reset {},
        };
        for owner in owners {
            let peers = self.services.sockets.of(owner);
            for peer in peers.iter().filter(|peer| !listening(peer)) {
                peer.send(&reset);
            }
            // Who listens at another program may hear of it twice, which is better than not at all. Where the lobby is elsewhere, their programs
            // have told them before they have asked there for anything.
            if !is_elsewhere {
                self.services.sockets.tell_elsewhere(owner, &reset);
            }
        }
        self.listeners.clear();
        self.apart.clear();
    }
}

fn answer_seek(reply: Reply, placed: Result<(SeekId, state::seek::SeekStatus), Refusal>) {
    reply.send(match placed {
        Ok((seek, status)) => Ok(Answer::Seek {
            seek,
            state: shown::state(status),
        }),
        Err(refusal) => Err(ApiError::from(refusal)),
    });
}
