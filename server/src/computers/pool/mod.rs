//! The threads on which computers think: so many and no more, at the lowest priority. Moves come before hints, and
//! hints before reviews. Owners take turns: one with much to think about waits no shorter for the next than others do for their first. A thread
//! that has nothing to think about does spare work.

mod meter;
mod queue;

use std::{
    cell::OnceCell,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use parking_lot::{Condvar, Mutex, MutexGuard};
use qiguan_engine::{Player, tables::Endings};
use qiguan_environment::Clock;
use tokio::sync::oneshot;

use self::{
    meter::Meter,
    queue::{Piece, Queue, Work},
};
use crate::services::computing::Owner;

/// The niceness of the threads: whatever else runs on a busy machine comes first.
const NICENESS: i32 = 19;
/// The size of a thread's table of positions, in MiB.
const TABLE_MIB: usize = 16;

/// The way to the threads. They end when it is dropped.
pub struct Pool(Arc<Shared>);

/// What a thread does while there is nothing to think about: one of them at a time, and until somebody needs it.
pub trait SpareWork: Send + Sync {
    /// Does a piece of it; a flag ends it within a moment.
    fn work(&self, stop: &AtomicBool) -> Spare;
    /// Whether there is something to do again, after all was done.
    fn is_wanted(&self) -> bool;
}

/// How far spare work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spare {
    /// There is more.
    More,
    /// All is done.
    Done,
}

/// What threads think about; the first kind that waits comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Move,
    Hint,
    Review,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Move, Self::Hint, Self::Review];

    /// As metrics name it.
    const fn name(self) -> &'static str {
        match self {
            Self::Move => "move",
            Self::Hint => "hint",
            Self::Review => "review",
        }
    }
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    endings: Arc<Endings>,
    spare: Arc<dyn SpareWork>,
    /// Ends the spare work under way.
    stop_spare: AtomicBool,
    meter: Meter,
}

/// What waits for threads, and what these do.
struct State {
    queue: Queue,
    /// Threads that there may be, and those that there are: they are started when they are first needed.
    most: usize,
    started: usize,
    idle: usize,
    closed: bool,
    /// Spare work is left, and a thread is at it.
    has_spare: bool,
    is_at_spare: bool,
}

/// The threads have too much to do, or this owner has something waiting already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy;

impl Pool {
    /// So many threads at most, and what they know and do besides.
    pub fn new(
        threads: usize,
        endings: Arc<Endings>,
        spare: Arc<dyn SpareWork>,
        clock: Clock,
    ) -> Self {
        let pool = Self(Arc::new(Shared {
            state: Mutex::new(State {
                queue: Queue::default(),
                most: threads,
                started: 0,
                idle: 0,
                closed: false,
                has_spare: true,
                is_at_spare: false,
            }),
            changed: Condvar::new(),
            endings,
            spare,
            stop_spare: AtomicBool::new(false),
            meter: Meter::new(clock),
        }));
        pool.0.start_thread(&mut pool.0.state.lock());
        pool
    }

    /// Thinks about a move as soon as it is the owner's turn; none if the work panicked, or the pool has closed.
    pub async fn think<T: Send + 'static>(
        &self,
        owner: Owner,
        work: impl FnOnce(&Player) -> T + Send + 'static,
    ) -> Option<T> {
        let (work, answer) = answering(work);
        self.add(Kind::Move, owner, work).ok()?;
        answer.await.ok()
    }

    /// Thinks about a hint once no move is waiting.
    ///
    /// # Errors
    /// [`Busy`] while another hint for this owner is waiting, or too many hints are.
    pub async fn hint<T: Send + 'static>(
        &self,
        owner: Owner,
        work: impl FnOnce(&Player) -> T + Send + 'static,
    ) -> Result<Option<T>, Busy> {
        let (work, answer) = answering(work);
        self.add(Kind::Hint, owner, work)?;
        Ok(answer.await.ok())
    }

    /// Does a piece of a review once no move and no hint is waiting; none if the work panicked, or the pool has closed.
    pub async fn review<T: Send + 'static>(
        &self,
        owner: Owner,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let (work, answer) = answering(|_| work());
        self.add(Kind::Review, owner, work).ok()?;
        answer.await.ok()
    }

    fn add(&self, kind: Kind, owner: Owner, work: Work) -> Result<(), Busy> {
        let meter = &self.0.meter;
        let since = meter.now();
        let mut state = self.0.state.lock();
        let added = state.queue.add(owner, Piece { kind, since, work });
        if added.is_err() {
            meter.refused();
            return added;
        }
        meter.waiting(state.queue.waiting());
        self.wake(state);
        Ok(())
    }

    /// Sees to it that a thread does what was added.
    fn wake(&self, mut state: MutexGuard<'_, State>) {
        let waiting: usize = state.queue.waiting().iter().sum();
        if state.idle < waiting && !self.0.start_thread(&mut state) {
            self.0.stop_spare.store(true, Ordering::Relaxed);
        }
        drop(state);
        self.0.changed.notify_one();
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let mut state = self.0.state.lock();
        state.closed = true;
        let waited = std::mem::take(&mut state.queue);
        drop(state);
        drop(waited);
        self.0.stop_spare.store(true, Ordering::Relaxed);
        self.0.changed.notify_all();
    }
}

