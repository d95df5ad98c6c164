//! What moderators do relies on roles that may change while it is on its way: the statement that carries it out judges once more.

use std::sync::Arc;

use qiguan_game::{
    audit_entry::AuditEntry,
    people::{
        identity::Identity,
        permission::{self, Permit, Who},
    },
};
use qiguan_protocol::{
    ids::{Millis, PlayerId},
    names::Role,
    operation::Operation,
    report::{ReportId, ReportOutcome, ReportReason},
};
use uuid::Uuid;

use super::{
    accounts::{account, done, of_role},
    audit_log::ALL,
    chat, game, plain, player,
};
use crate::{
    accounts::{Change, ChangeResult, StoredSanction},
    announcements::{Announcement, Kind},
    fair_play::Report,
    store::{Append, AppendError, Store},
    testing::{Place, audit_entry},
};

/// The moderator, and whom it is done to.
const ACTOR: u8 = 1;
const TARGET: u8 = 2;

fn id(number: u8) -> PlayerId {
    player(number.into()).id
}

fn by_actor(number: u128, operation: Operation) -> AuditEntry {
    AuditEntry {
        by: Some(id(ACTOR)),
        ..audit_entry(number, operation, id(TARGET))
    }
}

/// Everything that is done to an account, each with an entry of its own.
fn all_to_target(first: u128, before: Role) -> Vec<(Operation, Change)> {
    let player = id(TARGET);
    let held = || {
        Some(StoredSanction {
            until: Millis(99),
            reason: "rude".to_owned(),
        })
    };
    let audit_entries = [
        Operation::Ban,
        Operation::Unban,
        Operation::Mute,
        Operation::Unmute,
        Operation::Limit,
        Operation::Unlimit,
        Operation::Rename,
        Operation::ChangeRole,
    ];
    let changes = audit_entries
        .into_iter()
        .zip(first..)
        .map(|(operation, number)| {
            let audit_entry = by_actor(number, operation);
            let change = match operation {
                Operation::Ban => Change::Ban {
                    player,
                    ban: held(),
                    audit_entry,
                },
                Operation::Unban => Change::Ban {
                    player,
                    ban: None,
                    audit_entry,
                },
                Operation::Mute => Change::Mute {
                    player,
                    mute: held(),
                    audit_entry,
                },
                Operation::Unmute => Change::Mute {
                    player,
                    mute: None,
                    audit_entry,
                },
                Operation::Limit => Change::Limit {
                    player,
                    since: Some(Millis(5)),
                    audit_entry,
                },
                Operation::Unlimit => Change::Limit {
                    player,
                    since: None,
                    audit_entry,
                },
                Operation::Rename => Change::Rename {
                    player,
                    before: super::player(TARGET.into()).name,
                    name: super::player(TARGET.into()).name,
                    keys: vec!["other".to_owned()],
                    audit_entry,
                },
                _ => Change::Role {
                    player,
                    before,
                    // So that what comes next finds the same.
                    role: before,
                    audit_entry: Some(audit_entry),
                },
            };
            (operation, change)
        });
    changes.collect()
}

/// Gives somebody another role past all checks, as the operator does.
async fn becomes(store: &Store, number: u8, before: Role, role: Role) {
    let change = Change::Role {
        player: id(number),
        before,
        role,
        audit_entry: None,
    };
    done(store, change).await;
}

fn permit(role: Role, operation: Operation) -> Option<Permit> {
    let who = Identity {
        role,
        ..Identity::guest(player(ACTOR.into()))
    };
    permission::permit(Who::Player(&who), operation).ok()
}

pub(super) async fn n1_what_is_done_to_an_account_is_judged_by_the_roles_of_that_moment(
    store: Arc<Store>,
    _: &Place,
) {
    let store = store.as_ref();
    of_role(store, ACTOR, Role::Player).await;
    of_role(store, TARGET, Role::Player).await;
    let (mut actor, mut target, mut number) = (Role::Player, Role::Player, 100);
    for to in [Role::Player, Role::Bot, Role::Moderator, Role::Admin] {
        for by in [Role::Player, Role::Bot, Role::Moderator, Role::Admin] {
            becomes(store, ACTOR, actor, by).await;
            becomes(store, TARGET, target, to).await;
            (actor, target) = (by, to);
            for (operation, change) in all_to_target(number, to) {
                let before = account(store, TARGET).await;
                let may = permit(by, operation).is_some_and(|permit| permit.reaches(to).is_ok());
                let changed = store.change(change).await;
                let expected = if may {
                    ChangeResult::Done
                } else {
                    ChangeResult::Stale
                };
                assert_eq!(changed, Ok(expected), "{by:?} {operation:?} {to:?}");
                if !may {
                    assert_eq!(
                        account(store, TARGET).await,
                        before,
                        "{by:?} {operation:?} {to:?}"
                    );
                }
            }
            number += 100;
        }
    }
    // There is an entry for what was done, and none for what was not.
    let told = store.audit_log(&super::audit_log::ALL).await.unwrap().len();
    assert_eq!(told, 3 * 8 + 2 * 7);
}

