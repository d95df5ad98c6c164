//! The clocks as tables.

use super::*;

const FIRST: Seat = Seat::First;
const NO_LAG: Delay = late(0);

/// Of a connection with this round trip.
const fn late(round_trip: i64) -> Delay {
    Delay {
        round_trip: Millis(round_trip),
        between_programs: Millis(0),
    }
}

fn running(kind: Clock) -> ClockState {
    let mut clock = ClockState::new(kind);
    clock.hold(HoldReason::Start, Millis(0), Millis(30_000), Millis(1_000));
    clock.release(Millis(1_000));
    clock
}

fn fischer() -> ClockState {
    running(Clock::Fischer {
        initial_ms: Millis(60_000),
        increment_ms: Millis(2_000),
    })
}

fn byoyomi() -> ClockState {
    running(Clock::Byoyomi {
        main_ms: Millis(10_000),
        period_ms: Millis(5_000),
        periods: 3,
    })
}

fn left(clock: &ClockState, seat: Seat, at: i64) -> (i64, Option<u32>) {
    let shown = clock.view(seat, Millis(at)).left.unwrap();
    let shown = shown.get(seat.into());
    (shown.ms.0, shown.periods)
}

fn play(clock: &mut ClockState, seat: Seat, at: i64) -> Charge {
    let charge = clock.charge(seat, Millis(at), NO_LAG).unwrap();
    clock.moved(seat, charge, Millis(at));
    charge
}

#[test]
fn a_fischer_move_costs_its_time_and_gains_the_increment() {
    let mut clock = fischer();
    assert_eq!(
        play(&mut clock, FIRST, 11_000),
        Charge {
            spent: Millis(10_000),
            lag: Millis(0)
        }
    );
    assert_eq!(left(&clock, FIRST, 11_000), (52_000, None));
    assert_eq!(left(&clock, Seat::Second, 14_000), (57_000, None));
}

#[test]
fn the_flag_falls_at_zero_and_not_a_millisecond_before() {
    let clock = fischer();
    assert_eq!(clock.falls_at(FIRST, NO_LAG), Some(Millis(61_000)));
    assert!(!clock.has_fallen(FIRST, Millis(60_999), NO_LAG));
    assert!(clock.has_fallen(FIRST, Millis(61_000), NO_LAG));
    assert!(clock.has_fallen(FIRST, Millis(61_001), NO_LAG));
}

#[test]
fn time_is_not_charged_while_the_clocks_are_held() {
    let mut clock = fischer();
    clock.hold(
        HoldReason::Restart,
        Millis(5_000),
        Millis(99_000),
        Millis(1_000),
    );
    assert_eq!(left(&clock, FIRST, 90_000), (55_000, None));
    assert_eq!(clock.falls_at(FIRST, NO_LAG), None);
    clock.release(Millis(95_000));
    assert_eq!(clock.falls_at(FIRST, NO_LAG), Some(Millis(150_000)));
    assert_eq!(play(&mut clock, FIRST, 96_000).spent, Millis(1_000));
    assert_eq!(left(&clock, FIRST, 96_000), (56_000, None));
}

#[test]
fn a_move_made_while_the_clocks_are_held_is_free_and_leaves_them_held() {
    let mut clock = ClockState::new(Clock::Fischer {
        initial_ms: Millis(60_000),
        increment_ms: Millis(0),
    });
    clock.hold(HoldReason::Start, Millis(0), Millis(30_000), Millis(1_000));
    assert_eq!(play(&mut clock, FIRST, 20_000).spent, Millis(0));
    assert_eq!(clock.held_until(), Some(Millis(30_000)));
    assert_eq!(left(&clock, FIRST, 20_000), (60_000, None));
}

#[test]
fn byoyomi_uses_up_main_time_then_periods_and_keeps_a_period_that_was_met() {
    let mut clock = byoyomi();
    assert_eq!(left(&clock, FIRST, 1_000), (10_000, Some(3)));
    assert_eq!(left(&clock, FIRST, 13_000), (3_000, Some(3)));
    play(&mut clock, FIRST, 18_000);
    assert_eq!(left(&clock, FIRST, 18_000), (5_000, Some(2)));
    play(&mut clock, Seat::Second, 19_000);
    assert_eq!(clock.falls_at(FIRST, NO_LAG), Some(Millis(29_000)));
    play(&mut clock, FIRST, 23_999);
    assert_eq!(left(&clock, FIRST, 23_999), (5_000, Some(2)));
    play(&mut clock, Seat::Second, 24_000);
    play(&mut clock, FIRST, 29_000);
    assert_eq!(left(&clock, FIRST, 29_000), (5_000, Some(1)));
}

