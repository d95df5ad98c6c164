//! What is deleted when it has been kept long enough.

use std::sync::Arc;

use qiguan_protocol::{
    ids::{Millis, Seq},
    names::{Status, Visibility},
    time_control::Clock,
};
use qiguan_rules::Seat;

use super::{Place, chat, game, opening, player, stored};
use crate::{
    room::event::Body,
    store::store::{Append, PaperKind, Papers, Store},
};

/// A game opened at the time of its number, in some state.
pub(super) fn in_state(
    number: u128,
    status: Status,
    clock: Clock,
    visibility: Visibility,
) -> Append {
    let mut append = opening(number, number, visibility, clock);
    let summary = append.entries[0].summary.as_mut().unwrap();
    summary.status = status;
    if status != Status::Open {
        summary.players.second = Some(player(number + 1_000));
    }
    append
}

pub(super) async fn games_are_forsaken_if_nothing_ends_them_and_their_last_event_is_old(
    store: Arc<dyn Store>,
    _: &Place,
) {
    let fischer = Clock::Fischer {
        initial_ms: Millis(60_000),
        increment_ms: Millis(0),
    };
    let (public, link) = (Visibility::Public, Visibility::Link);
    let mut batches = vec![
        in_state(1, Status::Open, fischer, public),
        in_state(2, Status::Open, Clock::None, link),
        in_state(3, Status::Playing, Clock::None, public),
        in_state(4, Status::Playing, fischer, public),
        in_state(5, Status::Ended, Clock::None, public),
        in_state(9, Status::Open, Clock::None, public),
    ];
    // Something has happened in the second one since: at 5.
    batches.push(chat(2, 2, "still here"));
    assert!(store.append(&batches).await.iter().all(Result::is_ok));
    for (before, expected) in [
        (1, &[][..]),
        (2, &[1]),
        (5, &[1, 3]),
        (6, &[1, 2, 3]),
        (100, &[1, 2, 3, 9]),
    ] {
        let expected: Vec<_> = expected.iter().copied().map(game).collect();
        assert_eq!(
            store.forsaken_games(Millis(before)).await,
            Ok(expected),
            "{before}"
        );
    }
}

pub(super) async fn a_deleted_game_leaves_nothing_and_one_that_went_on_stays(
    store: Arc<dyn Store>,
    place: &Place,
) {
    let (public, none) = (Visibility::Public, Clock::None);
    let batches = [
        in_state(1, Status::Open, none, public),
        in_state(2, Status::Open, none, public),
        chat(1, 2, "hello"),
    ];
    assert!(store.append(&batches).await.iter().all(Result::is_ok));
    for number in [1, 2] {
        let notes = PaperKind::Notes;
        let kept = store.keep_paper(game(number), Seat::First, notes, "x".to_owned());
        kept.await.unwrap();
    }
    assert_eq!(store.delete_game(game(1), Seq(1)).await, Ok(false));
    assert_eq!(store.delete_game(game(7), Seq(1)).await, Ok(false));
    assert_eq!(stored(store.as_ref(), 1).await.len(), 2);
    assert_eq!(store.delete_game(game(1), Seq(2)).await, Ok(true));
    assert_eq!(store.delete_game(game(1), Seq(2)).await, Ok(false));
    store.close().await;
    let again = place.open().await;
    assert_eq!(again.stored_games_of(&[game(1)]).await, Ok(Vec::new()));
    assert!(again.papers(game(1)).await.unwrap() == Papers::default());
    assert!(again.papers(game(2)).await.unwrap() != Papers::default());
    assert_eq!(stored(again.as_ref(), 2).await.len(), 1);
    assert_eq!(again.unfinished_games_of(player(1).id).await, Ok(0));
    // Its id is free again, as if it had never been.
    let anew = in_state(1, Status::Open, none, public);
    assert_eq!(again.append(&[anew]).await, [Ok(())]);
}

pub(super) async fn old_chat_is_cleared_in_ended_games_and_its_events_stay(
    store: Arc<dyn Store>,
    _: &Place,
) {
    let (public, none) = (Visibility::Public, Clock::None);
    let mut batches = vec![
        in_state(1, Status::Ended, none, public),
        in_state(2, Status::Playing, none, public),
    ];
    for number in [1, 2] {
        // Texts that look like what they are told apart by.
        let texts = ["好棋", "\"text\":\"\"}", "{\"t\":\"m\"}", "last"];
        for (text, seq) in texts.into_iter().zip(2..) {
            let mut line = chat(number, seq, text);
            line.entries[0].events[0].at = Millis(i64::from(seq) * 10);
            batches.push(line);
        }
    }
    assert!(store.append(&batches).await.iter().all(Result::is_ok));
    let before = stored(store.as_ref(), 2).await;
    assert_eq!(store.clear_chat(Millis(20), 10).await, Ok(0));
    // The last is not old enough.
    assert_eq!(store.clear_chat(Millis(50), 2).await, Ok(2));
    assert_eq!(store.clear_chat(Millis(50), 2).await, Ok(1));
    assert_eq!(store.clear_chat(Millis(50), 2).await, Ok(0));
    let texts: Vec<_> = stored(store.as_ref(), 1)
        .await
        .into_iter()
        .filter_map(|event| match event.body {
            Body::Chat { text, .. } => Some((event.seq, event.at, text)),
            _ => None,
        })
        .collect();
    let expected = [(2, ""), (3, ""), (4, ""), (5, "last")]
        .map(|(seq, text)| (Seq(seq), Millis(i64::from(seq) * 10), text.to_owned()));
    assert_eq!(texts, expected);
    assert_eq!(stored(store.as_ref(), 2).await, before, "it goes on");
}
