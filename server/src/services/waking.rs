//! Opens rooms that nobody asks for: at once, or when the clock of a closed room needs it again. All games share one queue, and each
//! game is in it at most once, however often its room opens and closes. Of those that are due, a few are opened at a time: very many can be
//! due at once.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use qiguan_environment::Clock;
use qiguan_protocol::ids::{GameId, Millis};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, mpsc},
    time::sleep_until,
};

use crate::services::storage::Running;

/// How many rooms that are due may be opening at the same time.
const OPENING: usize = 8;

/// A room that is opened though nobody needs it has this until it has done what was due.
pub type Turn = OwnedSemaphorePermit;

/// The way to the queue. Cheap to clone.
#[derive(Clone)]
pub struct Waking(mpsc::UnboundedSender<Wake>);

/// What the queue is asked.
pub enum Wake {
    /// Open this room now.
    Now(GameId),
    /// This room has closed; open it again when that is due, if it ever is.
    At(GameId, Option<Due>),
}

/// When a closed room is due.
pub struct Due {
    /// The time.
    pub at: Millis,
    /// Kept until then if the game's clock runs.
    pub running: Option<Running>,
}

impl Waking {
    /// The way in, and what [`run`] receives from.
    pub fn new() -> (Self, mpsc::UnboundedReceiver<Wake>) {
        let (sender, receiver) = mpsc::unbounded_channel();
        (Self(sender), receiver)
    }

    /// Asks. After the hub has gone there is no clock to watch any more.
    pub fn ask(&self, wake: Wake) {
        let _ = self.0.send(wake);
    }
}

/// Opens rooms in time until nobody can ask any more or `open` says that there is no hub. Those that are due get a turn.
pub async fn run<F: Future<Output = bool>>(
    clock: Clock,
    mut asked: mpsc::UnboundedReceiver<Wake>,
    open: impl Fn(GameId, Option<Turn>) -> F,
) {
    let mut queue = Queue::default();
    let turns = Arc::new(Semaphore::new(OPENING));
    loop {
        let first = queue.first();
        let at = clock.instant(first.unwrap_or_default());
        let turn = async {
            sleep_until(at).await;
            Arc::clone(&turns).acquire_owned().await.ok()
        };
        let opened = tokio::select! {
            // What is due goes first: under load there is always more that is asked.
            biased;
            turn = turn, if first.is_some() => queue.take_due(clock.now()).map(|game| (game, turn)),
            wake = asked.recv() => match wake {
                Some(Wake::Now(game)) => Some((game, None)),
                Some(Wake::At(game, due)) => {
                    queue.set(game, due);
                    None
                }
                None => return,
            },
        };
        if let Some((game, turn)) = opened
            && !open(game, turn).await
        {
            return;
        }
    }
}

/// Which games wait, and until when.
#[derive(Default)]
struct Queue {
    games: HashMap<GameId, Due>,
    by_time: BTreeSet<(Millis, GameId)>,
}

impl Queue {
    /// Has a game come at this time and at no other; not at all without one.
    fn set(&mut self, game: GameId, due: Option<Due>) {
        if let Some(before) = self.games.remove(&game) {
            self.by_time.remove(&(before.at, game));
        }
        if let Some(due) = due {
            self.by_time.insert((due.at, game));
            self.games.insert(game, due);
        }
    }

    /// When the first game comes.
    fn first(&self) -> Option<Millis> {
        self.by_time.first().map(|(at, _)| *at)
    }

    /// The first game, if its time has come.
    fn take_due(&mut self, now: Millis) -> Option<GameId> {
        let (_, game) = self.by_time.first().filter(|(at, _)| *at <= now).copied()?;
        self.set(game, None);
        Some(game)
    }
}

#[cfg(test)]
mod tests {
    use tokio::runtime::Handle;
    use uuid::Uuid;

    use super::*;

    fn game(number: u128) -> GameId {
        GameId(Uuid::from_u128(number))
    }

    const fn due(at: Millis) -> Due {
        Due { at, running: None }
    }

    #[tokio::test]
    async fn i1_a_room_that_closes_a_thousand_times_leaves_no_task_for_each() {
        let clock = Clock::system();
        let (waking, asked) = Waking::new();
        let (opened, mut opens) = mpsc::unbounded_channel();
        let tasks = || Handle::current().metrics().num_alive_tasks();
        let before = tasks();
        tokio::spawn(run(clock, asked, move |game, _| {
            let opened = opened.clone();
            async move { opened.send(game).is_ok() }
        }));
        let later = clock.now() + Millis(3_600_000);
        for number in 0..1_000 {
            waking.ask(Wake::At(game(1), Some(due(later + Millis(number)))));
        }
        // By the time that this one is opened, all the others have been dealt with.
        waking.ask(Wake::Now(game(2)));
        assert_eq!(opens.recv().await, Some(game(2)));
        assert_eq!(tasks() - before, 1);
    }

    #[test]
    fn i1_a_game_is_in_the_queue_once_and_comes_at_the_time_asked_for_last() {
        let mut queue = Queue::default();
        for (number, at) in [
            (1, Some(30)),
            (2, Some(20)),
            (3, Some(10)),
            (4, Some(-5)),
            (1, Some(40)),
            (1, Some(25)),
            (3, None),
            (5, None),
        ] {
            queue.set(game(number), at.map(|at| due(Millis(at))));
        }
        assert_eq!((queue.games.len(), queue.by_time.len()), (3, 3));
        let mut came = Vec::new();
        for now in [0, 19, 20, 24, 25, 60] {
            while let Some(game) = queue.take_due(Millis(now)) {
                came.push((now, game));
            }
        }
        assert_eq!(came, [(0, game(4)), (20, game(2)), (25, game(1))]);
        assert_eq!(queue.first(), None);
    }
}
