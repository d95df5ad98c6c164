use qiguan_game::ratings::{change::Standings, glicko::Score, recompute::revise};
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
fn book() -> Book {
    let mut standings_so_far = Standings::default();
    let mut book = Book::default();
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
        book.changes.extend([changes.first, changes.second]);
        book.ends.push(end);
    }
    let revision = revise(book.changes.clone(), game(1), false, Millis(9)).unwrap();
    let revision = revision.unwrap();
    for altered in revision.altered {
        let (player, number) = (altered.player, altered.number);
        let mut changes = book.changes.iter_mut();
        let place = changes.find(|change| (change.player, change.number) == (player, number));
        *place.unwrap() = altered;
    }
    book.changes.extend(revision.added);
    book.changes
        .sort_by_key(|change| (change.player, change.number));
    let withdrawal = Withdrawal {
        at: Millis(9),
        by: None,
        reason: "helped".to_owned(),
    };
    book.withdrawals.insert(game(1), withdrawal);
    book.standings = standings(&book.changes);
    book
}

#[test]
fn a_book_that_follows_from_its_games_is_good_and_may_come_before_some_of_them() {
    let mut book = book();
    assert_eq!(check_all(&book), Ok(()));
    let mut another = book.ends[0].clone();
    another.game = game(4);
    book.ends.push(another);
    assert_eq!(check(&book), Ok(()));
    let wrong = check_all(&book).unwrap_err();
    assert!(wrong.contains("has changed no ratings"), "{wrong}");
}

#[test]
fn what_does_not_follow_is_told() {
    type Change = (fn(&mut Book), &'static str);
    let changes: [Change; 13] = [
        (|book| book.changes[0].after.rating += 1, "does not follow"),
        (|book| book.changes[0].number = 7, "expected consecutive"),
        (
            |book| drop(book.changes.pop()),
            "not the one after the last",
        ),
        (|book| book.standings.clear(), "not the one after the last"),
        (|book| drop(book.ends.remove(1)), "is no rated game"),
        (|book| book.ends[1].winner = None, "what has come of game"),
        (
            |book| book.ends[1].winner = Some(Seat::Second),
            "what has come of game",
        ),
        (|book| book.ends[1].at = Millis(77), "what has come of game"),
        (
            |book| book.ends[1].players.first = player(9),
            "what has come of game",
        ),
        (
            |book| book.ends[1].players = book.ends[0].players,
            "what has come of game",
        ),
        (|book| book.withdrawals.clear(), "is not withdrawn"),
        (
            |book| {
                let withdrawal = book.withdrawals[&game(1)].clone();
                book.withdrawals.insert(game(2), withdrawal);
            },
            "is withdrawn, and counts",
        ),
        (
            |book| {
                for change in &mut book.changes {
                    if change.cause == Cause::Revised {
                        change.game = game(8);
                    }
                }
            },
            "a decision is about",
        ),
    ];
    for (number, (change, what)) in changes.into_iter().enumerate() {
        let mut book = book();
        change(&mut book);
        let wrong = check_all(&book).expect_err(what);
        assert!(wrong.contains(what), "{number}: {wrong:?}, not {what:?}");
    }
}

#[test]
fn a_game_that_is_rated_twice_is_found_though_the_ratings_follow() {
    let mut standings_so_far = Standings::default();
    let mut book = book();
    let end = book.ends.swap_remove(2);
    let twice = [&end, &end].map(|end| standings_so_far.rate(end));
    book.changes = twice
        .into_iter()
        .flat_map(|changes| [changes.first, changes.second])
        .collect();
    book.changes
        .sort_by_key(|change| (change.player, change.number));
    book.standings = standings(&book.changes);
    book.withdrawals.clear();
    book.ends = vec![end];
    let wrong = check(&book).unwrap_err();
    assert!(wrong.contains("rated twice"), "{wrong}");
    assert!(
        book.changes.iter().any(
            |change| matches!(change.cause, Cause::Played { score, .. } if score == Score::Won)
        )
    );
}
