//! Puzzles: one counts once for a player, both ratings change, and all of it goes with the account.

use std::sync::Arc;

use qiguan_game::ratings::glicko::Strength;
use qiguan_protocol::{ids::Millis, puzzle::PuzzleResult};

use super::{
    accounts::{done, hash, new_account},
    player,
};
use crate::{
    accounts::{
        Change,
        puzzles::{PuzzleDays, PuzzleDeed, PuzzleRating, PuzzleRecord, PuzzleTry, TriedPuzzle},
    },
    store::Store,
    testing::Place,
};

const EASY: Strength = Strength {
    rating: 900_000,
    deviation: 150_000,
    volatility: 60_000_000,
};

/// What somebody may have made of puzzles, for a player who moves to another record.
pub(super) fn record() -> PuzzleRecord {
    PuzzleRecord {
        results: vec![TriedPuzzle {
            puzzle: "abcdefgh".to_owned(),
            ruleset: "xiangqi/standard".to_owned(),
            at: Millis(17),
            result: PuzzleResult::Found,
            before: 1_000_000,
            after: 900_001,
        }],
        ratings: vec![PuzzleRating {
            ruleset: "xiangqi/standard".to_owned(),
            strength: EASY,
            tried: 3,
            solved: 2,
            streak: 1,
            best: 2,
            at: Millis(17),
        }],
        days: Some(PuzzleDays {
            day: 20_000,
            days: 2,
            best: 5,
        }),
    }
}

fn tried(by: u128, puzzle: &str, deed: PuzzleDeed, at: i64) -> PuzzleTry {
    PuzzleTry {
        player: player(by).id,
        puzzle: puzzle.to_owned(),
        ruleset: "xiangqi/standard".to_owned(),
        estimate: EASY,
        newcomer: Strength::START,
        deed,
        at: Millis(at),
        day: None,
    }
}

async fn result(store: &Store, asked: PuzzleTry) -> PuzzleResult {
    store.try_puzzle(asked).await.unwrap().unwrap().result
}

async fn standing(store: &Store, by: u128) -> PuzzleRating {
    let mut all = store.puzzle_ratings(player(by).id).await.unwrap();
    assert_eq!(all.len(), 1);
    all.remove(0)
}

pub(super) async fn a_puzzle_counts_once_for_a_player_and_changes_both_ratings(
    store: Arc<Store>,
    _: &Place,
) {
    let store = store.as_ref();
    done(store, new_account(1, &["anna"])).await;
    done(store, new_account(2, &["berta"])).await;
    assert_eq!(store.puzzle_strength("one".to_owned()).await, Ok(None));
    let solved = store.try_puzzle(tried(1, "one", PuzzleDeed::Solved, 10));
    let solved = solved.await.unwrap().unwrap();
    assert_eq!(
        (solved.result, solved.before),
        (PuzzleResult::Solved, 1_500_000)
    );
    assert!(solved.after > solved.before);
    let easier = store.puzzle_strength("one".to_owned()).await.unwrap();
    assert!(easier.unwrap().rating < EASY.rating);
    // Again, and worse: it has counted.
    for deed in [PuzzleDeed::Failed, PuzzleDeed::Shown, PuzzleDeed::Solved] {
        let again = store.try_puzzle(tried(1, "one", deed, 11)).await.unwrap();
        assert_eq!(again, Some(solved.clone()));
    }
    assert_eq!(store.puzzle_strength("one".to_owned()).await, Ok(easier));
    let failed = store.try_puzzle(tried(1, "two", PuzzleDeed::Failed, 12));
    let failed = failed.await.unwrap().unwrap();
    assert!(failed.after < failed.before && failed.before == solved.after);
    let harder = store.puzzle_strength("two".to_owned()).await.unwrap();
    assert!(harder.unwrap().rating > EASY.rating);
    let (streak, best) = {
        let now = standing(store, 1).await;
        assert_eq!((now.tried, now.solved), (2, 1));
        assert_eq!(now.strength.rating, failed.after);
        (now.streak, now.best)
    };
    assert_eq!((streak, best), (0, 1));
    // Another player begins alone, and meets what the puzzle has become.
    let other = store.try_puzzle(tried(2, "two", PuzzleDeed::Solved, 13));
    assert_eq!(other.await.unwrap().unwrap().before, 1_500_000);
    let history = store
        .puzzle_history(player(1).id, Millis(i64::MAX), 9)
        .await;
    assert_eq!(history, Ok(vec![failed.clone(), solved.clone()]));
    let earlier = store.puzzle_history(player(1).id, Millis(12), 9).await;
    assert_eq!(earlier, Ok(vec![solved]));
    let ruleset = "xiangqi/standard".to_owned();
    let mut all = store.tried_puzzles(player(1).id, ruleset).await.unwrap();
    all.sort();
    assert_eq!(
        all,
        [
            ("one".to_owned(), Millis(10)),
            ("two".to_owned(), Millis(12))
        ]
    );
    let nobody = store.try_puzzle(tried(7, "one", PuzzleDeed::Solved, 14));
    assert_eq!(nobody.await, Ok(None));
}

