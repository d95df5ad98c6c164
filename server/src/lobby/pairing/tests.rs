//! Pairing beside a slow reference, and what holds of every result.

use proptest::prelude::*;
use uuid::Uuid;

use super::*;

const NOW: Millis = Millis(1_000_000);

fn id(number: u128) -> PlayerId {
    PlayerId(Uuid::from_u128(number))
}

fn waiting(player: u128, rating: i32, waited_ms: i64) -> Waiting {
    Waiting {
        player: id(player),
        rating,
        since: NOW - Millis(waited_ms),
        avoids: Arc::default(),
    }
}

fn avoiding(player: u128, rating: i32, waited_ms: i64, avoided: &[u128]) -> Waiting {
    Waiting {
        avoids: Arc::new(avoided.iter().map(|&other| id(other)).collect()),
        ..waiting(player, rating, waited_ms)
    }
}

fn strangers(_: PlayerId, _: PlayerId) -> bool {
    false
}

fn fit(one: &Waiting, two: &Waiting, together: &dyn Fn(PlayerId, PlayerId) -> bool) -> bool {
    let waited = (NOW - one.since).max(NOW - two.since);
    allowed(waited).is_none_or(|most| (one.rating - two.rating).abs() <= most)
        && one.player != two.player
        && !one.avoids.contains(&two.player)
        && !two.avoids.contains(&one.player)
        && !together(one.player, two.player)
}

/// The rules word for word: every two that fit, in the order in which they are served.
fn slow(waiting: &[Waiting], together: &dyn Fn(PlayerId, PlayerId) -> bool) -> Vec<(usize, usize)> {
    let mut queue: Vec<usize> = (0..waiting.len()).collect();
    queue.sort_by_key(|&at| (waiting[at].since, waiting[at].player, at));
    let mut taken = HashSet::new();
    let mut pairs = Vec::new();
    let rank = |at: usize| queue.iter().position(|&other| other == at);
    for &at in &queue {
        if allowed(NOW - waiting[at].since).is_some() || taken.contains(&waiting[at].player) {
            continue;
        }
        let free = |other: &&usize| {
            !taken.contains(&waiting[**other].player)
                && fit(&waiting[at], &waiting[**other], together)
        };
        let best = queue.iter().filter(free).min_by_key(|&&other| {
            (
                (waiting[at].rating - waiting[other].rating).abs(),
                rank(other),
            )
        });
        if let Some(&other) = best {
            taken.extend([waiting[at].player, waiting[other].player]);
            pairs.push(if rank(at) < rank(other) {
                (at, other)
            } else {
                (other, at)
            });
        }
    }
    let mut edges = Vec::new();
    for (place, &one) in queue.iter().enumerate() {
        for &two in &queue[place + 1..] {
            if fit(&waiting[one], &waiting[two], together) {
                let difference = (waiting[one].rating - waiting[two].rating).abs();
                edges.push((difference, rank(one), rank(two), one, two));
            }
        }
    }
    edges.sort_unstable();
    for (_, _, _, one, two) in edges {
        let players = [waiting[one].player, waiting[two].player];
        if !players.iter().any(|player| taken.contains(player)) {
            taken.extend(players);
            pairs.push((one, two));
        }
    }
    pairs
}

#[test]
fn the_bound_starts_at_50_grows_by_20_a_second_and_ends_after_45() {
    let table = [
        (0, Some(50)),
        (49, Some(50)),
        (50, Some(51)),
        (1_000, Some(70)),
        (44_999, Some(949)),
        (45_000, None),
        (i64::MAX, None),
        (-5, Some(50)),
    ];
    for (waited, most) in table {
        assert_eq!(allowed(Millis(waited)), most, "{waited} ms");
    }
}

#[test]
fn equal_ratings_come_first_and_the_wait_of_one_is_enough() {
    let both = |one: Waiting, two: Waiting| pair(&[one, two], NOW, strangers);
    assert_eq!(both(waiting(1, 1_500, 0), waiting(2, 1_550, 0)), [(0, 1)]);
    assert_eq!(both(waiting(1, 1_500, 0), waiting(2, 1_551, 0)), []);
    assert_eq!(both(waiting(1, 1_500, 0), waiting(2, 1_551, 50)), [(1, 0)]);
    assert_eq!(
        both(waiting(1, 100, 45_000), waiting(2, 3_500, 0)),
        [(0, 1)]
    );
    let three = [
        waiting(1, 1_500, 9),
        waiting(2, 1_530, 8),
        waiting(3, 1_531, 0),
    ];
    assert_eq!(pair(&three, NOW, strangers), [(1, 2)]);
}

