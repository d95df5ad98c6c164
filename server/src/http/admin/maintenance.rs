//! `/api/admin/maintenance`: whether new games can be opened.

use axum::{extract::State, http::StatusCode};
use qiguan_protocol::{announcement::StartMaintenance, audit::Why};
use qiguan_store::announcements::Kind;

use crate::{
    app::App,
    http::{
        error::HttpError,
        extract::{Body, Reason},
        refusals,
        staff::Permitted,
    },
    jobs::announcements,
};

/// Lets no new games begin: creating, joining, seeking, pairing and rematches are refused as `maintenance`, and open seeks are put
/// away. Games that go on are played to their ends. It holds over restarts, and everybody is notified.
#[utoipa::path(
    put, path = "/api/admin/maintenance", operation_id = "startMaintenance", security(("token" = []), ("cookie" = [])),
    request_body = StartMaintenance,
    responses(
        (status = 204, description = "no new games can be started"),
        refusals::ForEverybody,
    )
)]
pub async fn start(
    State(app): State<App>,
    Permitted(permit): Permitted,
    Body(asked): Body<StartMaintenance>,
) -> Result<StatusCode, HttpError> {
    announcements::start_maintenance(
        (app.services(), &app.lobby),
        permit,
        asked.message,
        asked.reason,
    )
    .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lets new games begin again.
#[utoipa::path(
    delete, path = "/api/admin/maintenance", operation_id = "endMaintenance", security(("token" = []), ("cookie" = [])),
    request_body = Why,
    responses(
        (status = 204, description = "games can be started"),
        refusals::ForEverybody,
    )
)]
pub async fn end(
    State(app): State<App>,
    Permitted(permit): Permitted,
    Reason(reason): Reason,
) -> Result<StatusCode, HttpError> {
    announcements::end(
        (app.services(), &app.lobby),
        permit,
        Kind::Maintenance,
        reason,
    )
    .await?;
    Ok(StatusCode::NO_CONTENT)
}
