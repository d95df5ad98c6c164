//! A packed game is the game that it was, no matter who reads, appends or rewrites at the same time.

use std::sync::Arc;

use qiguan_game::event::{Body, Event};
use qiguan_protocol::{
    ids::{Millis, Seq},
    names::{Status, Visibility},
    time_control::Clock,
};

use super::{chat, game, plain, player, pruning::in_state, stored};
use crate::{
    accounts::{Change, ChangeResult},
    db::{Dialect, sql},
    packed_games::{Cut, InTheWay, Packing, Unpacked},
    store::{Append, AppendError, Deletable, Store, StoreError},
    stored::Selection,
    testing::Place,
};

async fn appended(store: &Store, batches: &[Append]) {
    assert!(store.append(batches).await.iter().all(Result::is_ok));
}

async fn packed(store: &Store, numbers: &[u128]) {
    let games = numbers.iter().copied().map(game);
    for (game, became) in store.pack_games(games.collect()).await.unwrap() {
        assert!(matches!(became, Packing::Packed(_)), "{game}: {became:?}");
    }
}

/// How many rows of events there are that are not packed.
async fn rows(store: &Store) -> i64 {
    let count = match store.dialect() {
        Dialect::Sqlite => {
            "select (select count(*) from events) + (select count(*) from event_log where not exists \
             (select 1 from packed_games where packed_games.game_id = event_log.game_id and through >= seq))"
        }
        Dialect::Postgres => "select count(*) from events",
    };
    let mut db = store.reader().await.unwrap();
    db.count(sql(count)).await.unwrap()
}

/// The events without the ids of commands.
fn without_commands(events: Vec<Event>) -> Vec<Event> {
    let events = events.into_iter();
    events
        .map(|event| Event {
            command: None,
            ..event
        })
        .collect()
}

pub(super) async fn a_packed_game_is_read_as_before_and_goes_on(store: Arc<Store>, _: &Place) {
    let mut batches = vec![plain(1), plain(2)];
    batches.extend((2..=40).map(|seq| chat(1, seq, "好棋 \"'\\ \u{1f600}")));
    appended(&store, &batches).await;
    let before = stored(&store, 1).await;
    let other = stored(&store, 2).await;
    assert_eq!(rows(&store).await, 41);
    packed(&store, &[1]).await;
    assert_eq!(rows(&store).await, 1, "the rows of the game are gone");
    assert_eq!(stored(&store, 1).await, before);
    assert_eq!(stored(&store, 2).await, other);

    for seq in 41..=43 {
        appended(&store, &[chat(1, seq, "more")]).await;
    }
    let longer = stored(&store, 1).await;
    assert_eq!(longer[..40], before);
    assert_eq!(longer.len(), 43);
    packed(&store, &[1]).await;
    assert_eq!(rows(&store).await, 1);
    assert_eq!(stored(&store, 1).await, longer);
    packed(&store, &[1]).await;
    assert_eq!(
        stored(&store, 1).await,
        longer,
        "packing twice changes nothing"
    );
    let all = store.stored_games(&Selection::default(), None, 10).await;
    let lengths = all
        .unwrap()
        .into_iter()
        .map(|game| game.events.unwrap().len());
    assert_eq!(lengths.collect::<Vec<_>>(), [43, 1]);
    assert_eq!(
        store.pack_games(vec![game(9)]).await.unwrap(),
        [(game(9), Packing::Gone)]
    );
}

