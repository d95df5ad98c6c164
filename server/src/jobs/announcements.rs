//! Announcements of the operators: maintenance (no new games) and notices. The record keeps them; every program on the record
//! reads them again and again, and notifies its clients of changes.

use std::time::Duration;

use qiguan_game::people::permission::Permit;
use qiguan_protocol::{
    announcement::{Announcements, Maintenance, Notice, PutUpNotice, StartMaintenance},
    error::ApiError,
    event::{ServerNotice, ServerNoticeKind},
    ids::Millis,
    limits,
};
use qiguan_store::{
    announcements::{ActiveAnnouncements, Announcement, Kind},
    store::StoreError,
};

use crate::{
    admission::ranks,
    lobby::handle::Lobby,
    services::{Services, announced::closed},
    store_errors::FromRecords,
};

/// How often the record is asked for announcements.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// A minute, in milliseconds.
const MINUTE_MS: i64 = 60_000;

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

/// Reads the current announcements at start, before anybody is connected.
///
/// # Errors
/// When the record can't be read.
pub async fn learn(services: &Services) -> Result<(), StoreError> {
    let active = services.store.announcements().await?;
    let active = shown(active, services.clock.now());
    services.sockets.announcements(&told(&active));
    services.announced.put(&active);
    Ok(())
}

/// Reads the announcements again and again, and notifies clients of changes.
pub async fn watch(lobby: Lobby) {
    let mut times = tokio::time::interval(LOOK_EVERY);
    times.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        times.tick().await;
        if let Err(error) = look(&lobby).await {
            tracing::warn!(%error, "could not read the announcements");
        }
    }
}

/// Tells everybody what has changed, and puts away what is looked for in the lobby if no new games can be opened any more.
async fn look(lobby: &Lobby) -> Result<(), StoreError> {
    let services = lobby.services();
    let active = services.store.announcements().await?;
    let active = shown(active, services.clock.now());
    if !services.announced.put(&active) {
        return Ok(());
    }
    services.sockets.announcements(&told(&active));
    if let Some(maintenance) = &active.maintenance {
        lobby.put_away(closed(maintenance)).await;
    }
    Ok(())
}

/// The notice of the announcements in force, and whether there are any.
fn told(active: &Announcements) -> (ServerNotice, bool) {
    let notice = ServerNotice {
        notice: ServerNoticeKind::Announcements {
            standing: active.clone(),
        },
    };
    (notice, *active != Announcements::default())
}

/// Lets no new games begin, and tells everybody why.
///
/// # Errors
/// `bad_value`, `not_stored`.
pub async fn start_maintenance(
    lobby: &Lobby,
    permit: Permit,
    asked: StartMaintenance,
) -> Result<(), ApiError> {
    let announcement = maintenance(asked.message, lobby.services().clock.now())?;
    let (kind, reason) = (Kind::Maintenance, asked.reason);
    announce(lobby, permit, kind, Some(announcement), reason).await
}

/// Shows everybody a notice for so many minutes.
///
/// # Errors
/// `bad_value`, `not_stored`.
pub async fn put_up_notice(
    lobby: &Lobby,
    permit: Permit,
    asked: PutUpNotice,
) -> Result<(), ApiError> {
    let announcement = notice(asked.text, asked.minutes, lobby.services().clock.now())?;
    let (kind, reason) = (Kind::Notice, asked.reason);
    announce(lobby, permit, kind, Some(announcement), reason).await
}

/// Ends the announcement of a kind.
///
/// # Errors
/// `bad_value`, `not_stored`.
pub async fn end(
    lobby: &Lobby,
    permit: Permit,
    kind: Kind,
    reason: String,
) -> Result<(), ApiError> {
    announce(lobby, permit, kind, None, reason).await
}

/// A maintenance that begins at a time.
///
/// # Errors
/// `bad_value`.
pub fn maintenance(message: String, at: Millis) -> Result<Announcement, ApiError> {
    limits::check_line("message", &message, limits::ANNOUNCEMENT_CHARACTERS)?;
    Ok(Announcement {
        text: message,
        at,
        until: None,
    })
}

/// A notice that stands for so many minutes from a time on.
///
/// # Errors
/// `bad_value`.
pub fn notice(text: String, minutes: u32, at: Millis) -> Result<Announcement, ApiError> {
    limits::check_line("text", &text, limits::ANNOUNCEMENT_CHARACTERS)?;
    if !(1..=limits::NOTICE_MINUTES).contains(&minutes) {
        let message = format!(
            "a notice can be shown for 1 to {} minutes",
            limits::NOTICE_MINUTES
        );
        return Err(ApiError::bad_value("minutes", message));
    }
    Ok(Announcement {
        text,
        at,
        until: Some(at + Millis(i64::from(minutes) * MINUTE_MS)),
    })
}

async fn announce(
    lobby: &Lobby,
    permit: Permit,
    kind: Kind,
    announcement: Option<Announcement>,
    reason: String,
) -> Result<(), ApiError> {
    limits::check_reason(&reason)?;
    let services = lobby.services();
    let at = announcement.as_ref().map(|announcement| announcement.at);
    let at = at.unwrap_or_else(|| services.clock.now());
    let audit_entry = permit.audit_entry(services.random.audit_id(), at, reason);
    let audit_entry = match &announcement {
        Some(announcement) => audit_entry.with(announcement.text.clone()),
        None => audit_entry,
    };
    let stored = services
        .store
        .announce(kind, announcement, audit_entry)
        .await;
    if !stored.or_not_stored("an announcement")? {
        ranks::renewed(services, permit).await?;
        return Err(ApiError::not_stored());
    }
    // The request has taken effect; if it can't be read right now, it is read a second later.
    if let Err(error) = look(lobby).await {
        tracing::warn!(%error, "could not read the announcements");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use qiguan_protocol::error::ErrorCode;

    use super::*;

    #[test]
    fn what_has_ended_by_itself_is_told_nobody() {
        let active = ActiveAnnouncements {
            maintenance: Some(maintenance("a new disk".to_owned(), Millis(5)).unwrap()),
            notice: Some(notice("a match at eight".to_owned(), 2, Millis(5)).unwrap()),
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
        let announced = crate::services::announced::Announced::default();
        assert_eq!(announced.check_open(), Ok(()));
        let active = ActiveAnnouncements {
            maintenance: Some(maintenance("a new disk".to_owned(), Millis(5)).unwrap()),
            notice: None,
        };
        assert!(announced.put(&shown(active.clone(), Millis(6))));
        assert!(!announced.put(&shown(active, Millis(7))), "nothing new");
        let refused = announced.check_open().unwrap_err();
        assert_eq!(refused.code, ErrorCode::Maintenance);
        assert!(refused.message.contains("a new disk"));
    }

    #[test]
    fn texts_and_times_are_bounded() {
        for (text, minutes, field) in [
            ("", 1, "text"),
            ("two\nlines", 1, "text"),
            ("x", 0, "minutes"),
            ("x", limits::NOTICE_MINUTES + 1, "minutes"),
        ] {
            let refused = notice(text.to_owned(), minutes, Millis(0)).unwrap_err();
            assert_eq!(refused.field.as_deref(), Some(field), "{text:?} {minutes}");
        }
        let long = "x".repeat(limits::ANNOUNCEMENT_CHARACTERS + 1);
        assert!(maintenance(long, Millis(0)).is_err());
    }
}
