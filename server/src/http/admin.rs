//! The audit log, maintenance, and the notice that everybody sees.

use axum::{Json, extract::State};
use qiguan_game::{audience, event::Player};
use qiguan_protocol::{
    announcement::{PutUpNotice, StartMaintenance},
    audit::{AuditLogEntry, AuditPage, Why},
    ids::PlayerId,
    query::AuditQuery,
};
use qiguan_store::{
    accounts::DELETED_NAME,
    announcements::Kind,
    audit_log::{AuditFilter, NamedAuditEntry},
};

use crate::{
    app::App,
    http::{
        error::{Answered, Done, done},
        extract::{Body, Checked, Reason},
        pages::page_of,
        permission::Permitted,
    },
    jobs::announcements,
    store_errors::FromRecords,
};

/// Lists what moderators, admins and the operator have done, newest first.
#[utoipa::path(
    get, path = "/api/admin/audit", operation_id = "readAuditLog", security(("token" = []), ("cookie" = [])),
    params(AuditQuery), responses((status = 200, description = "a page of the audit log", body = AuditPage))
)]
pub async fn audit(
    State(app): State<App>,
    Checked(which): Checked<AuditQuery>,
) -> Answered<AuditPage> {
    let filter = AuditFilter {
        by: which.by,
        player: which.player,
        game: which.game,
        operation: which.operation,
        from: which.from,
        until: which.until,
        before: which.before,
        limit: page_of(which.limit)?,
    };
    let entries = app.services.store.audit_log(&filter).await;
    let entries = entries.or_unreadable("the audit log")?;
    let full = entries.len() == filter.limit as usize;
    Ok(Json(AuditPage {
        before: entries.last().filter(|_| full).map(|last| last.entry.id),
        entries: entries.into_iter().map(shown).collect(),
    }))
}

fn shown(NamedAuditEntry { entry, by, player }: NamedAuditEntry) -> AuditLogEntry {
    let named = |id: Option<PlayerId>, name: Option<String>| {
        id.map(|id| {
            let name = name.unwrap_or_else(|| DELETED_NAME.to_owned());
            audience::player(&Player::named(id, name))
        })
    };
    AuditLogEntry {
        id: entry.id,
        at: entry.at,
        operation: entry.operation,
        by: named(entry.by, by),
        player: named(entry.player, player),
        game: entry.game,
        reason: entry.reason,
        details: entry.details,
    }
}

/// Lets no new games begin: creating, joining, seeking, pairing and rematches are refused as `maintenance`, and open seeks are put
/// away. Games that go on are played to their ends. It holds over restarts, and everybody is notified.
#[utoipa::path(
    put, path = "/api/admin/maintenance", operation_id = "startMaintenance", security(("token" = []), ("cookie" = [])),
    request_body = StartMaintenance, responses((status = 204, description = "no new games can be started"))
)]
pub async fn start_maintenance(
    State(app): State<App>,
    Permitted(permit): Permitted,
    Body(asked): Body<StartMaintenance>,
) -> Done {
    done(announcements::start_maintenance(&app.lobby, permit, asked).await)
}

/// Lets new games begin again.
#[utoipa::path(
    delete, path = "/api/admin/maintenance", operation_id = "endMaintenance", security(("token" = []), ("cookie" = [])),
    request_body = Why, responses((status = 204, description = "games can be started"))
)]
pub async fn end_maintenance(
    State(app): State<App>,
    Permitted(permit): Permitted,
    Reason(reason): Reason,
) -> Done {
    done(announcements::end(&app.lobby, permit, Kind::Maintenance, reason).await)
}

/// Shows a notice to everybody who is connected, and for so many minutes to later visitors. There is one at a time.
#[utoipa::path(
    put, path = "/api/admin/notice", operation_id = "putUpNotice", security(("token" = []), ("cookie" = [])),
    request_body = PutUpNotice, responses((status = 204, description = "the notice is shown to everybody"))
)]
pub async fn put_up_notice(
    State(app): State<App>,
    Permitted(permit): Permitted,
    Body(asked): Body<PutUpNotice>,
) -> Done {
    done(announcements::put_up_notice(&app.lobby, permit, asked).await)
}

/// Takes the notice down before its time.
#[utoipa::path(
    delete, path = "/api/admin/notice", operation_id = "takeDownNotice", security(("token" = []), ("cookie" = [])),
    request_body = Why, responses((status = 204, description = "there is no notice"))
)]
pub async fn take_down_notice(
    State(app): State<App>,
    Permitted(permit): Permitted,
    Reason(reason): Reason,
) -> Done {
    done(announcements::end(&app.lobby, permit, Kind::Notice, reason).await)
}
