//! A computer at a board: it is called when it has something to do, looks at the game as its seat sees it, thinks, and sends what it
//! has chosen to the room as anybody would.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use parking_lot::Mutex;
use qiguan_engine::Level;
use qiguan_environment::Random;
use qiguan_game::{
    people::{
        computer::Computer,
        identity::{Identity, Scopes},
    },
    referee::Command,
    seat_drafts::DraftKind,
};
use qiguan_protocol::{
    answer::Answer,
    error::{ApiError, ErrorCode},
    ids::{GameId, Millis, SessionId},
    names::Role,
    view::GameView,
};
use tokio::{sync::mpsc, time::sleep_until};

use super::{
    pool::Pool,
    position,
    thinking::{self, Choice, Task},
};
use crate::{
    cluster::place,
    room::{
        hub::{Hub, WeakHub},
        message::{CommandRequest, Keep, Read, Reply, RoomMessage, answered},
    },
    services::computing::Call,
};

/// How long a computer waits before it tries again what could not be stored or read.
const RETRY: Millis = Millis(1_000);
/// A computer takes no more than so much of its time for a pause.
const PAUSE_SHARE: i64 = 40;

/// The computers that are called, and the games in which they are at work.
struct Players {
    hub: WeakHub,
    pool: Arc<Pool>,
    /// How long a computer takes at least to answer a move.
    pause: Millis,
    /// The games with a computer at work.
    at_work: Mutex<HashMap<GameId, Work>>,
}

/// What a computer is doing in a game.
#[derive(Default)]
struct Work {
    /// Whether it has been called again in the meantime.
    is_called_again: bool,
    /// Ends the thinking that is under way.
    stop: Option<Arc<AtomicBool>>,
}

/// Plays in all games in which computers are called, until the hub is gone.
pub async fn run(
    hub: WeakHub,
    mut calls: mpsc::UnboundedReceiver<Call>,
    pool: Arc<Pool>,
    pause: Millis,
) {
    let players = Arc::new(Players {
        hub,
        pool,
        pause,
        at_work: Mutex::default(),
    });
    while let Some(call) = calls.recv().await {
        match players.at_work.lock().entry(call.game) {
            Entry::Occupied(mut at_work) => {
                // The game has gone on: what it is thinking about may not be the position any more.
                let work = at_work.get_mut();
                work.is_called_again = true;
                if let Some(stop) = work.stop.take() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            Entry::Vacant(place) => {
                place.insert(Work::default());
                tokio::spawn(Arc::clone(&players).serve(call));
            }
        }
    }
}

impl Players {
    /// Does what there is to do in a game until there is nothing more.
    async fn serve(self: Arc<Self>, call: Call) {
        let mut at_work = AtWork {
            players: &self,
            game: call.game,
            is_listed: true,
        };
        loop {
            let Some(hub) = self.hub.upgrade() else {
                return;
            };
            match self.play(&hub, call).await {
                Ok(()) => {
                    if !at_work.is_called_again() {
                        return;
                    }
                }
                Err(error) if is_passing(error.code) => {
                    let clock = hub.services().clock;
                    let at = clock.instant(clock.now() + RETRY);
                    drop(hub);
                    sleep_until(at).await;
                }
                // The game has gone on in the meantime, or is over: whatever is to do now, the room calls for.
                Err(error) => {
                    tracing::debug!(game = %call.game, %error, "a computer's command was refused");
                    if !at_work.is_called_again() {
                        return;
                    }
                }
            }
        }
    }

    /// Looks at the game and does one thing, if there is one to do.
    async fn play(&self, hub: &Hub, call: Call) -> Result<(), ApiError> {
        let services = hub.services();
        services.check_serving()?;
        let began = services.clock.now();
        let who = call.computer.id();
        if let Some(work) = self.at_work.lock().get_mut(&call.game) {
            // Whatever it was called for, it sees now.
            work.is_called_again = false;
        }
        let snapshot = hub.read(call.game, Some(who), Read::Snapshot).await?;
        // What the seat is sent, and nothing else of the game.
        let view = snapshot.view();
        drop(snapshot);
        let Some(task) = Task::of(&view) else {
            return Ok(());
        };
        let random = services.random;
        match task {
            Task::SetUp => {
                set_up(hub, call, &view).await?;
                self.send(hub, call, "ready", Command::Ready).await
            }
            Task::Rematch => {
                let next = place::following(call.game, random, began);
                self.send(hub, call, "rematch", Command::Rematch { next })
                    .await
            }
            Task::Move(_) | Task::AnswerDraw(_) => {
                let (time, pause) = (thinking::time_for_move(&view), self.pause(&view, random));
                let Some(choice) = self.think(hub, call, view, task, time).await else {
                    tracing::error!(game = %call.game, "a computer player finds no move");
                    return Ok(());
                };
                sleep_until(services.clock.instant(began + pause)).await;
                if self.has_gone_on(call.game) {
                    return Ok(());
                }
                let (cause, command) = command_of(choice);
                self.send(hub, call, cause, command).await
            }
        }
    }

    /// Whether the computer has been called again in a game since it looked at it.
    fn has_gone_on(&self, game: GameId) -> bool {
        let at_work = self.at_work.lock();
        at_work.get(&game).is_some_and(|work| work.is_called_again)
    }

    /// Thinks on one of the threads; when its time is over, it ends with the best so far.
    async fn think(
        &self,
        hub: &Hub,
        call: Call,
        view: GameView,
        task: Task,
        time: Option<Millis>,
    ) -> Option<Choice> {
        let services = hub.services();
        let stop = Arc::new(AtomicBool::new(false));
        let level = Level::try_from(call.computer.level()).ok()?;
        let (seed, stopped) = (seed(services.random), Arc::clone(&stop));
        if let Some(work) = self.at_work.lock().get_mut(&call.game) {
            work.stop = Some(Arc::clone(&stop));
        }
        let thought = self.pool.think(call.owner, move |player| {
            thinking::think(&view, task, level, seed, player, &stopped)
        });
        let Some(time) = time else {
            return thought.await?;
        };
        tokio::pin!(thought);
        tokio::select! {
            choice = &mut thought => return choice?,
            () = sleep_until(services.clock.instant(services.clock.now() + time)) => {}
        }
        stop.store(true, Ordering::Relaxed);
        thought.await?
    }

    /// People follow a game more easily in which moves don't come at once.
    fn pause(&self, view: &GameView, random: Random) -> Millis {
        let most = self.pause.0.max(0);
        let pause = most / 2 + i64::from(random.below(most as u32 + 1));
        let left = view.clocks.left.zip(view.you);
        let left = left.map_or(i64::MAX, |(left, seat)| left.get(seat).ms.0);
        Millis(pause.min(left / PAUSE_SHARE))
    }

    async fn send(
        &self,
        hub: &Hub,
        call: Call,
        cause: &'static str,
        command: Command,
    ) -> Result<(), ApiError> {
        let services = hub.services();
        services.check_serving()?;
        let (reply, answer) = Reply::to_call();
        let request = CommandRequest {
            command,
            cause,
            id: services.random.command_id(),
            who: Arc::new(identity(call.computer)),
            received: services.clock.now(),
            peer: None,
            from: None,
            reply,
        };
        hub.send(call.game, RoomMessage::Command(Box::new(request)))
            .await;
        answered(answer).await.map(drop)
    }
}

/// A computer is at work in a game for as long as this lives.
struct AtWork<'a> {
    players: &'a Players,
    game: GameId,
    is_listed: bool,
}

