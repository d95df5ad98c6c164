//! How games begin: what is counted, once, and what is found by it.

use std::{collections::BTreeSet, sync::Arc};

use qiguan_game::position_key::{OpeningEntry, PositionKey};
use qiguan_protocol::{
    ids::{GameId, Millis},
    move_text::MoveText,
    names::{Status, Visibility},
    time_control::Clock,
};
use qiguan_rules::Seat;
use uuid::Uuid;

use super::{
    game,
    lists::shows,
    opening,
    searches::{Random, any_filter, any_game},
};
use crate::{
    list::LOOKED_AT,
    openings::{Continuation, Counted, Opening, Results},
    store::{Append, Deletable, GameFilter, Store},
    testing::Place,
};

const fn position(number: u128) -> PositionKey {
    PositionKey(Uuid::from_u128(number))
}

fn mv(text: &str) -> MoveText {
    text.parse::<qiguan_rules::Move>().unwrap().into()
}

/// An ended game, opened at the time of its number.
fn ended(number: u128, visibility: Visibility, ended_at: i64) -> Append {
    let mut append = opening(number, number, visibility, Clock::None);
    let summary = append.entries[0].summary.as_mut().unwrap();
    summary.status = Status::Ended;
    summary.ended_at = Some(Millis(ended_at));
    append
}

fn counted(number: u128, winner: Option<Seat>, steps: &[(u128, &str)]) -> Counted {
    let steps = steps.iter().map(|(key, text)| {
        let next = (!text.is_empty()).then(|| mv(text));
        (position(*key), next)
    });
    Counted {
        game: game(number),
        line: Some(OpeningEntry {
            game: game(number),
            opened_at: Millis(number as i64),
            winner,
            ratings: winner.map(|_| 3_100),
            steps: steps.collect(),
        }),
    }
}

async fn ids(store: &Store, key: u128) -> Vec<GameId> {
    let found = store.opening(position(key), 2).await.unwrap();
    found.newest.iter().map(|game| game.game).collect()
}

pub(super) async fn a_game_is_counted_once_no_matter_who_counts_and_what_was_played_adds_up(
    store: Arc<Store>,
    place: &Place,
) {
    let games = [
        ended(1, Visibility::Public, 30),
        ended(2, Visibility::Public, 20),
        ended(3, Visibility::Public, 10),
        ended(4, Visibility::Link, 5),
        opening(5, 5, Visibility::Public, Clock::None),
    ];
    assert!(store.append(&games).await.iter().all(Result::is_ok));
    let other = place.open().await;
    let count = store.openings(1).await.unwrap();
    assert_eq!(other.openings(1).await, Ok(count), "it is the same count");
    let waiting = store.games_to_count(count, 10).await.unwrap();
    assert_eq!(waiting, [3, 2, 1].map(game), "in the order of their ends");

    let first = [
        counted(1, Some(Seat::First), &[(10, "a3a4"), (11, "")]),
        counted(2, None, &[(10, "a3a4"), (12, "g7g6")]),
    ];
    let second = [
        counted(2, None, &[(10, "a3a4"), (12, "g7g6")]),
        counted(3, Some(Seat::Second), &[(10, "g3g4")]),
    ];
    let (one, two) = tokio::join!(
        store.count_openings(count, first.to_vec()),
        other.count_openings(count, second.to_vec())
    );
    assert_eq!((one, two), (Ok(true), Ok(true)));
    let again = store.count_openings(count, first.to_vec()).await;
    assert_eq!(again, Ok(true));
    assert_eq!(store.games_to_count(count, 10).await, Ok(Vec::new()));

    let found = store.opening(position(10), 2).await.unwrap();
    let a3a4 = Results {
        first: 1,
        drawn: 1,
        second: 0,
        rated: 1,
        ratings: 3_100,
    };
    let g3g4 = Results {
        second: 1,
        rated: 1,
        ratings: 3_100,
        ..Results::default()
    };
    let expected = [("a3a4", a3a4), ("g3g4", g3g4)].map(|(text, results)| Continuation {
        mv: Some(mv(text)),
        results,
    });
    assert_eq!(found.moves, expected, "the most often played first");
    assert_eq!(a3a4.and(g3g4).mean_rating(), Some(1_550));
    assert_eq!(
        ids(store.as_ref(), 10).await,
        [3, 2].map(game),
        "the newest"
    );
    let end = store.opening(position(11), 2).await.unwrap().moves;
    assert_eq!(end[0].mv, None, "nothing was played where a game has ended");
    assert_eq!(store.opening(position(99), 2).await, Ok(Opening::default()));
    assert_eq!(
        store
            .delete_game(game(1), qiguan_protocol::ids::Seq(1), Deletable::Endless)
            .await,
        Ok(false),
        "what is counted is not deleted"
    );
}