pub(super) async fn a_game_from_another_record_that_is_over_is_packed_at_once(
    store: Arc<Store>,
    _: &Place,
) {
    let whole = |number, status| {
        let mut whole = in_state(number, status, Clock::None, Visibility::Public);
        let events = (2..=9).flat_map(|seq| chat(number, seq, "x").entries.remove(0).events);
        whole.entries[0].events.extend(events);
        whole
    };
    let games = [whole(1, Status::Ended), whole(2, Status::Playing)];
    assert_eq!(store.append_imported(&games).await, [Ok(()), Ok(())]);
    assert_eq!(rows(&store).await, 9, "those of the game that goes on");
    for number in [1, 2] {
        let events = games[number as usize - 1].entries[0].events.clone();
        assert_eq!(
            without_commands(stored(&store, number).await),
            without_commands(events)
        );
    }
    appended(&store, &[whole(3, Status::Ended), chat(1, 10, "more")]).await;
    // Whatever there is of a game, packed or not, is not replaced, and the others of the transaction are stored.
    let others = [
        whole(4, Status::Ended),
        whole(3, Status::Ended),
        whole(1, Status::Ended),
        whole(5, Status::Ended),
    ];
    let conflict = |number| {
        Err(AppendError::Conflict {
            game: game(number),
            seq: Seq(1),
        })
    };
    assert_eq!(
        store.append_imported(&others).await,
        [Ok(()), conflict(3), conflict(1), Ok(())]
    );
    for (number, length) in [(1, 10), (3, 9), (4, 9), (5, 9)] {
        assert_eq!(stored(&store, number).await.len(), length);
    }
}

pub(super) async fn games_with_events_of_their_own_are_found_page_by_page(
    store: Arc<Store>,
    _: &Place,
) {
    let (public, none) = (Visibility::Public, Clock::None);
    appended(
        &store,
        &[
            in_state(1, Status::Ended, none, public),
            in_state(2, Status::Playing, none, public),
            in_state(3, Status::Ended, none, public),
            chat(2, 2, "x"),
            in_state(4, Status::Open, none, public),
        ],
    )
    .await;
    packed(&store, &[3]).await;
    let unpacked = |number, at, has_ended| Unpacked {
        game: game(number),
        last_at: Millis(at),
        has_ended,
    };
    let [first, second, fourth] = [
        unpacked(1, 1, true),
        unpacked(2, 5, false),
        unpacked(4, 4, false),
    ];
    let all = async || {
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let page = store.unpacked_games(after, 2).await.unwrap();
            found.extend(page.games);
            after = page.next;
            if after.is_none() {
                return found;
            }
        }
    };
    assert_eq!(all().await, [first, second, fourth]);
    // What goes on is found again.
    appended(&store, &[chat(3, 2, "more")]).await;
    let third = unpacked(3, 5, true);
    assert_eq!(all().await, [first, second, third, fourth]);
}

pub(super) async fn deleted_games_leave_no_gap_in_pages_of_all_games(store: Arc<Store>, _: &Place) {
    let public = Visibility::Public;
    let games = (1..=6).map(|number| in_state(number, Status::Playing, Clock::None, public));
    appended(&store, &games.collect::<Vec<_>>()).await;
    for number in 2..=5 {
        let deleted = store.delete_game(game(number), Seq(1), Deletable::Endless);
        assert_eq!(deleted.await, Ok(true));
    }
    // However short the pages are, none ends before the last game.
    for limit in 1..=3 {
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let all = Selection::default();
            let page = store.stored_games(&all, after, limit).await.unwrap();
            let Some(last) = page.last() else { break };
            after = Some(last.game);
            found.extend(page.iter().map(|stored| stored.game));
        }
        assert_eq!(found, [game(1), game(6)], "{limit}");
    }
}

