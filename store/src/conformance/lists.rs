//! What is listed and counted.

use std::sync::Arc;

use qiguan_game::record::GameSummary;
use qiguan_protocol::{
    ids::{Millis, PlayerId},
    names::{Status, Visibility},
    time_control::Clock,
};
use qiguan_rules::{BySeat, EndReason, Seat};

use super::{game, opening, player};
use crate::{
    store::{Append, ClockKind, GameFilter, ResultFilter, Running, Store},
    testing::Place,
};

pub(super) async fn pages_follow_each_other_without_gap_or_repeat(store: Arc<Store>, _: &Place) {
    let fischer = Clock::Fischer {
        initial_ms: Millis(60_000),
        increment_ms: Millis(0),
    };
    for number in 1..=23 {
        let clock = if number % 2 == 0 {
            fischer
        } else {
            Clock::None
        };
        store
            .append(&[opening(number, number % 3, Visibility::Public, clock)])
            .await;
    }
    for (filter, expected) in [
        (GameFilter::default(), 23),
        (
            GameFilter {
                clock: Some(ClockKind::Fischer),
                ..GameFilter::default()
            },
            11,
        ),
        (
            GameFilter {
                player: Some(player(2).id),
                ..GameFilter::default()
            },
            8,
        ),
        (
            GameFilter {
                status: Some(Status::Playing),
                ..GameFilter::default()
            },
            0,
        ),
        (
            GameFilter {
                created_from: Some(Millis(5)),
                created_until: Some(Millis(10)),
                ..GameFilter::default()
            },
            5,
        ),
    ] {
        let mut seen = Vec::new();
        let mut before = None;
        loop {
            let page = store
                .games(&GameFilter {
                    limit: 4,
                    before,
                    ..filter.clone()
                })
                .await
                .unwrap();
            seen.extend(page.games.iter().map(|summary| summary.game));
            before = page.before;
            if before.is_none() {
                break;
            }
        }
        assert!(
            seen.is_sorted_by(|a, b| a > b),
            "the newest first, none twice"
        );
        assert_eq!(seen.len(), expected, "{filter:?}");
    }
}

pub(super) async fn games_by_link_are_listed_for_their_players_alone(store: Arc<Store>, _: &Place) {
    store
        .append(&[opening(1, 1, Visibility::Link, Clock::None)])
        .await;
    let list = |viewer: Option<PlayerId>| GameFilter {
        viewer,
        limit: 10,
        ..GameFilter::default()
    };
    assert_eq!(store.games(&list(None)).await.unwrap().games.len(), 0);
    assert_eq!(
        store
            .games(&list(Some(player(2).id)))
            .await
            .unwrap()
            .games
            .len(),
        0
    );
    let own = store.games(&list(Some(player(1).id))).await.unwrap().games;
    assert_eq!(own[0].options, [("quiet_limit".to_owned(), "0".to_owned())]);
}

/// A game of every kind in turn: numbers that share no factor meet in every combination.
pub(super) fn of_every_kind(number: u128) -> Append {
    let visibility = if number.is_multiple_of(2) {
        Visibility::Public
    } else {
        Visibility::Link
    };
    let mut append = opening(number, 1 + number % 3, visibility, Clock::None);
    let summary = append.entries[0].summary.as_mut().unwrap();
    if number.is_multiple_of(5) {
        summary.ruleset = "doushouqi/tierschach".to_owned();
    }
    // A third each; of those that are not open, some have the same two players with their seats exchanged.
    summary.status = [Status::Open, Status::Playing, Status::Ended][number as usize / 3 % 3];
    if summary.status != Status::Open {
        summary.players.second = Some(player(1 + (number + 1) % 3));
    }
    if number % 7 < 3 {
        summary.players = BySeat {
            first: summary.players.second.take(),
            second: summary.players.first.take(),
        };
    }
    append
}

/// Every choice, and none.
fn some_or_none<T: Copy>(choices: &[T]) -> Vec<Option<T>> {
    std::iter::once(None)
        .chain(choices.iter().copied().map(Some))
        .collect()
}

fn aborted(game: &GameSummary) -> bool {
    game.outcome
        .is_some_and(|outcome| outcome.reason == EndReason::Aborted)
}

