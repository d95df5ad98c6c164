//! Finds the room of a game, or opens it.
//!
//! **Invariant:** at most one room per game, in the program that owns it ([`Place`](crate::cluster::place::Place)). A game of another program has none here: what can
//! be read of it is answered from the record, and everything else is refused. What a program writes that was taken over, the fence refuses; between two rooms of a game, here or
//! in the program that it was handed to, the journal's key does.
//!
//! **Invariant:** what one client asks of a game arrives in its order, also while the game comes here from another program: one task stands for it and takes everything until
//! it closes, and what it leaves comes first at its successor.

use std::{
    collections::{BTreeMap, BTreeSet},
    panic::AssertUnwindSafe,
    sync::{Arc, Weak},
    time::Duration,
};

use futures_util::FutureExt;
use parking_lot::Mutex;
use qiguan_game::slot::Slot;
use qiguan_protocol::{
    error::ApiError,
    ids::{GameId, PlayerId},
};
use tokio::sync::{mpsc, oneshot};
use tokio_util::task::TaskTracker;

use crate::{
    room::{
        elsewhere,
        inbox::Inbox,
        message::{Read, Reply, RoomMessage, answered},
        room::{Closed, Room},
    },
    services::{
        Services,
        programs::Unstored,
        waking::{self, Wake},
    },
};

/// How many messages may wait at one room. Senders to a full one wait.
const INBOX: usize = 64;
/// How often in a row a room may be rebuilt after a panic.
const REBUILDS: u32 = 3;
/// How long rooms may take to close whose games go to another program.
const EVACUATION: Duration = Duration::from_secs(2);
/// How long somebody stays who answers from the record though nobody asks.
const READER_IDLE: Duration = Duration::from_secs(1);

/// All rooms of this process. Cheap to clone.
#[derive(Clone)]
pub struct Hub(Arc<Inner>);

struct Inner {
    services: Arc<Services>,
    /// The way to the rooms of other programs, if there is one.
    abroad: Option<Arc<dyn Abroad>>,
    rooms: Mutex<BTreeMap<GameId, RoomHandle>>,
    /// Every room's task, to be waited for at the end.
    tasks: TaskTracker,
    /// The tasks that answer for games of other programs.
    readers: TaskTracker,
}

/// The rooms, for who is not to keep them.
#[derive(Clone)]
pub struct WeakHub(Weak<Inner>);

impl WeakHub {
    /// The hub; none once the server has ended.
    pub fn upgrade(&self) -> Option<Hub> {
        self.0.upgrade().map(Hub)
    }
}

/// The way to one room.
#[derive(Clone)]
pub struct RoomHandle {
    inbox: mpsc::Sender<RoomMessage>,
    /// Whether it is no room, but stands for that of another program's game.
    is_reader: bool,
}

impl RoomHandle {
    /// Sends a message, waiting if many do.
    ///
    /// # Errors
    /// The message comes back if the room has closed in the meantime.
    pub async fn send(&self, message: RoomMessage) -> Result<(), RoomMessage> {
        self.inbox.send(message).await.map_err(|error| error.0)
    }

    /// Whether the room has closed.
    pub fn is_closed(&self) -> bool {
        self.inbox.is_closed()
    }
}

/// The rooms of other programs.
pub trait Abroad: Send + Sync {
    /// Whether somebody here watches a game of another program, or waits for its answer.
    fn is_needed(&self, game: GameId) -> bool;

    /// Takes what was sent to the owner of a game that is this program's now, or was to be, and is not answered: in order.
    fn arrived(&self, game: GameId) -> Vec<RoomMessage>;

    /// Sends a message to the owner of its game.
    ///
    /// # Errors
    /// What can only be answered here comes back.
    fn forward(&self, game: GameId, message: RoomMessage) -> Result<(), RoomMessage>;
}

impl Hub {
    /// A hub without rooms.
    pub fn new(
        services: Arc<Services>,
        abroad: Option<Arc<dyn Abroad>>,
        asked: mpsc::UnboundedReceiver<Wake>,
    ) -> Self {
        let clock = services.clock;
        let hub = Self(Arc::new(Inner {
            services,
            abroad,
            rooms: Mutex::default(),
            tasks: TaskTracker::new(),
            readers: TaskTracker::new(),
        }));
        let inner = Arc::downgrade(&hub.0);
        tokio::spawn(waking::run(clock, asked, move |game, turn| {
            let hub = inner.upgrade().map(Self);
            async move {
                if let Some(hub) = &hub {
                    hub.send(game, RoomMessage::Wake(turn)).await;
                }
                hub.is_some()
            }
        }));
        hub
    }

