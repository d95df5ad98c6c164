//! `POST /api/reports/{id}/close`: a report has been dealt with.

use axum::{
    extract::{Path, State},
    http::StatusCode,
};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    report::ReportId,
};

use crate::{
    app::App,
    fairplay::moderators,
    http::{
        error::{ErrorBody, HttpError},
        extract::Known,
    },
    room::knock,
};

/// Closes a report.
#[utoipa::path(
    post, path = "/api/reports/{id}/close", tag = "moderation", security(("token" = []), ("cookie" = [])),
    params(("id" = String, Path, description = "the report")),
    responses(
        (status = 204, description = "the report is closed"),
        (status = 401, description = "an identity is needed", body = ErrorBody),
        (status = 403, description = "this is for moderators", body = ErrorBody),
        (status = 404, description = "no open report has this id", body = ErrorBody),
        (status = 503, description = "not stored: try again", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Known(who): Known,
    Path(id): Path<String>,
) -> Result<StatusCode, HttpError> {
    moderators::check(&who)?;
    let services = app.services();
    let closed = match id.parse().map(ReportId) {
        Ok(report) => services
            .store
            .close_report(report, who.id, services.clock.now())
            .await
            .map_err(|_| HttpError(knock::not_stored()))?,
        Err(_) => false,
    };
    if closed {
        return Ok(StatusCode::NO_CONTENT);
    }
    let message = "no open report has this id";
    Err(HttpError(ApiError::new(ErrorCode::NotFound, message)))
}
