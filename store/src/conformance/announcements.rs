//! Announcements: one of each kind, until it is taken down, each with its entry of the audit log.

use std::sync::Arc;

use qiguan_game::audit_entry::AuditEntry;
use qiguan_protocol::{ids::Millis, operation::Operation};

use super::{accounts::an_admin, audit_log, player};
use crate::{
    announcements::{ActiveAnnouncements, Announcement, Kind},
    store::Store,
    testing::{self, Place},
};

pub(super) async fn an_announcement_stands_until_it_is_taken_down_also_after_opening_again(
    store: Arc<Store>,
    place: &Place,
) {
    let audit_entry = |number, operation| AuditEntry {
        player: None,
        ..testing::audit_entry(number, operation, player(1).id)
    };
    let said = |text: &str, until: Option<i64>| Announcement {
        text: text.to_owned(),
        at: Millis(5),
        until: until.map(Millis),
    };
    an_admin(store.as_ref()).await;
    assert_eq!(
        store.announcements().await,
        Ok(ActiveAnnouncements::default())
    );
    let (first, second) = (said("好", Some(9)), said("another", Some(10)));
    let closed = said("a new disk", None);
    for (number, kind, announcement, operation) in [
        (1, Kind::Notice, Some(first), Operation::PutUpNotice),
        (
            2,
            Kind::Maintenance,
            Some(closed.clone()),
            Operation::StartMaintenance,
        ),
        (
            3,
            Kind::Notice,
            Some(second.clone()),
            Operation::PutUpNotice,
        ),
    ] {
        let put = store.announce(kind, announcement, audit_entry(number, operation));
        assert_eq!(put.await, Ok(true));
    }
    let both = ActiveAnnouncements {
        maintenance: Some(closed.clone()),
        notice: Some(second),
    };
    assert_eq!(store.announcements().await, Ok(both.clone()));
    store.close().await;
    let store = place.open().await;
    assert_eq!(store.announcements().await, Ok(both));
    for number in [4, 5] {
        // What is not there can be taken down as well.
        let taken = store.announce(
            Kind::Notice,
            None,
            audit_entry(number, Operation::TakeDownNotice),
        );
        assert_eq!(taken.await, Ok(true));
    }
    let left = ActiveAnnouncements {
        maintenance: Some(closed),
        notice: None,
    };
    assert_eq!(store.announcements().await, Ok(left));
    assert_eq!(store.audit_log(&audit_log::ALL).await.unwrap().len(), 5);
}
