//! Games of other programs and the lobby of all, as clients of this one come to them: what they ask for is sent to the owner, and what the room
//! or the lobby says to them comes back.
//!
//! Nothing here is known for longer than the way to the owner is unbroken. When something may have been lost, what was not answered is asked
//! again, under the same ids, and who watched watches again by cursor.

mod confirming;
mod copies;
mod groups;
mod hosting;
mod lenient;
mod lists;
mod node_message;
mod own_games;
mod people;
mod questions;
mod waiting;
mod watching;

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
    time::Duration,
};

use parking_lot::Mutex;
use qiguan_environment::Clock;
use qiguan_protocol::{
    answer::{Answer, AnswerFrame},
    error::{ApiError, ErrorCode},
    ids::{GameId, Millis},
};
use qiguan_rules::BySeat;
use qiguan_store::nodes::Incarnation;
use tokio::sync::mpsc;

use self::{
    hosting::Hosts,
    lists::Lists,
    node_message::{Delivery, NodeMessage, RemoteRequest, UnknownAsk},
    own_games::MissedOwnGames,
    people::BorrowedMessage,
    questions::Questions,
    waiting::Waiting,
    watching::Watchings,
};
use crate::{
    accounts::delete_account,
    cluster::{link::Heard, links::Links, place::Place},
    lobby::{
        self,
        handle::Lobby,
        visiting::{LOBBY, Visit},
    },
    peer,
    room::{
        hub::{self, Hub, WeakHub},
        message::{ReadMark, RoomMessage},
    },
    services::Services,
};

/// How often it is looked for what can be asked again.
const LOOKS: Duration = Duration::from_millis(100);

/// See the module.
pub struct Abroad {
    links: Arc<Links>,
    place: Place,
    clock: Clock,
    state: Mutex<State>,
    questions: Mutex<Questions>,
    missed: Mutex<MissedOwnGames>,
}

#[derive(Default)]
struct State {
    calls: u64,
    waiting: BTreeMap<u64, Waiting>,
    watching: Watchings,
    /// What is still to be passed on to the lobby that has come to this program.
    to_lobby: VecDeque<Visit>,
    /// Whether somebody passes it on.
    is_passed_on: bool,
}

impl Abroad {
    /// With these ways to the other programs.
    pub fn new(links: Arc<Links>, place: Place, clock: Clock) -> Self {
        Self {
            links,
            place,
            clock,
            state: Mutex::default(),
            questions: Mutex::default(),
            missed: Mutex::default(),
        }
    }

    /// The ways to the other programs.
    pub fn links(&self) -> &Arc<Links> {
        &self.links
    }

    /// Tells the other programs to look who owns what.
    pub fn slots_have_moved(&self) {
        for link in self.links.all() {
            link.send(&NodeMessage::SlotsMoved {});
        }
    }
}

impl lobby::visiting::Abroad for Abroad {
    fn forward(&self, visit: Visit) {
        let is_there = self.comes_to_lobby(&visit);
        let Visit {
            who,
            address,
            peer,
            request,
            reply,
        } = visit;
        if !is_there {
            reply.send(Ok(Answer::LeftLobby {}));
            return;
        }
        let asked = RemoteRequest::Lobby {
            who: who.map(Arc::unwrap_or_clone),
            address,
            request,
        };
        let id = peer.as_ref().map(|peer| peer.id);
        self.ask(LOBBY, id, asked, self.clock.now(), peer, reply);
    }

    fn queue(&self, visit: Box<Visit>) -> Result<(), Box<Visit>> {
        self.comes_to_lobby(&visit);
        let mut state = self.state.lock();
        if state.has_waiting(LOBBY) || state.is_passed_on {
            // What was asked before goes first.
            state.lobby_arrives();
            state.to_lobby.push_back(*visit);
            return Ok(());
        }
        Err(visit)
    }
}

impl hub::Abroad for Abroad {
    fn is_needed(&self, game: GameId) -> bool {
        let state = self.state.lock();
        state.watching.has_any(game) || state.has_waiting(game)
    }

