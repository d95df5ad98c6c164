//! Who waits in a pool, and who is paired there.

use std::collections::HashSet;

use super::*;

#[test]
fn a_pair_that_could_not_be_stored_is_tried_again_after_a_breath_and_an_unfit_player_is_not() {
    let now = Millis(0);
    let mut hall = hall_of([1, 2, 3]);
    put(&mut hall, seeker(1), pool("5+3"), 1, now);
    put(&mut hall, seeker(2), pool("5+3"), 2, now);
    let opening = hall.pair(false, now, strangers).pop().unwrap();
    hall.opened(opening.id, Err(Failure::NotStored), now);
    assert!(hall.pair(true, Millis(999), strangers).is_empty());
    let opening = hall.pair(true, Millis(1_000), strangers).pop().unwrap();
    hall.opened(opening.id, Err(Failure::Unfit(player(1))), Millis(1_000));
    assert_eq!(hall.ask(player(1), seek_id(1), now), Ok(Fate::Gone));
    put(&mut hall, seeker(3), pool("5+3"), 3, Millis(1_000));
    let opening = hall.pair(false, Millis(1_000), strangers).pop().unwrap();
    assert_eq!(opening.owner.seeker.player(), player(2));
    assert_eq!(opening.other.seeker.player(), player(3));
}

#[test]
fn nobody_waits_twice_in_a_pool() {
    let now = Millis(0);
    let mut hall = hall_of([1]);
    let first = put(&mut hall, seeker(1), pool("5+3"), 1, now);
    let again = hall.seek(
        seek_id(2),
        seeker(1),
        pool("5+3"),
        command(2),
        Way::Socket,
        now,
    );
    assert_eq!((again, hall.len()), (Ok((first, Fate::Open)), 1));
    assert_eq!(hall.leave_pools(player(1), now), [first]);
    assert!(hall.is_empty());
}

#[test]
fn a_player_who_is_loading_a_page_is_not_paired() {
    let mut hall = hall_of([1, 2]);
    put(&mut hall, seeker(1), pool("5+3"), 1, Millis(0));
    put(&mut hall, seeker(2), pool("5+3"), 2, Millis(0));
    hall.leaves(player(1), 1, Millis(0));
    assert!(hall.pair(false, Millis(0), strangers).is_empty());
    hall.enters(player(1), 3, Millis(1_000));
    assert_eq!(hall.pair(true, Millis(1_000), strangers).len(), 1);
}

#[test]
fn two_bots_are_paired_for_casual_games_alone() {
    let now = Millis(0);
    let mut hall = hall_of([1, 2, 3]);
    let rated = put(
        &mut hall,
        bot(1),
        board_between(true, Range::default()),
        1,
        now,
    );
    let refused = hall.accept(rated, bot(2), command(9), now).unwrap_err();
    assert_eq!(refused, Refusal::TwoBots);
    opens(hall.accept(rated, seeker(3), command(9), now));

    for is_rated in [true, false] {
        let mut hall = hall_of([1, 2, 3]);
        let wish = Wish {
            terms: terms(is_rated),
            place: Place::Pool(PoolKey::named(RULESET, "5+3", is_rated).unwrap()),
        };
        put(&mut hall, bot(1), wish.clone(), 1, now);
        put(&mut hall, bot(2), wish.clone(), 2, now);
        let long_after = Millis(600_000);
        let pairs = hall.pair(true, long_after, strangers).len();
        assert_eq!(pairs, usize::from(!is_rated));
        if is_rated {
            put(&mut hall, seeker(3), wish, 3, long_after);
            assert_eq!(hall.pair(true, long_after, strangers).len(), 1);
        }
    }
}

#[test]
fn five_thousand_seekers_are_each_in_one_game() {
    let mut hall = Hall::new(Limits {
        per_player: 5,
        per_address: 10_000,
    });
    for number in 0..5_000 {
        hall.enters(player(number), number as u64, Millis(0));
        for (place, time) in ["3+2", "5+3"].into_iter().enumerate() {
            put(
                &mut hall,
                seeker(number),
                pool(time),
                number * 2 + place as u128,
                Millis(0),
            );
        }
    }
    let openings = hall.pair(false, Millis(0), strangers);
    assert_eq!(openings.len(), 2_500);
    let players: HashSet<PlayerId> = openings
        .iter()
        .flat_map(|opening| [opening.owner.seeker.player(), opening.other.seeker.player()])
        .collect();
    assert_eq!(players.len(), 5_000);
    for opening in openings {
        hall.opened(opening.id, Ok(game(1)), Millis(0));
    }
    assert!(hall.is_empty() && hall.pools().next().is_none());
    for number in 0..5_000 {
        hall.leaves(player(number), number as u64, Millis(0));
    }
    hall.tick(Millis(60_000));
    assert!(hall.people.is_empty() && hall.commands.is_empty() && hall.addresses.is_empty());
    assert!(hall.memory.is_empty());
}
