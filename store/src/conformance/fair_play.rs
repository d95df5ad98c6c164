//! Blocks and reports: kept once, within their limits, and shown to nobody else.

use std::sync::Arc;

use qiguan_game::{
    audit_entry::AuditEntry,
    people::permission::{self, Permit, Who},
};
use qiguan_protocol::{
    ids::{Millis, Seq},
    operation::Operation,
    report::{ReportId, ReportOutcome, ReportReason},
};
use uuid::Uuid;

use super::{
    accounts::{done, new_account},
    game, player,
};
use crate::{
    fair_play::Report,
    store::{Store, TokenHash},
    testing::{Place, audit_entry},
};

pub(super) async fn blocks_hold_for_both_and_are_as_many_as_are_allowed(
    store: Arc<Store>,
    _: &Place,
) {
    for number in 1..=4 {
        store
            .create_guest(&player(number), TokenHash([number as u8; 32]), Millis(1))
            .await
            .unwrap();
    }
    let [one, two, three, four] = [1, 2, 3, 4].map(|number| player(number).id);
    for (blocked, at, fits) in [(two, 1, true), (three, 2, true), (four, 3, false)] {
        assert_eq!(store.block(one, blocked, Millis(at), 2).await, Ok(fits));
    }
    assert_eq!(
        store.block(one, two, Millis(9), 2).await,
        Ok(true),
        "whom one blocks already needs no room"
    );
    assert_eq!(store.block(four, one, Millis(4), 2).await, Ok(true));
    let names = [player(3), player(2)].map(|player| (player.id, player.name));
    assert_eq!(store.blocked_by(one).await, Ok(names.to_vec()));
    for (who, expected) in [
        (one, vec![two, three, four]),
        (two, vec![one]),
        (four, vec![one]),
    ] {
        let mut avoided = store.avoided_by(who).await.unwrap();
        avoided.sort_unstable();
        assert_eq!(avoided, expected);
    }
    store.unblock(one, two).await.unwrap();
    store.unblock(one, two).await.unwrap();
    assert_eq!(store.avoided_by(two).await, Ok(Vec::new()));
}

/// The permit of the operator, whom every report is for.
fn nobody() -> Permit {
    permission::permit(Who::Operator, Operation::ReadReports).unwrap()
}

pub(super) fn report(number: u128, by: u128, at: i64) -> Report {
    Report {
        id: ReportId(Uuid::from_u128(number)),
        at: Millis(at),
        by: player(by).id,
        player: player(9).id,
        game: number.is_multiple_of(2).then(|| game(number)),
        seq: number.is_multiple_of(4).then_some(Seq(7)),
        reason: ReportReason::ALL[number as usize % 6],
        text: format!("棋 {number}"),
    }
}

pub(super) async fn reports_wait_for_a_moderator_and_are_as_many_as_are_allowed(
    store: Arc<Store>,
    _: &Place,
) {
    for number in [1, 2] {
        let token = TokenHash([number; 32]);
        let guest = player(number.into());
        let made = store.create_guest(&guest, token, Millis(1));
        made.await.unwrap();
    }
    done(store.as_ref(), new_account(9, &["nine"])).await;
    let mut kept = Vec::new();
    for (number, by, at, fits) in [
        (1, 1, 10, true),
        (2, 1, 20, true),
        (3, 1, 30, false),
        (4, 2, 30, true),
        // The first is a day old by then.
        (5, 1, 115, true),
    ] {
        let report = report(number, by, at);
        let since = Millis(at - 100);
        assert_eq!(store.report(report.clone(), since, 2).await, Ok(fits));
        kept.extend(fits.then_some(report));
    }
    assert_eq!(
        store.open_reports(nobody(), None, 10).await,
        Ok(kept.clone())
    );
    let after = Some(kept[1].id);
    assert_eq!(
        store.open_reports(nobody(), after, 1).await,
        Ok(vec![kept[2].clone()])
    );
    for closed in [true, false] {
        let entry = AuditEntry {
            by: None,
            ..audit_entry(1, Operation::CloseReport, player(9).id)
        };
        let close = store.close_report(kept[0].id, ReportOutcome::Upheld, entry);
        assert_eq!(close.await, Ok(closed), "once");
    }
    assert_eq!(
        store.open_reports(nobody(), None, 10).await,
        Ok(kept[1..].to_vec())
    );
}
