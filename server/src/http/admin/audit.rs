//! `GET /api/admin/audit`: what has been done that is not for everybody.

use axum::{Json, extract::State};
use qiguan_protocol::{
    audit::{Act, AuditPage},
    ids::PlayerId,
    names::Player,
    query::AuditQuery,
};
use qiguan_store::{
    account::DELETED_NAME,
    acts::{ActFilter, NamedAct},
};

use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::Checked,
        players::{check_limit, unreadable},
    },
};

/// Lists what moderators, admins and the operator have done, newest first.
#[utoipa::path(
    get, path = "/api/admin/audit", operation_id = "readAuditLog", security(("token" = []), ("cookie" = [])),
    params(AuditQuery),
    responses(
        (status = 200, description = "a page of the audit log", body = AuditPage),
        (status = 400, description = "a field is invalid", body = ErrorBody),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "requires the admin role", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Checked(which): Checked<AuditQuery>,
) -> Result<Json<AuditPage>, HttpError> {
    let filter = ActFilter {
        by: which.by,
        player: which.player,
        game: which.game,
        operation: which.operation,
        from: which.from,
        until: which.until,
        before: which.before,
        limit: check_limit(which.limit)?,
    };
    let acts = app.services().store.acts(&filter).await;
    let acts = acts.map_err(|error| unreadable(&error))?;
    let full = acts.len() == filter.limit as usize;
    Ok(Json(AuditPage {
        before: acts.last().filter(|_| full).map(|last| last.act.id),
        acts: acts.into_iter().map(shown).collect(),
    }))
}

fn shown(NamedAct { act, by, player }: NamedAct) -> Act {
    let named = |id: Option<PlayerId>, name: Option<String>| {
        id.map(|id| Player {
            id,
            name: name.unwrap_or_else(|| DELETED_NAME.to_owned()),
            rating: None,
            bot: false,
        })
    };
    Act {
        act: act.id,
        at: act.at,
        operation: act.operation,
        by: named(act.by, by),
        player: named(act.player, player),
        game: act.game,
        reason: act.reason,
        details: act.details,
    }
}