/// The plainest way to say what a filter means.
pub(super) fn shows(filter: &GameFilter, game: &GameSummary) -> bool {
    let has = |player: PlayerId| {
        let seats = [&game.players.first, &game.players.second];
        seats
            .iter()
            .any(|seat| seat.as_ref().is_some_and(|seated| seated.id == player))
    };
    let rated_so = |fits: &dyn Fn(i32) -> bool| {
        let seats = [&game.players.first, &game.players.second];
        seats.iter().all(|seat| {
            let rating = seat.as_ref().and_then(|player| player.rating);
            rating.is_some_and(|rating| fits(rating.value))
        })
    };
    (filter.oversees || game.visibility == Visibility::Public || filter.viewer.is_some_and(has))
        && filter.player.is_none_or(has)
        && filter.status.is_none_or(|status| game.status == status)
        && filter
            .against
            .is_none_or(|other| filter.player != Some(other) && has(other))
        && filter
            .rulesets
            .as_ref()
            .is_none_or(|rulesets| rulesets.contains(&game.ruleset))
        && filter.result.is_none_or(|result| {
            game.outcome.is_some_and(|outcome| match result {
                ResultFilter::First => outcome.winner == Some(Seat::First),
                ResultFilter::Second => outcome.winner == Some(Seat::Second),
                ResultFilter::Draw => outcome.winner.is_none() && !aborted(game),
                ResultFilter::Aborted => aborted(game),
            })
        })
        && filter
            .reason
            .is_none_or(|reason| game.outcome.is_some_and(|outcome| outcome.reason == reason))
        && filter
            .plies_from
            .is_none_or(|from| game.plies.is_some_and(|plies| plies.0 >= from))
        && filter
            .plies_until
            .is_none_or(|until| game.plies.is_some_and(|plies| plies.0 < until))
        && filter
            .rating_from
            .is_none_or(|from| rated_so(&|rating| rating >= from))
        && filter
            .rating_until
            .is_none_or(|until| rated_so(&|rating| rating < until))
        && filter.rated.is_none_or(|rated| game.rated == rated)
        && filter.clock.is_none_or(|clock| {
            let is_none = game.time_control.clock == Clock::None;
            is_none == (clock == ClockKind::None)
        })
        && filter.created_from.is_none_or(|at| game.created_at >= at)
        && filter.created_until.is_none_or(|at| game.created_at < at)
        && filter.before.is_none_or(|before| game.game < before)
}

pub(super) async fn a_page_is_what_the_filter_says(store: Arc<Store>, _: &Place) {
    let games: Vec<_> = (1..=210).rev().map(of_every_kind).collect();
    assert!(store.append(&games).await.iter().all(Result::is_ok));
    let summaries: Vec<_> = games
        .into_iter()
        .filter_map(|append| append.entries.into_iter().next()?.summary)
        .collect();
    let people = some_or_none(&[1, 2, 3, 4].map(|number| player(number).id));
    let mut shown = 0;
    for viewer in people.clone() {
        for player in people.clone() {
            for status in some_or_none(&[Status::Open, Status::Playing, Status::Ended]) {
                for ruleset in some_or_none(&["doushouqi/booklet", "doushouqi/tierschach"]) {
                    for (from, before) in [(None, None), (Some(50), Some(150))] {
                        let filter = GameFilter {
                            viewer,
                            player,
                            status,
                            rulesets: ruleset.map(|ruleset| vec![ruleset.to_owned()]),
                            created_from: from.map(Millis),
                            created_until: from.map(|_| Millis(160)),
                            before: before.map(game),
                            limit: 20,
                            ..GameFilter::default()
                        };
                        let expected: Vec<_> = summaries
                            .iter()
                            .filter(|game| shows(&filter, game))
                            .take(20)
                            .cloned()
                            .collect();
                        let page = store.games(&filter).await.unwrap();
                        assert_eq!(page.games, expected, "{filter:?}");
                        shown += page.games.len();
                    }
                }
            }
        }
    }
    assert!(shown > 1_000, "the filters let something through: {shown}");
}

pub(super) async fn games_that_go_on_are_counted_in_both_seats(store: Arc<Store>, _: &Place) {
    let games: Vec<_> = (1..=210).map(of_every_kind).collect();
    assert!(store.append(&games).await.iter().all(Result::is_ok));
    let summaries: Vec<_> = games
        .iter()
        .filter_map(|append| append.entries[0].summary.as_ref())
        .collect();
    for number in 1..=4 {
        let player = player(number).id;
        let of_player = GameFilter {
            viewer: Some(player),
            player: Some(player),
            ..GameFilter::default()
        };
        let going_on = summaries
            .iter()
            .filter(|game| game.status != Status::Ended && shows(&of_player, game))
            .count();
        assert_eq!(
            store.unfinished_games_of(player).await,
            Ok(going_on as u32),
            "player {number}"
        );
        assert_eq!(going_on > 0, number < 4, "there is something to count");
    }
    let mut playing: Vec<_> = summaries
        .iter()
        .filter(|game| game.status == Status::Playing)
        .map(|game| game.game)
        .collect();
    playing.sort_unstable();
    assert_eq!(store.running_games().await, Ok(playing.clone()));
    let running: Vec<Running> = playing
        .iter()
        .filter_map(|game| summaries.iter().find(|summary| summary.game == *game))
        .map(|game| Running {
            game: game.game,
            players: [Seat::First, Seat::Second]
                .map(|seat| game.players.get(seat).as_ref().unwrap().id),
            visibility: game.visibility,
        })
        .collect();
    assert_eq!(store.who_plays().await, Ok(running));
}
