//! Waiting for something to become true, with a deadline: the one place that polls.

use std::time::Duration;

/// How long anything may take before a test gives up: only what hangs takes so long, on however busy a machine.
pub const PATIENCE: Duration = Duration::from_mins(2);

/// Waits for a future.
///
/// # Panics
/// When it takes longer than [`PATIENCE`].
pub async fn in_time<T>(what: &str, future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future)
        .await
        .unwrap_or_else(|_| panic!("waited {PATIENCE:?} in vain for {what}"))
}

/// Between two looks at what is polled.
pub async fn pause() {
    tokio::time::sleep(Duration::from_millis(20)).await;
}

/// Asks again and again until something is there.
///
/// # Panics
/// When it is not there within [`PATIENCE`].
pub async fn eventually<T>(what: &str, mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let asking = async {
        loop {
            if let Some(found) = ask().await {
                return found;
            }
            pause().await;
        }
    };
    in_time(what, asking).await
}
