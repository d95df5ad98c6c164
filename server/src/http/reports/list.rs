//! `GET /api/reports`: what moderators have to look at.

use axum::{Json, extract::State};
use qiguan_protocol::{
    query::ReportsQuery,
    report::{self, ReportPage},
};

use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::Checked,
        players::{check_limit, unreadable},
    },
    store::fair_play::Report,
};

/// Lists the reports that nobody has closed, the oldest first.
#[utoipa::path(
    get, path = "/api/reports", security(("token" = []), ("cookie" = [])),
    params(ReportsQuery),
    responses(
        (status = 200, description = "a page of reports", body = ReportPage),
        (status = 400, description = "a field is not as it should be", body = ErrorBody),
        (status = 401, description = "an identity is needed", body = ErrorBody),
        (status = 403, description = "this is for moderators", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Checked(which): Checked<ReportsQuery>,
) -> Result<Json<ReportPage>, HttpError> {
    let limit = check_limit(which.limit)?;
    let store = &app.services().store;
    let reports = store.open_reports(which.after, limit).await;
    let reports = reports.map_err(|error| unreadable(&error))?;
    let full = reports.len() == limit as usize;
    Ok(Json(ReportPage {
        after: reports.last().filter(|_| full).map(|last| last.id),
        reports: reports.into_iter().map(shown).collect(),
    }))
}

fn shown(report: Report) -> report::Report {
    report::Report {
        report: report.id,
        at: report.at,
        by: report.by,
        player: report.player,
        game: report.game,
        seq: report.seq,
        reason: report.reason,
        text: report.text,
    }
}
