//! `/api/admin/notice`: something that everybody is told.

use axum::{extract::State, http::StatusCode};
use qiguan_protocol::{announcement::PutUpNotice, audit::Why};

use crate::{
    announcing,
    app::App,
    http::{
        error::HttpError,
        extract::{Body, Reason},
        refusals,
        staff::Permitted,
    },
    store::announcements::Kind,
};

/// Tells everybody something: at once who is connected, and for so many minutes whoever comes. There is one at a time.
#[utoipa::path(
    put, path = "/api/admin/notice", operation_id = "putUpNotice", security(("token" = []), ("cookie" = [])),
    request_body = PutUpNotice,
    responses(
        (status = 204, description = "everybody is told"),
        refusals::ForEverybody,
    )
)]
pub async fn put_up(
    State(app): State<App>,
    Permitted(permit): Permitted,
    Body(asked): Body<PutUpNotice>,
) -> Result<StatusCode, HttpError> {
    let said = (asked.text, asked.minutes);
    announcing::put_up_notice(&app, permit, said, asked.reason).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Takes the notice down before its time.
#[utoipa::path(
    delete, path = "/api/admin/notice", operation_id = "takeDownNotice", security(("token" = []), ("cookie" = [])),
    request_body = Why,
    responses(
        (status = 204, description = "there is none"),
        refusals::ForEverybody,
    )
)]
pub async fn take_down(
    State(app): State<App>,
    Permitted(permit): Permitted,
    Reason(reason): Reason,
) -> Result<StatusCode, HttpError> {
    announcing::end(&app, permit, Kind::Notice, reason).await?;
    Ok(StatusCode::NO_CONTENT)
}