pub(super) async fn a_count_that_is_begun_anew_has_every_game_again_and_ends_the_one_before(
    store: Arc<Store>,
    _: &Place,
) {
    let games = [
        ended(1, Visibility::Public, 1),
        ended(2, Visibility::Public, 2),
    ];
    assert!(store.append(&games).await.iter().all(Result::is_ok));
    let old = store.openings(1).await.unwrap();
    let line = || vec![counted(1, Some(Seat::First), &[(10, "a3a4")])];
    assert_eq!(store.count_openings(old, line()).await, Ok(true));
    let new = store.openings(2).await.unwrap();
    assert_ne!(new, old, "another version counts otherwise");
    assert_eq!(ids(store.as_ref(), 10).await, []);
    let late = vec![counted(2, None, &[(10, "a3a4")])];
    assert_eq!(store.count_openings(old, late.clone()).await, Ok(false));
    assert_eq!(store.opening(position(10), 2).await, Ok(Opening::default()));
    // What was never counted comes before what was.
    let waiting = store.games_to_count(new, 10).await;
    assert_eq!(waiting, Ok([2, 1].map(game).to_vec()));
    assert_eq!(store.count_openings(new, line()).await, Ok(true));
    let newest = store.begin_openings(2).await.unwrap();
    assert_eq!(store.openings(2).await, Ok(newest));
    assert_eq!(
        store
            .games_to_count(newest, 10)
            .await
            .map(|games| games.len()),
        Ok(2)
    );
}

pub(super) async fn a_position_is_a_condition_of_a_search_like_any_other(
    store: Arc<Store>,
    _: &Place,
) {
    let mut random = Random(0x5851_f42d_4c95_7f2d);
    let games: Vec<_> = (1..=300)
        .rev()
        .map(|number| any_game(number, &mut random))
        .collect();
    assert!(store.append(&games).await.iter().all(Result::is_ok));
    let summaries: Vec<_> = games
        .into_iter()
        .filter_map(|append| append.entries.into_iter().next()?.summary)
        .collect();
    let count = store.openings(1).await.unwrap();
    let mut reached = BTreeSet::new();
    let mut lines = Vec::new();
    for game in store.games_to_count(count, 1_000).await.unwrap() {
        let summary = summaries.iter().find(|summary| summary.game == game);
        let steps: Vec<_> = (0..4)
            .filter(|_| random.below(2) == 0)
            .map(|key| (position(key), Some(mv("a3a4"))))
            .collect();
        reached.extend(steps.iter().map(|(key, _)| (*key, game)));
        lines.push(Counted {
            game,
            line: Some(OpeningEntry {
                game,
                opened_at: summary.unwrap().created_at,
                winner: None,
                ratings: None,
                steps,
            }),
        });
    }
    assert!(lines.len() > 50, "{}", lines.len());
    assert_eq!(store.count_openings(count, lines).await, Ok(true));
    let mut shown = 0;
    for _ in 0..300 {
        let key = position(random.below(5) as u128);
        let mut filter = GameFilter {
            position: Some(key),
            ..any_filter(&mut random)
        };
        let expected: Vec<_> = summaries
            .iter()
            .filter(|game| shows(&filter, game) && reached.contains(&(key, game.game)))
            .collect();
        let mut found = Vec::new();
        loop {
            let page = store.games(&filter).await.unwrap();
            found.extend(page.games);
            if page.before.is_none() {
                break;
            }
            filter.before = page.before;
        }
        assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{filter:?}");
        shown += found.len();
    }
    assert!(shown > 500, "the filters let something through: {shown}");
}

pub(super) async fn a_search_by_position_for_what_is_rare_stops_and_is_carried_on(
    store: Arc<Store>,
    _: &Place,
) {
    let many = u128::from(LOOKED_AT) + 20;
    let numbers: Vec<_> = (1..=many).collect();
    let count = store.openings(1).await.unwrap();
    for numbers in numbers.chunks(500) {
        let games: Vec<_> = numbers
            .iter()
            .map(|number| {
                let mut game = ended(*number, Visibility::Public, 1);
                game.entries[0].summary.as_mut().unwrap().rated = *number == 1;
                game
            })
            .collect();
        assert!(store.append(&games).await.iter().all(Result::is_ok));
        let lines = numbers
            .iter()
            .map(|number| counted(*number, None, &[(10, "a3a4")]));
        assert_eq!(store.count_openings(count, lines.collect()).await, Ok(true));
    }
    let rare = GameFilter {
        position: Some(position(10)),
        rated: Some(true),
        limit: 10,
        ..GameFilter::default()
    };
    let page = store.games(&rare).await.unwrap();
    assert_eq!(page.games, [], "so far nothing is found");
    assert_eq!(page.before, Some(game(many - u128::from(LOOKED_AT))));
    let rest = GameFilter {
        before: page.before,
        ..rare
    };
    let page = store.games(&rest).await.unwrap();
    assert_eq!((page.games[0].game, page.before), (game(1), None));
}

pub(super) async fn a_visitor_who_goes_away_while_a_position_is_looked_up_leaves_it_to_others(
    store: Arc<Store>,
    _: &Place,
) {
    // More often than there are connections, and at each of the first moments.
    for moments in (1..=8).chain(1..=8) {
        let mut asking = Box::pin(store.opening(position(1), 5));
        for _ in 0..moments {
            if futures_util::poll!(&mut asking).is_ready() {
                break;
            }
            tokio::task::yield_now().await;
        }
        drop(asking);
        let found = store.opening(position(1), 5).await.unwrap();
        assert_eq!(found.moves, []);
    }
}