#[test]
fn a_player_who_waited_beyond_the_bound_is_served_before_a_better_fit() {
    let three = [
        waiting(1, 1_000, 0),
        waiting(2, 1_000, 0),
        waiting(3, 2_000, 46_000),
    ];
    assert_eq!(pair(&three, NOW, strangers), [(2, 0)]);
    let both = [
        waiting(1, 1_000, 45_000),
        waiting(2, 2_000, 60_000),
        waiting(3, 1_000, 0),
    ];
    assert_eq!(pair(&both, NOW, strangers), [(1, 0)]);
}

#[test]
fn nobody_meets_himself_or_somebody_he_avoids_or_plays_with() {
    let same = [waiting(1, 1_500, 60_000), waiting(1, 1_500, 0)];
    assert_eq!(pair(&same, NOW, strangers), []);
    let avoiders = [avoiding(1, 1_500, 60_000, &[2]), waiting(2, 1_500, 60_000)];
    assert_eq!(pair(&avoiders, NOW, strangers), []);
    let known = [waiting(1, 1_500, 60_000), waiting(2, 1_500, 60_000)];
    assert_eq!(pair(&known, NOW, |_, _| true), []);
    let twice = [
        waiting(1, 1_500, 0),
        waiting(1, 1_500, 0),
        waiting(2, 1_500, 0),
        waiting(3, 1_500, 0),
    ];
    assert_eq!(pair(&twice, NOW, strangers), [(0, 2)]);
}

#[test]
fn five_thousand_at_once_are_paired_all_and_at_once() {
    let same: Vec<Waiting> = (0..5_000).map(|at| waiting(at, 1_500, 0)).collect();
    assert_eq!(pair(&same, NOW, strangers).len(), 2_500);
    let overdue: Vec<Waiting> = (0..5_000).map(|at| waiting(at, 1_500, 50_000)).collect();
    assert_eq!(pair(&overdue, NOW, strangers).len(), 2_500);
    // One who has waited nearly long enough for anybody must not make everybody look at everybody.
    let mut spread: Vec<Waiting> = (0..5_000)
        .map(|at| waiting(at, (at as i32 * 7_919) % 3_000, 0))
        .collect();
    spread[0].since = NOW - Millis(44_999);
    let pairs = pair(&spread, NOW, strangers);
    let mut seen = HashSet::new();
    for (one, two) in pairs {
        assert!(seen.insert(one) && seen.insert(two));
        assert!(fit(&spread[one], &spread[two], &strangers));
    }
    let left: Vec<&Waiting> = (0..5_000)
        .filter(|at| !seen.contains(at))
        .map(|at| &spread[at])
        .collect();
    for (place, one) in left.iter().enumerate() {
        let alone = left[place + 1..]
            .iter()
            .all(|two| !fit(one, two, &strangers));
        assert!(alone, "{one:?} could have played");
    }
}

prop_compose! {
    fn anybody()(
        player in 0..40_u128,
        rating in prop_oneof![Just(1_500), 1_400..1_700, 100..3_000],
        waited in prop_oneof![Just(0), 0..60_000_i64, 44_000..46_000_i64],
        avoided in prop::collection::vec(0..40_u128, 0..3),
    ) -> Waiting {
        avoiding(player, rating, waited, &avoided)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pairing_is_what_the_rules_say_and_leaves_no_two_who_fit(
        everybody in prop::collection::vec(anybody(), 0..40),
        meetings in prop::collection::vec((0..40_u128, 0..40_u128), 0..10),
    ) {
        let meetings: HashSet<_> = meetings.into_iter().map(|(one, two)| (id(one), id(two))).collect();
        let together = |one, two| meetings.contains(&(one, two)) || meetings.contains(&(two, one));
        let pairs = pair(&everybody, NOW, together);
        prop_assert_eq!(&pairs, &slow(&everybody, &together));
        let mut taken = HashSet::new();
        for &(one, two) in &pairs {
            prop_assert!(fit(&everybody[one], &everybody[two], &together));
            prop_assert!(taken.insert(everybody[one].player));
            prop_assert!(taken.insert(everybody[two].player));
        }
        let left: Vec<&Waiting> = everybody.iter().filter(|one| !taken.contains(&one.player)).collect();
        for (place, one) in left.iter().enumerate() {
            for two in &left[place + 1..] {
                prop_assert!(!fit(one, two, &together), "{:?} and {:?} could have played", one, two);
            }
        }
    }
}
