//! A game, or the lobby, comes to this program while something waits for it.

use async_trait::async_trait;
use axum::extract::ws::Utf8Bytes;
use bytes::Bytes;
use qiguan_game::{
    event::Body,
    people::identity::Identity,
    record::Entry,
    referee::Command,
    slot::Slot,
    testing::{Table, player},
};
use qiguan_protocol::{
    ids::{CommandId, PlayerId, Seq},
    time_control::Clock as ClockKind,
    view::Presence,
};
use qiguan_store::{
    journal::Writer,
    nodes::{Owned, SlotAt},
    store::{Append, Store},
    testing,
};
use tokio::sync::oneshot;
use uuid::Uuid;

use super::*;
use crate::{
    abroad::watching::Watching,
    cluster::{seal::Seal, wire::Wire},
    lobby::{state::Limits, visiting::VisitorRequest},
    net::address::Group,
    peer::{Peer, outbox::Outbox},
    room::message::{CommandRequest, Read, Reply},
    services::{
        self,
        programs::{Question, Reply as Replied, Unstored, Whom},
    },
};

const GAME: GameId = GameId(Uuid::from_u128(7));

/// There is no other program.
struct Nowhere;

#[async_trait]
impl Wire for Nowhere {
    async fn send(&self, _to: Incarnation, _frame: Vec<u8>) {}

    async fn receive(&self, _own: Incarnation) -> anyhow::Result<mpsc::Receiver<Bytes>> {
        anyhow::bail!("nobody sends anything")
    }
}

/// A program that owns nothing yet.
struct Program {
    abroad: Arc<Abroad>,
    hub: Hub,
    lobby: Lobby,
    writer: Writer,
    _record: testing::Place,
}

impl Program {
    /// On a record with a game of the players 1 and 2.
    async fn start(case: &str) -> Self {
        let record = testing::Place::new(case);
        let store = record.open().await;
        keeps(&store).await;
        let clock = Clock::system();
        let place = Place::shared();
        let (services, writer, asked) = services::testing::services(store, place.clone(), clock);
        let seal = Seal::new([b"a secret of programs".as_slice()]);
        let (links, _) = Links::new(Arc::new(Nowhere), seal, clock);
        let abroad = Arc::new(Abroad::new(links, place, clock));
        let hub = Hub::new(Arc::clone(&services), Some(Arc::clone(&abroad) as _), asked);
        let limits = Limits {
            per_player: 5,
            per_address: 5,
        };
        let lobby = Lobby::start(services, limits, Some(Arc::clone(&abroad) as _));
        Self {
            abroad,
            hub,
            lobby,
            writer,
            _record: record,
        }
    }

    /// Everything comes to this program, which has not looked yet what waits.
    fn gains_all(&self) {
        let slots: Vec<_> = Slot::all().collect();
        // Long ago: a beat has told so since.
        let services = self.hub.services();
        services.place.is_confirmed(self.abroad.clock.running_for());
        services.place.gain(&slots, Millis(0));
    }

    /// The game is another program's, which answers what is asked of it like this.
    fn is_of_another(
        &self,
        replies: impl Fn(&Question) -> Option<Replied> + Send + Sync + 'static,
    ) {
        let services = self.hub.services();
        let owner = Incarnation {
            node: Uuid::from_u128(1),
            number: 1,
        };
        let slot = Slot::of(GAME);
        services.place.are_owned(&[Owned {
            at: SlotAt { slot, epoch: 1 },
            owner: Some(owner),
            absences: Vec::new(),
        }]);
        // What is not replied to is not lost either.
        let unanswered = Mutex::new(Vec::new());
        services.programs.through(move |whom, question, reply| {
            assert_eq!(whom, Whom::One(owner));
            match replies(question) {
                Some(answer) => drop(reply.send(answer)),
                None => unanswered.lock().push(reply.clone()),
            }
        });
    }

    /// Another program owns what stands for the lobby, or nobody does.
    fn lobby_is_of(&self, owner: Option<Incarnation>) {
        let slot = Slot::of(LOBBY);
        self.hub.services().place.are_owned(&[Owned {
            at: SlotAt { slot, epoch: 1 },
            owner,
            absences: Vec::new(),
        }]);
    }

    /// A connection asks something of the lobby.
    async fn visits(
        &self,
        peer: &Arc<Peer>,
        request: VisitorRequest,
    ) -> oneshot::Receiver<Result<Answer, ApiError>> {
        let (reply, answer) = Reply::to_call();
        let visit = Visit {
            who: None,
            address: Group::of(std::net::IpAddr::from([127, 0, 0, 1])),
            peer: Some(Arc::clone(peer)),
            request,
            reply,
        };
        self.lobby.visit(visit).await;
        answer
    }