impl Shared {
    /// Starts one more thread, if there may be one; whether it did.
    fn start_thread(self: &Arc<Self>, state: &mut State) -> bool {
        if state.started >= state.most {
            return false;
        }
        let shared = Arc::clone(self);
        let thread = thread::Builder::new().name("computer".to_owned());
        match thread.spawn(move || shared.serve()) {
            Ok(_) => {
                state.started += 1;
                true
            }
            Err(error) => {
                tracing::error!(%error, "no thread for a computer player");
                false
            }
        }
    }

    /// A thread's life.
    fn serve(&self) {
        lower_priority();
        // Its memory is taken when there is something to think about.
        let player = OnceCell::new();
        while let Some(Piece { kind, since, work }) = self.next() {
            let player = player
                .get_or_init(|| Player::new(TABLE_MIB).with_endings(Arc::clone(&self.endings)));
            let thought = || catch_unwind(AssertUnwindSafe(|| work(player))).is_ok();
            if !self.meter.measure(kind, since, thought) {
                tracing::error!("a computer player panicked");
                player.forget();
            }
            if self.spare.is_wanted() {
                self.state.lock().has_spare = true;
            }
        }
    }

    /// The next piece of work; none once the pool has closed.
    fn next(&self) -> Option<Piece> {
        let mut state = self.state.lock();
        loop {
            if state.closed {
                return None;
            }
            if let Some(piece) = state.queue.take() {
                self.meter.waiting(state.queue.waiting());
                return Some(piece);
            }
            if state.has_spare && !state.is_at_spare {
                self.do_spare_work(&mut state);
                continue;
            }
            state.idle += 1;
            self.changed.wait(&mut state);
            state.idle -= 1;
        }
    }

    /// Does a piece of spare work while others may use the queue.
    fn do_spare_work(&self, state: &mut MutexGuard<'_, State>) {
        state.is_at_spare = true;
        self.stop_spare.store(false, Ordering::Relaxed);
        let worked = MutexGuard::unlocked(state, || {
            catch_unwind(AssertUnwindSafe(|| self.spare.work(&self.stop_spare)))
        });
        state.is_at_spare = false;
        state.has_spare = worked.unwrap_or_else(|_| {
            tracing::error!("spare work of the computer players panicked");
            Spare::Done
        }) == Spare::More;
    }
}

/// The work, made to send its answer.
fn answering<T: Send + 'static>(
    work: impl FnOnce(&Player) -> T + Send + 'static,
) -> (Work, oneshot::Receiver<T>) {
    let (done, answer) = oneshot::channel();
    let work: Work = Box::new(move |player| {
        // Nobody thinks for a caller who has gone away.
        if !done.is_closed() {
            drop(done.send(work(player)));
        }
    });
    (work, answer)
}

