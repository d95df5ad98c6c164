use std::sync::Arc;

use qiguan_game::seat_drafts::DraftKind;
use qiguan_protocol::ids::Epoch;
use qiguan_rules::Seat;
use sqlx::Executor;

use super::*;
use crate::{
    conformance::{chat, plain},
    migrations,
    nodes::{Beat, Finished, JoinError, Joining, LEASE, Refusal},
    postgres::{MIGRATIONS, joining::finish_upgrade},
    store::{AppendError, Store},
    testing::Place,
};

const fn of(node: u128, number: i64) -> Incarnation {
    Incarnation {
        node: Uuid::from_u128(node),
        number,
    }
}

const FIRST: Versions = Versions {
    oldest: 1,
    newest: 1,
};

fn joining(node: u128, number: i64, versions: Versions) -> Joining {
    Joining {
        own: of(node, number),
        name: format!("number {node}"),
        versions,
        program: format!("1.{}.0", versions.newest),
    }
}

async fn joined(place: &Place, node: u128) -> Arc<Store> {
    joined_as(place, node, FIRST).await.unwrap()
}

async fn joined_as(place: &Place, node: u128, versions: Versions) -> Result<Arc<Store>, JoinError> {
    let store = crate::open(place.url(), None, Epoch(7)).await.unwrap();
    store.join(joining(node, 1, versions), Millis(10)).await?;
    Ok(store)
}

/// The node has not been heard of for long.
async fn silence(through: &Store, node: u128) {
    let silence =
        sqlx::query("update nodes set beat_at = beat_at - interval '1 minute' where node = $1");
    let silence = silence.bind(Uuid::from_u128(node));
    silence
        .execute(through.writers.of_postgres())
        .await
        .unwrap();
}

async fn node(store: &Store, own: u128, other: u128) -> Node {
    let Ok(Beat::Alive { nodes, .. }) = store.beat(of(own, 1), Millis(20)).await else {
        panic!("it is alive");
    };
    nodes
        .into_iter()
        .find(|node| node.is == of(other, 1))
        .unwrap()
}

/// Claims everything that is nobody's, and comes back with it.
async fn claim_all(store: &Store, own: Incarnation, at: i64) -> Vec<Owned> {
    let slots = store.slots().await.unwrap();
    let free = slots.iter().filter(|slot| slot.owner.is_none());
    let wanted = free.map(|slot| slot.at).collect();
    let claimed = store.claim(own, wanted, Millis(at)).await.unwrap();
    let slots = store.slots().await.unwrap();
    let are_claimed = slots.into_iter().filter(|it| claimed.contains(&it.at.slot));
    are_claimed.collect()
}

#[tokio::test]
async fn a_program_without_sessions_is_gone_before_its_lease_is_over_and_a_silent_one_is_not() {
    let place = Place::postgres();
    let (one, two) = (joined(&place, 1).await, joined(&place, 2).await);
    // Both have written something, and are silent.
    for (store, own) in [(&one, 1), (&two, 2)] {
        assert!(matches!(
            store.beat(of(own, 1), Millis(20)).await,
            Ok(Beat::Alive { .. })
        ));
    }
    let wait = sqlx::query("update nodes set beat_at = beat_at - interval '1 second'");
    wait.execute(two.writers.of_postgres()).await.unwrap();
    let silent = node(&two, 2, 1).await;
    assert!(!silent.is_gone && silent.silent < LEASE);
    assert_eq!(two.take_over(&silent).await, Ok(false));
    // As if its process had ended.
    let end = "select pg_terminate_backend(pid, 10000) from pg_stat_activity where application_name in ($1, $1 || ' beat')";
    let ended = sqlx::query(end).bind(&silent.sessions);
    let ended = ended.execute(two.writers.of_postgres()).await.unwrap();
    assert!(ended.rows_affected() >= 1);
    let gone = node(&two, 2, 1).await;
    assert!(gone.is_gone && gone.silent < LEASE);
    assert_eq!(two.take_over(&gone).await, Ok(true));
}

