//! Drafts and saved setups.

use std::sync::Arc;

use qiguan_game::seat_drafts::{DraftKind, Drafts, SeatDrafts};
use qiguan_protocol::ids::{Epoch, Millis, PlayerId};
use qiguan_rules::{BySeat, Seat, luzhanqi::Setup};
use sqlx::{
    ConnectOptions, Connection, Executor, PgConnection, SqliteConnection,
    sqlite::SqliteConnectOptions,
};

use super::{game, player};
use crate::{
    store::{NamedSetup, Store, StoreError, TokenHash},
    testing::Place,
};

/// More than any case saves.
const MANY: u32 = 1_000;

/// Setups of the first seat.
const ONE: &str = "DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX";
const ANOTHER: &str = "KDBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX";
/// One of the second.
const TWO: &str = "xfcxe/nlxcl/j1e1n/db1lk/e1m1g/cjbkd";

fn drafts_of(seat: Seat, setup: Option<&str>, notes: Option<&str>) -> SeatDrafts {
    SeatDrafts {
        setup: setup.map(|text| Setup::read(seat, text).ok().unwrap()),
        notes: notes.map(ToOwned::to_owned),
    }
}

fn named(name: &str, setup: &str) -> NamedSetup {
    NamedSetup {
        name: name.to_owned(),
        setup: setup.to_owned(),
    }
}

/// A player who is known to the store.
async fn known(store: &Store, number: u8) -> PlayerId {
    let player = player(number.into());
    let created = store.create_guest(&player, TokenHash([number; 32]), Millis(1));
    created.await.unwrap();
    player.id
}

async fn keep(store: &Store, seat: Seat, kind: DraftKind, text: &str) {
    let kept = store.save_draft(game(1), seat, kind, text.to_owned()).await;
    kept.unwrap();
}

pub(super) async fn a_paper_replaces_the_one_before_and_no_other(store: Arc<Store>, _: &Place) {
    let store = store.as_ref();
    assert!(store.drafts(game(1)).await.unwrap() == Drafts::default());
    keep(store, Seat::First, DraftKind::Setup, ONE).await;
    keep(store, Seat::Second, DraftKind::Setup, TWO).await;
    keep(store, Seat::Second, DraftKind::Notes, "\u{1f600} \"'\\").await;
    let one = drafts_of(Seat::First, Some(ONE), None);
    let two = drafts_of(Seat::Second, Some(TWO), Some("\u{1f600} \"'\\"));
    let both = BySeat {
        first: one,
        second: two.clone(),
    };
    assert!(store.drafts(game(1)).await.unwrap() == both);
    keep(store, Seat::First, DraftKind::Setup, ANOTHER).await;
    keep(store, Seat::First, DraftKind::Notes, "").await;
    let both = BySeat {
        first: drafts_of(Seat::First, Some(ANOTHER), Some("")),
        second: two,
    };
    assert!(store.drafts(game(1)).await.unwrap() == both);
    assert!(store.drafts(game(2)).await.unwrap() == Drafts::default());
    // A setup that is not legal is damage, and nothing of it is quoted.
    let (kind, illegal) = (DraftKind::Setup, "DKBJC".to_owned());
    let kept = store.save_draft(game(2), Seat::First, kind, illegal).await;
    kept.unwrap();
    let damaged = store.drafts(game(2)).await;
    assert!(matches!(damaged, Err(StoreError::Corrupt { .. })));
    assert!(!format!("{damaged:?}").contains("DKBJC"));
}

pub(super) async fn a_setup_is_kept_by_its_player_and_name(store: Arc<Store>, _: &Place) {
    let store = store.as_ref();
    let (one, two) = (known(store, 1).await, known(store, 2).await);
    for (player, name, setup) in [
        (one, "b", "one b"),
        (one, "阵", "one 阵"),
        (one, "a", "one a"),
        (two, "a", "two a"),
        (one, "b", "one b again"),
    ] {
        let saved = store.save_setup(player, named(name, setup), MANY).await;
        assert_eq!(saved, Ok(true), "{name}");
    }
    let of_one = [
        named("a", "one a"),
        named("b", "one b again"),
        named("阵", "one 阵"),
    ];
    assert!(store.setups(one).await.unwrap() == of_one);
    assert!(store.setups(two).await.unwrap() == [named("a", "two a")]);
    assert!(store.setup(two, "a").await.unwrap() == Some(named("a", "two a")));
    assert!(store.setup(two, "b").await.unwrap().is_none());
    assert!(store.setup(one, "A").await.unwrap().is_none());

    assert_eq!(store.delete_setup(two, "b".to_owned()).await, Ok(false));
    assert_eq!(store.delete_setup(one, "a".to_owned()).await, Ok(true));
    assert_eq!(store.delete_setup(one, "a".to_owned()).await, Ok(false));
    assert!(store.setups(one).await.unwrap() == of_one[1..]);
    assert!(store.setups(two).await.unwrap() == [named("a", "two a")]);

    let nobody = store.save_setup(player(9).id, named("a", "x"), MANY).await;
    assert!(matches!(nobody, Err(StoreError::Unavailable(_))));
    assert!(store.healthy().await, "a write that failed leaves no trace");
}