pub(super) async fn the_log_is_cut_from_its_old_end_and_nothing_is_lost(
    store: Arc<Store>,
    place: &Place,
) {
    if store.dialect() == Dialect::Postgres {
        // There is no log.
        assert_eq!(store.cut_log().await, Ok(Cut::default()));
        return;
    }
    let other = place.open().await;
    appended(
        &store,
        &[plain(1), chat(1, 2, "x"), plain(2), chat(1, 3, "x")],
    )
    .await;
    assert_eq!(stored(&other, 1).await.len(), 3);
    let in_the_way = |number, at, log_rows| {
        let game = game(number);
        let at = Millis(at);
        Some(InTheWay { game, at, log_rows })
    };
    let cut = |rows, in_the_way| Ok(Cut { rows, in_the_way });
    assert_eq!(store.cut_log().await, cut(0, in_the_way(1, 1, 4)));
    packed(&store, &[1]).await;
    assert_eq!(store.cut_log().await, cut(2, in_the_way(2, 2, 2)));
    // Whether a program has seen the cut or not.
    for store in [&store, &other] {
        assert_eq!(stored(store, 1).await.len(), 3);
        assert_eq!(stored(store, 2).await.len(), 1);
    }
    // A game that can't be packed does not stay in the way.
    store.move_out_of_log(game(2)).await.unwrap();
    assert_eq!(store.cut_log().await, cut(1, None));
    assert_eq!(store.cut_log().await, cut(0, None));
    for (store, seq) in [(&other, 2), (&store, 3)] {
        let conflict = AppendError::Conflict {
            game: game(2),
            seq: Seq(1),
        };
        assert_eq!(store.append(&[chat(2, 1, "late")]).await, [Err(conflict)]);
        assert_eq!(store.append(&[chat(2, seq, "next")]).await, [Ok(())]);
        assert_eq!(store.append(&[chat(1, seq + 2, "next")]).await, [Ok(())]);
    }
    for store in [&store, &other] {
        assert_eq!(stored(store, 1).await.len(), 5);
        assert_eq!(stored(store, 2).await.len(), 3);
    }
    // A game that is deleted can come again, also in another program.
    let deleted = store.delete_game(game(2), Seq(3), Deletable::Endless);
    assert_eq!(deleted.await, Ok(true));
    for store in [&other, &store] {
        assert!(stored(store, 2).await.is_empty());
        assert_eq!(store.append(&[plain(2)]).await, [Ok(())]);
        let deleted = store.delete_game(game(2), Seq(1), Deletable::Endless);
        assert_eq!(deleted.await, Ok(true));
    }
}

pub(super) async fn of_writers_that_know_less_none_takes_the_place_of_what_is_packed(
    store: Arc<Store>,
    place: &Place,
) {
    appended(&store, &[plain(1), plain(2)]).await;
    for seq in 2..=6 {
        appended(&store, &[chat(1, seq, "first")]).await;
    }
    packed(&store, &[1]).await;
    let before = stored(&store, 1).await;
    let other = place.open().await;
    for seq in 1..=6 {
        let conflict = AppendError::Conflict {
            game: game(1),
            seq: Seq(seq),
        };
        // Alone, and with others that are not to blame.
        let late = chat(1, seq, "late");
        let alone = other.append(std::slice::from_ref(&late)).await;
        assert_eq!(alone, [Err(conflict.clone())]);
        let theirs = chat(2, seq + 1, "theirs");
        let together = other.append(&[theirs, late]).await;
        assert_eq!(together, [Ok(()), Err(conflict)]);
    }
    assert_eq!(stored(&store, 1).await, before);
    assert_eq!(stored(&store, 2).await.len(), 7);
    assert_eq!(other.append(&[chat(1, 7, "next")]).await, [Ok(())]);
    assert_eq!(stored(&store, 1).await.len(), 7);
}

pub(super) async fn packing_and_rewriting_at_once_lose_nothing(store: Arc<Store>, place: &Place) {
    let ended = |number| in_state(number, Status::Ended, Clock::None, Visibility::Public);
    let other = place.open().await;
    for number in 1..=20 {
        appended(&store, &[ended(number)]).await;
        for seq in 2..=10 {
            appended(&store, &[chat(number, seq, "text")]).await;
        }
        let packing = tokio::spawn({
            let store = Arc::clone(&store);
            async move { packed(&store, &[number]).await }
        });
        let again = tokio::spawn({
            let other = Arc::clone(&other);
            async move { other.pack_games(vec![game(number)]).await }
        });
        let appending = tokio::spawn({
            let store = Arc::clone(&store);
            async move {
                for seq in 11..=15 {
                    appended(&store, &[chat(number, seq, "text")]).await;
                }
            }
        });
        // Takes the name and what was said out of the game.
        let leaving = Change::LeaveGame {
            player: player(number).id,
            game: game(number),
        };
        let left = other.change(leaving.clone()).await;
        assert!(matches!(left, Ok(ChangeResult::Done)), "{left:?}");
        other.clear_chat(Millis(6), 100).await.unwrap();
        packing.await.unwrap();
        again.await.unwrap().unwrap();
        appending.await.unwrap();
        let events = stored(&store, number).await;
        let numbers = events.iter().map(|event| event.seq.0);
        assert!(numbers.eq(1..=15), "{events:?}");
        assert!(
            matches!(&events[0].body, Body::Created(created) if created.player.name == "(deleted)"),
            "{events:?}"
        );
        // What was said since goes the next time, wherever it stands by then.
        assert_eq!(store.change(leaving).await, Ok(ChangeResult::Done));
        let events = stored(&store, number).await;
        let texts = events
            .iter()
            .filter(|event| matches!(&event.body, Body::Chat { text, .. } if !text.is_empty()));
        assert_eq!(texts.count(), 0);
    }
}

