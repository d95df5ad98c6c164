//! Reports of players about others, and how moderators close them.

use qiguan_game::people::permission::Permit;
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::{Millis, PlayerId, Ply},
    limits,
    report::{self, CloseReport, NewReport, ReportId},
};
use qiguan_store::{fair_play::Report, stored::StoredGame};

use crate::{admission::ranks, services::Services, store_errors::FromRecords};

/// For how long a report counts against the limit.
const DAY: Millis = Millis(24 * 60 * 60 * 1000);

/// Stores a report.
///
/// # Errors
/// `bad_value`; `not_found` for a player who was not in the game; `limit_reached`, `busy`, `not_stored`.
pub async fn create(services: &Services, by: PlayerId, asked: NewReport) -> Result<(), ApiError> {
    limits::check_report(&asked.text)?;
    if asked.seq.is_some() && asked.game.is_none() {
        return Err(ApiError::bad_value("seq", "event requires game"));
    }
    services.player(asked.player).await?;
    if let Some(game) = asked.game {
        let players = services.store.players_of(game).await;
        let players = players.or_unreadable("who plays in a game")?;
        if !players.iter().any(|(player, _)| *player == asked.player) {
            return Err(ApiError::no_such_game());
        }
    }
    let now = services.clock.now();
    let report = Report {
        id: services.random.report_id(),
        at: now,
        by,
        player: asked.player,
        game: asked.game,
        seq: asked.seq,
        reason: asked.reason,
        text: asked.text,
    };
    let most = limits::REPORTS_PER_DAY;
    let stored = services.store.report(report, now - DAY, most).await;
    if stored.or_not_stored("a report")? {
        return Ok(());
    }
    let message = format!("at most {most} reports per day");
    Err(ApiError::new(ErrorCode::LimitReached, message))
}

/// Open reports that a permit reaches, each with the ply of its game that it is about.
///
/// # Errors
/// `busy` when the record can't be read.
pub async fn open(
    services: &Services,
    permit: Permit,
    after: Option<ReportId>,
    limit: u32,
) -> Result<Vec<report::Report>, ApiError> {
    let reports = services.store.open_reports(permit, after, limit).await;
    let reports = reports.or_unreadable("the open reports")?;
    let mut games: Vec<_> = reports.iter().filter_map(|report| report.game).collect();
    games.sort_unstable();
    games.dedup();
    let games = services.store.stored_games_of(&games).await;
    let games = games.or_unreadable("the games of reports")?;
    let shown = reports.into_iter().map(|report| {
        let game = games.iter().find(|game| Some(game.game) == report.game);
        let ply = game.and_then(|game| ply_of(&report, game));
        shown(report, ply)
    });
    Ok(shown.collect())
}

/// Closes a report.
///
/// # Errors
/// `forbidden`, `not_found`, `bad_value`, `busy`, `not_stored`.
pub async fn close(
    services: &Services,
    permit: Permit,
    id: ReportId,
    asked: CloseReport,
) -> Result<(), ApiError> {
    limits::check_reason(&asked.reason)?;
    let kept = services.store.kept_report(id).await;
    let kept = kept.or_unreadable("a report")?;
    let report = kept.ok_or_else(not_open)?.report;
    let about = services.player(report.player).await?;
    permit.may_judge(about.id, about.role)?;
    let audit_entry = permit
        .audit_entry(
            services.random.audit_id(),
            services.clock.now(),
            asked.reason,
        )
        .to_player(report.player)
        .with(format!("{}: {}", asked.outcome.as_str(), id.0));
    let audit_entry = match report.game {
        Some(game) => audit_entry.to_game(game),
        None => audit_entry,
    };
    let closed = services
        .store
        .close_report(id, asked.outcome, audit_entry)
        .await;
    if closed.or_not_stored("the end of a report")? {
        return Ok(());
    }
    // Another moderator has closed it, or a role has changed meanwhile.
    let permit = ranks::renewed(services, permit).await?;
    let about = services.player(report.player).await?;
    permit.may_judge(about.id, about.role)?;
    Err(not_open())
}

/// The answer for a report that is not open.
pub fn not_open() -> ApiError {
    ApiError::new(ErrorCode::NotFound, "no open report has this id")
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
        ply = event.decode().ok()?.body.ply_after(ply);
    }
    Some(ply)
}

fn shown(report: Report, ply: Option<Ply>) -> report::Report {
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