    /// The same rooms, without keeping them.
    pub fn downgrade(&self) -> WeakHub {
        WeakHub(Arc::downgrade(&self.0))
    }

    /// What every room needs.
    pub fn services(&self) -> &Arc<Services> {
        &self.0.services
    }

    /// The room of a game, opened if it is not; of another program's game, somebody who answers from the record. Whether there is such a
    /// game, either finds out.
    pub fn room(&self, game: GameId) -> RoomHandle {
        let mut rooms = self.0.rooms.lock();
        if let Some(handle) = rooms.get(&game).filter(|handle| !handle.is_closed()) {
            return handle.clone();
        }
        let (sender, inbox) = mpsc::channel(INBOX);
        self.open(&mut rooms, game, sender, Inbox::new(inbox))
    }

    /// Opens the room of a game, or lets somebody stand for it, with an inbox that may have something in it.
    fn open(
        &self,
        rooms: &mut BTreeMap<GameId, RoomHandle>,
        game: GameId,
        sender: mpsc::Sender<RoomMessage>,
        mut inbox: Inbox,
    ) -> RoomHandle {
        // Decided under the lock under which slots are given away.
        let is_owned = self.0.services.place.owns(game);
        let handle = RoomHandle {
            inbox: sender,
            is_reader: !is_owned,
        };
        rooms.insert(game, handle.clone());
        metrics::gauge!("qiguan_rooms_open").set(rooms.len() as f64);
        let (hub, services) = (Arc::downgrade(&self.0), Arc::clone(&self.0.services));
        if is_owned {
            self.put_arrived_first(game, &mut inbox);
            self.0.tasks.spawn(live(hub, services, game, inbox));
        } else {
            let abroad = self.0.abroad.clone();
            let reader = read_only(hub, services, abroad, game, inbox);
            self.0.readers.spawn(reader);
        }
        handle
    }

    /// What was still to be sent to the owner of a game goes before all else, if that is this program now.
    fn put_arrived_first(&self, game: GameId, inbox: &mut Inbox) {
        if let Some(abroad) = &self.0.abroad
            && self.0.services.place.owns(game)
        {
            inbox.put_first(abroad.arrived(game).into_iter());
        }
    }

    /// Closes an inbox, and opens another room for what is left in it. Comes back with it if the server ends.
    fn replace(&self, game: GameId, mut inbox: Inbox) -> Option<Inbox> {
        let mut rooms = self.0.rooms.lock();
        inbox.close();
        // At the end all are taken off the list.
        if !rooms.get(&game).is_some_and(RoomHandle::is_closed) {
            return Some(inbox);
        }
        self.put_arrived_first(game, &mut inbox);
        if inbox.has_more() {
            let (sender, receiver) = mpsc::channel(INBOX);
            self.open(&mut rooms, game, sender, inbox.followed_by(receiver));
        } else {
            rooms.remove(&game);
            metrics::gauge!("qiguan_rooms_open").set(rooms.len() as f64);
        }
        None
    }

    /// A game has come to this program while something was still to be sent to its owner: its room gets that.
    pub fn has_arrived(&self, game: GameId) {
        // If too much waits already, the room looks with what it does next.
        drop(self.room(game).inbox.try_send(RoomMessage::Wake(None)));
    }

    /// The room of a game if it is open.
    pub fn open_room(&self, game: GameId) -> Option<RoomHandle> {
        let rooms = self.0.rooms.lock();
        rooms.get(&game).filter(|room| !room.is_closed()).cloned()
    }

    /// Gives up those of these slots in which no game is open here or played. Comes back with them: none of their games gets a room here
    /// any more.
    pub fn release(&self, slots: &[Slot]) -> Vec<Slot> {
        let services = &self.0.services;
        let played = services.presence.slots();
        let rooms = self.0.rooms.lock();
        let open: BTreeSet<Slot> = rooms.keys().copied().map(Slot::of).collect();
        let is_quiet = |slot: &Slot| !played.contains(slot) && !open.contains(slot);
        let quiet = slots.iter().copied().filter(is_quiet);
        services.place.release(quiet)
    }

    /// The slots in which rooms are open here.
    pub fn open_slots(&self) -> BTreeSet<Slot> {
        self.0.rooms.lock().keys().copied().map(Slot::of).collect()
    }