pub(super) async fn chat_of_packed_games_is_found_by_its_age_and_its_seat(
    store: Arc<Store>,
    _: &Place,
) {
    let columns = "select chat_at, chat_seats from packed_games where game_id = $1";
    let seats = async |number| {
        let row = sql(columns).bind(game(number));
        store.row::<(Option<i64>, i64)>(row).await.unwrap()
    };
    let said = |seq: u32, at, seat| {
        let mut said = chat(1, seq, "x");
        for event in &mut said.entries[0].events {
            event.at = Millis(at);
            if let Body::Chat { seat: by, .. } = &mut event.body {
                *by = seat;
            }
        }
        said
    };
    let ended = in_state(1, Status::Ended, Clock::None, Visibility::Public);
    appended(&store, &[ended]).await;
    packed(&store, &[1]).await;
    assert_eq!(seats(1).await, Some((None, 0)));
    appended(&store, &[said(2, 70, qiguan_rules::Seat::Second)]).await;
    packed(&store, &[1]).await;
    assert_eq!(seats(1).await, Some((Some(70), 2)));
    appended(&store, &[said(3, 90, qiguan_rules::Seat::First)]).await;
    packed(&store, &[1]).await;
    assert_eq!(seats(1).await, Some((Some(70), 3)));
    assert_eq!(
        store.clear_packed_chat(Millis(80), None).await,
        Ok((1, None))
    );
    assert_eq!(seats(1).await, Some((Some(90), 1)));
    assert_eq!(
        store.clear_packed_chat(Millis(100), None).await,
        Ok((1, None))
    );
    assert_eq!(seats(1).await, Some((None, 0)));
}

pub(super) async fn a_damaged_row_is_named_and_everything_else_goes_on(
    store: Arc<Store>,
    _: &Place,
) {
    let ended = |number| in_state(number, Status::Ended, Clock::None, Visibility::Public);
    let batches = [ended(1), chat(1, 2, "x"), ended(2), chat(2, 2, "x")];
    appended(&store, &batches).await;
    packed(&store, &[1, 2]).await;
    while store.cut_log().await.unwrap().rows > 0 {}
    let whole = stored(&store, 2).await;
    let damage = sql("update packed_games set body = $1 where game_id = $2");
    let damage = damage.bind(vec![1, 2, 3, 4, 5, 6, 7]).bind(game(1));
    assert_eq!(store.execute(None, damage).await, Ok(1));

    let named = StoreError::Corrupt {
        table: "packed_games",
        row: game(1).to_string(),
        what: "its checksum is wrong".to_owned(),
    };
    assert_eq!(store.game(game(1)).await, Err(named.clone()));
    assert_eq!(stored(&store, 2).await, whole);
    let all = store.stored_games(&Selection::default(), None, 10).await;
    let all = all.unwrap();
    assert_eq!(all[0].events, Err(named.clone()));
    assert!(matches!(all[0].line, Some(Ok(_))), "its line can be read");
    assert!(all[1].events.is_ok());
    // Nothing that goes through all games stops at it, or comes to it again and again.
    let cleared = store.clear_packed_chat(Millis(100), None).await;
    assert_eq!(cleared, Ok((1, None)));
    assert_eq!(stored(&store, 2).await.len(), whole.len());
    let leaving = Change::LeaveGame {
        player: player(1).id,
        game: game(1),
    };
    assert_eq!(store.change(leaving).await, Ok(ChangeResult::Done));
    let became = store.pack_games(vec![game(1), game(2)]).await.unwrap();
    assert!(matches!(became[0].1, Packing::Left(_)), "{became:?}");
    assert!(matches!(became[1].1, Packing::Packed(_)), "{became:?}");
    assert_eq!(store.game(game(1)).await, Err(named));
}

