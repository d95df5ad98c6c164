//! Rests of work that is done again and again beside the moves that are played.

use std::time::Duration;

use qiguan_environment::Clock;

/// The shortest rest.
const SHORTEST: Duration = Duration::from_millis(10);
/// The longest rest. Work that had to wait for a processor or a disk is no reason to leave everything for minutes.
const LONGEST: Duration = Duration::from_secs(5);
/// How much longer than its work a rest is where nothing else is said: four fifths of the time are left to others.
pub(super) const LEISURE: u32 = 4;

/// Rests so many times as long as the work has taken that began at this reading of the clock.
pub(super) async fn rest(clock: Clock, began: u64, times: u32) {
    let worked = Duration::from_micros(clock.micros().saturating_sub(began));
    tokio::time::sleep(length(worked, times)).await;
}

/// How long a rest is after so much work.
fn length(worked: Duration, times: u32) -> Duration {
    worked.saturating_mul(times).clamp(SHORTEST, LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rest_is_as_many_times_as_long_as_the_work_within_limits() {
        let after = |millis| length(Duration::from_millis(millis), 50);
        assert_eq!(after(0), SHORTEST);
        assert_eq!(after(3), Duration::from_millis(150));
        // It was not the work that took so long: the machine was busy with something else.
        assert_eq!(after(3_000), LONGEST);
        assert_eq!(length(Duration::MAX, 50), LONGEST);
    }
}
