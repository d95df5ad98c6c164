//! How long somebody who has left games again and again waits before the next one.
//!
//! It follows from the times of the leaves alone, so nothing has to be kept beside the games: what is older than a day is
//! forgotten, and a paused player can see until when.

use qiguan_protocol::ids::Millis;

/// For how long a leave counts.
pub const MEMORY: Millis = Millis(24 * 60 * MINUTE);

const MINUTE: i64 = 60_000;

/// The pause after the first leave of a day, after the second, and so on; the last one is for all that follow.
const PAUSES: [Millis; 6] = [
    Millis(0),
    Millis(2 * MINUTE),
    Millis(10 * MINUTE),
    Millis(30 * MINUTE),
    Millis(2 * 60 * MINUTE),
    Millis(6 * 60 * MINUTE),
];

/// Until when a player has to wait who left games at these times; none if there is nothing to wait for.
pub fn paused_until(leaves: &[Millis], now: Millis) -> Option<Millis> {
    let mut leaves: Vec<Millis> = leaves
        .iter()
        .copied()
        .filter(|at| *at <= now && now - *at < MEMORY)
        .collect();
    leaves.sort_unstable();
    let last = *leaves.last()?;
    let pause = PAUSES.get(leaves.len() - 1).or(PAUSES.last())?;
    let until = last + *pause;
    (until > now).then_some(until)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NOON: Millis = Millis(1_700_000_000_000);

    fn minutes(minutes: i64) -> Millis {
        Millis(minutes * MINUTE)
    }

    #[test]
    fn a_pause_grows_with_each_leave_and_not_for_ever() {
        let leaves: Vec<_> = (0..8).map(|number| NOON + Millis(number)).collect();
        let waits: Vec<_> = (0..=8)
            .map(|count| {
                let left = &leaves[..count];
                let now = left.last().copied().unwrap_or(NOON);
                paused_until(left, now).map(|until| (until - now).0 / MINUTE)
            })
            .collect();
        assert_eq!(
            waits,
            [
                None,
                None,
                Some(2),
                Some(10),
                Some(30),
                Some(120),
                Some(360),
                Some(360),
                Some(360)
            ]
        );
    }

    #[test]
    fn a_pause_ends_and_a_leave_is_forgotten_after_a_day() {
        let leaves = [NOON, NOON + minutes(1), NOON + minutes(2)];
        assert_eq!(
            paused_until(&leaves, NOON + minutes(11)),
            Some(NOON + minutes(12))
        );
        assert_eq!(paused_until(&leaves, NOON + minutes(12)), None);
        let next_day = NOON + MEMORY;
        let again = [NOON, NOON + minutes(1), NOON + minutes(2), next_day];
        assert_eq!(
            paused_until(&again, next_day),
            Some(next_day + minutes(10)),
            "the first of them is a day old"
        );
    }

    #[test]
    fn leaves_may_come_in_any_order_and_what_is_to_come_does_not_count() {
        let leaves = [NOON + minutes(1), NOON, NOON + minutes(500)];
        assert_eq!(
            paused_until(&leaves, NOON + minutes(1)),
            Some(NOON + minutes(3))
        );
    }

    proptest! {
        #[test]
        fn a_leave_more_never_shortens_a_pause(
            ago in prop::collection::vec(0..MEMORY.0, 0..10),
            more in 0..MEMORY.0,
        ) {
            let mut leaves: Vec<_> = ago.iter().map(|ago| NOON - Millis(*ago)).collect();
            let before = paused_until(&leaves, NOON);
            leaves.push(NOON - Millis(more));
            let after = paused_until(&leaves, NOON);
            prop_assert!(after >= before);
            prop_assert!(after.is_none_or(|until| until - NOON <= PAUSES[PAUSES.len() - 1]));
        }
    }
}
