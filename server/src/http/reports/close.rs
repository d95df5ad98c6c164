//! `POST /api/reports/{id}/close`: a report has been dealt with.

use axum::{
    extract::{Path, State},
    http::StatusCode,
};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    limits,
    report::{CloseReport, ReportId},
};
use qiguan_store::account::Wanted;

use crate::{
    admission::ranks,
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::Body,
        players::{account, unreadable},
        staff::Permitted,
    },
};

/// Closes a report, unless it is about the caller or somebody above.
#[utoipa::path(
    post, path = "/api/reports/{id}/close", operation_id = "closeReport", security(("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the report")),
    request_body = CloseReport,
    responses(
        (status = 204, description = "the report is closed"),
        (status = 400, description = "a field is invalid", body = ErrorBody),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "requires the moderator role; not for the reported player", body = ErrorBody),
        (status = 404, description = "no open report has this id", body = ErrorBody),
        (status = 503, description = "not stored: try again", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Permitted(permit): Permitted,
    Path(id): Path<String>,
    Body(asked): Body<CloseReport>,
) -> Result<StatusCode, HttpError> {
    limits::check_reason(&asked.reason)?;
    let services = app.services();
    let id = id.parse().map(ReportId).map_err(|_| not_open())?;
    let kept = services.store.kept_report(id).await;
    let kept = kept.map_err(|error| unreadable(&error))?;
    let report = kept.ok_or_else(not_open)?.report;
    let about = account(&app, Wanted::Player(report.player)).await?;
    permit.may_judge(about.id, about.role)?;
    let act = permit
        .act(services.random.act_id(), services.clock.now(), asked.reason)
        .to_player(report.player)
        .with(format!("{}: {}", asked.outcome.as_str(), id.0));
    let act = match report.game {
        Some(game) => act.to_game(game),
        None => act,
    };
    let closed = services.store.close_report(id, asked.outcome, act).await;
    if closed.map_err(|_| HttpError(ApiError::not_stored()))? {
        return Ok(StatusCode::NO_CONTENT);
    }
    // Somebody else has closed it, or a role has changed meanwhile.
    let permit = ranks::renewed(services, permit).await?;
    let about = account(&app, Wanted::Player(report.player)).await?;
    permit.may_judge(about.id, about.role)?;
    Err(not_open())
}

fn not_open() -> HttpError {
    let message = "no open report has this id";
    HttpError(ApiError::new(ErrorCode::NotFound, message))
}
