use qiguan_protocol::error::ErrorCode;

use super::*;

const ALLOWED: Allowed = Allowed {
    guests: 2,
    registrations: 3,
    attempts_by_name: 4,
    attempts_by_address: 6,
    attempts: 20,
};

fn stranger(name: &str) -> Guesser {
    Guesser::Stranger {
        name_key: name.to_owned(),
    }
}

fn player(number: u128) -> PlayerId {
    PlayerId(uuid::Uuid::from_u128(number))
}

fn marked(mark: u8) -> Guesser {
    Guesser::Marked {
        player: player(1),
        mark: MarkId([mark; 16]),
        unmarked: Box::new(stranger("anna")),
    }
}

fn group(last: u8) -> Group {
    Group::of([192, 0, 2, last].into())
}

/// How many of twenty go through.
fn passing(mut once: impl FnMut() -> Result<(), ApiError>) -> usize {
    (0..20).filter(|_| once().is_ok()).count()
}

#[test]
fn guests_are_limited_by_address() {
    let limits = SignInLimits::new(ALLOWED);
    assert_eq!(passing(|| limits.guest(group(1), Millis(0))), 2);
    assert_eq!(passing(|| limits.guest(group(2), Millis(0))), 2);
    assert_eq!(passing(|| limits.guest(group(1), Millis(HOUR.0 / 2))), 1);
    let refused = limits.guest(group(1), Millis(HOUR.0 / 2)).unwrap_err();
    assert_eq!(refused.code, ErrorCode::RateLimited);
}

#[test]
fn registrations_are_limited_by_address() {
    let limits = SignInLimits::new(ALLOWED);
    assert_eq!(passing(|| limits.registration(group(1), Millis(0))), 3);
    assert_eq!(passing(|| limits.registration(group(1), HOUR)), 3);
}

#[test]
fn attempts_are_limited_by_name_from_wherever_they_come() {
    let limits = SignInLimits::new(ALLOWED);
    let mut from = 0;
    let tried = passing(|| {
        from += 1;
        limits
            .attempt(stranger("anna"), group(from), Millis(0))
            .map(drop)
    });
    assert_eq!(tried, 4);
    // Who was refused for the name has lost nothing at other names.
    assert_eq!(
        passing(|| limits
            .attempt(stranger("bob"), group(20), Millis(0))
            .map(drop)),
        4
    );
}

#[test]
fn attempts_are_limited_by_address_whatever_the_name() {
    let limits = SignInLimits::new(ALLOWED);
    let mut name = 0;
    let tried = passing(|| {
        name += 1;
        limits
            .attempt(stranger(&name.to_string()), group(1), Millis(0))
            .map(drop)
    });
    assert_eq!(tried, 6);
}

#[test]
fn attempts_are_limited_in_all() {
    let limits = SignInLimits::new(ALLOWED);
    let many = (0..100u8)
        .filter(|one| {
            limits
                .attempt(stranger(&one.to_string()), group(*one), Millis(0))
                .is_ok()
        })
        .count();
    assert_eq!(many, 20);
}

#[test]
fn right_passwords_cost_nothing_of_what_wrong_ones_may() {
    let limits = SignInLimits::new(ALLOWED);
    let mut now = Millis(0);
    for _ in 0..100 {
        now = now + Millis(MINUTE.0 / 6);
        limits
            .attempt(stranger("anna"), group(1), now)
            .unwrap()
            .is_not_wrong();
    }
    assert_eq!(
        passing(|| limits.attempt(stranger("anna"), group(1), now).map(drop)),
        4
    );
}

#[test]
fn right_passwords_are_tried_only_so_often_a_minute() {
    let limits = SignInLimits::new(ALLOWED);
    let right = |now| {
        let tried = limits.attempt(stranger("anna"), group(1), Millis(now));
        tried.map(Attempt::is_not_wrong)
    };
    assert_eq!(passing(|| right(0)), 6);
    assert_eq!(passing(|| right(MINUTE.0 / 2)), 3);
    let elsewhere = limits.attempt(stranger("anna"), group(2), Millis(0));
    assert!(elsewhere.is_ok());
}

#[test]
fn what_is_refused_costs_nothing_of_any_limit() {
    let allowed = Allowed {
        attempts_by_name: 1,
        ..ALLOWED
    };
    let limits = SignInLimits::new(allowed);
    let tries = |name: &str| {
        limits
            .attempt(stranger(name), group(1), Millis(0))
            .map(drop)
            .is_ok()
    };
    assert!(tries("anna"));
    for _ in 0..100 {
        assert!(!tries("anna"), "the limit of the name");
    }
    let others = (0..20).filter(|name| tries(&name.to_string())).count();
    assert_eq!(others, 5, "of the address's six one is taken");
}