    /// Waits until so many requests wait for a game.
    async fn waits(&self, game: GameId, wanted: usize) {
        let is_it = |it: &&Waiting| it.ask.game == game;
        let waiting = || {
            self.abroad
                .state
                .lock()
                .waiting
                .values()
                .filter(is_it)
                .count()
        };
        while waiting() < wanted {
            tokio::task::yield_now().await;
        }
    }

    async fn ends(self) {
        self.hub.close().await;
        self.writer.close().await;
    }
}

async fn keeps(store: &Store) {
    let table = Table::open(GAME, "doushouqi/booklet", ClockKind::None, 1);
    let append = Append {
        cause: "test",
        audit_entry: None,
        commands: Vec::new(),
        quotas: Vec::new(),
        entries: vec![Entry {
            game: GAME,
            events: table.events(),
            summary: Some(table.state.summary()),
        }],
    };
    assert_eq!(store.append(&[append]).await, [Ok(())]);
}

/// A player says a number.
fn says(number: u128) -> RoomMessage {
    RoomMessage::Command(Box::new(CommandRequest {
        command: Command::Chat {
            text: number.to_string(),
        },
        cause: "chat",
        id: CommandId(Uuid::from_u128(number)),
        who: Arc::new(Identity::guest(player(1))),
        received: Millis(0),
        peer: None,
        from: None,
        reply: Reply::to_nobody(),
    }))
}

/// A spectator watches.
fn watch(peer: &Arc<Peer>) -> RoomMessage {
    RoomMessage::Watch {
        peer: Arc::clone(peer),
        player: None,
        since: None,
        preview: false,
        route: None,
        reply: Reply::to_nobody(),
    }
}

fn unwatch(peer: &Peer) -> RoomMessage {
    RoomMessage::Unwatch {
        peer: peer.id,
        reply: None,
    }
}

/// What has been said in the game, as a player sees it, and how many spectators it has.
async fn seen(hub: &Hub) -> (Vec<String>, u32) {
    let seated = Some(PlayerId(Uuid::from_u128(1)));
    let snapshot = hub.read(GAME, seated, Read::Snapshot).await.unwrap();
    let log = snapshot.state.log.iter();
    let said = log.filter_map(|event| {
        let Body::Chat { text, .. } = &event.body else {
            return None;
        };
        Some(text.clone())
    });
    (said.collect(), snapshot.presence.spectators)
}

#[tokio::test]
async fn p17_what_waits_for_a_game_that_arrives_comes_before_what_is_asked_later() {
    let program = Program::start("arriving_commands").await;
    let hub = &program.hub;
    for number in 1..=3 {
        hub.send(GAME, says(number)).await;
    }
    program.waits(GAME, 3).await;
    // Nobody has seen yet that it came.
    program.gains_all();
    hub.send(GAME, says(4)).await;
    assert_eq!(seen(hub).await.0, ["1", "2", "3", "4"]);
    assert!(!program.abroad.state.lock().has_waiting(GAME));
    program.ends().await;
}

#[tokio::test]
async fn p17_a_spectator_who_leaves_while_the_game_arrives_does_not_stay_there() {
    let program = Program::start("arriving_spectators").await;
    let (hub, abroad) = (&program.hub, &program.abroad);
    let (stays, leaves) = (Arc::new(Peer::new(1)), Arc::new(Peer::new(2)));
    for peer in [&stays, &leaves] {
        hub.send(GAME, watch(peer)).await;
    }
    program.waits(GAME, 2).await;
    program.gains_all();
    abroad.look(hub, &program.lobby);
    hub.send(GAME, unwatch(&leaves)).await;
    abroad.look(hub, &program.lobby);
    assert_eq!(seen(hub).await.1, 1);
    program.ends().await;
}

#[tokio::test]
async fn p17_a_game_that_arrives_answers_though_nobody_asks_again() {
    let program = Program::start("arriving_alone").await;
    let (reply, answer) = Reply::to_call();
    let watch = RoomMessage::Watch {
        peer: Arc::new(Peer::new(1)),
        player: None,
        since: None,
        preview: false,
        route: None,
        reply,
    };
    program.hub.send(GAME, watch).await;
    program.waits(GAME, 1).await;
    program.gains_all();
    program.abroad.look(&program.hub, &program.lobby);
    assert!(answer.await.unwrap().is_ok());
    program.ends().await;
}

