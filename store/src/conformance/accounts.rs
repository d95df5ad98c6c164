//! Accounts: names, roles, and the end.

use std::sync::Arc;

use qiguan_game::{
    people::{identity::Scopes, name_keys::NameKeys},
    seat_drafts::DraftKind,
};
use qiguan_protocol::{
    account::Scope,
    ids::{GameId, Millis, PlayerId},
    names::Role,
    operation::Operation,
};
use qiguan_rules::Seat;

use super::{game, plain, player};
use crate::{
    accounts::{
        Account, AccountLookup, Change, ChangeResult, DELETED_NAME, MOST_SESSIONS, PasswordHash,
        Purpose, Recovery, Registration, StoredSanction, StoredSession,
    },
    store::{NamedSetup, Store, TokenHash},
    testing::{Place, audit_entry},
};

pub(super) fn sign_in(number: u8) -> StoredSession {
    StoredSession {
        hash: TokenHash([number; 32]),
        purpose: Purpose::SignIn,
        agent: Some(format!("browser {number}")),
        created_at: Millis(number.into()),
        last_seen_at: Millis(number.into()),
        expires_at: Some(Millis(1_000 + i64::from(number))),
    }
}

pub(super) fn token(number: u8) -> StoredSession {
    StoredSession {
        purpose: Purpose::Program {
            label: format!("bot {number}"),
            scopes: Scopes::of(&[Scope::Play]),
        },
        ..sign_in(number)
    }
}

pub(super) fn hash(text: &str) -> PasswordHash {
    PasswordHash(text.to_owned())
}

/// Registers the player of this number, who is new, with a session of the same number.
pub(super) fn new_account(number: u8, keys: &[&str]) -> Change {
    Change::Register(Registration {
        player: player(number.into()).id,
        is_new: true,
        name: keys[0].to_uppercase(),
        keys: keys.iter().map(|key| (*key).to_owned()).collect(),
        role: Role::Player,
        password: hash("one"),
        session: Some(sign_in(number)),
        audit_entry: None,
        at: Millis(5),
    })
}

/// An account with a role, beside whatever is there; the name is that of the player with this number.
pub(super) async fn of_role(store: &Store, number: u8, role: Role) {
    let id = player(number.into());
    let account = Change::Register(Registration {
        player: id.id,
        is_new: true,
        name: id.name,
        keys: vec![format!("role {number}")],
        role,
        password: hash("one"),
        session: None,
        audit_entry: None,
        at: Millis(5),
    });
    done(store, account).await;
}

/// The admin by whom the entries of [`audit_entry`] are.
pub(super) async fn an_admin(store: &Store) {
    of_role(store, 9, Role::Admin).await;
}

pub(super) async fn done(store: &Store, change: Change) {
    assert_eq!(store.change(change).await, Ok(ChangeResult::Done));
}

pub(super) async fn account(store: &Store, number: u8) -> Account {
    let wanted = AccountLookup::Player(player(number.into()).id);
    store.account(wanted).await.unwrap().unwrap()
}

/// The numbers of a player's sessions, the newest first.
pub(super) async fn sessions(store: &Store, number: u8) -> Vec<u8> {
    let of = store.sessions_of(vec![player(number.into()).id]).await;
    let of = of.unwrap();
    of.iter().map(|of| of.session.hash.0[0]).collect()
}

pub(super) async fn a_guest_registers_and_keeps_the_id(store: Arc<Store>, _: &Place) {
    let store = store.as_ref();
    let guest = player(1);
    let made = store.create_guest(&guest, TokenHash([1; 32]), Millis(1));
    made.await.unwrap();
    let register = |keys: &[&str], session| {
        Change::Register(Registration {
            player: guest.id,
            is_new: false,
            name: "Anna".to_owned(),
            keys: keys.iter().map(|key| (*key).to_owned()).collect(),
            role: Role::Player,
            password: hash("one"),
            session: Some(session),
            audit_entry: None,
            at: Millis(7),
        })
    };
    done(store, register(&["anna", "further"], sign_in(2))).await;
    assert_eq!(
        store.session(TokenHash([1; 32])).await,
        Ok(None),
        "the guest's token is void"
    );
    let known = store.session(TokenHash([2; 32])).await.unwrap().unwrap();
    assert_eq!(
        (known.identity.id, known.identity.role),
        (guest.id, Role::Player)
    );
    assert_eq!(known.identity.name, "Anna");
    assert_eq!((known.session, known.ban), (sign_in(2), None));
    let expected = Account {
        id: guest.id,
        name: "Anna".to_owned(),
        role: Role::Player,
        password: Some(hash("one")),
        ban: None,
        mute: None,
        limited_at: None,
        registered_at: Some(Millis(7)),
        deleted_at: None,
    };
    assert_eq!(account(store, 1).await, expected);
    for key in ["anna", "further"] {
        let found = store.account(AccountLookup::Key(key.to_owned())).await;
        assert_eq!(found, Ok(Some(expected.clone())));
    }
    for key in ["Anna", "", "an\0na"] {
        assert_eq!(
            store.account(AccountLookup::Key(key.to_owned())).await,
            Ok(None),
            "{key:?}"
        );
    }
    // Who has registered does not register again, under another name either.
    let again = store.change(register(&["berta"], sign_in(3))).await;
    assert_eq!(again, Ok(ChangeResult::Stale));
    assert_eq!(
        store.account(AccountLookup::Key("berta".to_owned())).await,
        Ok(None)
    );
    assert_eq!(sessions(store, 1).await, [2]);
}