#[test]
fn d8_wrong_passwords_tried_all_at_once_are_as_limited_as_one_after_the_other() {
    let limits = SignInLimits::new(ALLOWED);
    // None of them has been found wrong yet.
    let under_way: Vec<_> = (0..200)
        .filter_map(|from| {
            limits
                .attempt(stranger("anna"), group(from), Millis(0))
                .ok()
        })
        .collect();
    assert_eq!(under_way.len(), 4);
}

#[test]
fn nothing_is_limited_by_0() {
    let limits = SignInLimits::new(Allowed {
        guests: 0,
        registrations: 0,
        attempts_by_name: 0,
        attempts_by_address: 0,
        attempts: 0,
    });
    for _ in 0..1_000 {
        limits.guest(group(1), Millis(0)).unwrap();
        limits.registration(group(1), Millis(0)).unwrap();
        drop(
            limits
                .attempt(stranger("anna"), group(1), Millis(0))
                .unwrap(),
        );
    }
}

#[test]
fn h4_wrong_passwords_of_strangers_lock_nobody_out_who_has_signed_in_before() {
    let limits = SignInLimits::new(ALLOWED);
    limits.remember(player(1), group(1));
    // The limits of the name and of all are used up.
    for from in 2..100 {
        let _ = limits.attempt(stranger("anna"), group(from), Millis(0));
        let _ = limits.attempt(stranger(&from.to_string()), group(from), Millis(0));
    }
    assert!(limits.is_known(player(1), group(1)) && !limits.is_known(player(1), group(2)));
    let known = || limits.attempt(Guesser::Known(player(1)), group(1), Millis(0));
    for _ in 0..3 {
        known().unwrap().is_not_wrong();
    }
    let owner = limits.attempt(Guesser::Owner(player(1)), group(1), Millis(0));
    owner.unwrap().is_not_wrong();
}

#[test]
fn h4_guessing_where_the_player_has_signed_in_is_limited_too() {
    let allowed = Allowed {
        attempts_by_address: 0,
        ..ALLOWED
    };
    let limits = SignInLimits::new(allowed);
    for by in [Guesser::Known(player(1)), Guesser::Owner(player(1))] {
        let attempt = || limits.attempt(by.clone(), group(1), Millis(0)).map(drop);
        assert_eq!(passing(attempt), 4, "{by:?}");
    }
    // One player's wrong passwords are no other's.
    let other = limits.attempt(Guesser::Known(player(2)), group(1), Millis(0));
    other.unwrap().is_not_wrong();
}

#[test]
fn h6_a_marked_browser_is_not_locked_out_by_others_at_its_address_or_elsewhere() {
    let limits = SignInLimits::new(ALLOWED);
    for from in 1..100 {
        let _ = limits.attempt(stranger("anna"), group(from), Millis(0));
        let _ = limits.attempt(stranger(&from.to_string()), group(from), Millis(0));
    }
    assert!(limits.attempt(marked(1), group(100), Millis(0)).is_ok());
    // Nor by those who guess where the player has signed in.
    let known = || limits.attempt(Guesser::Known(player(1)), group(101), Millis(0));
    assert_eq!(passing(|| known().map(drop)), 4);
    assert!(limits.attempt(marked(1), group(101), Millis(0)).is_ok());
}

#[test]
fn h6_a_mark_does_not_allow_guessing_without_end() {
    let limits = SignInLimits::new(Allowed {
        attempts_by_address: 0,
        ..ALLOWED
    });
    let attempt = |mark| limits.attempt(marked(mark), group(1), Millis(0));
    // Its own count, and then the one of the name.
    assert_eq!(passing(|| attempt(1).map(drop)), 4 + 4);
    // Another browser's mark has its own.
    for _ in 0..100 {
        attempt(2).unwrap().is_not_wrong();
    }
    assert_eq!(passing(|| attempt(2).map(drop)), 4);
}

#[test]
fn where_players_have_signed_in_is_remembered_within_bounds() {
    let mut known = SignInPlaces::default();
    for number in 0..1_000 {
        known.remember((player(number), group(1)), 10);
        assert!(known.has(&(player(number), group(1))));
        assert!(known.recent.len() + known.before.len() <= 20);
    }
    assert!(known.has(&(player(990), group(1))));
    assert!(!known.has(&(player(970), group(1))));
}
