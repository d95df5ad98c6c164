//! Several programs on one record: what the fence refuses, who takes over, and whose the slots are.

use std::sync::Arc;

use qiguan_environment::Clock;
use qiguan_game::{
    seat_drafts::DraftKind,
    slot::{SLOTS, Slot},
};
use qiguan_protocol::ids::Millis;
use qiguan_rules::Seat;
use uuid::Uuid;

use super::{chat, plain};
use crate::{
    absences::Absence,
    nodes::{Beat, Incarnation, Joining, LEASE, Node, Owned},
    store::{AppendError, Store},
    testing::Place,
    versions::Versions,
};

/// A node by its number.
pub(crate) const fn of(node: u128, number: i64) -> Incarnation {
    Incarnation {
        node: Uuid::from_u128(node),
        number,
    }
}

/// The versions that these programs know.
pub(crate) const FIRST: Versions = Versions {
    oldest: 1,
    newest: 1,
};

/// A program that joins.
pub(crate) fn joining(node: u128, number: i64, versions: Versions) -> Joining {
    Joining {
        own: of(node, number),
        name: format!("number {node}"),
        versions,
        program: format!("1.{}.0", versions.newest),
    }
}

/// Another program that has joined.
pub(crate) async fn joined(place: &Place, node: u128) -> Arc<Store> {
    let store = place.open().await;
    store
        .join(joining(node, 1, FIRST), Millis(10))
        .await
        .unwrap();
    store
}

/// The node has not been heard of for long.
pub(crate) async fn silence(place: &Place, through: &Store, node: u128) {
    misses_beats(place, through, node, Millis(60_000)).await;
}

/// The last beat of the node is longer ago by so much.
async fn misses_beats(place: &Place, through: &Store, node: u128, longer: Millis) {
    if let Some(database) = place.database() {
        return database.misses_beats(of(node, 1), longer);
    }
    let silence = sqlx::query(
        "update nodes set beat_at = beat_at - make_interval(secs => cast($2 as double precision) / 1000) where node = $1",
    );
    let silence = silence.bind(Uuid::from_u128(node)).bind(longer.0);
    silence
        .execute(through.writers.of_postgres())
        .await
        .unwrap();
}

/// The sessions of a node end, and it opens no others.
async fn end_sessions(place: &Place, through: &Store, name: &str) {
    if let Some(database) = place.database() {
        return database.end_sessions(name);
    }
    let end = "select pg_terminate_backend(pid, 10000) from pg_stat_activity where application_name in ($1, $1 || ' beat')";
    let ended = sqlx::query(end).bind(name);
    let ended = ended.execute(through.writers.of_postgres()).await.unwrap();
    assert!(ended.rows_affected() >= 1);
}

/// A node, as another one sees it.
pub(crate) async fn node(store: &Store, own: u128, other: u128) -> Node {
    let Ok(Beat::Alive { nodes, .. }) = store.beat(of(own, 1), Millis(20), Clock::system()).await
    else {
        panic!("it is alive");
    };
    nodes
        .into_iter()
        .find(|node| node.is == of(other, 1))
        .unwrap()
}

/// Claims everything that is nobody's, and comes back with it.
pub(crate) async fn claim_all(store: &Store, own: Incarnation, at: i64) -> Vec<Owned> {
    let slots = store.slots().await.unwrap();
    let free = slots.iter().filter(|slot| slot.owner.is_none());
    let wanted = free.map(|slot| slot.at).collect();
    let claimed = store.claim(own, wanted, Millis(at)).await.unwrap();
    let slots = store.slots().await.unwrap();
    let are_claimed = slots.into_iter().filter(|it| claimed.contains(&it.at.slot));
    are_claimed.collect()
}