    /// Gives up these slots, whatever is going on there, once their rooms have closed and what those have sent to the journal is stored. Comes
    /// back with those that may be handed over: not with slots in which something is being opened, nor with those whose rooms do not close in
    /// time; what was given up of these is this program's again when it looks who owns what.
    pub async fn evacuate(&self, slots: Vec<Slot>) -> Vec<Slot> {
        let services = &self.0.services;
        let (mut released, open) = {
            let rooms = self.0.rooms.lock();
            let released = services.place.release(slots);
            let given_up: BTreeSet<Slot> = released.iter().copied().collect();
            let is_there = |(game, room): &(&GameId, &RoomHandle)| {
                !room.is_reader && given_up.contains(&Slot::of(**game))
            };
            let open = rooms.iter().filter(is_there);
            let open: Vec<_> = open.map(|(game, room)| (*game, room.clone())).collect();
            (released, open)
        };
        for (_, room) in &open {
            // One that is too busy for this looks with what it does next.
            drop(room.inbox.try_send(RoomMessage::Wake(None)));
        }
        let all_closed = async {
            for (_, room) in &open {
                room.inbox.closed().await;
            }
        };
        if tokio::time::timeout(EVACUATION, all_closed).await.is_err() {
            let stays = open.iter().filter(|(_, room)| !room.is_closed());
            let stay: BTreeSet<Slot> = stays.map(|(game, _)| Slot::of(*game)).collect();
            tracing::warn!(
                slots = stay.len(),
                "some rooms do not close: their games stay here"
            );
            released.retain(|slot| !stay.contains(slot));
        }
        // After everything that was sent to it before.
        if services
            .journal
            .heartbeat(services.clock.now())
            .await
            .is_err()
        {
            released.clear();
        }
        released
    }

    /// Waits until all rooms have closed, which do so when their games are another program's.
    pub async fn all_are_lost(&self) {
        self.wake_rooms();
        self.0.tasks.close();
        self.0.tasks.wait().await;
        self.0.tasks.reopen();
    }

    /// Has every open room look at the records: they can't be written any more, or can again.
    pub fn wake_rooms(&self) {
        for room in self.0.rooms.lock().values() {
            // A room that is too busy for this looks with what it does next.
            drop(room.inbox.try_send(RoomMessage::Wake(None)));
        }
    }

    /// Sends a message to the room of a game.
    pub async fn send(&self, game: GameId, mut message: RoomMessage) {
        let services = &self.0.services;
        if let Err(error) = services.place.confirm(services.clock).await {
            return message.fail(error);
        }
        loop {
            match self.room(game).send(message).await {
                Ok(()) => return,
                Err(back) => message = back,
            }
        }
    }

    /// Sends a message to the room of a game if that is this program's; if not, or if that can't be known, it comes back.
    ///
    /// # Errors
    /// The message.
    pub async fn send_here(
        &self,
        game: GameId,
        mut message: RoomMessage,
    ) -> Result<(), RoomMessage> {
        let services = &self.0.services;
        if services.place.confirm(services.clock).await.is_err() {
            return Err(message);
        }
        while services.place.owns(game) {
            match self.room(game).send(message).await {
                Ok(()) => return Ok(()),
                Err(back) => message = back,
            }
        }
        Err(message)
    }

    /// Sends a message to a room that is known, or to its successor if it has closed in the meantime.
    pub async fn send_to(&self, room: &RoomHandle, game: GameId, message: RoomMessage) {
        let services = &self.0.services;
        if let Err(error) = services.place.confirm(services.clock).await {
            return message.fail(error);
        }
        if let Err(message) = room.send(message).await {
            self.send(game, message).await;
        }
    }

    /// Reads a game as `player` may know it.
    ///
    /// # Errors
    /// What the room answers; `internal` if it does not.
    pub async fn read<T>(
        &self,
        game: GameId,
        player: Option<PlayerId>,
        read: impl FnOnce(oneshot::Sender<Result<T, ApiError>>) -> Read,
    ) -> Result<T, ApiError> {
        let (reply, answer) = oneshot::channel();
        let read = read(reply);
        self.send(game, RoomMessage::Read { player, read }).await;
        answered(answer).await
    }

    /// What the room of a game of this program knows that is not stored; none if it is another program's game.
    pub async fn unstored_here(&self, game: GameId) -> Option<Unstored> {
        let (reply, answer) = oneshot::channel();
        let (player, read) = (None, Read::Unstored(reply));
        let asked = self.send_here(game, RoomMessage::Read { player, read });
        asked.await.ok()?;
        answered(answer).await.ok()
    }

    /// Closes every room after what waits in it has been answered, and waits for them.
    pub async fn close(&self) {
        self.0.rooms.lock().clear();
        for tasks in [&self.0.tasks, &self.0.readers] {
            tasks.close();
            tasks.wait().await;
        }
    }
}

