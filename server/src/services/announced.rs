//! The announcements that are in force, as this program knows them.

use parking_lot::Mutex;
use qiguan_protocol::{
    announcement::{Announcements, Maintenance, Notice},
    error::{ApiError, ErrorCode},
    event::{ServerNotice, ServerNoticeKind},
    ids::Millis,
};
use qiguan_store::{
    announcements::{ActiveAnnouncements, Announcement},
    store::StoreError,
};

use crate::services::Services;

/// The announcements in force.
#[derive(Default)]
pub struct Announced(Mutex<Announcements>);

impl Announced {
    /// The announcements in force.
    pub fn active(&self) -> Announcements {
        self.0.lock().clone()
    }

    /// Refuses what would begin a new game while there is maintenance.
    ///
    /// # Errors
    /// `maintenance`.
    pub fn check_open(&self) -> Result<(), ApiError> {
        match &self.0.lock().maintenance {
            None => Ok(()),
            Some(maintenance) => Err(closed(maintenance)),
        }
    }

    /// Takes over the announcements in force; returns whether anything is different.
    pub fn put(&self, active: &Announcements) -> bool {
        let mut known = self.0.lock();
        let differs = *known != *active;
        known.clone_from(active);
        differs
    }
}

impl Services {
    /// Reads the announcements in force, and notifies clients if anything is different: then they come back.
    ///
    /// # Errors
    /// When the record can't be read.
    pub async fn read_announcements(&self) -> Result<Option<Announcements>, StoreError> {
        let active = self.store.announcements().await?;
        let active = shown(active, self.clock.now());
        if !self.announced.put(&active) {
            return Ok(None);
        }
        let notice = ServerNotice {
            notice: ServerNoticeKind::Announcements {
                standing: active.clone(),
            },
        };
        let are_any = active != Announcements::default();
        self.sockets.announcements(&(notice, are_any));
        Ok(Some(active))
    }
}

/// The announcements in force at a time, as everybody sees them.
fn shown(active: ActiveAnnouncements, now: Millis) -> Announcements {
    let holds = |it: &Announcement| it.until.is_none_or(|until| now < until);
    let maintenance = active.maintenance.filter(holds);
    let notice = active.notice.filter(holds);
    Announcements {
        maintenance: maintenance.map(|it| Maintenance {
            message: it.text,
            since: it.at,
        }),
        notice: notice.and_then(|it| {
            Some(Notice {
                text: it.text,
                since: it.at,
                until: it.until?,
            })
        }),
    }
}

/// How what would begin a game is refused.
pub fn closed(maintenance: &Maintenance) -> ApiError {
    let message = format!(
        "maintenance: no new games can be started: {}",
        maintenance.message
    );
    ApiError::new(ErrorCode::Maintenance, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn announcement(text: &str, until: Option<Millis>) -> Announcement {
        Announcement {
            text: text.to_owned(),
            at: Millis(5),
            until,
        }
    }

    #[test]
    fn what_has_ended_by_itself_is_told_nobody() {
        let active = ActiveAnnouncements {
            maintenance: Some(announcement("a new disk", None)),
            notice: Some(announcement("a match at eight", Some(Millis(120_005)))),
        };
        let at = |now| shown(active.clone(), Millis(now));
        let both = at(120_004);
        assert_eq!(both.notice.unwrap().until, Millis(120_005));
        assert_eq!(both.maintenance.unwrap().message, "a new disk");
        let later = at(120_005);
        assert_eq!(later.notice, None);
        assert!(later.maintenance.is_some());
    }

    #[test]
    fn while_there_is_maintenance_new_games_are_refused_with_its_message() {
        let announced = Announced::default();
        assert_eq!(announced.check_open(), Ok(()));
        let active = ActiveAnnouncements {
            maintenance: Some(announcement("a new disk", None)),
            notice: None,
        };
        assert!(announced.put(&shown(active.clone(), Millis(6))));
        assert!(!announced.put(&shown(active, Millis(7))), "nothing new");
        let refused = announced.check_open().unwrap_err();
        assert_eq!(refused.code, ErrorCode::Maintenance);
        assert!(refused.message.contains("a new disk"));
    }
}
