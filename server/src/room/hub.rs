//! Finds the room of a game, or opens it.
//!
//! **Invariant:** at most one room per game and process. (Two processes on one record are kept apart by the journal's
//! key: the loser of a race reloads.)

use std::{
    collections::HashMap,
    panic::AssertUnwindSafe,
    sync::{Arc, Weak},
};

use futures_util::FutureExt;
use parking_lot::Mutex;
use qiguan_protocol::{
    error::ApiError,
    ids::{GameId, PlayerId},
};
use tokio::sync::{mpsc, oneshot};
use tokio_util::task::TaskTracker;

use crate::{
    room::{
        message::{Read, RoomMessage, answered},
        room::Room,
    },
    services::{
        Services,
        waking::{self, Wake},
    },
};

/// How many messages may wait at one room. Senders to a full one wait.
const INBOX: usize = 64;
/// How often in a row a room may be rebuilt after a panic.
const REBUILDS: u32 = 3;

/// All rooms of this process. Cheap to clone.
#[derive(Clone)]
pub struct Hub(Arc<Inner>);

struct Inner {
    services: Arc<Services>,
    rooms: Mutex<HashMap<GameId, RoomHandle>>,
    /// Every room's task, to be waited for at the end.
    tasks: TaskTracker,
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
pub struct RoomHandle(mpsc::Sender<RoomMessage>);

impl RoomHandle {
    /// Sends a message, waiting if many do.
    ///
    /// # Errors
    /// The message comes back if the room has closed in the meantime.
    pub async fn send(&self, message: RoomMessage) -> Result<(), RoomMessage> {
        self.0.send(message).await.map_err(|error| error.0)
    }

    /// Whether the room has closed.
    pub fn is_closed(&self) -> bool {
        self.0.is_closed()
    }
}

impl Hub {
    /// A hub without rooms.
    pub fn new(services: Arc<Services>, asked: mpsc::UnboundedReceiver<Wake>) -> Self {
        let clock = services.clock;
        let hub = Self(Arc::new(Inner {
            services,
            rooms: Mutex::default(),
            tasks: TaskTracker::new(),
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

    /// The room of a game, opened if it is not. Whether there is such a game, the room finds out.
    pub fn room(&self, game: GameId) -> RoomHandle {
        let mut rooms = self.0.rooms.lock();
        if let Some(handle) = rooms.get(&game).filter(|handle| !handle.is_closed()) {
            return handle.clone();
        }
        let (sender, inbox) = mpsc::channel(INBOX);
        let handle = RoomHandle(sender);
        rooms.insert(game, handle.clone());
        metrics::gauge!("qiguan_rooms_open").set(rooms.len() as f64);
        drop(rooms);
        let live = live(
            Arc::downgrade(&self.0),
            self.0.services.clone(),
            game,
            inbox,
        );
        self.0.tasks.spawn(live);
        handle
    }

    /// Has every open room look at the records: they can't be written any more, or can again.
    pub fn wake_rooms(&self) {
        for room in self.0.rooms.lock().values() {
            // A room that is too busy for this looks with what it does next.
            drop(room.0.try_send(RoomMessage::Wake(None)));
        }
    }

    /// Sends a message to the room of a game.
    pub async fn send(&self, game: GameId, mut message: RoomMessage) {
        loop {
            match self.room(game).send(message).await {
                Ok(()) => return,
                Err(back) => message = back,
            }
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

    /// Closes every room after what waits in it has been answered, and waits for them.
    pub async fn close(&self) {
        self.0.rooms.lock().clear();
        self.0.tasks.close();
        self.0.tasks.wait().await;
    }
}

/// A room's life: panics are contained and counted, and the room is rebuilt from its record.
async fn live(
    hub: Weak<Inner>,
    services: Arc<Services>,
    game: GameId,
    mut inbox: mpsc::Receiver<RoomMessage>,
) {
    let mut room = Room::new(game, Arc::clone(&services));
    let mut rebuilds = 0;
    loop {
        let served = AssertUnwindSafe(room.serve(&mut inbox, &mut rebuilds))
            .catch_unwind()
            .await;
        match served {
            Ok(wake_at) => {
                retire(&hub, game, &mut inbox).await;
                let due = wake_at.map(|at| room.due(at));
                return services.waking.ask(Wake::At(game, due));
            }
            Err(_panic) => {
                rebuilds += 1;
                metrics::counter!("qiguan_room_rebuilds_total").increment(1);
                tracing::error!(%game, rebuilds, "a room panicked");
                if rebuilds >= REBUILDS {
                    metrics::counter!("qiguan_rooms_parked_total").increment(1);
                    tracing::error!(%game, "a room is parked: it panics again and again");
                    room.drop_everybody();
                    return park(&mut inbox).await;
                }
                room.forget();
            }
        }
    }
}

/// Takes a room off the list; messages that arrived in the meantime are passed on to its successor.
async fn retire(hub: &Weak<Inner>, game: GameId, inbox: &mut mpsc::Receiver<RoomMessage>) {
    let hub = hub.upgrade().map(Hub);
    if let Some(hub) = &hub {
        let mut rooms = hub.0.rooms.lock();
        rooms.remove(&game);
        metrics::gauge!("qiguan_rooms_open").set(rooms.len() as f64);
    }
    inbox.close();
    while let Some(message) = inbox.recv().await {
        match &hub {
            Some(hub) => Box::pin(hub.send(game, message)).await,
            None => message.fail(ApiError::restarting()),
        }
    }
}

/// Answers everything with `parked` until the server restarts.
async fn park(inbox: &mut mpsc::Receiver<RoomMessage>) {
    while let Some(message) = inbox.recv().await {
        message.fail(ApiError::parked());
    }
}
