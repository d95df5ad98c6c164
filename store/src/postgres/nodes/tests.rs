use std::sync::Arc;

use qiguan_protocol::ids::Epoch;
use sqlx::Executor;

use super::*;
use crate::{
    conformance::{
        nodes::{FIRST, claim_all, joined, joining, node, of, silence},
        plain,
    },
    migrations,
    nodes::{Beat, Finished, JoinError, Refusal},
    postgres::{MIGRATIONS, joining::finish_upgrade},
    store::{AppendError, Store},
    testing::Place,
};

async fn joined_as(place: &Place, node: u128, versions: Versions) -> Result<Arc<Store>, JoinError> {
    let store = place.open().await;
    store.join(joining(node, 1, versions), Millis(10)).await?;
    Ok(store)
}

#[tokio::test]
async fn an_append_that_is_under_way_keeps_a_take_over_waiting_and_no_beat() {
    let place = Place::postgres();
    let (one, two) = (joined(&place, 1).await, joined(&place, 2).await);
    let mut under_way = one.writers.begin().await.unwrap();
    let fence = &one.sharing.as_ref().unwrap().fence;
    fence.check(&mut under_way).await.unwrap();
    assert!(matches!(
        one.beat(of(1, 1), Millis(20), Clock::system()).await,
        Ok(Beat::Alive { .. })
    ));
    silence(&place, &two, 1).await;
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
    let Ok(Beat::Alive { nodes, .. }) = one.beat(of(1, 1), Millis(20), Clock::system()).await
    else {
        panic!("it is alive");
    };
    assert_eq!(nodes.len(), 1);
    assert_eq!(nodes[0].versions, versions(1, 2));
    silence(&place, &one, 1).await;
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
    silence(&place, &one, 2).await;
    assert_eq!(finish(&one).await, waits);
    two.leave(Millis(20)).await.unwrap();
    let done = Finished {
        cluster_version: 2,
        older: Vec::new(),
    };
    assert_eq!(finish(&one).await, done);
    let beat = one.beat(of(1, 1), Millis(30), Clock::system()).await;
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
    one.beat(of(1, 1), Millis(20), Clock::system())
        .await
        .unwrap();
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
    silence(&place, &one, 1).await;
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