pub(super) async fn a_program_without_sessions_is_gone_before_its_lease_is_over_and_a_silent_one_is_not(
    _: Arc<Store>,
    place: &Place,
) {
    let (one, two) = (joined(place, 1).await, joined(place, 2).await);
    // Both have written something, and are silent.
    for (store, own) in [(&one, 1), (&two, 2)] {
        assert!(matches!(
            store.beat(of(own, 1), Millis(20), Clock::system()).await,
            Ok(Beat::Alive { .. })
        ));
    }
    misses_beats(place, &two, 1, Millis(1_000)).await;
    misses_beats(place, &two, 2, Millis(1_000)).await;
    let silent = node(&two, 2, 1).await;
    assert!(!silent.is_gone && silent.silent < LEASE);
    assert_eq!(two.take_over(&silent).await, Ok(false));
    // As if its process had ended.
    end_sessions(place, &two, &silent.sessions).await;
    let gone = node(&two, 2, 1).await;
    assert!(gone.is_gone && gone.silent < LEASE);
    assert_eq!(two.take_over(&gone).await, Ok(true));
}

pub(super) async fn who_was_taken_over_writes_nothing_more_and_joins_under_another_number(
    _: Arc<Store>,
    place: &Place,
) {
    let (one, two) = (joined(place, 1).await, joined(place, 2).await);
    assert_eq!(one.append(&[plain(1)]).await, [Ok(())]);
    silence(place, &two, 1).await;
    assert_eq!(two.take_over(&node(&two, 2, 1).await).await, Ok(true));
    assert_eq!(
        one.append(&[chat(1, 2, "late"), plain(2)]).await,
        vec![Err(AppendError::Fenced); 2]
    );
    one.fenced().await;
    // Nothing of it is there, and the other goes on with the same number.
    assert_eq!(two.append(&[chat(1, 2, "in time")]).await, [Ok(())]);
    let beat = one.beat(of(1, 1), Millis(30), Clock::system()).await;
    assert_eq!(beat, Ok(Beat::Fenced));
    one.join(joining(1, 2, FIRST), Millis(40)).await.unwrap();
    assert_eq!(one.append(&[chat(1, 3, "back")]).await, [Ok(())]);
}

pub(super) async fn a_small_write_of_who_was_taken_over_is_refused_also_before_it_knows(
    _: Arc<Store>,
    place: &Place,
) {
    let (one, two) = (joined(place, 1).await, joined(place, 2).await);
    let (game, notes) = (plain(1).entries[0].game, DraftKind::Notes);
    assert_eq!(one.append(&[plain(1)]).await, [Ok(())]);
    let save = async |store: &Store, text: &str| {
        store
            .save_draft(game, Seat::First, notes, text.to_owned())
            .await
    };
    assert_eq!(save(&one, "old").await, Ok(()));
    silence(place, &two, 1).await;
    assert_eq!(two.take_over(&node(&two, 2, 1).await).await, Ok(true));
    assert_eq!(save(&two, "new").await, Ok(()));
    assert!(save(&one, "stale").await.is_err());
    assert!(one.heartbeat(Millis(50)).await.is_err());
    assert!(!one.healthy().await && two.healthy().await);
    let kept = two.drafts(game).await.unwrap();
    assert_eq!(kept.get(Seat::First).notes.as_deref(), Some("new"));
}

pub(super) async fn who_beats_again_in_time_is_not_taken_over(_: Arc<Store>, place: &Place) {
    let (one, two) = (joined(place, 1).await, joined(place, 2).await);
    silence(place, &two, 1).await;
    let silent = node(&two, 2, 1).await;
    assert!(silent.silent > LEASE);
    one.beat(of(1, 1), Millis(20), Clock::system())
        .await
        .unwrap();
    assert_eq!(two.take_over(&silent).await, Ok(false));
    assert_eq!(one.append(&[plain(1)]).await, [Ok(())]);
}