pub(super) async fn a_name_is_taken_if_any_of_its_keys_is(store: Arc<Store>, _: &Place) {
    let store = store.as_ref();
    done(store, new_account(1, &["bob", "bop"])).await;
    for keys in [&["bob"][..], &["bop"], &["new", "bop"], &["bop", "new"]] {
        let refused = store.change(new_account(2, keys)).await;
        assert_eq!(refused, Ok(ChangeResult::NameTaken), "{keys:?}");
    }
    let nobody = store.account(AccountLookup::Player(player(2).id)).await;
    assert_eq!(
        nobody,
        Ok(None),
        "a refused registration leaves nobody behind"
    );
    done(store, new_account(2, &["new"])).await;
}

pub(super) async fn a_part_of_a_name_finds_its_account(store: Arc<Store>, _: &Place) {
    let store = store.as_ref();
    an_admin(store).await;
    for (number, name) in [(1, "XiaoLong"), (2, "longan"), (3, "berta"), (4, "小龙")] {
        let account = Registration {
            player: player(number).id,
            is_new: true,
            name: name.to_owned(),
            keys: NameKeys::of(name).into_all(),
            role: Role::Player,
            password: hash("one"),
            session: None,
            audit_entry: None,
            at: Millis(5),
        };
        done(store, Change::Register(account)).await;
    }
    let found = async |part: &str, limit| {
        let found = store.accounts_containing(part, limit).await.unwrap();
        found
            .into_iter()
            .map(|account| account.name)
            .collect::<Vec<_>>()
    };
    assert_eq!(found("XIAO", 9).await, ["XiaoLong"]);
    assert_eq!(found("long", 9).await, ["longan", "XiaoLong"]);
    assert_eq!(found("long", 1).await, ["longan"]);
    assert_eq!(found("龙", 9).await, ["小龙"]);
    for nothing in ["", "-", "%", "_", "longer", "\0", "sha256"] {
        assert_eq!(found(nothing, 9).await, [""; 0], "{nothing:?}");
    }
    // Nobody is found by a name that has gone.
    let longan = player(2).id;
    let rename = Change::Rename {
        player: longan,
        before: "longan".to_owned(),
        name: "carla".to_owned(),
        keys: NameKeys::of("carla").into_all(),
        audit_entry: audit_entry(1, Operation::Rename, longan),
    };
    done(store, rename).await;
    let delete = Change::Delete {
        player: player(1).id,
        tried: hash("one"),
        at: Millis(9),
    };
    done(store, delete).await;
    assert_eq!(found("long", 9).await, [""; 0]);
}

