//! `POST /api/reports`: tells the moderators of a player.

use axum::{extract::State, http::StatusCode};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::Millis,
    limits,
    report::NewReport,
};
use qiguan_store::{account::Wanted, fair_play::Report};

use crate::{
    app::App,
    http::{
        blocks::check_account,
        error::{ErrorBody, HttpError},
        extract::{Body, Known},
        players::{account, unreadable},
    },
};

/// For how long a report counts against the limit.
const DAY: Millis = Millis(24 * 60 * 60 * 1000);

/// Tells the moderators of a player, a game of theirs, or a line of chat in it.
#[utoipa::path(
    post, path = "/api/reports", operation_id = "reportPlayer", tag = "fair play", security(("token" = []), ("cookie" = [])),
    request_body = NewReport,
    responses(
        (status = 204, description = "the report is stored"),
        (status = 400, description = "a field is invalid", body = ErrorBody),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "requires an account", body = ErrorBody),
        (status = 404, description = "there is no such player, or the player was not in this game", body = ErrorBody),
        (status = 429, description = "too many reports in a day", body = ErrorBody),
        (status = 503, description = "not stored: try again", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Known(who): Known,
    Body(asked): Body<NewReport>,
) -> Result<StatusCode, HttpError> {
    check_account(&who)?;
    limits::check_report(&asked.text)?;
    if asked.seq.is_some() && asked.game.is_none() {
        let message = "event requires game";
        return Err(HttpError(
            ApiError::new(ErrorCode::BadValue, message).field("seq"),
        ));
    }
    let services = app.services();
    account(&app, Wanted::Player(asked.player)).await?;
    if let Some(game) = asked.game {
        let stored = services.store.stored_games_of(&[game]).await;
        let stored = stored.map_err(|error| unreadable(&error))?;
        let line = stored.into_iter().next().and_then(|game| game.line?.ok());
        let players = line.map(|line| [line.players.first, line.players.second]);
        let mut players = players.into_iter().flatten().flatten();
        if !players.any(|player| player.id == asked.player) {
            return Err(HttpError(ApiError::no_such_game()));
        }
    }
    let now = services.clock.now();
    let report = Report {
        id: services.random.report_id(),
        at: now,
        by: who.id,
        player: asked.player,
        game: asked.game,
        seq: asked.seq,
        reason: asked.reason,
        text: asked.text,
    };
    let kept = services
        .store
        .report(report, now - DAY, limits::REPORTS_PER_DAY)
        .await
        .map_err(|_| HttpError(ApiError::not_stored()))?;
    if kept {
        return Ok(StatusCode::NO_CONTENT);
    }
    let most = limits::REPORTS_PER_DAY;
    let message = format!("at most {most} reports per day");
    Err(HttpError(ApiError::new(ErrorCode::LimitReached, message)))
}
