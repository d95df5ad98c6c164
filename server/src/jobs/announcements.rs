//! Announcements of the operators: maintenance (no new games) and notices. The record keeps them; every program on the record
//! reads them again and again, and notifies its clients of changes.

use std::time::Duration;

use qiguan_game::people::permission::Permit;
use qiguan_protocol::{
    announcement::{PutUpNotice, StartMaintenance},
    error::ApiError,
    ids::Millis,
    limits,
};
use qiguan_store::{
    announcements::{Announcement, Kind},
    store::StoreError,
};

use crate::{
    admission::ranks, lobby::handle::Lobby, services::announced::closed, store_errors::FromRecords,
};

/// How often the record is asked for announcements.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// A minute, in milliseconds.
const MINUTE_MS: i64 = 60_000;

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
    let changed = lobby.services().read_announcements().await?;
    if let Some(maintenance) = changed.and_then(|active| active.maintenance) {
        lobby.put_away(closed(&maintenance)).await;
    }
    Ok(())
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
    use super::*;

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
