//! Shared analyses: the same once, no more than are allowed, deleted by their players and moderators, and gone with the account.

use std::sync::Arc;

use qiguan_game::audit_entry::AuditEntry;
use qiguan_protocol::{
    analysis::{Analysis, AnalysisNode},
    ids::{AnalysisId, Millis},
    operation::Operation,
    option::AskedOptions,
};
use uuid::Uuid;

use super::{
    accounts::{done, hash, new_account},
    player,
};
use crate::{
    accounts::{
        Change,
        analyses::{Shared, StoredAnalysis},
    },
    audit_log::AuditFilter,
    store::{Store, TokenHash},
    testing::{Place, audit_entry},
};

fn id(number: u128) -> AnalysisId {
    AnalysisId(Uuid::from_u128(number))
}

/// An analysis with this title.
fn analysis(number: u128, by: u128, title: &str) -> StoredAnalysis {
    StoredAnalysis {
        id: id(number),
        player: player(by).id,
        at: Millis(number as i64),
        content: Analysis {
            ruleset: "xiangqi/standard".to_owned(),
            options: AskedOptions::default(),
            start: "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1".to_owned(),
            title: title.to_owned(),
            game: None,
            at: 1,
            nodes: vec![
                AnalysisNode {
                    comment: "<b>\"棋\"</b>\n".to_owned(),
                    ..AnalysisNode::default()
                },
                AnalysisNode::default(),
            ],
        },
    }
}

/// The ids of what a player has shared, and what it is called.
async fn listed(store: &Store, by: u128) -> Vec<(AnalysisId, String)> {
    let all = store.analyses_of(player(by).id).await.unwrap().into_iter();
    all.map(|one| (one.analysis, one.title)).collect()
}

pub(super) async fn an_analysis_is_shared_once_by_each_and_as_many_as_are_allowed(
    store: Arc<Store>,
    _: &Place,
) {
    let store = store.as_ref();
    done(store, new_account(1, &["anna"])).await;
    done(store, new_account(2, &["berta"])).await;
    let share = |number, by, title| store.share(analysis(number, by, title), 2);
    assert_eq!(share(1, 1, "one").await, Ok(Shared::New));
    assert_eq!(share(2, 1, "one").await, Ok(Shared::Before(id(1))));
    assert_eq!(share(3, 2, "one").await, Ok(Shared::New));
    assert_eq!(share(4, 1, "two").await, Ok(Shared::New));
    assert_eq!(share(5, 1, "three").await, Ok(Shared::TooMany));
    assert_eq!(share(6, 1, "two").await, Ok(Shared::Before(id(4))));
    assert_eq!(share(7, 9, "one").await, Ok(Shared::NoPlayer));
    assert_eq!(store.analysis(id(1)).await, Ok(Some(analysis(1, 1, "one"))));
    assert_eq!(store.analysis(id(2)).await, Ok(None));
    assert_eq!(store.has_analysis(id(1)).await, Ok(true));
    assert_eq!(store.has_analysis(id(2)).await, Ok(false));
    let both = [(id(4), "two".to_owned()), (id(1), "one".to_owned())];
    assert_eq!(listed(store, 1).await, both);
    let list = store.analyses_of(player(1).id).await.unwrap();
    assert_eq!((list[0].moves, list[0].shared_at), (1, Millis(4)));
    let delete = |by, number| store.delete_own_analysis(player(by).id, id(number));
    assert_eq!(delete(2, 1).await, Ok(false), "it is another player's");
    assert_eq!(delete(1, 1).await, Ok(true));
    assert_eq!(delete(1, 1).await, Ok(false));
    assert_eq!(share(8, 1, "one").await, Ok(Shared::New));
}

pub(super) async fn analyses_shared_at_once_are_no_more_than_are_allowed(
    store: Arc<Store>,
    _: &Place,
) {
    let guest = player(1);
    let token = TokenHash([1; 32]);
    store.create_guest(&guest, token, Millis(1)).await.unwrap();
    let mut sharing = Vec::new();
    for number in 0..12_u128 {
        let store = Arc::clone(&store);
        // Four of each.
        let shared = analysis(number + 1, 1, &(number % 3).to_string());
        sharing.push(tokio::spawn(async move { store.share(shared, 2).await }));
    }
    let mut new = 0;
    for shared in sharing {
        new += u32::from(shared.await.unwrap() == Ok(Shared::New));
    }
    assert_eq!(new, 2);
    assert_eq!(listed(&store, 1).await.len(), 2);
}

pub(super) async fn a_moderator_deletes_an_analysis_with_an_entry_of_the_audit_log(
    store: Arc<Store>,
    _: &Place,
) {
    let store = store.as_ref();
    for (number, name) in [(1, "anna"), (2, "moderator"), (3, "berta")] {
        done(store, new_account(number, &[name])).await;
    }
    let promote = Change::Role {
        player: player(2).id,
        before: qiguan_protocol::names::Role::Player,
        role: qiguan_protocol::names::Role::Moderator,
        audit_entry: None,
    };
    done(store, promote).await;
    for number in [1, 2] {
        let shared = analysis(number, 1, &number.to_string());
        assert_eq!(store.share(shared, 9).await, Ok(Shared::New));
    }
    let by = |number, by: u128| AuditEntry {
        by: Some(player(by).id),
        ..audit_entry(number, Operation::DeleteAnalysis, player(1).id)
    };
    let delete = |number, entry| store.delete_analysis(id(number), entry);
    assert_eq!(delete(1, by(1, 3)).await, Ok(false), "no moderator");
    assert_eq!(delete(9, by(2, 2)).await, Ok(false), "no such analysis");
    assert_eq!(delete(1, by(3, 2)).await, Ok(true));
    assert_eq!(delete(1, by(4, 2)).await, Ok(false), "it is gone");
    assert_eq!(listed(store, 1).await, [(id(2), "2".to_owned())]);
    let filter = AuditFilter {
        operation: Some(Operation::DeleteAnalysis),
        limit: 9,
        ..AuditFilter::default()
    };
    let entries = store.audit_log(&filter).await.unwrap();
    let entries: Vec<_> = entries.into_iter().map(|named| named.entry).collect();
    assert_eq!(entries, [by(3, 2)]);
}

pub(super) async fn d13_analyses_go_with_the_account_and_none_comes_back(
    store: Arc<Store>,
    _: &Place,
) {
    let store = store.as_ref();
    done(store, new_account(1, &["anna"])).await;
    done(store, new_account(2, &["berta"])).await;
    for (number, by) in [(1, 1), (2, 2)] {
        let shared = store.share(analysis(number, by, "one"), 9).await;
        assert_eq!(shared, Ok(Shared::New));
    }
    let delete = Change::Delete {
        player: player(1).id,
        tried: hash("one"),
        at: Millis(9),
    };
    done(store, delete).await;
    assert_eq!(store.analysis(id(1)).await, Ok(None));
    let again = store.share(analysis(1, 1, "one"), 9).await;
    assert_eq!(again, Ok(Shared::NoPlayer));
    let carried = vec![
        analysis(1, 1, "of a deleted account"),
        analysis(2, 2, "there already"),
        analysis(3, 2, "one"),
        analysis(4, 2, "new"),
        analysis(5, 7, "of nobody"),
    ];
    store.add_analyses(carried).await.unwrap();
    let all = store.all_analyses(None, 9).await;
    assert_eq!(all, Ok(vec![analysis(2, 2, "one"), analysis(4, 2, "new")]));
    let rest = store.all_analyses(Some(id(2)), 9).await;
    assert_eq!(rest, Ok(vec![analysis(4, 2, "new")]));
}