#[tokio::test]
async fn who_was_taken_over_writes_nothing_more_and_joins_under_another_number() {
    let place = Place::postgres();
    let (one, two) = (joined(&place, 1).await, joined(&place, 2).await);
    assert_eq!(one.append(&[plain(1)]).await, [Ok(())]);
    silence(&two, 1).await;
    assert_eq!(two.take_over(&node(&two, 2, 1).await).await, Ok(true));
    assert_eq!(
        one.append(&[chat(1, 2, "late"), plain(2)]).await,
        vec![Err(AppendError::Fenced); 2]
    );
    one.fenced().await;
    // Nothing of it is there, and the other goes on with the same number.
    assert_eq!(two.append(&[chat(1, 2, "in time")]).await, [Ok(())]);
    let beat = one.beat(of(1, 1), Millis(30)).await;
    assert_eq!(beat, Ok(Beat::Fenced));
    one.join(joining(1, 2, FIRST), Millis(40)).await.unwrap();
    assert_eq!(one.append(&[chat(1, 3, "back")]).await, [Ok(())]);
}

#[tokio::test]
async fn a_small_write_of_who_was_taken_over_is_refused_also_before_it_knows() {
    let place = Place::postgres();
    let (one, two) = (joined(&place, 1).await, joined(&place, 2).await);
    let (game, notes) = (plain(1).entries[0].game, DraftKind::Notes);
    assert_eq!(one.append(&[plain(1)]).await, [Ok(())]);
    let save = async |store: &Store, text: &str| {
        store
            .save_draft(game, Seat::First, notes, text.to_owned())
            .await
    };
    assert_eq!(save(&one, "old").await, Ok(()));
    silence(&two, 1).await;
    assert_eq!(two.take_over(&node(&two, 2, 1).await).await, Ok(true));
    assert_eq!(save(&two, "new").await, Ok(()));
    assert!(save(&one, "stale").await.is_err());
    assert!(one.heartbeat(Millis(50)).await.is_err());
    assert!(!one.healthy().await && two.healthy().await);
    let kept = two.drafts(game).await.unwrap();
    assert_eq!(kept.get(Seat::First).notes.as_deref(), Some("new"));
}

#[tokio::test]
async fn an_append_that_is_under_way_keeps_a_take_over_waiting_and_no_beat() {
    let place = Place::postgres();
    let (one, two) = (joined(&place, 1).await, joined(&place, 2).await);
    let mut under_way = one.writers.begin().await.unwrap();
    let fence = &one.ender.as_ref().unwrap().fence;
    fence.check(&mut under_way).await.unwrap();
    assert!(matches!(
        one.beat(of(1, 1), Millis(20)).await,
        Ok(Beat::Alive { .. })
    ));
    silence(&two, 1).await;
    let mut gone = node(&two, 2, 1).await;
    // Its sessions are left to it here, as if they could not be ended.
    gone.sessions.clear();
    let mut taking = Box::pin(two.take_over(&gone));
    // It waits for the append: the database says so.
    loop {
        let waits = "select count(*) from pg_locks where not granted and database = (select oid from pg_database where datname = current_database()) or not granted and database is null";
        tokio::select! {
            taken = &mut taking => panic!("taken over under an append: {taken:?}"),
            waiting = sqlx::query_scalar::<_, i64>(waits).fetch_one(one.readers.of_postgres()) => {
                if waiting.unwrap() > 0 {
                    break;
                }
            }
        }
    }
    under_way.commit().await.unwrap();
    assert_eq!(taking.await, Ok(true));
    assert_eq!(one.append(&[plain(1)]).await, [Err(AppendError::Fenced)]);
}