fn lower_priority() {
    // Elsewhere this is the priority of the whole process.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, NICENESS) {
        tracing::warn!(%error, "computer players think at the priority of everything else");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use qiguan_protocol::ids::PlayerId;
    use uuid::Uuid;

    use super::{queue::HINTS, *};

    /// Nothing to do besides.
    struct Nothing;

    impl SpareWork for Nothing {
        fn work(&self, _: &AtomicBool) -> Spare {
            Spare::Done
        }

        fn is_wanted(&self) -> bool {
            false
        }
    }

    fn pool(threads: usize) -> Pool {
        Pool::new(
            threads,
            Arc::new(Endings::new(1)),
            Arc::new(Nothing),
            Clock::system(),
        )
    }

    fn owner(number: u128) -> Owner {
        Owner::Player(PlayerId(Uuid::from_u128(number)))
    }

    #[tokio::test]
    async fn owners_take_turns_however_much_one_of_them_asks_for() {
        let pool = pool(1);
        let go = hold(&pool);
        let (said, order) = mpsc::channel();
        let thought = [(1, 10), (1, 11), (1, 12), (2, 20), (3, 30), (3, 31)];
        let thought = thought.map(|(player, number)| {
            let said = said.clone();
            pool.think(owner(player), move |_| said.send(number).unwrap())
        });
        let came = async {
            go.send(()).unwrap();
        };
        futures_util::join!(futures_util::future::join_all(thought), came);
        drop(said);
        let came: Vec<_> = order.into_iter().collect();
        assert_eq!(came, [10, 20, 30, 11, 31, 12]);
    }

    #[tokio::test]
    async fn moves_come_before_hints_and_these_before_reviews_and_an_owner_waits_for_one_hint_at_a_time()
     {
        let pool = pool(1);
        let go = hold(&pool);
        let (said, order) = mpsc::channel();
        let says = |number| {
            let said = said.clone();
            move |_: &Player| said.send(number).unwrap()
        };
        let send = said.clone();
        let reviewed = pool.review(owner(3), move || send.send(5).unwrap());
        let first = pool.hint(owner(1), says(1));
        let second = pool.hint(owner(1), says(2));
        let of_other = pool.hint(owner(2), says(3));
        let moved = pool.think(owner(1), says(4));
        let begin = async {
            go.send(()).unwrap();
        };
        let (reviewed, first, second, of_other, moved, ()) =
            futures_util::join!(reviewed, first, second, of_other, moved, begin);
        assert_eq!(
            (first, second, of_other),
            (Ok(Some(())), Err(Busy), Ok(Some(())))
        );
        assert_eq!((moved, reviewed), (Some(()), Some(())));
        drop(said);
        assert_eq!(order.into_iter().collect::<Vec<_>>(), [4, 1, 3, 5]);
    }

    #[tokio::test]
    async fn so_many_hints_wait_and_no_more() {
        let pool = pool(1);
        let go = hold(&pool);
        let waiting = (0..=HINTS as u128).map(|number| pool.hint(owner(number), |_| ()));
        let begin = async {
            go.send(()).unwrap();
        };
        let (answers, ()) = futures_util::join!(futures_util::future::join_all(waiting), begin);
        let busy = answers
            .iter()
            .filter(|answer| **answer == Err(Busy))
            .count();
        assert_eq!(busy, 1);
    }

    /// Has the one thread wait until something is sent.
    fn hold(pool: &Pool) -> mpsc::Sender<()> {
        let (go, held) = mpsc::channel::<()>();
        let waits: Work = Box::new(move |_| held.recv().unwrap());
        pool.add(Kind::Move, owner(9), waits).unwrap();
        go
    }

    #[tokio::test]
    async fn a_panic_ends_neither_the_thread_nor_what_waits_for_it() {
        let pool = pool(1);
        assert_eq!(
            pool.think(owner(1), |_| panic!("planted")).await,
            None::<()>
        );
        assert_eq!(pool.think(owner(1), |_| 5).await, Some(5));
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn computers_think_at_the_lowest_priority() {
        let pool = pool(1);
        let nice = pool.think(owner(1), |_| {
            rustix::process::getpriority_process(None).unwrap()
        });
        assert_eq!(nice.await, Some(NICENESS));
    }

    /// Works until it is stopped, and says when it begins.
    struct Endless(std::sync::Mutex<mpsc::Sender<()>>);

    impl SpareWork for Endless {
        fn work(&self, stop: &AtomicBool) -> Spare {
            self.0.lock().unwrap().send(()).unwrap();
            while !stop.load(Ordering::Relaxed) {
                thread::yield_now();
            }
            Spare::More
        }

        fn is_wanted(&self) -> bool {
            false
        }
    }

    #[tokio::test]
    async fn spare_work_gives_way_to_a_move_and_goes_on_after_it() {
        let (begins, begun) = mpsc::channel();
        let spare = Endless(std::sync::Mutex::new(begins));
        let pool = Pool::new(
            1,
            Arc::new(Endings::new(1)),
            Arc::new(spare),
            Clock::system(),
        );
        begun.recv().unwrap();
        assert_eq!(pool.think(owner(1), |_| 5).await, Some(5));
        begun.recv().unwrap();
    }
}
