//! `GET /api/reports`: what moderators have to look at.

use axum::{Json, extract::State};
use qiguan_game::event::Body;
use qiguan_protocol::{
    ids::Ply,
    query::ReportsQuery,
    report::{self, ReportPage},
};
use qiguan_store::{fair_play::Report, store::Store, stored::StoredGame};

use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::Checked,
        players::{check_limit, unreadable},
        staff::Permitted,
    },
};

/// Lists the reports that nobody has closed, the oldest first: those about others than the caller, and about nobody above.
#[utoipa::path(
    get, path = "/api/reports", operation_id = "listReports", security(("token" = []), ("cookie" = [])),
    params(ReportsQuery),
    responses(
        (status = 200, description = "a page of reports", body = ReportPage),
        (status = 400, description = "a field is invalid", body = ErrorBody),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "requires the moderator role", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Permitted(permit): Permitted,
    Checked(which): Checked<ReportsQuery>,
) -> Result<Json<ReportPage>, HttpError> {
    let limit = check_limit(which.limit)?;
    let store = &app.services().store;
    let reports = store.open_reports(permit, which.after, limit).await;
    let reports = reports.map_err(|error| unreadable(&error))?;
    let full = reports.len() == limit as usize;
    Ok(Json(ReportPage {
        after: reports.last().filter(|_| full).map(|last| last.id),
        reports: shown(&**store, reports).await?,
    }))
}

/// The reports, each with the ply of its game that it is about.
async fn shown(store: &dyn Store, reports: Vec<Report>) -> Result<Vec<report::Report>, HttpError> {
    let mut games: Vec<_> = reports.iter().filter_map(|report| report.game).collect();
    games.sort_unstable();
    games.dedup();
    let games = store.stored_games_of(&games).await;
    let games = games.map_err(|error| unreadable(&error))?;
    let shown = reports.into_iter().map(|report| {
        let game = games.iter().find(|game| Some(game.game) == report.game);
        let ply = game.and_then(|game| ply_of(&report, game));
        one(report, ply)
    });
    Ok(shown.collect())
}

/// How many moves had been played where the report points; none if the game can't be read.
fn ply_of(report: &Report, game: &StoredGame) -> Option<Ply> {
    let events = game.events.as_ref().ok()?;
    let before = events.iter().take_while(|event| match report.seq {
        Some(seq) => event.seq <= seq,
        None => event.at <= report.at,
    });
    let mut ply = Ply(0);
    for event in before {
        if matches!(event.decode().ok()?.body, Body::Moved { .. }) {
            ply = ply.next();
        }
    }
    Some(ply)
}

fn one(report: Report, ply: Option<Ply>) -> report::Report {
    let link = report.game.zip(ply);
    report::Report {
        ply,
        link: link.map(|(game, ply)| format!("/replay/{game}?ply={ply}")),
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
