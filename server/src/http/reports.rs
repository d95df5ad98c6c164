//! Reports of players about others.

use axum::{Json, extract::State};
use qiguan_protocol::{
    query::ReportsQuery,
    report::{CloseReport, NewReport, ReportId, ReportPage},
};

use crate::{
    accounts::reports,
    app::App,
    http::{
        error::{Answered, Done, done},
        extract::{Body, Checked, Id, Owner},
        pages::page_of,
        permission::Permitted,
    },
};

/// Reports a player, a game of theirs, or a line of chat in it to the moderators.
#[utoipa::path(
    post, path = "/api/reports", operation_id = "reportPlayer", tag = "fair play", security(("token" = []), ("cookie" = [])),
    request_body = NewReport,
    responses(
        (status = 204, description = "the report is stored"),
        (status = 404, description = "there is no such player, or the player was not in this game"),
        (status = 429, description = "too many reports in a day"),
    )
)]
pub async fn create(
    State(app): State<App>,
    Owner(who): Owner,
    Body(asked): Body<NewReport>,
) -> Done {
    done(reports::create(&app.services, who.id, asked).await)
}

/// Lists the reports that nobody has closed, the oldest first: those about others than the caller, and about nobody above.
#[utoipa::path(
    get, path = "/api/reports", operation_id = "listReports", security(("token" = []), ("cookie" = [])),
    params(ReportsQuery), responses((status = 200, description = "a page of reports", body = ReportPage))
)]
pub async fn list(
    State(app): State<App>,
    Permitted(permit): Permitted,
    Checked(which): Checked<ReportsQuery>,
) -> Answered<ReportPage> {
    let limit = page_of(which.limit)?;
    let reports = reports::open(&app.services, permit, which.after, limit).await?;
    let full = reports.len() == limit as usize;
    Ok(Json(ReportPage {
        after: reports.last().filter(|_| full).map(|last| last.report),
        reports,
    }))
}

/// Closes a report, unless it is about the caller or somebody above.
#[utoipa::path(
    post, path = "/api/reports/{id}/close", operation_id = "closeReport", security(("token" = []), ("cookie" = [])),
    request_body = CloseReport, responses((status = 204, description = "the report is closed"))
)]
pub async fn close(
    State(app): State<App>,
    Permitted(permit): Permitted,
    Id(report): Id<ReportId>,
    Body(asked): Body<CloseReport>,
) -> Done {
    done(reports::close(&app.services, permit, report, asked).await)
}