pub(super) async fn setups_are_as_many_as_are_allowed(store: Arc<Store>, _: &Place) {
    let store = store.as_ref();
    let (one, two) = (known(store, 1).await, known(store, 2).await);
    for (name, saved) in [("a", true), ("b", true), ("c", false), ("a", true)] {
        let result = store.save_setup(one, named(name, "x"), 2).await;
        assert_eq!(result, Ok(saved), "{name}");
    }
    assert_eq!(store.setups(one).await.unwrap().len(), 2);
    assert_eq!(store.save_setup(two, named("c", "x"), 2).await, Ok(true));
    assert_eq!(store.delete_setup(one, "a".to_owned()).await, Ok(true));
    assert_eq!(store.save_setup(one, named("c", "x"), 2).await, Ok(true));
}

pub(super) async fn setups_saved_at_once_are_no_more_than_are_allowed(
    store: Arc<Store>,
    place: &Place,
) {
    let one = known(store.as_ref(), 1).await;
    let stores = [Arc::clone(&store), place.open().await];
    let mut saving = Vec::new();
    for number in 0..20 {
        let store = Arc::clone(&stores[number % 2]);
        let setup = named(&number.to_string(), "x");
        saving.push(tokio::spawn(async move {
            store.save_setup(one, setup, 5).await
        }));
    }
    let mut saved = 0;
    for save in saving {
        saved += usize::from(save.await.unwrap().unwrap());
    }
    assert_eq!(saved, 5);
    assert_eq!(store.setups(one).await.unwrap().len(), 5);
}

pub(super) async fn drafts_and_setups_are_there_after_opening_again(
    store: Arc<Store>,
    place: &Place,
) {
    let one = known(store.as_ref(), 1).await;
    keep(store.as_ref(), Seat::Second, DraftKind::Notes, "a guess").await;
    assert_eq!(store.save_setup(one, named("a", "x"), MANY).await, Ok(true));
    store.close().await;
    let again = place.open().await;
    let drafts = again.drafts(game(1)).await.unwrap();
    assert!(drafts.second == drafts_of(Seat::Second, None, Some("a guess")));
    assert!(again.setups(one).await.unwrap() == [named("a", "x")]);
}

pub(super) async fn drafts_and_setups_are_not_printed(store: Arc<Store>, _: &Place) {
    let one = known(store.as_ref(), 1).await;
    keep(store.as_ref(), Seat::First, DraftKind::Setup, ONE).await;
    keep(store.as_ref(), Seat::Second, DraftKind::Notes, "secret").await;
    let saved = store.save_setup(one, named("a", "secret"), MANY).await;
    assert_eq!(saved, Ok(true));
    for printed in [
        format!("{:?}", store.drafts(game(1)).await),
        format!("{:#?}", store.drafts(game(1)).await),
        format!("{:?}", store.setups(one).await),
        format!("{:?}", store.setup(one, "a").await),
    ] {
        assert!(printed.contains("<hidden>"), "{printed}");
        assert!(!printed.contains("secret"), "{printed}");
        assert!(!printed.contains(ONE), "{printed}");
    }
}

/// What is kept before something goes wrong.
async fn kept_before(store: &Store) -> PlayerId {
    let one = known(store, 1).await;
    keep(store, Seat::First, DraftKind::Setup, ONE).await;
    let saved = store.save_setup(one, named("a", "before"), MANY).await;
    assert_eq!(saved, Ok(true));
    one
}

