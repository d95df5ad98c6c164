use std::{cell::Cell, ops::RangeInclusive, rc::Rc, time::Duration};

use futures_util::FutureExt;
use qiguan_environment::{Clock, Random};
use tokio::{
    runtime::{Builder, Runtime},
    task::LocalSet,
};

use super::*;
use crate::{
    conformance::{
        chat,
        nodes::{FIRST, joining, node, of},
        plain,
    },
    nodes::{Beat, LEASE},
    store::{AppendError, StoreError},
};

const fn millis(span: u64) -> Duration {
    Duration::from_millis(span)
}

/// A program that has joined, and its link.
async fn joined(database: &Database, number: u128) -> (Arc<Store>, Link) {
    let link = Link::new(Random::seeded(number as u64));
    let store = database.open(&link);
    store
        .join(joining(number, 1, FIRST), Millis(10))
        .await
        .unwrap();
    (store, link)
}

/// How long something takes in virtual time, and what it comes to.
async fn timed<T>(doing: impl Future<Output = T>) -> (i64, T) {
    let clock = Clock::starting_at(Millis(0));
    let done = doing.await;
    (clock.now().0, done)
}

/// A runtime as each program of a simulation has one.
fn runtime() -> Runtime {
    let mut builder = Builder::new_current_thread();
    builder.enable_time().start_paused(true).build().unwrap()
}

/// Lets a runtime go on for so long.
fn step(runtime: &Runtime, tasks: &LocalSet, span: Duration) {
    tasks.block_on(runtime, async { tokio::time::sleep(span).await });
}

#[tokio::test(start_paused = true)]
async fn everything_is_there_at_once_where_nothing_is_delayed() {
    let database = Database::new(Epoch(3));
    let (store, _) = joined(&database, 1).await;
    assert!(store.can_be_shared() && store.is_shared());
    assert_eq!(store.epoch(), Epoch(3));
    let batches = [plain(1), chat(1, 2, "x")];
    let appended = store.append(&batches).now_or_never();
    assert_eq!(appended, Some(vec![Ok(()), Ok(())]));
    let (took, health) = timed(store.healthy()).await;
    assert!(health && took == 0);
}

