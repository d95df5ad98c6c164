use sqlx::Executor;

use super::*;
use crate::{
    conformance::{
        nodes::{joined, node, of, silence},
        plain,
    },
    nodes::Beat,
    store::AppendError,
    testing::Place,
};

#[tokio::test]
async fn an_append_that_is_under_way_keeps_a_take_over_waiting_and_no_beat() {
    let place = Place::postgres();
    let (one, two) = (joined(&place, 1).await, joined(&place, 2).await);
    let mut under_way = one.writers.begin().await.unwrap();
    let fence = &one.sharing.as_ref().unwrap().fence;
    fence.check(&mut under_way).await.unwrap();
    assert!(matches!(
        one.beat(of(1, 1), Millis(20)).await,
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
