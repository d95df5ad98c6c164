//! The threads on which computer players think: so many and no more, at the lowest priority. Their owners take turns: one for whom much
//! is to be thought waits no shorter for the next than others do for their first.

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
    thread,
};

use parking_lot::{Condvar, Mutex};
use qiguan_engine::Player;
use tokio::sync::oneshot;

use crate::services::computing::Owner;

/// The niceness of the threads: whatever else runs on a busy machine comes first.
const NICENESS: i32 = 19;
/// The size of a thread's table of positions, in MiB.
const TABLE_MIB: usize = 16;

/// The way to the threads. They end when it is dropped.
pub struct Pool(Arc<Shared>);

struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

type Work = Box<dyn FnOnce(&Player) + Send>;

/// What waits for a thread.
struct Queue {
    /// For whom there is work, who waits longest first.
    turns: VecDeque<Owner>,
    work: HashMap<Owner, VecDeque<Work>>,
    /// Threads that there may be, and those that there are: they are started when they are first needed.
    most: usize,
    started: usize,
    idle: usize,
    closed: bool,
}

impl Pool {
    /// So many threads at most.
    pub fn new(threads: usize) -> Self {
        Self(Arc::new(Shared {
            queue: Mutex::new(Queue {
                turns: VecDeque::new(),
                work: HashMap::new(),
                most: threads,
                started: 0,
                idle: 0,
                closed: false,
            }),
            changed: Condvar::new(),
        }))
    }

    /// Thinks for an owner as soon as it is their turn; none if the work panicked, or the pool has closed.
    pub async fn think<T: Send + 'static>(
        &self,
        owner: Owner,
        work: impl FnOnce(&Player) -> T + Send + 'static,
    ) -> Option<T> {
        let (done, answer) = oneshot::channel();
        let work: Work = Box::new(move |player| {
            // Nobody thinks for a caller who has gone away.
            if !done.is_closed() {
                drop(done.send(work(player)));
            }
        });
        self.add(owner, work);
        answer.await.ok()
    }

    fn add(&self, owner: Owner, work: Work) {
        let mut queue = self.0.queue.lock();
        let theirs = queue.work.entry(owner).or_default();
        theirs.push_back(work);
        if theirs.len() == 1 {
            queue.turns.push_back(owner);
        }
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
        queue.turns.clear();
        queue.work.clear();
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

impl Queue {
    fn take(&mut self) -> Option<Work> {
        let owner = self.turns.pop_front()?;
        let theirs = self.work.get_mut(&owner)?;
        let work = theirs.pop_front();
        if theirs.is_empty() {
            self.work.remove(&owner);
        } else {
            self.turns.push_back(owner);
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
        let (go, held) = mpsc::channel::<()>();
        let (said, mut order) = tokio::sync::mpsc::unbounded_channel();
        pool.add(owner(9), Box::new(move |_| held.recv().unwrap()));
        for (player, number) in [(1, 10), (1, 11), (1, 12), (2, 20), (3, 30), (3, 31)] {
            let said = said.clone();
            pool.add(owner(player), Box::new(move |_| said.send(number).unwrap()));
        }
        drop(said);
        go.send(()).unwrap();
        let mut came = Vec::new();
        while let Some(number) = order.recv().await {
            came.push(number);
        }
        assert_eq!(came, [10, 20, 30, 11, 31, 12]);
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