pub(super) async fn a_slot_is_claimed_once_by_who_has_seen_its_last_owner(
    _: Arc<Store>,
    place: &Place,
) {
    let (one, two) = (joined(place, 1).await, joined(place, 2).await);
    let seen = two.slots().await.unwrap();
    assert_eq!(claim_all(&one, of(1, 1), 30).await.len(), seen.len());
    // What it has seen is past.
    let wanted: Vec<_> = seen.iter().map(|slot| slot.at).collect();
    assert_eq!(
        two.claim(of(2, 1), wanted, Millis(40)).await,
        Ok(Vec::new())
    );
    let slots = two.slots().await.unwrap();
    assert!(slots.iter().all(|slot| slot.owner == Some(of(1, 1))));
    // A node that was taken over claims nothing.
    silence(place, &two, 1).await;
    assert_eq!(two.take_over(&node(&two, 2, 1).await).await, Ok(true));
    let free = one.slots().await.unwrap();
    assert!(free.iter().all(|slot| slot.owner.is_none()));
    let wanted = free.iter().map(|slot| slot.at).collect();
    assert_eq!(
        one.claim(of(1, 1), wanted, Millis(50)).await,
        Ok(Vec::new())
    );
}

pub(super) async fn a_slot_keeps_since_when_its_games_were_nobodys_until_all_are_held(
    _: Arc<Store>,
    place: &Place,
) {
    let (one, two) = (joined(place, 1).await, joined(place, 2).await);
    one.heartbeat(Millis(7)).await.unwrap();
    let absence = |stopped, started| Absence {
        stopped: Millis(stopped),
        started: Millis(started),
    };
    let claimed = claim_all(&one, of(1, 1), 30).await;
    assert!(claimed.iter().all(|it| it.absences == [absence(7, 30)]));
    let [first, second] = [0, 1].map(|number| Slot::new(number).unwrap());
    let held = one.slots_are_held(of(1, 1), vec![first]).await;
    assert_eq!(held, Ok(()));
    let given = one.hand_over(of(1, 1), of(2, 1), vec![first], Millis(35));
    assert_eq!(given.await, Ok(1));
    let beat = one.beat(of(1, 1), Millis(40), Clock::system()).await;
    assert!(matches!(beat, Ok(Beat::Alive { .. })));
    silence(place, &two, 1).await;
    assert_eq!(two.take_over(&node(&two, 2, 1).await).await, Ok(true));
    let claimed = claim_all(&two, of(2, 1), 50).await;
    assert!(claimed.iter().all(|it| it.at.slot != first));
    let of_second = claimed.iter().find(|it| it.at.slot == second).unwrap();
    assert_eq!(of_second.absences, [absence(7, 30), absence(40, 50)]);
    assert_eq!(two.leave(Millis(60)).await, Ok(()));
    assert_eq!(two.append(&[plain(1)]).await, [Err(AppendError::Fenced)]);
    let three = joined(place, 3).await;
    let claimed = claim_all(&three, of(3, 1), 70).await;
    assert_eq!(claimed.len(), usize::from(SLOTS));
    assert_eq!(claimed[0].absences, [absence(60, 70)]);
    assert_eq!(three.last_heartbeat().await, Ok(Some(Millis(60))));
}

pub(super) async fn slots_are_handed_over_by_their_owner_to_a_node_that_is_there(
    _: Arc<Store>,
    place: &Place,
) {
    let (one, two) = (joined(place, 1).await, joined(place, 2).await);
    claim_all(&one, of(1, 1), 30).await;
    let slots: Vec<_> = [3, 5].into_iter().filter_map(Slot::new).collect();
    let give = async |store: &Store, own, to| {
        let given = store.hand_over(own, to, slots.clone(), Millis(40));
        given.await.unwrap()
    };
    assert_eq!(give(&two, of(2, 1), of(2, 1)).await, 0);
    assert_eq!(give(&one, of(1, 1), of(3, 1)).await, 0);
    assert_eq!(give(&one, of(1, 1), of(2, 1)).await, 2);
    let owned = two.slots().await.unwrap();
    let owned = owned.iter().filter(|it| it.owner == Some(of(2, 1)));
    assert_eq!(owned.map(|it| it.at.slot).collect::<Vec<_>>(), slots);
}