impl AtWork<'_> {
    /// Whether the computer has been called since this was last asked. If not, the next call finds nobody at work.
    fn is_called_again(&mut self) -> bool {
        let mut at_work = self.players.at_work.lock();
        let work = at_work.get_mut(&self.game);
        let called = work.is_some_and(|work| std::mem::take(&mut work.is_called_again));
        if !called {
            at_work.remove(&self.game);
            self.is_listed = false;
        }
        called
    }
}

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        if self.is_listed {
            self.players.at_work.lock().remove(&self.game);
        }
    }
}

/// A setup of the computer's own takes the place of the one that was drawn.
async fn set_up(hub: &Hub, call: Call, view: &GameView) -> Result<(), ApiError> {
    let seed = seed(hub.services().random);
    let level = Level::try_from(call.computer.level()).ok();
    let setup = level.and_then(|level| position::setup_for(view, level, seed));
    let Some(setup) = setup else {
        return Ok(());
    };
    let (reply, answer) = Reply::to_call();
    let keep = Keep {
        player: call.computer.id(),
        kind: DraftKind::Setup,
        text: setup,
        peer: None,
        reply,
    };
    hub.send(call.game, RoomMessage::Keep(Box::new(keep))).await;
    answered::<Answer>(answer).await.map(drop)
}

fn command_of(choice: Choice) -> (&'static str, Command) {
    match choice {
        Choice::Move(ply, mv) => ("move", Command::Move { ply, mv: Ok(mv) }),
        Choice::AcceptDraw(offer) => ("accept_draw", Command::AcceptDraw { offer }),
        Choice::DeclineDraw(offer) => ("decline_draw", Command::DeclineDraw { offer }),
        Choice::Resign => ("resign", Command::Resign),
    }
}

/// A computer as the referee knows who asks.
fn identity(computer: Computer) -> Identity {
    let player = computer.player();
    Identity {
        session: SessionId(player.id.0),
        id: player.id,
        name: player.name,
        role: Role::Bot,
        scopes: Scopes::of(&[]),
    }
}

fn seed(random: Random) -> u64 {
    u64::from(random.below(u32::MAX)) << 32 | u64::from(random.below(u32::MAX))
}

/// Whether the same can work a little later.
const fn is_passing(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::NotStored | ErrorCode::Busy | ErrorCode::RateLimited
    )
}
