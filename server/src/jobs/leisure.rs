//! Rests of work that is done again and again beside the moves that are played.

use std::time::Duration;

use qiguan_environment::Clock;

/// The shortest rest.
const SHORTEST: Duration = Duration::from_millis(10);
/// How much longer than its work a rest is where nothing else is said: four fifths of the time are left to others.
pub(super) const LEISURE: u32 = 4;

/// Rests so many times as long as the work has taken that began at this reading of the clock.
pub(super) async fn rest(clock: Clock, began: u64, times: u32) {
    let worked = Duration::from_micros(clock.micros().saturating_sub(began));
    tokio::time::sleep((worked * times).max(SHORTEST)).await;
}
