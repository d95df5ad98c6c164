//! The audit log: an entry for whatever is done and none for what is not, and nothing of it ever changes.

use std::sync::Arc;

use qiguan_game::audit_entry::AuditEntry;
use qiguan_protocol::{
    audit::AuditId,
    ids::Millis,
    names::Role,
    operation::Operation,
    report::{ReportId, ReportOutcome, ReportReason},
};
use sqlx::{ConnectOptions, Connection, PgConnection, sqlite::SqliteConnectOptions};
use uuid::Uuid;

use super::{accounts::an_admin, chat, game, plain, player};
use crate::{
    accounts::{Change, ChangeResult, StoredSanction},
    audit_log::AuditFilter,
    db::sql,
    fair_play::Report,
    store::{Append, Store, TokenHash},
    testing::{Place, audit_entry},
};

pub(super) const ALL: AuditFilter = AuditFilter {
    by: None,
    player: None,
    game: None,
    operation: None,
    from: None,
    until: None,
    before: None,
    limit: 100,
};

/// The numbers of the entries, the newest first.
async fn numbers(store: &Store, filter: &AuditFilter) -> Vec<u128> {
    let audit_entries = store.audit_log(filter).await.unwrap();
    audit_entries
        .iter()
        .map(|named| named.entry.id.0.as_u128())
        .collect()
}

pub(super) async fn whatever_is_done_has_its_entry_and_what_is_not_has_none(
    store: Arc<Store>,
    _: &Place,
) {
    let store = store.as_ref();
    let guest = player(1);
    let made = store.create_guest(&guest, TokenHash([1; 32]), Millis(1));
    made.await.unwrap();
    an_admin(store).await;
    let one = player(1).id;
    let ban = |number, to| Change::Ban {
        player: to,
        ban: Some(StoredSanction {
            until: Millis(99),
            reason: "rude".to_owned(),
        }),
        audit_entry: audit_entry(number, Operation::Ban, to),
    };
    let role = |number, before| Change::Role {
        player: one,
        before,
        role: Role::Moderator,
        audit_entry: Some(audit_entry(number, Operation::ChangeRole, one)),
    };
    for (change, expected) in [
        (ban(1, one), ChangeResult::Done),
        (ban(2, player(7).id), ChangeResult::Stale),
        (role(3, Role::Player), ChangeResult::Stale),
        (role(4, Role::Guest), ChangeResult::Done),
    ] {
        assert_eq!(store.change(change).await, Ok(expected));
    }
    let report = Report {
        id: ReportId(Uuid::from_u128(5)),
        at: Millis(1),
        by: player(9).id,
        player: one,
        game: None,
        seq: None,
        reason: ReportReason::Other,
        text: String::new(),
    };
    assert_eq!(store.report(report.clone(), Millis(0), 9).await, Ok(true));
    for (number, closes) in [(5, true), (6, false)] {
        let entry = audit_entry(number, Operation::CloseReport, one);
        let closed = store.close_report(report.id, ReportOutcome::Dismissed, entry);
        assert_eq!(closed.await, Ok(closes));
    }
    assert_eq!(numbers(store, &ALL).await, [5, 4, 1]);
    let kept = store.kept_report(report.id).await.unwrap().unwrap();
    let closed = kept.closed.unwrap();
    assert_eq!(
        (closed.at, closed.by),
        (Millis(5 * 3_600_000), Some(player(9).id))
    );
    assert_eq!(closed.outcome, Some(ReportOutcome::Dismissed));
    let audit_entries = store.audit_log(&ALL).await.unwrap();
    assert_eq!(audit_entries[2].entry, audit_entry(1, Operation::Ban, one));
    assert_eq!(audit_entries[2].by.as_deref(), Some("玩家 9"));
    assert_eq!(audit_entries[2].player.as_deref(), Some("玩家 1"));
}

pub(super) async fn an_act_is_written_with_the_events_that_it_brings_about_or_not_at_all(
    store: Arc<Store>,
    _: &Place,
) {
    let store = store.as_ref();
    an_admin(store).await;
    let told = |number| AuditEntry {
        player: None,
        game: Some(game(number)),
        ..audit_entry(number, Operation::Adjudicate, player(1).id)
    };
    let with = |append: Append, number| Append {
        audit_entry: Some(told(number)),
        ..append
    };
    let opened = [plain(1), with(plain(2), 2), plain(3), with(plain(4), 4)];
    let results = store.append(&opened).await;
    assert!(results.iter().all(Result::is_ok), "{results:?}");
    assert_eq!(numbers(store, &ALL).await, [4, 2]);
    assert_eq!(store.audit_log(&ALL).await.unwrap()[1].entry, told(2));
    // The number exists: of this batch nothing is written, of the others all.
    let batches = [
        with(chat(1, 2, "one"), 5),
        with(chat(2, 1, "two"), 6),
        with(chat(3, 2, "three"), 7),
    ];
    let results = store.append(&batches).await;
    let stored: Vec<_> = results.iter().map(Result::is_ok).collect();
    assert_eq!(stored, [true, false, true]);
    assert_eq!(numbers(store, &ALL).await, [7, 5, 4, 2]);
}