/// A room's life: panics are contained and counted, and the room is rebuilt from its record.
async fn live(hub: Weak<Inner>, services: Arc<Services>, game: GameId, mut inbox: Inbox) {
    let mut room = Room::new(game, Arc::clone(&services));
    let mut rebuilds = 0;
    loop {
        let served = AssertUnwindSafe(room.serve(&mut inbox, &mut rebuilds))
            .catch_unwind()
            .await;
        match served {
            Ok(Closed::Unneeded(wake_at)) => {
                retire(&hub, game, None, inbox).await;
                let due = wake_at.map(|at| room.due(at));
                return services.waking.ask(Wake::At(game, due));
            }
            Ok(Closed::Lost(message, notices)) => {
                // Its task may wait for the new owner now; the room is gone.
                drop(room);
                retire(&hub, game, message, inbox).await;
                if let Some((hub, due)) = hub.upgrade().map(Hub).zip(notices) {
                    let reply = Reply::to_nobody();
                    let left = RoomMessage::TurnNotices { due, reply };
                    Box::pin(hub.send(game, left)).await;
                }
                return services.waking.ask(Wake::At(game, None));
            }
            Err(_panic) => {
                rebuilds += 1;
                metrics::counter!("qiguan_room_rebuilds_total").increment(1);
                tracing::error!(%game, rebuilds, "a room panicked");
                if rebuilds >= REBUILDS {
                    metrics::counter!("qiguan_rooms_parked_total").increment(1);
                    tracing::error!(%game, "a room is parked: it panics again and again");
                    room.drop_everybody();
                    park(&services, game, &mut inbox).await;
                    return retire(&hub, game, None, inbox).await;
                }
                room.forget();
            }
        }
    }
}

/// Takes a room off the list. What it has not dealt with is its successor's, this message first: nothing that is sent later can overtake
/// that.
async fn retire(hub: &Weak<Inner>, game: GameId, first: Option<RoomMessage>, mut inbox: Inbox) {
    inbox.put_first(first.into_iter());
    let hub = hub.upgrade().map(Hub);
    let left = match &hub {
        Some(hub) => hub.replace(game, inbox),
        None => Some(inbox),
    };
    if let Some(mut left) = left {
        left.close();
        while let Some(message) = left.recv().await {
            message.fail(ApiError::restarting());
        }
    }
}

/// Answers everything with `parked` until the server restarts or the game is another program's.
async fn park(services: &Services, game: GameId, inbox: &mut Inbox) {
    while let Some(message) = inbox.recv().await {
        message.fail(ApiError::parked());
        if !services.place.owns(game) {
            return;
        }
    }
}

/// Answers what can only be answered here, once it is known whether the game comes here.
async fn answer_here(
    hub: Weak<Inner>,
    services: Arc<Services>,
    game: GameId,
    message: RoomMessage,
) {
    if services.place.is_soon_owned(game).await
        && let Some(hub) = hub.upgrade().map(Hub)
    {
        return Box::pin(hub.send(game, message)).await;
    }
    elsewhere::answer(&services, game, message).await;
}

/// Stands for the room of another program's game as long as somebody asks and the game does not come here: what is asked is sent there, or
/// answered from the record if there is no way.
async fn read_only(
    hub: Weak<Inner>,
    services: Arc<Services>,
    abroad: Option<Arc<dyn Abroad>>,
    game: GameId,
    mut inbox: Inbox,
) {
    let is_needed = || abroad.as_ref().is_some_and(|abroad| abroad.is_needed(game));
    let mut next = None;
    loop {
        let message = match tokio::time::timeout(READER_IDLE, inbox.recv()).await {
            Ok(Some(message)) => message,
            Err(_) if is_needed() && !services.place.owns(game) => continue,
            Ok(None) | Err(_) => break,
        };
        if services.place.owns(game) {
            next = Some(message);
            break;
        }
        if message.is_from_elsewhere() {
            // Another program asks, and finds the game by itself; on a detour through this one it would not know where it is.
            message.fail(ApiError::elsewhere());
            continue;
        }
        let message = match &abroad {
            Some(abroad) => match abroad.forward(game, message) {
                Ok(()) => continue,
                Err(message) => {
                    // Beside what is sent on: reading a record takes time.
                    let (hub, services) = (Weak::clone(&hub), Arc::clone(&services));
                    tokio::spawn(answer_here(hub, services, game, message));
                    continue;
                }
            },
            None => message,
        };
        if services.place.is_soon_owned(game).await {
            next = Some(message);
            break;
        }
        let answered = AssertUnwindSafe(elsewhere::answer(&services, game, message))
            .catch_unwind()
            .await;
        if answered.is_err() {
            tracing::error!(%game, "reading another program's game panicked");
        }
    }
    retire(&hub, game, next, inbox).await;
}
