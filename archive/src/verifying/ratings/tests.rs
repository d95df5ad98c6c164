use qiguan_game::ratings::{change::RatingStates, glicko::Score, recompute::revise};
use qiguan_protocol::ids::Millis;
use qiguan_rules::{BySeat, Seat};
use qiguan_store::ratings::Withdrawal;
use uuid::Uuid;

use super::*;

fn game(number: u128) -> GameId {
    GameId(Uuid::from_u128(0x1000 + number))
}

fn player(number: u128) -> PlayerId {
    PlayerId(Uuid::from_u128(number))
}

/// Three games, the first of which does not count.
fn history() -> RatingHistory {
    let mut standings_so_far = RatingStates::default();
    let mut history = RatingHistory::default();
    for (number, one, two) in [(1, 1, 2), (2, 2, 3), (3, 3, 1)] {
        let end = RatedEnd {
            game: game(number),
            ruleset: "xiangqi/standard".to_owned(),
            at: Millis(number as i64),
            players: BySeat {
                first: player(one),
                second: player(two),
            },
            winner: Some(Seat::First),
            counts: true,
        };
        let changes = standings_so_far.rate(&end);
        history.changes.extend([changes.first, changes.second]);
        history.ends.push(end);
    }
    let revision = revise(history.changes.clone(), game(1), false, Millis(9)).unwrap();
    let revision = revision.unwrap();
    for altered in revision.altered {
        let (player, number) = (altered.player, altered.number);
        let mut changes = history.changes.iter_mut();
        let place = changes.find(|change| (change.player, change.number) == (player, number));
        *place.unwrap() = altered;
    }
    history.changes.extend(revision.added);
    history
        .changes
        .sort_by_key(|change| (change.player, change.number));
    let withdrawal = Withdrawal {
        at: Millis(9),
        by: None,
        reason: "helped".to_owned(),
    };
    history.withdrawals.insert(game(1), withdrawal);
    history.rating_states = rating_states(&history.changes);
    history
}

#[test]
fn a_book_that_follows_from_its_games_is_good_and_may_come_before_some_of_them() {
    let mut history = history();
    assert_eq!(check_all(&history), Ok(()));
    let mut another = history.ends[0].clone();
    another.game = game(4);
    history.ends.push(another);
    assert_eq!(check(&history), Ok(()));
    let wrong = check_all(&history).unwrap_err();
    assert!(wrong.contains("has changed no ratings"), "{wrong}");
}

#[test]
fn what_does_not_follow_is_told() {
    type Change = (fn(&mut RatingHistory), &'static str);
    let changes: [Change; 13] = [
        (
            |history| history.changes[0].after.rating += 1,
            "does not follow",
        ),
        (
            |history| history.changes[0].number = 7,
            "expected consecutive",
        ),
        (
            |history| drop(history.changes.pop()),
            "not the one after the last",
        ),
        (
            |history| history.rating_states.clear(),
            "not the one after the last",
        ),
        (|history| drop(history.ends.remove(1)), "is no rated game"),
        (
            |history| history.ends[1].winner = None,
            "what has come of game",
        ),
        (
            |history| history.ends[1].winner = Some(Seat::Second),
            "what has come of game",
        ),
        (
            |history| history.ends[1].at = Millis(77),
            "what has come of game",
        ),
        (
            |history| history.ends[1].players.first = player(9),
            "what has come of game",
        ),
        (
            |history| history.ends[1].players = history.ends[0].players,
            "what has come of game",
        ),
        (|history| history.withdrawals.clear(), "is not withdrawn"),
        (
            |history| {
                let withdrawal = history.withdrawals[&game(1)].clone();
                history.withdrawals.insert(game(2), withdrawal);
            },
            "is withdrawn, and counts",
        ),
        (
            |history| {
                for change in &mut history.changes {
                    if change.cause == Cause::Revised {
                        change.game = game(8);
                    }
                }
            },
            "a decision is about",
        ),
    ];
    for (number, (change, what)) in changes.into_iter().enumerate() {
        let mut history = history();
        change(&mut history);
        let wrong = check_all(&history).expect_err(what);
        assert!(wrong.contains(what), "{number}: {wrong:?}, not {what:?}");
    }
}

#[test]
fn a_game_that_is_rated_twice_is_found_though_the_ratings_follow() {
    let mut standings_so_far = RatingStates::default();
    let mut history = history();
    let end = history.ends.swap_remove(2);
    let twice = [&end, &end].map(|end| standings_so_far.rate(end));
    history.changes = twice
        .into_iter()
        .flat_map(|changes| [changes.first, changes.second])
        .collect();
    history
        .changes
        .sort_by_key(|change| (change.player, change.number));
    history.rating_states = rating_states(&history.changes);
    history.withdrawals.clear();
    history.ends = vec![end];
    let wrong = check(&history).unwrap_err();
    assert!(wrong.contains("rated twice"), "{wrong}");
    assert!(
        history.changes.iter().any(
            |change| matches!(change.cause, Cause::Played { score, .. } if score == Score::Won)
        )
    );
}
