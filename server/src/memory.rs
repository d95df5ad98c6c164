//! Gives memory back to the system when the server has less to do.

use std::{hint::black_box, time::Duration};

/// How often the allocator is made to look for what it can give back.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// A block of so many bytes has pages of its own, however many are free. It is never touched, so it takes no memory.
const OWN_PAGES: usize = 4 * 1024 * 1024;

/// Gives freed memory back to the system, for as long as it is awaited.
///
/// The allocator gives back what has been free for a second, but only while it takes or frees pages. A server in which nothing happens any
/// more would keep what its last busy moment has left, such as the work area of a password's hash. Taking and freeing pages is enough.
pub async fn give_back() {
    let mut times = tokio::time::interval(LOOK_EVERY);
    loop {
        times.tick().await;
        drop(black_box(Vec::<u8>::with_capacity(OWN_PAGES)));
    }
}
