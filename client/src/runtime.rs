//! The runtime in which a subcommand waits for the network.

use std::future::Future;

/// Runs a subcommand on one thread.
///
/// # Errors
/// Its own, and when the system has nothing to wait with.
pub fn block_on<T>(command: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(command)
}
