//! Finds the room of a game, or opens it.
//!
//! **Invariant:** at most one room per game and process. (Two processes on one record are kept apart by the journal's
//! key: the loser of a race reloads.)

use std::{
    collections::HashMap,
    future::poll_fn,
    panic::AssertUnwindSafe,
    sync::{Arc, Weak},
};

use futures_util::FutureExt;
use parking_lot::Mutex;
use qiguan_protocol::{
    error::ApiError,
    ids::{GameId, Millis, PlayerId},
};
use tokio::sync::{mpsc, oneshot};
use tokio_util::task::TaskTracker;

use crate::{
    alarm::Alarm,
    room::{
        message::{Read, RoomMessage, answered},
        room::Room,
    },
    services::{
        Services,
        waking::{self, Due, Wake},
    },
};

/// How many messages may wait at one room. Senders to a full one wait.
const INBOX: usize = 64;
/// A room whose clock runs out later than this is closed like any other, and opened in time.
const FAR: Millis = Millis(600_000);
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

/// The way to one room.
#[derive(Clone)]
pub struct RoomHandle(mpsc::Sender<RoomMessage>);

impl RoomHandle {
    /// Knocks, waiting if many do.
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
        tokio::spawn(waking::run(clock, asked, move |game| {
            let hub = inner.upgrade().map(Self);
            async move {
                if let Some(hub) = &hub {
                    hub.send(game, RoomMessage::Wake).await;
                }
                hub.is_some()
            }
        }));
        hub
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
        let room = Room::new(game, Arc::clone(&self.0.services));
        self.0
            .tasks
            .spawn(live(Arc::downgrade(&self.0), game, room, inbox));
        handle
    }

    /// Has every open room look at the records: they can't be written any more, or can again.
    pub fn wake_rooms(&self) {
        for room in self.0.rooms.lock().values() {
            // A room that is too busy for this looks with what it does next.
            drop(room.0.try_send(RoomMessage::Wake));
        }
    }

    /// Knocks at the room of a game.
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
    game: GameId,
    mut room: Room,
    mut inbox: mpsc::Receiver<RoomMessage>,
) {
    let mut rebuilds = 0;
    loop {
        let served = AssertUnwindSafe(serve(&mut room, &mut inbox, &mut rebuilds))
            .catch_unwind()
            .await;
        match served {
            Ok(wake_at) => {
                retire(&hub, game, &mut inbox).await;
                let due = wake_at.map(|at| Due {
                    at,
                    running: room.take_running(),
                });
                room.services().waking.ask(Wake::At(game, due));
                return;
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

/// Answers messages and the clock until nobody needs the room; then tells when the clock will need it again.
async fn serve(
    room: &mut Room,
    inbox: &mut mpsc::Receiver<RoomMessage>,
    rebuilds: &mut u32,
) -> Option<Millis> {
    let (clock, idle) = (room.services().clock, room.services().room_idle);
    let mut idle_since = clock.now();
    // The alarm is set again only when something is due before it rings; ringing too early costs less than moving it each time.
    let mut rings_at = clock.now() + idle;
    let mut alarm = Alarm::at(clock.instant(rings_at));
    room.after_rebuild(*rebuilds > 0).await;
    loop {
        let idle_at = room.is_idle().then_some(idle_since + idle);
        let due = [room.next_deadline(), idle_at].into_iter().flatten().min();
        if let Some(due) = due
            && (due < rings_at || alarm.rings())
        {
            rings_at = due;
            alarm.set(clock.instant(due));
        }
        tokio::select! {
            biased;
            message = inbox.recv() => {
                let Some(message) = message else {
                    room.serve_all_spectators();
                    return None;
                };
                room.answer(message).await;
                if room.is_missing() {
                    // There is no such game, and nothing to keep open for it.
                    return None;
                }
                *rebuilds = 0;
                idle_since = clock.now();
            }
            () = poll_fn(|context| alarm.poll(context)), if due.is_some() => {
                let now = clock.now();
                if room.next_deadline().is_some_and(|at| at <= now) {
                    room.tick().await;
                    *rebuilds = 0;
                } else if room.is_idle() && idle_since + idle <= now {
                    let clock_needs_it = room.clock_deadline();
                    if clock_needs_it.is_none_or(|at| at > now + FAR) {
                        return clock_needs_it;
                    }
                    idle_since = now;
                }
            }
            written = poll_fn(|context| room.poll_talk(context)), if room.is_talk_being_written() => {
                room.talk_was_written(written);
            }
            // Tasks woken by what has been sent so far have a turn first.
            () = tokio::task::yield_now(), if room.owes_spectators() => {}
        }
        room.keep_listed();
        room.keep_counted();
        room.note_attendance();
        room.serve_spectators();
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