    fn arrived(&self, game: GameId) -> Vec<RoomMessage> {
        let deliveries = self.state.lock().take_waiting(game);
        let rooms = deliveries
            .into_iter()
            .filter_map(|delivery| match delivery {
                Delivery::Room(message) => Some(message),
                // There is no such game.
                Delivery::Lobby(_) => None,
            });
        rooms.collect()
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
                ..
            } => {
                let watch = RemoteRequest::Watch {
                    player,
                    since,
                    preview,
                };
                (watch, now, Some(peer), reply)
            }
            RoomMessage::Command(request) => {
                let request = *request;
                let command = RemoteRequest::of_command(
                    request.command,
                    request.cause,
                    request.id,
                    Arc::unwrap_or_clone(request.who),
                    request.from,
                );
                (command, request.received, request.peer, request.reply)
            }
            RoomMessage::Revised(reply) => (RemoteRequest::Revised {}, now, None, reply),
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
            RoomMessage::Confirm(mark) => {
                self.answer_mark(game, mark);
                return Ok(());
            }
            RoomMessage::TurnNotices { due, reply } => {
                let BySeat { first, second } = due;
                let due_in = [first, second].map(|at| at.map(|at| at - now));
                (RemoteRequest::TurnNotices { due_in }, now, None, reply)
            }
            here @ (RoomMessage::Read { .. }
            | RoomMessage::DeleteIfAbandoned { .. }
            | RoomMessage::Name { .. }
            | RoomMessage::Confirmed(_)
            | RoomMessage::Wake(_)) => return Err(here),
        };
        let id = peer.as_ref().map(|peer| peer.id);
        self.ask(game, id, what, received, peer, reply);
        Ok(())
    }
}

