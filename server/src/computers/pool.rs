//! The threads on which computers think: so many and no more, at the lowest priority. Moves come before hints, and
//! hints before reviews. Owners take turns: one for
//! whom much is to be thought waits no shorter for the next than others do for their first. A thread that has nothing to think about does
//! spare work.

use std::{
    cell::OnceCell,
    collections::{HashMap, VecDeque},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use parking_lot::{Condvar, Mutex, MutexGuard};
use qiguan_engine::{Player, tables::Endings};
use tokio::sync::oneshot;

use crate::services::computing::Owner;

/// The niceness of the threads: whatever else runs on a busy machine comes first.
const NICENESS: i32 = 19;
/// The size of a thread's table of positions, in MiB.
const TABLE_MIB: usize = 16;

/// How many hints may wait for a thread.
const HINTS: usize = 32;

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

struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
    endings: Arc<Endings>,
    spare: Arc<dyn SpareWork>,
    /// Ends the spare work under way.
    stop_spare: AtomicBool,
}

type Work = Box<dyn FnOnce(&Player) + Send>;

/// What waits for a thread.
struct Queue {
    moves: Turns,
    hints: Turns,
    reviews: Turns,
    /// Threads that there may be, and those that there are: they are started when they are first needed.
    most: usize,
    started: usize,
    idle: usize,
    closed: bool,
    /// Spare work is left, and a thread is at it.
    has_spare: bool,
    is_at_spare: bool,
}

/// Work of one kind.
#[derive(Default)]
struct Turns {
    /// For whom there is work, who waits longest first.
    owners: VecDeque<Owner>,
    work: HashMap<Owner, VecDeque<Work>>,
}

/// The threads have too much to do, or this owner has something waiting already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy;

impl Pool {
    /// So many threads at most, and what they know and do besides.
    pub fn new(threads: usize, endings: Arc<Endings>, spare: Arc<dyn SpareWork>) -> Self {
        let pool = Self(Arc::new(Shared {
            queue: Mutex::new(Queue {
                moves: Turns::default(),
                hints: Turns::default(),
                reviews: Turns::default(),
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
        }));
        pool.0.start_thread(&mut pool.0.queue.lock());
        pool
    }

    /// Thinks about a move as soon as it is the owner's turn; none if the work panicked, or the pool has closed.
    pub async fn think<T: Send + 'static>(
        &self,
        owner: Owner,
        work: impl FnOnce(&Player) -> T + Send + 'static,
    ) -> Option<T> {
        let (work, answer) = answering(work);
        self.add_move(owner, work);
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
        self.add_hint(owner, work)?;
        Ok(answer.await.ok())
    }

    /// Does a piece of a review once no move and no hint is waiting; none if the work panicked, or the pool has closed.
    pub async fn review<T: Send + 'static>(
        &self,
        owner: Owner,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let (work, answer) = answering(|_| work());
        self.add_review(owner, work);
        answer.await.ok()
    }

    fn add_move(&self, owner: Owner, work: Work) {
        let mut queue = self.0.queue.lock();
        queue.moves.add(owner, work);
        self.wake(queue);
    }

    fn add_hint(&self, owner: Owner, work: Work) -> Result<(), Busy> {
        let mut queue = self.0.queue.lock();
        if queue.hints.owners.len() >= HINTS || queue.hints.work.contains_key(&owner) {
            return Err(Busy);
        }
        queue.hints.add(owner, work);
        self.wake(queue);
        Ok(())
    }

    fn add_review(&self, owner: Owner, work: Work) {
        let mut queue = self.0.queue.lock();
        queue.reviews.add(owner, work);
        self.wake(queue);
    }

    /// Sees to it that a thread does what was added.
    fn wake(&self, mut queue: MutexGuard<'_, Queue>) {
        if queue.idle < queue.waiting() && !self.0.start_thread(&mut queue) {
            self.0.stop_spare.store(true, Ordering::Relaxed);
        }
        drop(queue);
        self.0.changed.notify_one();
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let mut queue = self.0.queue.lock();
        queue.closed = true;
        (queue.moves, queue.hints, queue.reviews) = Default::default();
        drop(queue);
        self.0.stop_spare.store(true, Ordering::Relaxed);
        self.0.changed.notify_all();
    }
}

impl Shared {
    /// Starts one more thread, if there may be one; whether it did.
    fn start_thread(self: &Arc<Self>, queue: &mut Queue) -> bool {
        if queue.started >= queue.most {
            return false;
        }
        let shared = Arc::clone(self);
        let thread = thread::Builder::new().name("computer".to_owned());
        match thread.spawn(move || shared.serve()) {
            Ok(_) => {
                queue.started += 1;
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
        while let Some(work) = self.next() {
            let player = player
                .get_or_init(|| Player::new(TABLE_MIB).with_endings(Arc::clone(&self.endings)));
            if catch_unwind(AssertUnwindSafe(|| work(player))).is_err() {
                tracing::error!("a computer player panicked");
                player.forget();
            }
            if self.spare.is_wanted() {
                self.queue.lock().has_spare = true;
            }
        }
    }

    /// The next piece of work; none once the pool has closed.
    fn next(&self) -> Option<Work> {
        let mut queue = self.queue.lock();
        loop {
            if queue.closed {
                return None;
            }
            if let Some(work) = queue.take() {
                return Some(work);
            }
            if queue.has_spare && !queue.is_at_spare {
                self.do_spare_work(&mut queue);
                continue;
            }
            queue.idle += 1;
            self.changed.wait(&mut queue);
            queue.idle -= 1;
        }
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

impl Shared {
    /// Does a piece of spare work while others may use the queue.
    fn do_spare_work(&self, queue: &mut MutexGuard<'_, Queue>) {
        queue.is_at_spare = true;
        self.stop_spare.store(false, Ordering::Relaxed);
        let worked = MutexGuard::unlocked(queue, || {
            catch_unwind(AssertUnwindSafe(|| self.spare.work(&self.stop_spare)))
        });
        queue.is_at_spare = false;
        queue.has_spare = worked.unwrap_or_else(|_| {
            tracing::error!("spare work of the computer players panicked");
            Spare::Done
        }) == Spare::More;
    }
}

impl Queue {
    fn take(&mut self) -> Option<Work> {
        self.moves
            .take()
            .or_else(|| self.hints.take())
            .or_else(|| self.reviews.take())
    }

    /// How many owners wait, of moves, of hints and of reviews.
    fn waiting(&self) -> usize {
        let waiting = [&self.moves, &self.hints, &self.reviews];
        waiting.map(|turns| turns.owners.len()).iter().sum()
    }
}

impl Turns {
    fn add(&mut self, owner: Owner, work: Work) {
        let theirs = self.work.entry(owner).or_default();
        theirs.push_back(work);
        if theirs.len() == 1 {
            self.owners.push_back(owner);
        }
    }

    fn take(&mut self) -> Option<Work> {
        let owner = self.owners.pop_front()?;
        let theirs = self.work.get_mut(&owner)?;
        let work = theirs.pop_front();
        if theirs.is_empty() {
            self.work.remove(&owner);
        } else {
            self.owners.push_back(owner);
        }
        work
    }
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

    use super::*;

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
        Pool::new(threads, Arc::new(Endings::new(1)), Arc::new(Nothing))
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
        pool.add_move(owner(9), waits);
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
        let pool = Pool::new(1, Arc::new(Endings::new(1)), Arc::new(spare));
        begun.recv().unwrap();
        assert_eq!(pool.think(owner(1), |_| 5).await, Some(5));
        begun.recv().unwrap();
    }
}