#[tokio::test]
async fn an_append_that_finds_a_take_over_under_way_waits_for_what_comes_of_it() {
    let place = Place::postgres();
    for (ends, becomes) in [("rollback", Ok(())), ("commit", Err(AppendError::Fenced))] {
        let (one, two) = (joined(&place, 1).await, joined(&place, 2).await);
        let mut taking = two.writers.of_postgres().acquire().await.unwrap();
        let begin = "begin; delete from nodes where node = '00000000-0000-0000-0000-000000000001'";
        taking.execute(begin).await.unwrap();
        let game = if ends == "commit" { 2 } else { 1 };
        let append = tokio::spawn(async move { one.append(&[plain(game)]).await });
        let waits = "select count(*) from pg_locks where not granted and database = (select oid from pg_database where datname = current_database()) or not granted and database is null";
        while sqlx::query_scalar::<_, i64>(waits)
            .fetch_one(two.readers.of_postgres())
            .await
            .unwrap()
            == 0
        {}
        taking.execute(ends).await.unwrap();
        assert_eq!(append.await.unwrap(), [becomes]);
        taking.execute("delete from nodes").await.unwrap();
    }
}

#[tokio::test]
async fn who_beats_again_in_time_is_not_taken_over() {
    let place = Place::postgres();
    let (one, two) = (joined(&place, 1).await, joined(&place, 2).await);
    silence(&two, 1).await;
    let silent = node(&two, 2, 1).await;
    assert!(silent.silent > LEASE);
    one.beat(of(1, 1), Millis(20)).await.unwrap();
    assert_eq!(two.take_over(&silent).await, Ok(false));
    assert_eq!(one.append(&[plain(1)]).await, [Ok(())]);
}

#[tokio::test]
async fn a_slot_is_claimed_once_by_who_has_seen_its_last_owner() {
    let place = Place::postgres();
    let (one, two) = (joined(&place, 1).await, joined(&place, 2).await);
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
    silence(&two, 1).await;
    assert_eq!(two.take_over(&node(&two, 2, 1).await).await, Ok(true));
    let free = one.slots().await.unwrap();
    assert!(free.iter().all(|slot| slot.owner.is_none()));
    let wanted = free.iter().map(|slot| slot.at).collect();
    assert_eq!(
        one.claim(of(1, 1), wanted, Millis(50)).await,
        Ok(Vec::new())
    );
}

#[tokio::test]
async fn a_slot_keeps_since_when_its_games_were_nobodys_until_all_are_held() {
    let place = Place::postgres();
    let (one, two) = (joined(&place, 1).await, joined(&place, 2).await);
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
    let beat = one.beat(of(1, 1), Millis(40)).await;
    assert!(matches!(beat, Ok(Beat::Alive { .. })));
    silence(&two, 1).await;
    assert_eq!(two.take_over(&node(&two, 2, 1).await).await, Ok(true));
    let claimed = claim_all(&two, of(2, 1), 50).await;
    assert!(claimed.iter().all(|it| it.at.slot != first));
    let of_second = claimed.iter().find(|it| it.at.slot == second).unwrap();
    assert_eq!(of_second.absences, [absence(7, 30), absence(40, 50)]);
    assert_eq!(two.leave(Millis(60)).await, Ok(()));
    assert_eq!(two.append(&[plain(1)]).await, [Err(AppendError::Fenced)]);
    let three = joined(&place, 3).await;
    let claimed = claim_all(&three, of(3, 1), 70).await;
    assert_eq!(claimed.len(), usize::from(qiguan_game::slot::SLOTS));
    assert_eq!(claimed[0].absences, [absence(60, 70)]);
    assert_eq!(three.last_heartbeat().await, Ok(Some(Millis(60))));
}

