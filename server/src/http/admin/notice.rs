//! `/api/admin/notice`: a notice shown to everybody.

use axum::{extract::State, http::StatusCode};
use qiguan_protocol::{announcement::PutUpNotice, audit::Why};
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

/// Shows a notice to everybody who is connected, and for so many minutes to later visitors. There is one at a time.
#[utoipa::path(
    put, path = "/api/admin/notice", operation_id = "putUpNotice", security(("token" = []), ("cookie" = [])),
    request_body = PutUpNotice,
    responses(
        (status = 204, description = "the notice is shown to everybody"),
        refusals::ForEverybody,
    )
)]
pub async fn put_up(
    State(app): State<App>,
    Permitted(permit): Permitted,
    Body(asked): Body<PutUpNotice>,
) -> Result<StatusCode, HttpError> {
    let said = (asked.text, asked.minutes);
    announcements::put_up_notice((app.services(), &app.lobby), permit, said, asked.reason).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Takes the notice down before its time.
#[utoipa::path(
    delete, path = "/api/admin/notice", operation_id = "takeDownNotice", security(("token" = []), ("cookie" = [])),
    request_body = Why,
    responses(
        (status = 204, description = "there is no notice"),
        refusals::ForEverybody,
    )
)]
pub async fn take_down(
    State(app): State<App>,
    Permitted(permit): Permitted,
    Reason(reason): Reason,
) -> Result<StatusCode, HttpError> {
    announcements::end((app.services(), &app.lobby), permit, Kind::Notice, reason).await?;
    Ok(StatusCode::NO_CONTENT)
}