pub(super) async fn n1_a_banned_muted_or_limited_player_is_made_no_moderator(
    store: Arc<Store>,
    _: &Place,
) {
    let store = store.as_ref();
    of_role(store, ACTOR, Role::Moderator).await;
    of_role(store, TARGET, Role::Player).await;
    let role = |role| Change::Role {
        player: id(TARGET),
        before: Role::Player,
        role,
        audit_entry: Some(AuditEntry {
            by: None,
            at: Millis(50),
            ..audit_entry(77, Operation::ChangeRole, id(TARGET))
        }),
    };
    let changes = all_to_target(1, Role::Player);
    let mut changes = changes.into_iter().map(|(_, change)| change);
    for _ in 0..3 {
        let (Some(imposed), Some(lifted)) = (changes.next(), changes.next()) else {
            panic!("three that come in pairs");
        };
        done(store, imposed).await;
        for wanted in [Role::Moderator, Role::Admin] {
            assert_eq!(store.change(role(wanted)).await, Ok(ChangeResult::Stale));
        }
        done(store, lifted).await;
    }
    done(store, role(Role::Moderator)).await;
}

pub(super) async fn n1_what_is_done_to_a_game_is_judged_by_the_roles_of_that_moment(
    store: Arc<Store>,
    _: &Place,
) {
    let store = store.as_ref();
    // The players of the game: who has opened it is the first.
    of_role(store, 9, Role::Moderator).await;
    of_role(store, ACTOR, Role::Player).await;
    assert_eq!(store.append(&[plain(1), plain(2)]).await, [Ok(()), Ok(())]);
    let players = store.players_of(game(1)).await.unwrap();
    assert_eq!(players, [(id(ACTOR), Role::Player)]);
    let with = |append: Append, number| Append {
        audit_entry: Some(AuditEntry {
            by: Some(id(9)),
            player: None,
            game: Some(game(1)),
            ..audit_entry(number, Operation::Adjudicate, id(9))
        }),
        ..append
    };
    becomes(store, ACTOR, Role::Player, Role::Moderator).await;
    // A batch beside it is stored.
    let batches = [with(chat(1, 2, "one"), 1), chat(2, 2, "two")];
    let stored = store.append(&batches).await;
    assert_eq!(stored, [Err(AppendError::Forbidden), Ok(())]);
    becomes(store, ACTOR, Role::Moderator, Role::Player).await;
    becomes(store, 9, Role::Moderator, Role::Player).await;
    let stored = store.append(&[with(chat(1, 2, "one"), 2)]).await;
    assert_eq!(stored, [Err(AppendError::Forbidden)]);
    assert!(store.audit_log(&ALL).await.unwrap().is_empty());
    becomes(store, 9, Role::Player, Role::Moderator).await;
    let stored = store.append(&[with(chat(1, 2, "one"), 3)]).await;
    assert_eq!(stored, [Ok(())]);
    // Announcements are for admins.
    let said = || Announcement {
        text: "x".to_owned(),
        at: Millis(5),
        until: None,
    };
    let entry = |number| AuditEntry {
        player: None,
        ..audit_entry(number, Operation::PutUpNotice, id(9))
    };
    let put = store.announce(Kind::Notice, Some(said()), entry(4)).await;
    assert_eq!(put, Ok(false));
    assert_eq!(store.announcements().await.unwrap().notice, None);
    becomes(store, 9, Role::Moderator, Role::Admin).await;
    let put = store.announce(Kind::Notice, Some(said()), entry(5)).await;
    assert_eq!(put, Ok(true));
    assert_eq!(store.audit_log(&ALL).await.unwrap().len(), 2);
}

pub(super) async fn n2_reports_are_listed_and_closed_by_whom_they_are_for(
    store: Arc<Store>,
    _: &Place,
) {
    let store = store.as_ref();
    for (number, role) in [
        (1, Role::Moderator),
        (2, Role::Moderator),
        (3, Role::Admin),
        (4, Role::Player),
        (5, Role::Guest),
    ] {
        of_role(store, number, role).await;
        let report = Report {
            id: ReportId(Uuid::from_u128(number.into())),
            at: Millis(1),
            by: id(4),
            player: id(number),
            game: None,
            seq: None,
            reason: ReportReason::Other,
            text: String::new(),
        };
        assert_eq!(store.report(report, Millis(0), 9).await, Ok(true));
    }
    let listed = async |permit: Permit| {
        let reports = store.open_reports(permit, None, 10).await.unwrap();
        let numbers = reports.iter().map(|report| report.id.0.as_u128());
        numbers.collect::<Vec<_>>()
    };
    let operator = permission::permit(Who::Operator, Operation::ReadReports).unwrap();
    assert_eq!(listed(operator).await, [1, 2, 3, 4, 5]);
    let moderator = permit(Role::Moderator, Operation::ReadReports).unwrap();
    assert_eq!(listed(moderator).await, [2, 4, 5]);
    let close = async |number: u128, as_number| {
        let entry = AuditEntry {
            by: Some(id(1)),
            ..audit_entry(as_number, Operation::CloseReport, id(4))
        };
        let report = ReportId(Uuid::from_u128(number));
        let closed = store.close_report(report, ReportOutcome::Dismissed, entry);
        closed.await.unwrap()
    };
    for (number, closes) in [(1, false), (3, false), (4, true)] {
        assert_eq!(close(number, number).await, closes, "{number}");
    }
    becomes(store, 1, Role::Moderator, Role::Player).await;
    assert_eq!(listed(moderator).await, Vec::<u128>::new());
    assert!(!close(5, 6).await);
    assert_eq!(store.audit_log(&ALL).await.unwrap().len(), 1);
}
