//! Who follows whom: kept once, within its limit, told to nobody else, and gone with an account.

use std::sync::Arc;

use qiguan_protocol::ids::{Millis, PlayerId};

use super::{
    accounts::{done, hash, new_account},
    player,
};
use crate::{
    accounts::{Change, FollowResult},
    store::{Store, TokenHash},
    testing::Place,
};

async fn people(store: &Store) -> [PlayerId; 4] {
    for number in 1..=4 {
        done(store, new_account(number, &[&format!("key{number}")])).await;
    }
    [1, 2, 3, 4].map(|number| player(number).id)
}

async fn followed(store: &Store, player: PlayerId) -> Vec<PlayerId> {
    let followed = store.followed_by(player).await.unwrap();
    followed.into_iter().map(|followed| followed.id).collect()
}

pub(super) async fn follows_are_as_many_as_are_allowed_and_end_with_a_block(
    store: Arc<Store>,
    _: &Place,
) {
    let store = store.as_ref();
    let [one, two, three, four] = people(store).await;
    for (whom, at, expected) in [
        (two, 1, FollowResult::Done),
        (three, 2, FollowResult::Done),
        (four, 3, FollowResult::Full),
        (two, 4, FollowResult::Done),
    ] {
        assert_eq!(store.follow(one, whom, Millis(at), 2).await, Ok(expected));
    }
    assert_eq!(followed(store, one).await, [three, two], "the last first");
    assert_eq!(followed(store, two).await, []);
    let follow = store.follow(three, one, Millis(5), 2).await;
    assert_eq!(follow, Ok(FollowResult::Done));

    // Once one of the two blocks the other, they do not follow each other any more, nor again.
    assert_eq!(store.block(three, one, Millis(6), 9).await, Ok(true));
    assert_eq!(followed(store, one).await, [two]);
    assert_eq!(followed(store, three).await, []);
    for (player, whom) in [(one, three), (three, one)] {
        let refused = store.follow(player, whom, Millis(7), 9).await;
        assert_eq!(refused, Ok(FollowResult::Blocked));
    }
    store.unblock(three, one).await.unwrap();
    assert_eq!(followed(store, one).await, [two]);
    store.unfollow(one, two).await.unwrap();
    store.unfollow(one, two).await.unwrap();
    assert_eq!(followed(store, one).await, []);
}

pub(super) async fn follows_at_once_are_no_more_than_are_allowed(store: Arc<Store>, _: &Place) {
    let [one, ..] = people(store.as_ref()).await;
    let mut asking = Vec::new();
    for number in 10..30 {
        let store = Arc::clone(&store);
        let whom = player(number).id;
        asking.push(tokio::spawn(async move {
            store.follow(one, whom, Millis(1), 3).await.unwrap()
        }));
    }
    let mut fits = 0;
    for asked in asking {
        fits += u32::from(asked.await.unwrap() == FollowResult::Done);
    }
    assert_eq!(fits, 3);
}

pub(super) async fn follows_go_with_an_account_in_both_directions(store: Arc<Store>, _: &Place) {
    let store = store.as_ref();
    let [one, two, three, _] = people(store).await;
    for (player, whom) in [(one, two), (two, one), (two, three)] {
        let follow = store.follow(player, whom, Millis(1), 9).await;
        assert_eq!(follow, Ok(FollowResult::Done));
    }
    store.hide_presence(one, Some(Millis(2))).await.unwrap();
    let delete = Change::Delete {
        player: one,
        tried: hash("one"),
        at: Millis(50),
    };
    done(store, delete).await;
    assert_eq!(followed(store, two).await, [three], "at once");
    done(store, Change::LeaveRest { player: one }).await;
    let players = store.players(None, 9).await.unwrap();
    let follows = players.iter().map(|record| record.follows.len());
    assert_eq!(follows.collect::<Vec<_>>(), [0, 1, 0, 0]);
    assert!(
        players
            .iter()
            .all(|record| record.account.hidden_at.is_none())
    );
}

pub(super) async fn who_hides_is_seen_by_nobody_else(store: Arc<Store>, _: &Place) {
    let store = store.as_ref();
    let [one, two, three, four] = people(store).await;
    let guest = player(9);
    store
        .create_guest(&guest, TokenHash([9; 32]), Millis(1))
        .await
        .unwrap();
    let follow = store.follow(two, one, Millis(1), 9).await;
    assert_eq!(follow, Ok(FollowResult::Done));
    store.hide_presence(one, Some(Millis(7))).await.unwrap();
    store
        .hide_presence(guest.id, Some(Millis(7)))
        .await
        .unwrap();
    assert_eq!(store.presence_hidden_at(one).await, Ok(Some(Millis(7))));
    assert_eq!(store.presence_hidden_at(guest.id).await, Ok(None));
    assert!(store.followed_by(two).await.unwrap()[0].is_hidden);
    assert_eq!(store.hidden_among(vec![one, two]).await, Ok(vec![one]));
    assert_eq!(store.hidden_among(Vec::new()).await, Ok(Vec::new()));
    assert_eq!(store.block(three, four, Millis(1), 9).await, Ok(true));
    for (whom, viewer, seen) in [
        (one, None, false),
        (one, Some(two), false),
        (one, Some(one), true),
        (two, None, true),
        (guest.id, Some(two), true),
        (three, Some(four), false),
        (four, Some(three), false),
        (three, None, true),
        (player(77).id, None, false),
    ] {
        let answer = store.may_be_seen(whom, viewer).await;
        assert_eq!(answer, Ok(seen), "{whom} by {viewer:?}");
    }
    store.hide_presence(one, None).await.unwrap();
    assert_eq!(store.may_be_seen(one, None).await, Ok(true));
}
