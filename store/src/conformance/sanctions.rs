//! Mutes, shadowbans and new names: each is kept until it is taken back, with its entry of the audit log.

use std::sync::Arc;

use qiguan_protocol::{ids::Millis, operation::Operation};

use super::{
    accounts::{account, an_admin, done, new_account, sessions},
    game, plain, player,
};
use crate::{
    accounts::{AccountLookup, Change, ChangeResult, StoredSanction},
    store::Store,
    testing::{Place, audit_entry},
};

pub(super) async fn mutes_and_limits_hold_until_they_are_taken_back(store: Arc<Store>, _: &Place) {
    let store = store.as_ref();
    an_admin(store).await;
    done(store, new_account(1, &["anna"])).await;
    let one = player(1).id;
    let mute = |player, mute, number, operation| Change::Mute {
        player,
        mute,
        audit_entry: audit_entry(number, operation, player),
    };
    let limit = |player, since, number, operation| Change::Limit {
        player,
        since,
        audit_entry: audit_entry(number, operation, player),
    };
    let shouts = StoredSanction {
        until: Millis(77),
        reason: "shouts".to_owned(),
    };
    done(store, mute(one, Some(shouts.clone()), 1, Operation::Mute)).await;
    done(store, limit(one, Some(Millis(5)), 2, Operation::Limit)).await;
    let there = account(store, 1).await;
    assert_eq!(
        (there.mute, there.limited_at),
        (Some(shouts), Some(Millis(5)))
    );
    assert_eq!(there.ban, None);
    let among = async |numbers: &[u128]| {
        let players = numbers.iter().map(|number| player(*number).id).collect();
        store.shadowbanned_among(players).await.unwrap()
    };
    assert_eq!(among(&[2, 1, 9]).await, [one]);
    assert_eq!(among(&[2, 9]).await, []);
    assert_eq!(among(&[]).await, []);
    done(store, mute(one, None, 3, Operation::Unmute)).await;
    done(store, limit(one, None, 4, Operation::Unlimit)).await;
    let there = account(store, 1).await;
    assert_eq!((there.mute, there.limited_at), (None, None));
    assert_eq!(among(&[1]).await, []);
    let nobody = player(8).id;
    for change in [
        mute(nobody, None, 5, Operation::Unmute),
        limit(nobody, None, 6, Operation::Unlimit),
    ] {
        assert_eq!(store.change(change).await, Ok(ChangeResult::Stale));
    }
    let told = store.audit_log(&super::audit_log::ALL).await.unwrap();
    let told: Vec<_> = told.iter().map(|named| named.entry.operation).collect();
    assert_eq!(
        told,
        [
            Operation::Unlimit,
            Operation::Unmute,
            Operation::Limit,
            Operation::Mute
        ]
    );
}

pub(super) async fn a_new_name_holds_at_once_and_comes_into_games_and_nobody_gets_the_old_one(
    store: Arc<Store>,
    _: &Place,
) {
    let store = store.as_ref();
    an_admin(store).await;
    done(store, new_account(1, &["anna"])).await;
    done(store, new_account(2, &["berta"])).await;
    let (opened, stored) = ([plain(1), plain(2)], store);
    assert!(stored.append(&opened).await.iter().all(Result::is_ok));
    let one = player(1).id;
    let rename = |before: &str, name: &str, keys: &[&str], number| Change::Rename {
        player: one,
        before: before.to_owned(),
        name: name.to_owned(),
        keys: keys.iter().map(|key| (*key).to_owned()).collect(),
        audit_entry: audit_entry(number, Operation::Rename, one),
    };
    for (change, expected) in [
        (
            rename("ANNA", "Berta", &["clara", "berta"], 1),
            ChangeResult::NameTaken,
        ),
        (rename("Otto", "Clara", &["clara"], 2), ChangeResult::Stale),
    ] {
        assert_eq!(store.change(change).await, Ok(expected));
    }
    assert_eq!(store.renaming().await, Ok(Vec::new()));
    assert_eq!(sessions(store, 1).await, [1]);
    // What could not be done has taken no key.
    done(store, rename("ANNA", "Clara", &["clara"], 3)).await;
    let there = account(store, 1).await;
    assert_eq!(there.name, "Clara");
    assert_eq!(sessions(store, 1).await, Vec::<u8>::new());
    for key in ["anna", "clara"] {
        let found = store.account(AccountLookup::Key(key.to_owned())).await;
        assert_eq!(found, Ok(Some(there.clone())), "{key}");
        let taken = store.change(new_account(3, &[key])).await;
        assert_eq!(taken, Ok(ChangeResult::NameTaken), "{key}");
    }
    // Its games have it one by one.
    assert_eq!(store.renaming().await, Ok(vec![one]));
    let named = Change::NamedInGames { player: one };
    let games = store.games_naming(one).await.unwrap();
    assert_eq!(games, [game(1), game(2)]);
    for game in games {
        assert_eq!(store.change(named.clone()).await, Ok(ChangeResult::Stale));
        done(store, Change::NameInGame { player: one, game }).await;
    }
    done(store, named).await;
    assert_eq!(store.renaming().await, Ok(Vec::new()));
    for stored in store.stored_games_of(&[game(1), game(2)]).await.unwrap() {
        let told = format!("{stored:?}");
        assert!(
            told.contains("Clara") && !told.contains(&player(1).name),
            "{told}"
        );
    }
    // Back to a name of one's own.
    done(store, rename("Clara", "Anna", &["anna"], 4)).await;
    assert_eq!(account(store, 1).await.name, "Anna");
}