impl Abroad {
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
            self.says_what_happens(hub.services());
            self.asks_for(&hub);
        }
        let mut lists = Lists::default();
        let mut have_many = false;
        let mut reports = tokio::time::interval(lists::REPORTS);
        reports.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut changes = self.place.changes();
        let mut looks = tokio::time::interval(LOOKS);
        looks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            let mut is_report_due = false;
            let heard = tokio::select! {
                // What is due goes first: under load there is always more to be heard.
                biased;
                _ = looks.tick() => None,
                _ = reports.tick() => {
                    is_report_due = true;
                    None
                }
                changed = changes.changed() => match changed {
                    Ok(()) => None,
                    Err(_) => return,
                },
                heard = hearing.recv() => match heard {
                    Some(heard) => Some(heard),
                    None => return,
                },
            };
            let Some(hub) = hub.upgrade() else {
                return;
            };
            match heard {
                Some(Heard::Messages(from, messages, sent)) => {
                    self.hear(&hub, &lobby, &hosts, &mut lists, (from, &messages, sent));
                }
                Some(Heard::Reset(from)) => {
                    let services = hub.services();
                    self.may_miss_own_games(services, from);
                    hosts.forget(from);
                    services.sockets.elsewhere.forget(from);
                    services.connections.are_elsewhere(from, Vec::new());
                    lists::forget(services, from, self.clock.now());
                    self.say_who_is_here(&services.sockets, from);
                    self.say_all_lists(services, &lists, from);
                    self.lose(from);
                    self.links.is_reset(from);
                    self.tell_missed_own_games(&hub, from);
                    self.look(&hub, &lobby);
                }
                None if is_report_due => {
                    let services = hub.services();
                    self.report(&services.live, &mut lists);
                    have_many = self.say_who_has_many(&services.connections, have_many);
                }
                None => {
                    self.feature(&hub.services().live, &mut lists);
                    self.look(&hub, &lobby);
                }
            }
        }
    }

    /// From now on other programs are told who comes and goes here, and which games begin and end.
    fn says_what_happens(self: &Arc<Self>, services: &Services) {
        let abroad = Arc::downgrade(self);
        services.sockets.elsewhere.through(move |what| {
            if let Some(abroad) = abroad.upgrade() {
                abroad.say(what);
            }
        });
        let abroad = Arc::downgrade(self);
        services
            .sockets
            .elsewhere
            .asks_through(move |question, these| match abroad.upgrade() {
                Some(abroad) => abroad.ask_what_is_read(question, these),
                None => Vec::new(),
            });
        let abroad = Arc::downgrade(self);
        services.presence.through(move |what| {
            if let Some(abroad) = abroad.upgrade() {
                abroad.say_played(what);
            }
        });
    }

    fn hear(
        self: &Arc<Self>,
        hub: &Hub,
        lobby: &Lobby,
        hosts: &Arc<Hosts>,
        lists: &mut Lists,
        (from, messages, sent): (Incarnation, &[u8], Duration),
    ) {
        let messages = match node_message::read(messages) {
            Ok(messages) => messages,
            Err(error) => {
                tracing::error!(node = %from, %error, "what another program says can't be read");
                return;
            }
        };
        let sockets = &hub.services().sockets;
        // Nobody pays for what a message has waited for since.
        let late = self.clock.running_for().saturating_sub(sent);
        let sent = self.clock.now() - Millis(late.as_millis() as i64);
        for message in messages {
            let message = match message {
                Ok(message) => message,
                // A program of another release says more than this one knows.
                Err((message, error)) => {
                    tracing::warn!(node = %from, %error, "a message of another program can't be read");
                    self.refuse_unknown(from, message.get());
                    continue;
                }
            };
            match message {
                NodeMessage::SlotsMoved {} => self.place.is_outdated(),
                NodeMessage::Connected {
                    who,
                    follows_own_games,
                } => sockets.elsewhere.connected(from, who, follows_own_games),
                NodeMessage::Connections { many } => {
                    hub.services().connections.are_elsewhere(from, many);
                }
                NodeMessage::Gone { player } => sockets.elsewhere.gone(from, player),
                NodeMessage::SessionsEnded { player, which } => {
                    if which.leaves_none() {
                        lobby.dismiss(player);
                    }
                    sockets.close_sessions(player, &which);
                }
                NodeMessage::Dismissed { player } => lobby.dismiss(player),
                NodeMessage::HidingChanged {} => hub.services().online.forget(),
                NodeMessage::NamesChanged {} => {
                    let hub = hub.clone();
                    tokio::spawn(async move { delete_account::look(&hub).await });
                }
                NodeMessage::List(message) => {
                    self.hear_list(hub.services(), lists, from, message);
                }
                NodeMessage::Question { number, question } => {
                    self.is_asked(hub.services(), from, number, question);
                }
                NodeMessage::Reply { number, reply } => self.is_replied(from, number, reply),
                NodeMessage::Ask(ask) => {
                    let game = ask.game;
                    hosts.tell(&self.links, from, game, hosting::Request::Ask(ask, sent));
                }
                NodeMessage::Unwatch { game, peer, watch } => {
                    hosts.tell(
                        &self.links,
                        from,
                        game,
                        hosting::Request::Unwatch(peer, watch),
                    );
                }
                NodeMessage::Confirm {
                    game,
                    players,
                    number,
                } => {
                    let program = from;
                    let mark = ReadMark { program, number };
                    tokio::spawn(Arc::clone(self).confirm(hub.clone(), game, players, mark));
                }
                NodeMessage::Confirmed { game, number } => {
                    let confirmed = hosting::Request::Confirmed(number);
                    hosts.tell(&self.links, from, game, confirmed);
                }
                NodeMessage::Answer { call, is_ok, text } => {
                    self.is_answered(from, call, is_ok, text);
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
                        watching.remove(call);
                    }
                }
                NodeMessage::Tell {
                    player,
                    only_followers,
                    text,
                } => sockets.pass_on(player, &text.into(), only_followers),
                NodeMessage::Text { watch, text } => self.hear_for_one(from, watch, text),
                NodeMessage::JoinsGroup { watch, group } => self.joins_group(from, watch, group),
                NodeMessage::LeavesGroup { watch } => self.leaves_group(from, watch),
                NodeMessage::GroupText { group, text } => self.hear_for_group(from, group, text),
            }
        }
    }

    /// A program has answered what was asked.
    fn is_answered(&self, from: Incarnation, call: u64, is_ok: bool, text: String) {
        let mut state = self.state.lock();
        // One that was lost, and is answered all the same, is asked again: what it has led to there was let go.
        let is_it = |it: &Waiting| it.to == Some(from);
        if !state.waiting.get(&call).is_some_and(is_it) {
            return;
        }
        let Some(waiting) = state.waiting.remove(&call) else {
            return;
        };
        // What was refused in the lobby ends nothing else that the connection does there.
        let is_over = !is_ok && waiting.ask.game != LOBBY;
        if is_over {
            state.watching.remove(call);
        }
        drop(state);
        if is_over && let Some(peer) = waiting.ask.subscriber() {
            self.leave_at(from, waiting.ask.game, peer, Some(call));
        }
        waiting.reply.send_text(text.into(), is_ok);
    }

    /// A program that asks for something unknown here is not kept waiting for an answer.
    fn refuse_unknown(&self, from: Incarnation, message: &str) {
        let asked = lenient::from_str(message).ok();
        let Some((UnknownAsk::Ask { call, re }, link)) = asked.zip(self.links.to(from)) else {
            return;
        };
        let why = "a program of an older release has this; try again when all are upgraded";
        let refused = Err(ApiError::new(ErrorCode::Busy, why));
        let text = peer::text(&AnswerFrame::new(re, refused));
        link.send(&BorrowedMessage::Answer {
            call,
            is_ok: false,
            text: text.as_str(),
        });
    }

    /// What was under way between this program and another may be lost.
    fn lose(&self, node: Incarnation) {
        self.questions.lock().forget(node);
        let mut state = self.state.lock();
        for waiting in state.waiting.values_mut() {
            if waiting.to == Some(node) {
                waiting.is_lost();
            }
        }
        state.drop_watching(|it| it.of == node);
    }
}

#[cfg(test)]
mod tests;