pub(super) async fn a_recovery_code_is_used_once(store: Arc<Store>, _: &Place) {
    let store = store.as_ref();
    done(store, new_account(1, &["anna"])).await;
    done(store, new_account(2, &["berta"])).await;
    let id = player(1).id;
    let codes = |tried: &str, codes: &[u8]| Change::RecoveryCodes {
        player: id,
        tried: hash(tried),
        codes: codes.iter().map(|code| TokenHash([*code; 32])).collect(),
        at: Millis(6),
    };
    let stale = store.change(codes("another", &[9])).await;
    assert_eq!(stale, Ok(ChangeResult::Stale));
    done(store, codes("one", &[1])).await;
    done(store, codes("one", &[2, 3])).await;
    assert_eq!(store.recovery_codes(id).await, Ok(2));
    let recover = |player, code: u8, number: u8| {
        Change::Recover(Box::new(Recovery {
            player,
            code: TokenHash([code; 32]),
            password: hash("two"),
            session: sign_in(20 + number),
            audit_entry: audit_entry(number.into(), Operation::SetPassword, player),
        }))
    };
    // Neither a code that was replaced, nor another's.
    for (player, code, has) in [(id, 1, false), (player(2).id, 2, false), (id, 2, true)] {
        let found = store.has_recovery_code(player, TokenHash([code; 32])).await;
        assert_eq!(found, Ok(has));
        if !has {
            let stale = store.change(recover(player, code, 1)).await;
            assert_eq!(stale, Ok(ChangeResult::Stale));
        }
    }
    let [one, other] = [recover(id, 2, 1), recover(id, 2, 2)];
    let mut both = [store.change(one).await, store.change(other).await];
    both.sort_by_key(|result| *result == Ok(ChangeResult::Stale));
    assert_eq!(both, [Ok(ChangeResult::Done), Ok(ChangeResult::Stale)]);
    assert_eq!(sessions(store, 1).await, [21]);
    assert_eq!(account(store, 1).await.password, Some(hash("two")));
    assert_eq!(store.recovery_codes(id).await, Ok(1));
    let delete = Change::Delete {
        player: id,
        tried: hash("two"),
        at: Millis(9),
    };
    done(store, delete).await;
    assert_eq!(store.recovery_codes(id).await, Ok(0));
}

pub(super) async fn of_many_who_want_a_name_at_once_one_gets_it(store: Arc<Store>, _: &Place) {
    let mut asking = Vec::new();
    for number in 1..=12 {
        let store = Arc::clone(&store);
        asking.push(tokio::spawn(async move {
            let keys = if number % 2 == 0 {
                ["bob", "bop"]
            } else {
                ["bop", "bob"]
            };
            store.change(new_account(number, &keys)).await
        }));
    }
    let mut got = 0;
    for one in asking {
        match one.await.unwrap() {
            Ok(ChangeResult::Done) => got += 1,
            other => assert_eq!(other, Ok(ChangeResult::NameTaken)),
        }
    }
    assert_eq!(got, 1);
}

pub(super) async fn signing_in_relies_on_the_password_that_was_tried(store: Arc<Store>, _: &Place) {
    let store = store.as_ref();
    done(store, new_account(1, &["anna"])).await;
    let enter = |tried, rehashed: Option<&str>, number| Change::SignIn {
        player: player(1).id,
        tried: hash(tried),
        rehashed: rehashed.map(hash),
        session: sign_in(number),
    };
    done(store, enter("one", None, 2)).await;
    assert_eq!(
        store.change(enter("two", None, 3)).await,
        Ok(ChangeResult::Stale)
    );
    done(store, enter("one", Some("dearer"), 4)).await;
    assert_eq!(account(store, 1).await.password, Some(hash("dearer")));
    assert_eq!(
        store.change(enter("one", None, 5)).await,
        Ok(ChangeResult::Stale)
    );
    assert_eq!(sessions(store, 1).await, [4, 2, 1]);
    // Sign-ins are no more than are allowed: the oldest end.
    for number in 10..(10 + MOST_SESSIONS as u8) {
        done(store, enter("dearer", None, number)).await;
    }
    let all = sessions(store, 1).await;
    assert_eq!((all.len(), all.last()), (MOST_SESSIONS as usize, Some(&10)));
}

pub(super) async fn bans_and_roles_are_told_with_the_session(store: Arc<Store>, _: &Place) {
    let store = store.as_ref();
    an_admin(store).await;
    done(store, new_account(1, &["anna"])).await;
    let ban = StoredSanction {
        until: Millis(99),
        reason: "rude".to_owned(),
    };
    done(
        store,
        Change::Ban {
            player: player(1).id,
            ban: Some(ban.clone()),
            audit_entry: audit_entry(1, Operation::Ban, player(1).id),
        },
    )
    .await;
    let known = store.session(sign_in(1).hash).await.unwrap().unwrap();
    assert_eq!(known.ban, Some(ban.clone()));
    assert!(ban.holds(Millis(98)) && !ban.holds(Millis(99)));
    let of = store.sessions_of(vec![player(1).id]).await.unwrap();
    assert_eq!(of[0].banned_until, Some(Millis(99)));
    done(
        store,
        Change::Ban {
            player: player(1).id,
            ban: None,
            audit_entry: audit_entry(2, Operation::Unban, player(1).id),
        },
    )
    .await;
    assert_eq!(account(store, 1).await.ban, None);
    let role = |before, role| Change::Role {
        player: player(1).id,
        before,
        role,
        audit_entry: None,
    };
    assert_eq!(
        store.change(role(Role::Bot, Role::Admin)).await,
        Ok(ChangeResult::Stale)
    );
    assert_eq!(sessions(store, 1).await, [1]);
    done(store, role(Role::Player, Role::Moderator)).await;
    assert_eq!(account(store, 1).await.role, Role::Moderator);
    assert_eq!(sessions(store, 1).await, Vec::<u8>::new());
    let nobody = Change::Ban {
        player: player(8).id,
        ban: None,
        audit_entry: audit_entry(3, Operation::Unban, player(8).id),
    };
    assert_eq!(store.change(nobody).await, Ok(ChangeResult::Stale));
}

