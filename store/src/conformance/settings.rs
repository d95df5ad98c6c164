//! Settings of accounts: saved in place of the version that a client knows, and gone with the account.

use std::sync::Arc;

use qiguan_protocol::ids::Millis;

use super::{
    accounts::{done, hash, new_account},
    player,
};
use crate::{
    accounts::{Change, SettingsRecord},
    store::Store,
    testing::Place,
};

pub(super) async fn settings_are_saved_in_place_of_the_version_that_is_known(
    store: Arc<Store>,
    _: &Place,
) {
    let store = store.as_ref();
    done(store, new_account(1, &["anna"])).await;
    done(store, new_account(2, &["berta"])).await;
    let one = player(1).id;
    let save =
        |version, at, body: &str| store.save_settings(one, version, Millis(at), body.to_owned());
    let kept = |version, at, body: &str| {
        Ok(Some(SettingsRecord {
            version,
            updated_at: Millis(at),
            body: body.to_owned(),
        }))
    };
    assert_eq!(store.settings(one).await, Ok(None));
    assert_eq!(save(1, 1, "{}").await, Ok(false), "there is no version 1");
    assert_eq!(save(0, 2, "{}").await, Ok(true));
    assert_eq!(
        save(0, 3, "[]").await,
        Ok(false),
        "there is a version 1 now"
    );
    assert_eq!(store.settings(one).await, kept(1, 2, "{}"));
    assert_eq!(save(1, 4, "棋").await, Ok(true));
    assert_eq!(store.settings(one).await, kept(2, 4, "棋"));
    assert_eq!(store.settings(player(2).id).await, Ok(None));
    let nobody = store.save_settings(player(7).id, 0, Millis(5), String::new());
    assert_eq!(nobody.await, Ok(false));
    let delete = Change::Delete {
        player: one,
        tried: hash("one"),
        at: Millis(9),
    };
    done(store, delete).await;
    assert_eq!(store.settings(one).await, Ok(None));
    assert_eq!(save(0, 10, "{}").await, Ok(false), "the account is gone");
}

pub(super) async fn of_devices_that_save_at_once_one_is_first(store: Arc<Store>, _: &Place) {
    done(store.as_ref(), new_account(1, &["anna"])).await;
    let one = player(1).id;
    let mut saving = Vec::new();
    for number in 0..12 {
        let store = Arc::clone(&store);
        saving.push(tokio::spawn(async move {
            let saved = store.save_settings(one, 0, Millis(number), format!("{number}"));
            saved.await.unwrap()
        }));
    }
    let mut first = 0;
    for saved in saving {
        first += u32::from(saved.await.unwrap());
    }
    assert_eq!(first, 1);
    assert_eq!(store.settings(one).await.unwrap().unwrap().version, 1);
}