#[test]
fn byoyomi_flag_falls_when_the_last_period_ends() {
    let clock = byoyomi();
    assert_eq!(clock.falls_at(FIRST, NO_LAG), Some(Millis(26_000)));
    assert!(!clock.has_fallen(FIRST, Millis(25_999), NO_LAG));
    assert!(clock.has_fallen(FIRST, Millis(26_000), NO_LAG));
}

#[test]
fn per_move_time_is_whole_again_for_each_move() {
    let mut clock = running(Clock::PerMove {
        move_ms: Millis(86_400_000),
    });
    play(&mut clock, FIRST, 50_000_000);
    assert_eq!(left(&clock, FIRST, 50_000_000), (86_400_000, None));
    assert_eq!(
        clock.falls_at(Seat::Second, NO_LAG),
        Some(Millis(136_400_000))
    );
}

#[test]
fn without_a_clock_nothing_is_shown_and_nothing_falls() {
    let clock = running(Clock::None);
    assert_eq!(clock.view(FIRST, Millis(5_000)).left, None);
    assert_eq!(clock.falls_at(FIRST, NO_LAG), None);
    assert!(!clock.has_fallen(FIRST, Millis(i64::MAX), NO_LAG));
}

#[test]
fn lag_is_credited_as_measured_but_never_beyond_the_quota() {
    let mut clock = fischer();
    let charge = clock.charge(FIRST, Millis(2_000), late(300)).unwrap();
    assert_eq!(
        charge,
        Charge {
            spent: Millis(700),
            lag: Millis(300)
        }
    );
    assert_eq!(
        clock.charge(FIRST, Millis(1_100), late(300)).unwrap().lag,
        Millis(100)
    );
    // 60 + 40 × 2 seconds expected: a gain of 710 ms a move, 2,130 ms to begin with.
    let mut gained = 0;
    let mut now = 1_000;
    for _ in 0..20 {
        now += 10_000;
        let charge = clock.charge(FIRST, Millis(now), late(60_000)).unwrap();
        clock.moved(FIRST, charge, Millis(now));
        gained += charge.lag.0;
        play(&mut clock, Seat::Second, now);
        clock.left.first.ms = Millis(60_000);
    }
    assert_eq!(gained, 2_130 + 19 * 710);
}

#[test]
fn m7_the_way_between_programs_is_nobodys_time_and_takes_nothing_of_the_credit() {
    let mut clock = fischer();
    let far = |round_trip| Delay {
        between_programs: Millis(300),
        ..late(round_trip)
    };
    let mut now = 1_000;
    for _ in 0..20 {
        now += 400;
        let charge = clock.charge(FIRST, Millis(now), far(20)).unwrap();
        let (spent, lag) = (Millis(80), Millis(20));
        assert_eq!(charge, Charge { spent, lag });
        clock.moved(FIRST, charge, Millis(now));
        play(&mut clock, Seat::Second, now);
        clock.left.first.ms = Millis(60_000);
    }
    // Nobody gains time by a way that is longer than the turn.
    let charge = clock.charge(FIRST, Millis(now + 200), far(20)).unwrap();
    let nothing = Millis(0);
    assert_eq!((charge.spent, charge.lag), (nothing, nothing));
    let falls_at = clock.falls_at(FIRST, far(20)).unwrap();
    assert_eq!(falls_at, Millis(now + 60_320));
    assert!(clock.charge(FIRST, falls_at, far(20)).is_err());
    assert!(clock.charge(FIRST, falls_at - Millis(1), far(20)).is_ok());
}

#[test]
fn a_move_that_arrives_late_only_by_its_lag_is_in_time() {
    let clock = fischer();
    assert_eq!(clock.falls_at(FIRST, late(200)), Some(Millis(61_200)));
    assert!(clock.charge(FIRST, Millis(61_199), late(200)).is_ok());
    assert_eq!(
        clock.charge(FIRST, Millis(61_200), late(200)),
        Err(FlagFell)
    );
}

#[test]
fn the_turn_is_charged_only_from_when_it_became_visible() {
    let mut clock = fischer();
    play(&mut clock, FIRST, 2_000);
    clock.became_visible(Millis(6_000));
    assert_eq!(play(&mut clock, Seat::Second, 7_000).spent, Millis(1_000));
}
