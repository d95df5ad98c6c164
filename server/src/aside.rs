//! Work that takes as long as a game is long, beside the threads that answer everybody: so much of it at once and no more.

use std::sync::{Arc, LazyLock};

use tokio::{
    runtime::{Builder, Runtime},
    sync::{OwnedSemaphorePermit, Semaphore},
    task::JoinHandle,
};

/// So many events are gone through in between, without asking anybody to wait.
pub const SHORT: usize = 256;

/// The niceness of the threads that do long work: on a busy machine they get about a tenth of what the others get.
const NICENESS: i32 = 10;

/// The threads for long work. They have their low priority for ever: only a privileged process may raise it again.
static BACKGROUND: LazyLock<std::io::Result<Runtime>> = LazyLock::new(|| {
    Builder::new_current_thread()
        .thread_name("background")
        .on_thread_start(lower_priority)
        .build()
});

/// Lets the threads that answer everybody run first.
fn lower_priority() {
    // Elsewhere this is the priority of the whole process.
    #[cfg(target_os = "linux")]
    let lowered = rustix::process::getpriority_process(None)
        .and_then(|now| rustix::process::setpriority_process(None, now.max(NICENESS)));
    #[cfg(target_os = "linux")]
    if let Err(error) = lowered {
        tracing::warn!(%error, "long work has the same priority as everything else");
    }
}

/// Does long work on a thread of low priority, at once: a limit on how much of it there is lies with the caller.
pub fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> JoinHandle<T> {
    match &*BACKGROUND {
        Ok(background) => background.spawn_blocking(work),
        Err(error) => {
            tracing::warn!(%error, "long work has the same priority as everything else");
            tokio::task::spawn_blocking(work)
        }
    }
}

/// Where long work is done. Who comes first is served first.
#[derive(Clone)]
pub struct Aside(Arc<Semaphore>);

impl Default for Aside {
    fn default() -> Self {
        Self::new()
    }
}

impl Aside {
    /// Half of the processors at most work here.
    pub fn new() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self(Arc::new(Semaphore::new((processors / 2).max(1))))
    }

    /// A turn: what is held for the work is got only then.
    pub async fn turn(&self) -> Turn {
        Turn(Arc::clone(&self.0).acquire_owned().await.ok())
    }

    /// Works as soon as it is this work's turn; none if it panicked.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        self.turn().await.run(work).await
    }
}

/// A turn to work.
pub struct Turn(Option<OwnedSemaphorePermit>);

impl Turn {
    /// Works; none if it panicked.
    pub async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let done = in_background(move || {
            let done = work();
            // Who has gone away in the meantime does not end the work.
            drop(self.0);
            done
        });
        done.await.ok()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn long_work_leaves_the_processors_to_everything_else() {
        let here = || rustix::process::getpriority_process(None).unwrap();
        let before = here();
        assert_eq!(in_background(here).await.unwrap(), before.max(NICENESS));
        assert_eq!(here(), before);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn no_more_than_half_of_the_processors_work_even_if_nobody_waits_any_more() {
        let aside = Aside(Arc::new(Semaphore::new(2)));
        let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let mut asked = Vec::new();
        for number in 0..20 {
            let (aside, now, most) = (aside.clone(), Arc::clone(&now), Arc::clone(&most));
            let task = tokio::spawn(async move {
                aside
                    .run(move || {
                        let together = now.fetch_add(1, Ordering::SeqCst) + 1;
                        most.fetch_max(together, Ordering::SeqCst);
                        for _ in 0..200 {
                            std::thread::yield_now();
                        }
                        now.fetch_sub(1, Ordering::SeqCst);
                    })
                    .await
            });
            if number % 3 == 0 {
                tokio::task::yield_now().await;
                task.abort();
            }
            asked.push(task);
        }
        for task in asked {
            drop(task.await);
        }
        let all = aside.0.acquire_many(2).await.unwrap();
        assert_eq!(now.load(Ordering::SeqCst), 0);
        assert!(most.load(Ordering::SeqCst) <= 2);
        drop(all);
    }
}