#[tokio::test(start_paused = true)]
async fn requests_and_answers_take_the_time_that_is_drawn() {
    let database = Database::new(Epoch(3));
    let spans: [RangeInclusive<u64>; 2] = [5..=5, 2..=9];
    for (game, span) in (1..).zip(spans) {
        let mut runs = [(); 2].map(|()| None);
        for (run, took) in runs.iter_mut().enumerate() {
            let link = Link::new(Random::seeded(4));
            link.set_delay(millis(*span.start())..=millis(*span.end()));
            let store = database.open(&link);
            let append = plain(game * 10 + run as u128);
            let (append, result) = timed(store.append(&[append])).await;
            assert_eq!(result, [Ok(())]);
            assert!((2 * span.start()..=2 * span.end()).contains(&(append as u64)));
            *took = Some(append);
        }
        assert_eq!(runs[0], runs[1], "the same seed");
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_sent_over_a_cut_link_is_refused_and_goes_on_if_it_heals() {
    let database = Database::new(Epoch(3));
    let (store, link) = joined(&database, 1).await;
    link.cut(true);
    let (took, appended) = timed(store.append(&[plain(1)])).await;
    assert!(took == 3_000 && matches!(appended[0], Err(AppendError::Refused(_))));
    let (took, beat) = timed(store.beat(of(1, 1), Millis(20), Clock::system())).await;
    assert!(took == 3_000 && matches!(beat, Err(StoreError::Unavailable(_))));
    assert!(!store.healthy().await);
    let heals = async {
        tokio::time::sleep(millis(700)).await;
        link.cut(false);
    };
    let batches = [plain(1)];
    let (took, (appended, ())) = timed(async { tokio::join!(store.append(&batches), heals) }).await;
    assert_eq!((took, appended), (700, vec![Ok(())]));
}

#[tokio::test(start_paused = true)]
async fn what_was_under_way_when_the_link_was_cut_is_unknown_and_is_there_or_never_comes() {
    let database = Database::new(Epoch(3));
    let (store, link) = joined(&database, 1).await;
    let (other, _) = joined(&database, 2).await;
    // Cut on the way there, and on the way back.
    for (game, cut_after, is_stored) in [(1, 5, false), (2, 15, true)] {
        link.set_delay(millis(10)..=millis(10));
        let cut = async {
            tokio::time::sleep(millis(cut_after)).await;
            link.cut(true);
        };
        let batches = [plain(game)];
        let (appended, ()) = tokio::join!(store.append(&batches), cut);
        assert!(matches!(appended[0], Err(AppendError::Unknown(_))));
        link.cut(false);
        let id = batches[0].entries[0].game;
        // It is read back, by itself and by others.
        for reader in [&store, &other] {
            tokio::time::sleep(millis(10_000)).await;
            let read = reader.game(id).await.unwrap();
            assert_eq!(read.is_some(), is_stored);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_database_that_goes_breaks_what_is_under_way_for_all() {
    let database = Database::new(Epoch(3));
    let (one, link) = joined(&database, 1).await;
    let (two, _) = joined(&database, 2).await;
    link.set_delay(millis(10)..=millis(10));
    let goes = async {
        tokio::time::sleep(millis(5)).await;
        database.is_down(true);
    };
    let batches = [plain(1)];
    let (took, (appended, ())) = timed(async { tokio::join!(one.append(&batches), goes) }).await;
    assert!(took == 10 && matches!(appended[0], Err(AppendError::Unknown(_))));
    let (took, refused) = timed(two.append(&batches)).await;
    assert!(took == 3_000 && matches!(refused[0], Err(AppendError::Refused(_))));
    database.is_down(false);
    assert_eq!(two.append(&batches).await, [Ok(())]);
    assert!(matches!(
        one.append(&batches).await[0],
        Err(AppendError::Conflict { .. })
    ));
}

#[tokio::test(start_paused = true)]
async fn a_program_that_is_dropped_in_a_transaction_takes_it_back_at_once() {
    let database = Database::new(Epoch(3));
    let (one, _) = joined(&database, 1).await;
    let (two, _) = joined(&database, 2).await;
    let mut open = one.writers.begin().await.unwrap();
    let insert = "insert into meta (key, value) values ('heartbeat', 77)";
    open.execute(crate::db::sql(insert)).await.unwrap();
    let batches = [plain(1)];
    let mut waiting = Box::pin(two.append(&batches));
    assert!(waiting.as_mut().now_or_never().is_none());
    drop((open, one));
    assert_eq!(waiting.now_or_never(), Some(vec![Ok(())]));
    assert_eq!(two.last_heartbeat().await, Ok(Some(Millis(10))));
}

#[tokio::test(start_paused = true)]
async fn a_transaction_whose_owner_stands_still_is_ended_by_a_take_over_or_after_a_while() {
    let database = Database::new(Epoch(3));
    let (one, _) = joined(&database, 1).await;
    let (two, _) = joined(&database, 2).await;
    let fence = &one.sharing.as_ref().unwrap().fence;
    let mut open = one.writers.begin().await.unwrap();
    fence.check(&mut open).await.unwrap();
    let (took, appended) = timed(two.append(&[plain(1)])).await;
    assert_eq!((took, appended), (5_000, vec![Ok(())]));
    assert!(open.commit().await.is_err());
    let open = one.writers.begin().await.unwrap();
    database.misses_beats(of(1, 1), Millis(60_000));
    let (took, taken) = timed(async { two.take_over(&node(&two, 2, 1).await).await }).await;
    assert_eq!((took, taken), (0, Ok(true)));
    assert!(open.commit().await.is_err());
    assert_eq!(one.append(&[plain(2)]).await, [Err(AppendError::Fenced)]);
}

#[tokio::test(start_paused = true)]
async fn a_program_is_gone_when_its_end_was_heard_of_and_silent_otherwise() {
    for (is_cut, is_gone) in [(false, true), (true, false)] {
        let database = Database::new(Epoch(3));
        let (one, link) = joined(&database, 1).await;
        let (two, _) = joined(&database, 2).await;
        link.cut(is_cut);
        drop(one);
        database.set_time(Millis(700));
        let gone = node(&two, 2, 1).await;
        assert_eq!((gone.is_gone, gone.silent), (is_gone, Millis(700)));
        assert_eq!(two.take_over(&gone).await, Ok(is_gone));
        database.set_time(LEASE + Millis(1));
        assert_eq!(two.take_over(&gone).await, Ok(true));
    }
}

/// As a world does it: each program in a runtime of its own, stepped in turn by one thread.
#[test]
fn a_program_that_is_not_stepped_keeps_nobody_waiting_and_writes_nothing_once_it_was_taken_over() {
    let database = Database::new(Epoch(3));
    let (frozen, other) = ((runtime(), LocalSet::new()), (runtime(), LocalSet::new()));
    let link = Link::new(Random::seeded(1));
    let (one, _) = frozen.1.block_on(&frozen.0, joined(&database, 1));
    let (two, _) = other.1.block_on(&other.0, joined(&database, 2));
    drop(link);
    let slow = Link::new(Random::seeded(3));
    slow.set_delay(millis(20)..=millis(20));
    drop(one);
    let one = database.open(&slow);
    let join = one.join(joining(1, 2, FIRST), Millis(0));
    frozen.1.block_on(&frozen.0, join).unwrap();
    let late = Rc::new(Cell::new(None));
    let note = Rc::clone(&late);
    frozen.1.spawn_local(async move {
        let appended = one.append(&[plain(1)]).await;
        note.set(Some(appended));
    });
    // The append is under way, and the program stands still.
    step(&frozen.0, &frozen.1, millis(10));
    database.set_time(Millis(5_000));
    let taken = async {
        let Ok(Beat::Alive { nodes, .. }) = two.beat(of(2, 1), Millis(0), Clock::system()).await
        else {
            panic!("it is alive");
        };
        let silent = nodes.iter().find(|node| node.is == of(1, 2)).unwrap();
        assert!(!silent.is_gone);
        two.take_over(silent).await
    };
    assert_eq!(other.1.block_on(&other.0, taken), Ok(true));
    let batches = [plain(1)];
    let appended = two.append(&batches);
    assert_eq!(other.1.block_on(&other.0, appended), [Ok(())]);
    step(&frozen.0, &frozen.1, millis(5_000));
    let late = late.take().unwrap();
    assert!(late[0].is_err(), "{late:?}");
}

/// Faults are planted in debug builds alone.
#[cfg(debug_assertions)]
#[tokio::test(start_paused = true)]
async fn without_the_fence_a_draft_of_who_was_taken_over_takes_the_place_of_a_newer_one() {
    use qiguan_environment::planted::{Fault, plant};
    use qiguan_game::seat_drafts::DraftKind;
    use qiguan_rules::Seat;

    for (planted, kept) in [(None, "new"), (Some(Fault::NoFence), "stale")] {
        let database = Database::new(Epoch(3));
        let (one, _) = joined(&database, 1).await;
        let (two, _) = joined(&database, 2).await;
        let game = plain(1).entries[0].game;
        assert_eq!(one.append(&[plain(1)]).await, [Ok(())]);
        database.misses_beats(of(1, 1), Millis(60_000));
        assert_eq!(two.take_over(&node(&two, 2, 1).await).await, Ok(true));
        plant(planted);
        for (store, text) in [(&two, "new"), (&one, "stale")] {
            let save = store.save_draft(game, Seat::First, DraftKind::Notes, text.to_owned());
            assert_eq!(save.await.is_ok(), text == kept || text == "new");
        }
        plant(None);
        let drafts = two.drafts(game).await.unwrap();
        assert_eq!(drafts.get(Seat::First).notes.as_deref(), Some(kept));
    }
}

#[tokio::test(start_paused = true)]
async fn databases_share_nothing() {
    let stores = [(); 3].map(|()| Database::new(Epoch(3)).open(&Link::new(Random::seeded(1))));
    for store in &stores {
        assert_eq!(store.append(&[plain(1)]).await, [Ok(())]);
        assert_eq!(store.last_heartbeat().await, Ok(None));
        store.heartbeat(Millis(5)).await.unwrap();
    }
}