pub(super) async fn who_is_deleted_loses_everything_and_the_name_stays_taken(
    store: Arc<Store>,
    _: &Place,
) {
    let store = store.as_ref();
    done(store, new_account(1, &["anna"])).await;
    let setup = NamedSetup {
        name: "a".to_owned(),
        setup: "x".to_owned(),
    };
    assert_eq!(store.save_setup(player(1).id, setup, 5).await, Ok(true));
    let delete = |tried| Change::Delete {
        player: player(1).id,
        tried: hash(tried),
        at: Millis(50),
    };
    assert_eq!(store.change(delete("no")).await, Ok(ChangeResult::Stale));
    done(store, delete("one")).await;
    assert_eq!(store.session(sign_in(1).hash).await, Ok(None));
    assert_eq!(store.setups(player(1).id).await, Ok(Vec::new()));
    assert_eq!(
        store.account(AccountLookup::Key("anna".to_owned())).await,
        Ok(None)
    );
    let gone = account(store, 1).await;
    assert_eq!(
        (gone.name.as_str(), gone.password, gone.deleted_at),
        (DELETED_NAME, None, Some(Millis(50)))
    );
    assert_eq!(store.change(delete("one")).await, Ok(ChangeResult::Stale));
    assert_eq!(
        store.change(new_account(2, &["anna"])).await,
        Ok(ChangeResult::NameTaken)
    );
    assert_eq!(store.leaving().await, Ok(vec![player(1).id]));
    let left = |at| Change::Left {
        player: player(1).id,
        at: Millis(at),
    };
    // What was on its way when the account was deleted may still come.
    assert_eq!(store.change(left(60_049)).await, Ok(ChangeResult::Stale));
    assert_eq!(store.leaving().await, Ok(vec![player(1).id]));
    done(store, left(60_050)).await;
    assert_eq!(store.leaving().await, Ok(Vec::new()));
}

pub(super) async fn the_name_leaves_a_game_and_no_other_name_does(store: Arc<Store>, _: &Place) {
    let store = store.as_ref();
    let batches = [plain(1), plain(2)];
    assert!(store.append(&batches).await.iter().all(Result::is_ok));
    let creator: PlayerId = player(1).id;
    let mine: Vec<GameId> = store.games_naming(creator).await.unwrap();
    assert!(mine.contains(&game(1)), "{mine:?}");
    for seat in Seat::ALL {
        let keep = store.save_draft(game(1), seat, DraftKind::Notes, "x".to_owned());
        keep.await.unwrap();
    }
    let before = store.stored_games_of(&[game(1), game(2)]).await.unwrap();
    assert!(format!("{:?}", before[0]).contains(&player(1).name));
    done(
        store,
        Change::LeaveGame {
            player: creator,
            game: game(1),
        },
    )
    .await;
    let after = store.stored_games_of(&[game(1), game(2)]).await.unwrap();
    let told = format!("{:?}", after[0]);
    assert!(!told.contains(&player(1).name), "{told}");
    assert!(told.contains(DELETED_NAME), "{told}");
    assert_eq!(after[1], before[1]);
    // A second time changes nothing, and only the seat's own drafts are gone.
    done(
        store,
        Change::LeaveGame {
            player: creator,
            game: game(1),
        },
    )
    .await;
    assert_eq!(
        store.stored_games_of(&[game(1), game(2)]).await.unwrap(),
        after
    );
    let drafts = store.drafts(game(1)).await.unwrap();
    let kept = Seat::ALL
        .into_iter()
        .filter(|seat| drafts.get(*seat).notes.is_some());
    assert_eq!(kept.count(), 1);
}
