//! Web Push: devices come and go with their sessions, and the server has one key.

use std::sync::Arc;

use qiguan_protocol::{
    ids::{Millis, SessionId},
    operation::Operation,
    push::{PushKind, PushKinds},
};

use super::{
    accounts::{done, hash, new_account, sign_in, token},
    player,
};
use crate::{
    accounts::{Change, StoredSanction},
    push::{PushSecret, PushSubscription},
    store::Store,
    testing::{Place, audit_entry},
};

const ALL: PushKinds = PushKinds {
    turns: true,
    challenges: true,
    pairings: true,
};

fn device(endpoint: &str) -> PushSubscription {
    PushSubscription {
        endpoint: endpoint.to_owned(),
        p256dh: vec![4; 65],
        auth: vec![7; 16],
        language: "zh-Hans".to_owned(),
        kinds: ALL,
        failures: 0,
    }
}

/// The session of this number.
fn session(number: u8) -> SessionId {
    sign_in(number).id()
}

/// Adds a device to the session of this number of the first player.
async fn add(store: &Store, number: u8, device: PushSubscription, at: i64) -> bool {
    let id = player(1).id;
    let added = store.add_push_subscription(id, session(number), device, 3, Millis(at));
    added.await.unwrap()
}

/// Where the first player is told of turns.
async fn told(store: &Store, now: i64) -> Vec<String> {
    let id = player(1).id;
    let all = store.push_subscriptions(id, None, PushKind::Turn, Millis(now));
    let mut all: Vec<_> = all
        .await
        .unwrap()
        .into_iter()
        .map(|of| of.endpoint)
        .collect();
    all.sort();
    all
}

/// The first player signs in once more.
async fn enter(store: &Store, number: u8) {
    let enter = Change::SignIn {
        player: player(1).id,
        tried: hash("one"),
        rehashed: None,
        session: sign_in(number),
    };
    done(store, enter).await;
}

pub(super) async fn the_server_has_one_key_however_many_are_drawn(store: Arc<Store>, _: &Place) {
    let mut drawing = Vec::new();
    for number in 1..=8 {
        let store = Arc::clone(&store);
        let drawn = PushSecret([number; 32]);
        drawing.push(tokio::spawn(async move { store.push_secret(drawn).await }));
    }
    let mut kept = Vec::new();
    for one in drawing {
        kept.push(one.await.unwrap().unwrap());
    }
    assert!(kept.iter().all(|key| *key == kept[0]));
    assert_eq!(format!("{:?}", kept[0]), "<hidden>");
    assert_eq!(format!("{:?}", device("https://a")), "<hidden>");
}

pub(super) async fn a_device_goes_with_its_session(store: Arc<Store>, _: &Place) {
    let store = store.as_ref();
    done(store, new_account(1, &["anna"])).await;
    enter(store, 3).await;
    done(
        store,
        Change::Issue {
            player: player(1).id,
            session: token(4),
            most: 9,
        },
    )
    .await;
    assert!(add(store, 1, device("https://a"), 1).await);
    assert!(add(store, 3, device("https://b"), 2).await);
    // Neither a token for a program nor somebody else's session has a device.
    assert!(!add(store, 4, device("https://c"), 3).await);
    assert!(!add(store, 5, device("https://a"), 3).await);
    assert_eq!(told(store, 10).await, ["https://a", "https://b"]);
    let of = store.push_subscription(player(1).id, session(3)).await;
    assert_eq!(of, Ok(Some(device("https://b"))));
    assert_eq!(
        store.push_subscription(player(2).id, session(3)).await,
        Ok(None)
    );
    done(
        store,
        Change::End {
            player: player(1).id,
            session: session(3),
            is_token: false,
        },
    )
    .await;
    assert_eq!(told(store, 10).await, ["https://a"]);
    // A session whose time is over is told of nothing, and neither is who is banned.
    assert_eq!(told(store, 1_001).await, Vec::<String>::new());
    super::accounts::an_admin(store).await;
    let ban = |number, ban| Change::Ban {
        player: player(1).id,
        ban,
        audit_entry: audit_entry(number, Operation::Ban, player(1).id),
    };
    let sanction = StoredSanction {
        until: Millis(500),
        reason: String::new(),
    };
    done(store, ban(1, Some(sanction))).await;
    assert_eq!(told(store, 499).await, Vec::<String>::new());
    assert_eq!(told(store, 500).await, ["https://a"]);
    done(
        store,
        Change::Delete {
            player: player(1).id,
            tried: hash("one"),
            at: Millis(9),
        },
    )
    .await;
    assert_eq!(
        store.push_subscription(player(1).id, session(1)).await,
        Ok(None)
    );
}