#[tokio::test]
async fn slots_are_handed_over_by_their_owner_to_a_node_that_is_there() {
    let place = Place::postgres();
    let (one, two) = (joined(&place, 1).await, joined(&place, 2).await);
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

const fn versions(oldest: u32, newest: u32) -> Versions {
    Versions { oldest, newest }
}

/// Why it may not join.
async fn refused(place: &Place, node: u128, versions: Versions) -> String {
    match joined_as(place, node, versions).await {
        Err(JoinError::Refused(why)) => why.to_string(),
        Err(JoinError::Store(error)) => panic!("{error}"),
        Ok(_) => panic!("it has joined"),
    }
}

#[tokio::test]
async fn a_program_that_speaks_no_version_of_another_does_not_join_and_says_which_is_in_the_way() {
    let place = Place::postgres();
    let one = joined_as(&place, 1, versions(1, 2)).await.unwrap();
    let why = refused(&place, 2, versions(3, 4)).await;
    for part in [
        "number 1 (program 1.2.0)",
        "1 to 2",
        "3 to 4",
        "one release at a time",
    ] {
        assert!(why.contains(part), "{why}");
    }
    // Nothing of it is there, and one that is silent is in nobody's way.
    let Ok(Beat::Alive { nodes, .. }) = one.beat(of(1, 1), Millis(20)).await else {
        panic!("it is alive");
    };
    assert_eq!(nodes.len(), 1);
    assert_eq!(nodes[0].versions, versions(1, 2));
    silence(&one, 1).await;
    assert!(joined_as(&place, 2, versions(3, 4)).await.is_ok());
}

#[tokio::test]
async fn the_cluster_version_is_what_all_programs_know_and_older_ones_join_no_more() {
    let place = Place::postgres();
    let one = joined_as(&place, 1, versions(1, 2)).await.unwrap();
    let two = joined_as(&place, 2, versions(1, 1)).await.unwrap();
    let own = versions(1, 2);
    let finish = async |store: &Store| {
        let finished = store.as_node(move |db| Box::pin(finish_upgrade(db, own)));
        finished.await.unwrap()
    };
    let waits = Finished {
        cluster_version: 1,
        older: vec!["number 2 (program 1.1.0)".to_owned()],
    };
    assert_eq!(finish(&one).await, waits);
    // Also while it is silent.
    silence(&one, 2).await;
    assert_eq!(finish(&one).await, waits);
    two.leave(Millis(20)).await.unwrap();
    let done = Finished {
        cluster_version: 2,
        older: Vec::new(),
    };
    assert_eq!(finish(&one).await, done);
    let beat = one.beat(of(1, 1), Millis(30)).await;
    let seen = matches!(
        beat,
        Ok(Beat::Alive {
            cluster_version: 2,
            ..
        })
    );
    assert!(seen && one.cluster_version() == 2);
    // It never goes back, and who is older stays outside: the record can't even be opened.
    assert_eq!(finish(&one).await.cluster_version, 2);
    one.leave(Millis(40)).await.unwrap();
    let refused = crate::open(place.url(), None, Epoch(7)).await.err();
    let why = format!("{:#}", refused.unwrap());
    assert!(
        why.contains("cluster version 2") && why.contains("up to 1"),
        "{why}"
    );
}

#[tokio::test]
async fn a_program_that_writes_nothing_so_old_raises_the_cluster_version_when_it_joins() {
    let place = Place::postgres();
    let one = joined_as(&place, 1, versions(1, 2)).await.unwrap();
    let two = joined_as(&place, 2, versions(2, 3)).await.unwrap();
    assert_eq!(two.cluster_version(), 2);
    one.beat(of(1, 1), Millis(20)).await.unwrap();
    assert_eq!(one.cluster_version(), 2);
}

#[tokio::test]
async fn a_change_with_which_a_program_can_t_go_on_waits_for_its_end_and_keeps_it_from_joining() {
    let place = Place::postgres();
    let one = joined(&place, 1).await;
    let knows = migrations::newest(&MIGRATIONS);
    let contract = format!("select contract_tables({})", knows + 1);
    let contract = async || {
        let contract = sqlx::query(sqlx::AssertSqlSafe(contract.clone()));
        contract.execute(one.writers.of_postgres()).await
    };
    let refused = contract().await.unwrap_err().to_string();
    assert!(refused.contains("number 1 (program 1.1.0)"), "{refused}");
    // One that has been silent for the lease is taken over.
    claim_all(&one, of(1, 1), 30).await;
    silence(&one, 1).await;
    contract().await.unwrap();
    assert_eq!(one.append(&[plain(1)]).await, [Err(AppendError::Fenced)]);
    let slots = one.slots().await.unwrap();
    assert!(slots.iter().all(|slot| slot.owner.is_none()));
    let again = one.join(joining(1, 2, FIRST), Millis(40)).await;
    let needed = Refusal::Tables {
        needed: knows + 1,
        knows,
    };
    assert_eq!(again, Err(JoinError::Refused(needed)));
}
