//! Sessions and tokens: how they begin and end.

use std::sync::Arc;

use qiguan_game::people::identity::Scopes;
use qiguan_protocol::{account::Scope, ids::Millis};

use super::{
    accounts::{done, hash, new_account, sessions, sign_in, token},
    player,
};
use crate::{
    accounts::{Change, ChangeResult, StoredSession},
    store::{Store, TokenHash},
    testing::Place,
};

pub(super) async fn n4_a_new_password_ends_the_sign_ins_and_the_tokens_unless_they_are_to_stay(
    store: Arc<Store>,
    _: &Place,
) {
    let store = store.as_ref();
    done(store, new_account(1, &["anna"])).await;
    done(store, new_account(2, &["berta"])).await;
    let issue = Change::Issue {
        player: player(1).id,
        session: token(3),
        most: 1,
    };
    done(store, issue).await;
    let change = |tried: Option<&str>, session, revoke_tokens| Change::Password {
        player: player(1).id,
        tried: tried.map(hash),
        password: hash("two"),
        session,
        revoke_tokens,
        audit_entry: None,
    };
    assert_eq!(
        store
            .change(change(Some("no"), Some(sign_in(4)), true))
            .await,
        Ok(ChangeResult::Stale)
    );
    assert_eq!(sessions(store, 1).await, [3, 1]);
    done(store, change(Some("one"), Some(sign_in(4)), false)).await;
    assert_eq!(sessions(store, 1).await, [4, 3]);
    assert_eq!(sessions(store, 2).await, [2]);
    done(store, change(None, None, false)).await;
    assert_eq!(sessions(store, 1).await, [3]);
    done(store, change(Some("two"), Some(sign_in(6)), true)).await;
    assert_eq!(sessions(store, 1).await, [6]);
    assert_eq!(sessions(store, 2).await, [2]);
    // Guests have none.
    store
        .create_guest(&player(5), TokenHash([5; 32]), Millis(1))
        .await
        .unwrap();
    let guest = Change::Password {
        player: player(5).id,
        tried: None,
        password: hash("two"),
        session: None,
        revoke_tokens: true,
        audit_entry: None,
    };
    assert_eq!(store.change(guest).await, Ok(ChangeResult::Stale));
}

pub(super) async fn sessions_end_one_by_one_or_all_but_one(store: Arc<Store>, _: &Place) {
    let store = store.as_ref();
    done(store, new_account(1, &["anna"])).await;
    done(store, new_account(2, &["berta"])).await;
    let enter = |number| Change::SignIn {
        player: player(1).id,
        tried: hash("one"),
        rehashed: None,
        session: sign_in(number),
    };
    for number in [3, 4, 5] {
        done(store, enter(number)).await;
    }
    done(
        store,
        Change::Issue {
            player: player(1).id,
            session: token(6),
            most: 9,
        },
    )
    .await;
    let end = |session: StoredSession, is_token| Change::End {
        player: player(1).id,
        session: session.id(),
        is_token,
    };
    done(store, end(sign_in(3), false)).await;
    // Once, one's own, and of its kind.
    for refused in [
        end(sign_in(3), false),
        end(sign_in(2), false),
        end(token(6), false),
        end(sign_in(4), true),
    ] {
        assert_eq!(store.change(refused).await, Ok(ChangeResult::Stale));
    }
    assert_eq!(sessions(store, 1).await, [6, 5, 4, 1]);
    let others = Change::EndOthers {
        player: player(1).id,
        keep: sign_in(4).id(),
    };
    done(store, others).await;
    assert_eq!(sessions(store, 1).await, [6, 4]);
    done(store, end(token(6), true)).await;
    assert_eq!(sessions(store, 1).await, [4]);
    let both = store
        .sessions_of(vec![player(1).id, player(2).id, player(3).id])
        .await
        .unwrap();
    let both: Vec<_> = both
        .iter()
        .map(|of| (of.player, of.session.clone()))
        .collect();
    assert_eq!(
        both,
        [(player(1).id, sign_in(4)), (player(2).id, sign_in(2))]
    );
    assert_eq!(store.sessions_of(Vec::new()).await, Ok(Vec::new()));
}

pub(super) async fn tokens_are_no_more_than_are_allowed(store: Arc<Store>, _: &Place) {
    done(store.as_ref(), new_account(1, &["anna"])).await;
    let mut asking = Vec::new();
    for number in 10..20 {
        let store = Arc::clone(&store);
        let issue = Change::Issue {
            player: player(1).id,
            session: token(number),
            most: 4,
        };
        asking.push(tokio::spawn(async move { store.change(issue).await }));
    }
    let mut issued = 0;
    for one in asking {
        match one.await.unwrap().unwrap() {
            ChangeResult::Done => issued += 1,
            other => assert_eq!(other, ChangeResult::Full),
        }
    }
    assert_eq!(issued, 4);
    let of = store.sessions_of(vec![player(1).id]).await.unwrap();
    let tokens = of
        .iter()
        .filter(|of| of.session.scopes() == Scopes::of(&[Scope::Play]));
    assert_eq!(tokens.count(), 4);
    let nobody = Change::Issue {
        player: player(9).id,
        session: token(40),
        most: 4,
    };
    assert_eq!(store.change(nobody).await, Ok(ChangeResult::Stale));
}

pub(super) async fn a_session_in_use_ends_later_and_never_earlier(store: Arc<Store>, _: &Place) {
    let store = store.as_ref();
    done(store, new_account(1, &["anna"])).await;
    let touch = |at| Change::Touch {
        hash: sign_in(1).hash,
        at: Millis(at),
        expires_at: Some(Millis(at + 1_000)),
    };
    done(store, touch(50)).await;
    done(store, touch(40)).await;
    let known = store.session(sign_in(1).hash).await.unwrap().unwrap();
    assert_eq!(known.session.last_seen_at, Millis(50));
    assert!(known.session.lives(Millis(1_049)));
    assert!(!known.session.lives(Millis(1_050)));
}