pub(super) async fn devices_are_as_many_as_are_allowed_and_the_oldest_go(
    store: Arc<Store>,
    _: &Place,
) {
    done(store.as_ref(), new_account(1, &["anna"])).await;
    for number in 2..=6 {
        enter(store.as_ref(), number).await;
    }
    let mut adding = Vec::new();
    for number in 1..=6 {
        let store = Arc::clone(&store);
        adding.push(tokio::spawn(async move {
            let device = device(&format!("https://{number}"));
            add(&store, number, device, number.into()).await
        }));
    }
    for one in adding {
        assert!(one.await.unwrap());
    }
    assert_eq!(told(&store, 10).await.len(), 3);
    // What is added again is no more than before, under another address either.
    let store = store.as_ref();
    for (number, at) in [(1, 21), (2, 22), (3, 23), (1, 24)] {
        assert!(add(store, number, device(&format!("https://{number}/{at}")), at).await);
    }
    assert_eq!(
        told(store, 30).await,
        ["https://1/24", "https://2/22", "https://3/23"]
    );
    assert!(add(store, 4, device("https://4"), 25).await);
    assert_eq!(
        told(store, 30).await,
        ["https://1/24", "https://3/23", "https://4"]
    );
}

pub(super) async fn a_device_is_told_of_what_it_asks_for_until_it_is_gone(
    store: Arc<Store>,
    _: &Place,
) {
    let store = store.as_ref();
    done(store, new_account(1, &["anna"])).await;
    done(store, new_account(2, &["berta"])).await;
    enter(store, 3).await;
    let kinds = PushKinds {
        turns: false,
        challenges: true,
        pairings: false,
    };
    let some = PushSubscription {
        kinds,
        ..device("https://a")
    };
    assert!(add(store, 1, some, 1).await);
    assert!(add(store, 3, device("https://b"), 2).await);
    let of = async |kind, only| {
        let of = store.push_subscriptions(player(1).id, only, kind, Millis(9));
        let of: Vec<_> = of.await.unwrap();
        of.into_iter().map(|of| of.endpoint).collect::<Vec<_>>()
    };
    assert_eq!(of(PushKind::Turn, None).await, ["https://b"]);
    assert_eq!(of(PushKind::Challenge, None).await.len(), 2);
    assert_eq!(
        of(PushKind::Challenge, Some(session(1))).await,
        ["https://a"]
    );
    assert_eq!(
        of(PushKind::Pairing, Some(session(1))).await,
        Vec::<String>::new()
    );
    // Who uses the browser now is told, and nobody else.
    let moved =
        store.add_push_subscription(player(2).id, session(2), device("https://b"), 3, Millis(3));
    assert_eq!(moved.await, Ok(true));
    assert_eq!(of(PushKind::Turn, None).await, Vec::<String>::new());
    // What was not delivered twice in a row is given up; once, and it is not.
    let failed = || store.push_failed("https://a".to_owned(), 2);
    failed().await.unwrap();
    store.push_delivered("https://a".to_owned()).await.unwrap();
    failed().await.unwrap();
    assert_eq!(of(PushKind::Challenge, None).await, ["https://a"]);
    failed().await.unwrap();
    assert_eq!(of(PushKind::Challenge, None).await, Vec::<String>::new());
    let gone = "https://b".to_owned();
    store.forget_push_endpoint(gone).await.unwrap();
    let of = store.push_subscription(player(2).id, session(2)).await;
    assert_eq!(of, Ok(None));
    assert!(add(store, 1, device("https://a"), 1).await);
    let remove = || store.remove_push_subscription(player(1).id, session(1));
    assert_eq!((remove().await, remove().await), (Ok(true), Ok(false)));
}