pub(super) async fn a_page_of_the_audit_log_is_what_the_filter_says(store: Arc<Store>, _: &Place) {
    let store = store.as_ref();
    let (one, two) = (player(1).id, player(2).id);
    let withdrawn = AuditEntry {
        player: None,
        game: Some(game(3)),
        by: None,
        ..audit_entry(4, Operation::Withdraw, one)
    };
    let audit_entries = vec![
        audit_entry(1, Operation::Ban, one),
        audit_entry(2, Operation::Unban, one),
        audit_entry(3, Operation::Ban, two),
        withdrawn,
    ];
    store.add_audit_entries(audit_entries).await.unwrap();
    let hour = |number: i64| Some(Millis(number * 3_600_000));
    for (filter, expected) in [
        (ALL, &[4, 3, 2, 1][..]),
        (AuditFilter { limit: 2, ..ALL }, &[4, 3]),
        (
            AuditFilter {
                before: Some(AuditId(Uuid::from_u128(3))),
                ..ALL
            },
            &[2, 1],
        ),
        (
            AuditFilter {
                by: Some(player(9).id),
                ..ALL
            },
            &[3, 2, 1],
        ),
        (
            AuditFilter {
                player: Some(one),
                ..ALL
            },
            &[2, 1],
        ),
        (
            AuditFilter {
                player: Some(one),
                operation: Some(Operation::Ban),
                ..ALL
            },
            &[1],
        ),
        (
            AuditFilter {
                game: Some(game(3)),
                ..ALL
            },
            &[4],
        ),
        (
            AuditFilter {
                operation: Some(Operation::Ban),
                ..ALL
            },
            &[3, 1],
        ),
        (
            AuditFilter {
                from: hour(2),
                until: hour(4),
                ..ALL
            },
            &[3, 2],
        ),
        (
            AuditFilter {
                by: Some(one),
                ..ALL
            },
            &[],
        ),
    ] {
        assert_eq!(numbers(store, &filter).await, expected, "{filter:?}");
    }
    let named = store.audit_log(&ALL).await.unwrap();
    assert_eq!((&named[0].by, &named[0].player), (&None, &None));
}

/// A statement past this program.
async fn past(place: &Place, statement: &'static str) -> Result<(), String> {
    if place.database().is_some() {
        let done = place.open().await.execute(None, sql(statement)).await;
        return done.map(drop).map_err(|error| error.to_string());
    }
    let done = past_in_file_or_server(place, statement).await;
    done.map_err(|error| error.to_string())
}

async fn past_in_file_or_server(place: &Place, statement: &'static str) -> Result<(), sqlx::Error> {
    if place.url().starts_with("postgres") {
        let mut connection = PgConnection::connect(place.url()).await?;
        sqlx::query(statement).execute(&mut connection).await?;
        return connection.close().await;
    }
    let options = SqliteConnectOptions::new().filename(place.file());
    let mut connection = options.connect().await?;
    sqlx::query(statement).execute(&mut connection).await?;
    connection.close().await
}

/// Not even by a statement past this program.
pub(super) async fn the_audit_log_is_only_added_to(store: Arc<Store>, place: &Place) {
    let entry = audit_entry(1, Operation::Ban, player(1).id);
    store.add_audit_entries(vec![entry.clone()]).await.unwrap();
    let other = AuditEntry {
        reason: "another".to_owned(),
        ..entry.clone()
    };
    store.add_audit_entries(vec![other]).await.unwrap();
    for statement in ["update acts set reason = 'x'", "delete from acts"] {
        let refused = past(place, statement).await.unwrap_err();
        assert!(refused.contains("only added to"), "{statement}: {refused}");
    }
    if place.url().starts_with("postgres") {
        past(place, "truncate acts").await.unwrap_err();
    } else {
        let replaces = "insert or replace into acts (id, at, operation, reason, details) \
             select id, 0, operation, 'x', 'x' from acts";
        past(place, replaces).await.unwrap();
    }
    let audit_entries = store.audit_log(&ALL).await.unwrap();
    assert_eq!(audit_entries.len(), 1);
    assert_eq!(audit_entries[0].entry, entry);
}