/// Everything is as [`kept_before`] has left it, and can be changed again.
async fn is_kept_and_can_be_changed(store: &Store, one: PlayerId) {
    let drafts = store.drafts(game(1)).await.unwrap();
    assert!(drafts.first == drafts_of(Seat::First, Some(ONE), None));
    assert!(drafts.second == SeatDrafts::default());
    assert!(store.setups(one).await.unwrap() == [named("a", "before")]);
    keep(store, Seat::First, DraftKind::Setup, ANOTHER).await;
    let drafts = store.drafts(game(1)).await.unwrap();
    assert!(drafts.first == drafts_of(Seat::First, Some(ANOTHER), None));
    assert_eq!(
        store.save_setup(one, named("a", "after"), MANY).await,
        Ok(true)
    );
    assert_eq!(store.delete_setup(one, "a".to_owned()).await, Ok(true));
}

/// Everything that can be changed is refused. `text` is what is to be kept.
async fn every_change_fails(store: &Store, one: PlayerId, text: &str) {
    let text = || text.to_owned();
    let (draft, notes, saved, new) = tokio::join!(
        store.save_draft(game(1), Seat::First, DraftKind::Setup, text()),
        store.save_draft(game(1), Seat::Second, DraftKind::Notes, text()),
        store.save_setup(one, named("a", &text()), MANY),
        store.save_setup(one, named("b", &text()), MANY),
    );
    for result in [draft, notes, saved.map(drop), new.map(drop)] {
        assert!(
            matches!(result, Err(StoreError::Unavailable(_))),
            "{result:?}"
        );
    }
}

pub(super) async fn a_locked_record_leaves_the_drafts_and_setups_as_they_were(
    store: Arc<Store>,
    place: &Place,
) {
    let one = kept_before(store.as_ref()).await;
    let held = Held::hold(place, one).await;
    let ((), deleted) = tokio::join!(
        every_change_fails(store.as_ref(), one, "during"),
        store.delete_setup(one, "a".to_owned()),
    );
    assert!(
        matches!(deleted, Err(StoreError::Unavailable(_))),
        "{deleted:?}"
    );
    held.let_go().await;
    is_kept_and_can_be_changed(store.as_ref(), one).await;
}

/// Somebody else who holds what is to be written.
enum Held {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

impl Held {
    async fn hold(place: &Place, player: PlayerId) -> Self {
        if place.url().starts_with("sqlite:") {
            let options = SqliteConnectOptions::new().filename(place.file());
            let mut beside = options.connect().await.unwrap();
            beside.execute("begin immediate").await.unwrap();
            return Self::Sqlite(beside);
        }
        let mut beside = PgConnection::connect(place.url()).await.unwrap();
        beside
            .execute("begin; lock table papers, setups in exclusive mode")
            .await
            .unwrap();
        // Who only asks for the player's row waits as well.
        sqlx::query("select from players where id = $1 for update")
            .bind(player.0)
            .execute(&mut beside)
            .await
            .unwrap();
        Self::Postgres(beside)
    }

    async fn let_go(self) {
        match self {
            Self::Sqlite(mut beside) => {
                beside.execute("rollback").await.unwrap();
                beside.close().await.unwrap();
            }
            Self::Postgres(mut beside) => {
                beside.execute("rollback").await.unwrap();
                beside.close().await.unwrap();
            }
        }
    }
}

/// A file of SQLite may not grow; a table of Postgres may not get a row as wide as what is to be kept.
pub(super) async fn a_full_disk_leaves_the_drafts_and_setups_as_they_were(
    store: Arc<Store>,
    place: &Place,
) {
    store.close().await;
    let store = super::super::open(place.url(), Some(1), Epoch(7))
        .await
        .unwrap();
    let one = kept_before(store.as_ref()).await;
    if !place.url().starts_with("sqlite:") {
        let mut beside = PgConnection::connect(place.url()).await.unwrap();
        for table in [
            "papers add constraint space check (length(body)",
            "setups add constraint space check (length(setup)",
        ] {
            let add = format!("alter table {table} < 1000000)");
            beside.execute(sqlx::AssertSqlSafe(add)).await.unwrap();
        }
        beside.close().await.unwrap();
    }
    // More than the whole file may hold.
    every_change_fails(store.as_ref(), one, &"x".repeat(2 << 20)).await;
    is_kept_and_can_be_changed(store.as_ref(), one).await;
}
