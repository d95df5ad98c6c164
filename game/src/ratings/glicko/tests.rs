use proptest::prelude::*;

use super::*;

fn strength(rating: i64, deviation: i64) -> Strength {
    Strength {
        rating: rating * 1000,
        deviation: deviation * 1000,
        ..Strength::START
    }
}

fn numbers<const N: usize>(text: &str, between: char) -> [f64; N] {
    let numbers: Vec<f64> = text
        .split(between)
        .map(|number| number.trim().parse().unwrap())
        .collect();
    numbers.try_into().unwrap()
}

#[test]
fn ratings_are_those_that_others_have_published() {
    let mut compared = 0;
    for line in include_str!("published.csv").lines() {
        if line.starts_with('#') {
            continue;
        }
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let [tau, before, results, after, exact, source] = fields[..] else {
            panic!("{line}");
        };
        let [rating, deviation, volatility] = numbers(before, ' ');
        let results: Vec<_> = results
            .split(' ')
            .map(|result| {
                let [rating, deviation, score] = numbers(result, '/');
                let opponent = Glicko2Rating {
                    rating,
                    deviation,
                    volatility: 0.06,
                };
                let outcome = match score {
                    0.0 => Outcomes::LOSS,
                    1.0 => Outcomes::WIN,
                    _ => Outcomes::DRAW,
                };
                (opponent, outcome)
            })
            .collect();
        let player = Glicko2Rating {
            rating,
            deviation,
            volatility,
        };
        let computed = period(player, &results, tau.parse().unwrap());
        let computed = [computed.rating, computed.deviation, computed.volatility];
        let published: [f64; 3] = numbers(after, ' ');
        let exact: [f64; 3] = numbers(exact, ' ');
        for ((computed, published), exact) in computed.into_iter().zip(published).zip(exact) {
            assert!(
                (computed - published).abs() <= exact,
                "{source}: {computed}, and published is {published}"
            );
        }
        compared += 1;
    }
    assert!(compared > 20, "{compared} examples");
}

#[test]
fn a_stored_game_is_a_rating_period_rounded_to_thousandths() {
    let after = strength(1700, 300).after(strength(1500, 200), Score::Won);
    assert_eq!(after.rating, 1_784_422);
    assert_eq!(after.deviation, 251_566);
    assert_eq!(after.volatility, 59_999_012);
}

#[test]
fn equal_newcomers_win_and_lose_the_same() {
    let (won, lost) = (
        Strength::START.after(Strength::START, Score::Won),
        Strength::START.after(Strength::START, Score::Lost),
    );
    assert_eq!(won.rating - 1_500_000, 1_500_000 - lost.rating);
    assert_eq!(won.deviation, lost.deviation);
    assert_eq!(won.volatility, lost.volatility);
    let drawn = Strength::START.after(Strength::START, Score::Drawn);
    assert_eq!(drawn.rating, 1_500_000);
}

#[test]
fn a_newcomer_is_provisional_for_about_a_dozen_games() {
    let settled = strength(1500, 60);
    let mut newcomer = Strength::START;
    let mut games = 0;
    while newcomer.is_provisional() {
        let score = if games % 2 == 0 {
            Score::Won
        } else {
            Score::Lost
        };
        newcomer = newcomer.after(settled, score);
        games += 1;
    }
    assert!((8..=14).contains(&games), "{games}");
}

#[test]
fn a_settled_player_who_stays_away_for_a_year_is_provisional_again() {
    let day = |days: i64| Millis(days * 86_400_000);
    let settled = strength(1800, 60);
    assert_eq!(settled.away(Millis(0)), settled);
    assert_eq!(settled.away(Millis(-5)), settled, "clocks of two servers");
    assert!(!settled.away(day(300)).is_provisional());
    assert!(settled.away(day(365)).is_provisional());
    assert_eq!(settled.away(day(365)).rating, settled.rating);
    let forever = settled.away(Millis(i64::MAX));
    assert_eq!(forever.deviation, Strength::START.deviation);
}

#[test]
fn points_are_rounded_to_the_nearest() {
    assert_eq!(points(1_499_500), 1500);
    assert_eq!(points(1_499_499), 1499);
}

fn any_strength() -> impl Strategy<Value = Strength> {
    let range = |(least, most)| least..=most;
    (range(RATINGS), range(DEVIATIONS), range(VOLATILITIES)).prop_map(
        |(rating, deviation, volatility)| Strength {
            rating,
            deviation,
            volatility,
        },
    )
}

fn is_bounded(strength: Strength) -> bool {
    let within = |number: i64, (least, most): (i64, i64)| (least..=most).contains(&number);
    within(strength.rating, RATINGS)
        && within(strength.deviation, DEVIATIONS)
        && within(strength.volatility, VOLATILITIES)
}

proptest! {
    #[test]
    fn a_winner_loses_no_point_and_a_loser_wins_none(
        player in any_strength(),
        opponent in any_strength(),
    ) {
        let won = player.after(opponent, Score::Won);
        let drawn = player.after(opponent, Score::Drawn);
        let lost = player.after(opponent, Score::Lost);
        prop_assert!(won.rating >= player.rating);
        prop_assert!(lost.rating <= player.rating);
        prop_assert!(won.rating >= drawn.rating && drawn.rating >= lost.rating);
        for after in [won, drawn, lost] {
            prop_assert!(is_bounded(after), "{after:?}");
            // Not a number becomes nought when it is made whole, and nought is out of all bounds before the clamp.
            let raw = period(player.numbers(), &[(opponent.numbers(), Outcomes::WIN)], TAU);
            prop_assert!(raw.rating.is_finite() && raw.deviation.is_finite() && raw.volatility.is_finite());
        }
    }

    #[test]
    fn a_draw_brings_the_stronger_down_and_the_weaker_up(
        player in any_strength(),
        opponent in any_strength(),
    ) {
        let drawn = player.after(opponent, Score::Drawn);
        if player.rating < opponent.rating {
            prop_assert!(drawn.rating >= player.rating);
        } else {
            prop_assert!(drawn.rating <= player.rating);
        }
    }

    #[test]
    fn time_away_never_makes_surer(player in any_strength(), one in 0..i64::MAX, other in 0..i64::MAX) {
        let (less, more) = (one.min(other), one.max(other));
        let (sooner, later) = (player.away(Millis(less)), player.away(Millis(more)));
        prop_assert!(player.deviation <= sooner.deviation && sooner.deviation <= later.deviation);
        prop_assert!(is_bounded(later));
    }
}