pub(super) async fn after_a_mistake_a_puzzle_is_found_or_shown(store: Arc<Store>, _: &Place) {
    let store = store.as_ref();
    done(store, new_account(1, &["anna"])).await;
    for (puzzle, then, wanted) in [
        ("one", PuzzleDeed::Solved, PuzzleResult::Found),
        ("two", PuzzleDeed::Shown, PuzzleResult::Shown),
        ("three", PuzzleDeed::Failed, PuzzleResult::Failed),
    ] {
        let first = result(store, tried(1, puzzle, PuzzleDeed::Failed, 1)).await;
        assert_eq!(first, PuzzleResult::Failed);
        assert_eq!(result(store, tried(1, puzzle, then, 2)).await, wanted);
    }
    // What was shown is not found any more.
    let late = result(store, tried(1, "two", PuzzleDeed::Solved, 3)).await;
    assert_eq!(late, PuzzleResult::Shown);
    let shown = result(store, tried(1, "four", PuzzleDeed::Shown, 4)).await;
    assert_eq!(shown, PuzzleResult::Shown);
    assert_eq!(standing(store, 1).await.tried, 4);
}

pub(super) async fn days_count_one_after_the_other(store: Arc<Store>, _: &Place) {
    let store = store.as_ref();
    done(store, new_account(1, &["anna"])).await;
    let one = player(1).id;
    let on = |day: u32, deed| PuzzleTry {
        day: Some(day),
        ..tried(1, &format!("of {day}"), deed, 5)
    };
    let days = async || store.puzzle_days(one).await.unwrap();
    result(store, on(10, PuzzleDeed::Failed)).await;
    assert_eq!(days().await, None);
    result(store, on(10, PuzzleDeed::Solved)).await;
    result(store, on(10, PuzzleDeed::Solved)).await;
    result(store, on(11, PuzzleDeed::Solved)).await;
    let two = PuzzleDays {
        day: 11,
        days: 2,
        best: 2,
    };
    assert_eq!(days().await, Some(two));
    result(store, on(12, PuzzleDeed::Shown)).await;
    result(store, on(12, PuzzleDeed::Solved)).await;
    assert_eq!(days().await, Some(two), "it was shown");
    result(store, on(13, PuzzleDeed::Solved)).await;
    let again = PuzzleDays {
        day: 13,
        days: 1,
        best: 2,
    };
    assert_eq!(days().await, Some(again));
    result(store, on(9, PuzzleDeed::Solved)).await;
    assert_eq!(days().await, Some(again), "that day is over");
}

pub(super) async fn of_tries_at_once_one_counts(store: Arc<Store>, _: &Place) {
    for number in 1..=3 {
        done(
            store.as_ref(),
            new_account(number, &[&format!("name{number}")]),
        )
        .await;
    }
    let mut trying = Vec::new();
    for number in 0..12_u128 {
        let store = Arc::clone(&store);
        trying.push(tokio::spawn(async move {
            let deed = PuzzleDeed::Solved;
            let asked = tried(number % 3 + 1, "one", deed, 20);
            store.try_puzzle(asked).await.unwrap().unwrap()
        }));
    }
    for one in trying {
        assert_eq!(one.await.unwrap().result, PuzzleResult::Solved);
    }
    for number in 1..=3 {
        assert_eq!(standing(store.as_ref(), number).await.tried, 1);
    }
}

pub(super) async fn d13_puzzles_go_with_the_account(store: Arc<Store>, _: &Place) {
    let store = store.as_ref();
    done(store, new_account(1, &["anna"])).await;
    let one = player(1).id;
    let asked = PuzzleTry {
        day: Some(3),
        ..tried(1, "one", PuzzleDeed::Solved, 5)
    };
    result(store, asked.clone()).await;
    let delete = Change::Delete {
        player: one,
        tried: hash("one"),
        at: Millis(9),
    };
    done(store, delete).await;
    assert_eq!(store.puzzle_ratings(one).await, Ok(Vec::new()));
    assert_eq!(store.puzzle_days(one).await, Ok(None));
    let history = store.puzzle_history(one, Millis(i64::MAX), 9).await;
    assert_eq!(history, Ok(Vec::new()));
    assert_eq!(
        store.try_puzzle(asked).await,
        Ok(None),
        "the account is gone"
    );
}
