//! What is deleted when it has been kept long enough.

use std::sync::Arc;

use qiguan_game::{
    audit_entry::AuditEntry,
    event::Body,
    seat_drafts::{DraftKind, Drafts},
};
use qiguan_protocol::{
    ids::{Millis, Ply, Seq},
    names::{Status, Visibility},
    operation::Operation,
    time_control::Clock,
};
use qiguan_rules::{EndReason, Outcome, Seat};

use super::{chat, fair_play::report, game, opening, player, stored};
use crate::{
    store::{Aborted, AbortedPage, Append, Cleared, Deletable, Store},
    testing::{Place, audit_entry},
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

pub(super) async fn games_that_nothing_ends_are_found_when_their_last_event_is_old(
    store: Arc<Store>,
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
            store.abandoned_games(Millis(before)).await,
            Ok(expected),
            "{before}"
        );
    }
}

pub(super) async fn a_deleted_game_leaves_nothing_and_one_that_went_on_stays(
    store: Arc<Store>,
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
        let notes = DraftKind::Notes;
        let kept = store.save_draft(game(number), Seat::First, notes, "x".to_owned());
        kept.await.unwrap();
        let kept = store.keep_review(game(number), 1, Millis(0), vec![7], 9);
        kept.await.unwrap();
    }
    assert_eq!(
        store.delete_game(game(1), Seq(1), Deletable::Endless).await,
        Ok(false)
    );
    assert_eq!(
        store.delete_game(game(7), Seq(1), Deletable::Endless).await,
        Ok(false)
    );
    assert_eq!(stored(store.as_ref(), 1).await.len(), 2);
    assert_eq!(
        store.delete_game(game(1), Seq(2), Deletable::Endless).await,
        Ok(true)
    );
    assert_eq!(
        store.delete_game(game(1), Seq(2), Deletable::Endless).await,
        Ok(false)
    );
    store.close().await;
    let again = place.open().await;
    assert_eq!(again.stored_games_of(&[game(1)]).await, Ok(Vec::new()));
    assert!(again.drafts(game(1)).await.unwrap() == Drafts::default());
    assert_eq!(again.review(game(1), 1).await, Ok(None));
    assert_eq!(again.review(game(2), 1).await, Ok(Some(vec![7])));
    assert!(again.drafts(game(2)).await.unwrap() != Drafts::default());
    assert_eq!(stored(again.as_ref(), 2).await.len(), 1);
    assert_eq!(again.unfinished_games_of(player(1).id).await, Ok(0));
    // Its id is free again, as if it had never been.
    let another = in_state(1, Status::Open, none, public);
    assert_eq!(again.append(&[another]).await, [Ok(())]);
}

pub(super) const fn cleared(lines: u32, is_more: bool) -> Cleared {
    Cleared { lines, is_more }
}

pub(super) async fn old_chat_is_cleared_in_ended_games_and_its_events_stay(
    store: Arc<Store>,
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
    assert_eq!(
        store.clear_chat(Millis(20), 10).await,
        Ok(cleared(0, false))
    );
    // The last is not old enough.
    assert_eq!(store.clear_chat(Millis(50), 2).await, Ok(cleared(2, true)));
    assert_eq!(store.clear_chat(Millis(50), 2).await, Ok(cleared(1, false)));
    assert_eq!(store.clear_chat(Millis(50), 2).await, Ok(cleared(0, false)));
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

pub(super) async fn i6_aborted_games_go_unless_they_were_begun_or_something_needs_them(
    store: Arc<Store>,
    _: &Place,
) {
    let ended = |number: u128, reason: EndReason, plies: u32| {
        let mut append = in_state(number, Status::Ended, Clock::None, Visibility::Public);
        let summary = append.entries[0].summary.as_mut().unwrap();
        summary.outcome = Some(Outcome {
            winner: None,
            reason,
        });
        summary.plies = Some(Ply(plies));
        summary.ended_at = Some(Millis(number as i64 * 10));
        append
    };
    let batches = [
        ended(1, EndReason::Aborted, 0),
        ended(2, EndReason::Aborted, 1),
        // Both have moved; it was played; it goes on.
        ended(3, EndReason::Aborted, 2),
        ended(4, EndReason::Resignation, 1),
        in_state(5, Status::Playing, Clock::None, Visibility::Public),
        // Reported; in the audit log; with chat, long ago and not so long ago.
        ended(6, EndReason::Aborted, 0),
        ended(7, EndReason::Aborted, 0),
        ended(8, EndReason::Aborted, 0),
        chat(8, 2, "rude"),
        ended(9, EndReason::Aborted, 0),
        chat(9, 2, "rude"),
        ended(10, EndReason::Aborted, 0),
    ];
    assert!(store.append(&batches).await.iter().all(Result::is_ok));
    let reported = report(6, 1, 5);
    assert_eq!(reported.game, Some(game(6)));
    assert_eq!(store.report(reported, Millis(0), 10).await, Ok(true));
    let audit_entry = AuditEntry {
        game: Some(game(7)),
        ..audit_entry(1, Operation::Adjudicate, player(1).id)
    };
    store.add_audit_entries(vec![audit_entry]).await.unwrap();

    let page = AbortedPage {
        ended_before: Millis(100),
        spoken_since: Millis(90),
        after: None,
        limit: 4,
    };
    let listed = async |page| {
        let games = store.aborted_games(page).await.unwrap();
        let games = games.into_iter();
        let listed = games.map(|aborted: Aborted| {
            assert_eq!(aborted.ended_at.0 as u128, aborted.game.0.as_u128() * 10);
            (aborted.game.0.as_u128(), aborted.is_needed)
        });
        listed.collect::<Vec<_>>()
    };
    assert_eq!(
        listed(page).await,
        [(1, false), (2, false), (6, true), (7, true)]
    );
    let next = AbortedPage {
        after: Some((Millis(70), game(7))),
        ..page
    };
    assert_eq!(listed(next).await, [(8, false), (9, true)]);

    let which = Deletable::Aborted {
        spoken_since: Millis(90),
    };
    for (number, last, gone) in [
        (1, 1, true),
        (2, 2, false),
        (2, 1, true),
        (3, 1, false),
        (4, 1, false),
        (5, 1, false),
        (6, 1, false),
        (7, 1, false),
        (8, 2, true),
        (9, 2, false),
    ] {
        let deleted = store.delete_game(game(number), Seq(last), which).await;
        assert_eq!(deleted, Ok(gone), "game {number}");
        let there = store.game(game(number)).await.unwrap().is_some();
        assert_eq!(there, !gone || last > 1 && number < 3, "game {number}");
    }
}