#[tokio::test]
async fn p17_a_visitor_who_leaves_the_lobby_while_it_arrives_is_not_let_in_afterwards() {
    let program = Program::start("arriving_lobby").await;
    let peer = Arc::new(Peer::new(1));
    let entered = program.visits(&peer, VisitorRequest::Enter).await;
    program.waits(LOBBY, 1).await;
    program.gains_all();
    program.abroad.look(&program.hub, &program.lobby);
    let mut left = program.visits(&peer, VisitorRequest::Leave).await;
    assert!(
        left.try_recv().is_err(),
        "the one before is still to be let in"
    );
    assert!(entered.await.unwrap().is_ok());
    assert!(left.await.unwrap().is_ok());
    // From here on it is asked directly.
    while program.abroad.state.lock().is_passed_on {
        tokio::task::yield_now().await;
    }
    program.ends().await;
}

/// A connection, and what it is told.
fn told() -> (Arc<Peer>, Arc<Mutex<Vec<Utf8Bytes>>>) {
    let told = Arc::<Mutex<Vec<Utf8Bytes>>>::default();
    let noted = Arc::clone(&told);
    let outbox = Outbox::carried_by(move |text| noted.lock().push(text));
    (Arc::new(Peer::elsewhere(1, outbox)), told)
}

#[tokio::test]
async fn p19_a_lobby_that_has_gone_says_so_before_its_visitors_ask_in_the_next_one() {
    let program = Program::start("lobby_gone").await;
    program.gains_all();
    let (peer, told) = told();
    let entered = program.visits(&peer, VisitorRequest::Enter).await;
    assert!(entered.await.unwrap().is_ok() && told.lock().is_empty());
    program.hub.services().place.lose_all(Slot::all());
    let _unanswered = program.visits(&peer, VisitorRequest::Enter).await;
    let texts = told.lock().clone();
    assert_eq!(texts, [r#"{"lobby":{"type":"reset"}}"#]);
    program.ends().await;
}

#[tokio::test]
async fn p19_who_is_not_answered_when_the_lobby_comes_is_answered_here_and_told_of_no_end() {
    let program = Program::start("lobby_comes").await;
    let earlier = Incarnation {
        node: Uuid::from_u128(1),
        number: 1,
    };
    program.lobby_is_of(Some(earlier));
    let (peer, told) = told();
    let entered = program.visits(&peer, VisitorRequest::Enter).await;
    program.waits(LOBBY, 1).await;
    {
        // As if it had been sent.
        let mut state = program.abroad.state.lock();
        let call = *state.waiting.keys().next().unwrap();
        let watching = Watching {
            game: LOBBY,
            peer: Arc::clone(&peer),
            of: earlier,
            group: None,
        };
        state.watching.insert(call, watching);
    }
    // It owns the lobby before it hears that the other one does not any more.
    program.gains_all();
    program.abroad.look(&program.hub, &program.lobby);
    assert!(entered.await.unwrap().is_ok());
    program.lobby_is_of(None);
    program.abroad.look(&program.hub, &program.lobby);
    assert_eq!(*told.lock(), Vec::<Utf8Bytes>::new());
    program.ends().await;
}

#[tokio::test]
async fn p26_a_game_of_another_program_shows_what_its_owner_alone_knows() {
    let program = Program::start("owner_answers").await;
    let presence = Presence {
        spectators: 3,
        ..Presence::default()
    };
    let known = Unstored {
        presence,
        stopped_since: Some(Millis(5)),
        visible: vec![(Seq(1), Millis(9))],
    };
    program.is_of_another(move |question| {
        assert!(matches!(question, Question::Unstored { game: GAME }));
        Some(Replied::Unstored(Some(known.clone())))
    });
    let snapshot = program.hub.read(GAME, None, Read::Snapshot).await.unwrap();
    assert_eq!(snapshot.presence, presence);
    assert_eq!(snapshot.stopped_since, Some(Millis(5)));
    assert_eq!(snapshot.state.visible_at(Seq(1)), Some(Millis(9)));
    program.ends().await;
}

#[tokio::test]
async fn p26_where_the_owner_does_not_answer_the_record_does() {
    let program = Program::start("owner_is_silent").await;
    program.is_of_another(|_| None);
    let snapshot = program.hub.read(GAME, None, Read::Snapshot).await.unwrap();
    let players = snapshot.presence.players;
    assert!(!players.first.connected && !players.second.connected);
    assert_eq!(snapshot.seq(), Seq(3));
    program.ends().await;
}