pub(super) async fn old_chat_is_cleared_in_every_packed_game_whatever_stands_before_it(
    store: Arc<Store>,
    _: &Place,
) {
    // The first twelve are damaged, and the next twelve go on.
    for number in 1..=36 {
        let status = if (13..=24).contains(&number) {
            Status::Playing
        } else {
            Status::Ended
        };
        let game = in_state(number, status, Clock::None, Visibility::Public);
        appended(&store, &[game, chat(number, 2, "x")]).await;
        packed(&store, &[number]).await;
    }
    while store.cut_log().await.unwrap().rows > 0 {}
    for number in 1..=12 {
        let damage = sql("update packed_games set body = $1 where game_id = $2");
        let damage = damage.bind(vec![1, 2]).bind(game(number));
        assert_eq!(store.execute(None, damage).await, Ok(1));
    }
    let (mut lines, mut after) = (0, None);
    loop {
        let (cleared, next) = store.clear_packed_chat(Millis(100), after).await.unwrap();
        lines += cleared;
        if next.is_none() {
            break;
        }
        assert!(after < next, "{next:?}");
        after = next;
    }
    assert_eq!(lines, 12);
    for number in 13..=36 {
        let events = stored(&store, number).await;
        let is_cleared = matches!(&events[1].body, Body::Chat { text, .. } if text.is_empty());
        assert_eq!(is_cleared, number > 24, "{number}");
    }
}

pub(super) async fn what_can_be_read_of_a_damaged_game_changes(store: Arc<Store>, _: &Place) {
    let ended = in_state(1, Status::Ended, Clock::None, Visibility::Public);
    appended(&store, &[ended, chat(1, 2, "mine"), chat(1, 3, "x")]).await;
    // In Postgres every body is a text.
    let damage = match store.dialect() {
        Dialect::Sqlite => {
            "update event_log set body = cast(x'ff' as text) where game_id = $1 and seq = 3"
        }
        Dialect::Postgres => "update events set body = 'no JSON' where game_id = $1 and seq = 3",
    };
    let damage = sql(damage).bind(game(1));
    assert_eq!(store.execute(None, damage).await, Ok(1));
    let leaving = Change::LeaveGame {
        player: player(1).id,
        game: game(1),
    };
    assert_eq!(store.change(leaving).await, Ok(ChangeResult::Done));
    let events = match store.dialect() {
        Dialect::Sqlite => "select body from event_log where game_id = $1 and seq < 3 order by id",
        Dialect::Postgres => "select body from events where game_id = $1 and seq < 3 order by seq",
    };
    let bodies = sql(events);
    let mut db = store.reader().await.unwrap();
    let bodies: Vec<String> = db.values(bodies.bind(game(1))).await.unwrap();
    assert!(bodies[0].contains("(deleted)"), "{bodies:?}");
    assert!(bodies[1].ends_with(r#""text":""}"#), "{bodies:?}");
}

pub(super) async fn a_game_that_can_not_be_packed_stays_as_it_is(store: Arc<Store>, _: &Place) {
    // Its third event is missing.
    appended(
        &store,
        &[plain(1), chat(1, 2, "x"), chat(1, 4, "x"), plain(2)],
    )
    .await;
    let before = without_commands(stored(&store, 1).await);
    let became = store.pack_games(vec![game(1), game(2)]).await.unwrap();
    assert_eq!(
        became[0],
        (game(1), Packing::Left("event 3 is missing".to_owned()))
    );
    assert!(matches!(became[1].1, Packing::Packed(_)), "{became:?}");
    assert_eq!(without_commands(stored(&store, 1).await), before);
}
