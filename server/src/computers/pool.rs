//! The threads on which computers think: so many and no more, at the lowest priority. Moves come before hints. Owners take turns: one for
//! whom much is to be thought waits no shorter for the next than others do for their first.

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
    thread,
};

use parking_lot::{Condvar, Mutex, MutexGuard};
use qiguan_engine::Player;
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

struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

type Work = Box<dyn FnOnce(&Player) + Send>;

/// What waits for a thread.
struct Queue {
    moves: Turns,
    hints: Turns,
    /// Threads that there may be, and those that there are: they are started when they are first needed.
    most: usize,
    started: usize,
    idle: usize,
    closed: bool,
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
    /// So many threads at most.
    pub fn new(threads: usize) -> Self {
        Self(Arc::new(Shared {
            queue: Mutex::new(Queue {
                moves: Turns::default(),
                hints: Turns::default(),
                most: threads,
                started: 0,
                idle: 0,
                closed: false,
            }),
            changed: Condvar::new(),
        }))
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

    /// Sees to it that a thread does what was added.
    fn wake(&self, mut queue: MutexGuard<'_, Queue>) {
        if queue.idle == 0 && queue.started < queue.most {
            let shared = Arc::clone(&self.0);
            let thread = thread::Builder::new().name("computer".to_owned());
            match thread.spawn(move || shared.serve()) {
                Ok(_) => queue.started += 1,
                Err(error) => tracing::error!(%error, "no thread for a computer player"),
            }
        }
        drop(queue);
        self.0.changed.notify_one();
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let mut queue = self.0.queue.lock();
        queue.closed = true;
        (queue.moves, queue.hints) = Default::default();
        drop(queue);
        self.0.changed.notify_all();
    }
}

impl Shared {
    /// A thread's life.
    fn serve(&self) {
        lower_priority();
        let player = Player::new(TABLE_MIB);
        while let Some(work) = self.next() {
            let worked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&player)));
            if worked.is_err() {
                tracing::error!("a computer player panicked");
                player.forget();
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

impl Queue {
    fn take(&mut self) -> Option<Work> {
        self.moves.take().or_else(|| self.hints.take())
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

    fn owner(number: u128) -> Owner {
        Owner::Player(PlayerId(Uuid::from_u128(number)))
    }

    #[tokio::test]
    async fn owners_take_turns_however_much_one_of_them_asks_for() {
        let pool = Pool::new(1);
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
    async fn moves_come_before_hints_and_an_owner_waits_for_one_hint_at_a_time() {
        let pool = Pool::new(1);
        let go = hold(&pool);
        let (said, order) = mpsc::channel();
        let says = |number| {
            let said = said.clone();
            move |_: &Player| said.send(number).unwrap()
        };
        let first = pool.hint(owner(1), says(1));
        let second = pool.hint(owner(1), says(2));
        let of_other = pool.hint(owner(2), says(3));
        let moved = pool.think(owner(1), says(4));
        let begin = async {
            go.send(()).unwrap();
        };
        let (first, second, of_other, moved, ()) =
            futures_util::join!(first, second, of_other, moved, begin);
        assert_eq!(
            (first, second, of_other),
            (Ok(Some(())), Err(Busy), Ok(Some(())))
        );
        assert_eq!(moved, Some(()));
        drop(said);
        assert_eq!(order.into_iter().collect::<Vec<_>>(), [4, 1, 3]);
    }

    #[tokio::test]
    async fn so_many_hints_wait_and_no_more() {
        let pool = Pool::new(1);
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
        let pool = Pool::new(1);
        assert_eq!(
            pool.think(owner(1), |_| panic!("planted")).await,
            None::<()>
        );
        assert_eq!(pool.think(owner(1), |_| 5).await, Some(5));
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn computers_think_at_the_lowest_priority() {
        let pool = Pool::new(1);
        let nice = pool.think(owner(1), |_| {
            rustix::process::getpriority_process(None).unwrap()
        });
        assert_eq!(nice.await, Some(NICENESS));
    }
}
