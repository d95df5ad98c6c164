//! What is shown of players: the strongest of a rule set, results, and games left.

use std::sync::Arc;

use qiguan_protocol::{ids::Millis, names::Visibility};
use qiguan_rules::{EndReason, Outcome, Seat};

use super::{
    player,
    ratings::{SET, Table, all_stored},
};
use crate::{
    ratings::{LeadersAsked, Tally},
    store::{Store, TokenHash},
    testing::Place,
};

pub(super) async fn leaders_come_page_by_page_the_strongest_first(store: Arc<Store>, _: &Place) {
    let store = store.as_ref();
    for number in 1..=6 {
        store
            .create_guest(&player(number), TokenHash([number as u8; 32]), Millis(1))
            .await
            .unwrap();
    }
    // 1 beats everybody twice out of three times, 2 all but 1, and so on, until everybody is known well; 6 has played once.
    let mut number = 0;
    for round in 1..=9 {
        for one in 1..=5 {
            for two in one + 1..=5 {
                number += 1;
                let table = Table::new(number, one, two);
                let winner = if round % 3 == 0 {
                    Seat::Second
                } else {
                    Seat::First
                };
                all_stored(store, &[table.opening()]).await;
                all_stored(store, &[table.won_by(Some(winner))]).await;
            }
        }
    }
    let last = Table::new(number + 1, 6, 1);
    all_stored(store, &[last.opening()]).await;
    all_stored(store, &[last.won_by(Some(Seat::First))]).await;
    let mut asked = LeadersAsked {
        ruleset: SET.to_owned(),
        now: Millis(1_000),
        active_since: Millis(0),
        after: None,
        limit: 2,
    };
    let mut seen = Vec::new();
    loop {
        let page = store.leaders(&asked).await.unwrap();
        let Some(last) = page.last() else {
            break;
        };
        asked.after = Some((last.rating_state.strength.rating, last.player));
        seen.extend(page.into_iter().map(|leader| leader.player));
    }
    assert_eq!(seen, [1, 2, 3, 4, 5].map(|number| player(number).id));
    asked.after = None;
    asked.limit = 100;
    let leaders = store.leaders(&asked).await.unwrap();
    assert_eq!(leaders[0].name, player(1).name);
    asked.active_since = Millis(i64::from(number as u32) + 11);
    let active = store.leaders(&asked).await.unwrap();
    assert_eq!(active.len(), 1, "only the last game is so young");
    asked.active_since = Millis(0);
    asked.now = Millis(400 * 86_400_000);
    assert_eq!(
        store.leaders(&asked).await,
        Ok(Vec::new()),
        "after a year nobody is known so well"
    );
    for (before, expected) in [(None, vec![37, 36]), (Some(3), vec![2, 1])] {
        let page = store.rating_history(player(1).id, SET, before, 2).await;
        let numbers: Vec<_> = page
            .unwrap()
            .iter()
            .map(|past| past.change.number)
            .collect();
        assert_eq!(numbers, expected);
    }
    assert_eq!(store.rated_rulesets().await, Ok(vec![SET.to_owned()]));
}

pub(super) async fn results_are_counted_by_rule_set_seat_and_opponent(
    store: Arc<Store>,
    _: &Place,
) {
    let store = store.as_ref();
    let games = [
        (1, 1, 2, Some(Seat::First)),
        (2, 1, 2, None),
        (3, 2, 1, Some(Seat::First)),
        (4, 1, 3, Some(Seat::Second)),
        (5, 3, 2, Some(Seat::First)),
    ];
    for (number, one, two, winner) in games {
        let table = Table::of(number, one, two, number == 1, Visibility::Public);
        all_stored(store, &[table.opening()]).await;
        all_stored(store, &[table.won_by(winner)]).await;
    }
    let open = Table::new(6, 1, 2);
    all_stored(store, &[open.opening()]).await;
    // Games by link are nobody else's business.
    for (number, one, two) in [(7, 1, 2), (8, 2, 1), (9, 1, 7)] {
        let hidden = Table::of(number, one, two, false, Visibility::Link);
        all_stored(store, &[hidden.opening()]).await;
        all_stored(store, &[hidden.won_by(Some(Seat::First))]).await;
    }
    let tally = |seat, won, drawn, lost| Tally {
        ruleset: SET.to_owned(),
        seat,
        won,
        drawn,
        lost,
    };
    assert_eq!(
        store.tallies(player(1).id, None).await,
        Ok(vec![
            tally(Seat::First, 1, 1, 1),
            tally(Seat::Second, 0, 0, 1)
        ])
    );
    assert_eq!(
        store.tallies(player(1).id, Some(player(2).id)).await,
        Ok(vec![
            tally(Seat::First, 1, 1, 0),
            tally(Seat::Second, 0, 0, 1)
        ])
    );
    assert_eq!(
        store.tallies(player(2).id, Some(player(1).id)).await,
        Ok(vec![
            tally(Seat::First, 1, 0, 0),
            tally(Seat::Second, 0, 1, 1)
        ])
    );
    assert_eq!(store.tallies(player(7).id, None).await, Ok(Vec::new()));
}

pub(super) async fn leaves_are_what_their_players_are_to_blame_for(store: Arc<Store>, _: &Place) {
    let store = store.as_ref();
    let (one, two) = (Some(Seat::First), Some(Seat::Second));
    let (public, link) = (Visibility::Public, Visibility::Link);
    let games = [
        // Who wins, why, by whose command; whether the first player and the second have left.
        (public, one, EndReason::Abandonment, one, [false, true]),
        (public, two, EndReason::Abandonment, two, [true, false]),
        (public, None, EndReason::Aborted, one, [true, false]),
        (public, None, EndReason::Aborted, None, [false, false]),
        (link, None, EndReason::Aborted, one, [false, false]),
        (public, two, EndReason::Timeout, None, [true, false]),
        (public, two, EndReason::Resignation, one, [false, false]),
    ];
    let mut left = [Vec::new(), Vec::new()];
    for (number, (visibility, winner, reason, by, leavers)) in (1..).zip(games) {
        let table = Table::of(number, 1, 2, false, visibility);
        all_stored(store, &[table.opening()]).await;
        let end = table.ending(10, Outcome { winner, reason }, by);
        all_stored(store, &[end]).await;
        for (left, leaver) in left.iter_mut().zip(leavers) {
            left.extend(leaver.then_some(Millis(number as i64 + 10)));
        }
    }
    for (number, left) in [(1, &left[0]), (2, &left[1])] {
        let found = store.leaves(player(number).id, Millis(0)).await.unwrap();
        assert_eq!(&found, left);
    }
    let young = store.leaves(player(1).id, Millis(14)).await;
    assert_eq!(young, Ok(vec![Millis(16)]));
}
