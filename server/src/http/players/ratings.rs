//! `GET /api/players/{id}/ratings`: how a rating has come about.

use axum::{Json, extract::State};
use qiguan_game::ratings::{change::Cause, glicko::points};
use qiguan_protocol::{
    ids::PlayerId,
    profile::{HistoryKind, HistoryPoint, RatingHistory},
    query::RatingsQuery,
};
use qiguan_store::ratings::Past;

use super::{check_limit, check_ruleset, unreadable};
use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Checked, Somebody, Visitor},
    },
};

/// Lists the changes of a player's rating. Games by link are named to their players alone.
#[utoipa::path(
    get, path = "/api/players/{id}/ratings", operation_id = "getRatingHistory", tag = "players", security((), ("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the player"), RatingsQuery),
    responses(
        (status = 200, description = "a page of changes; empty if the player has no rating there", body = RatingHistory),
        (status = 400, description = "a field is invalid", body = ErrorBody),
        (status = 404, description = "invalid player id", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Somebody(player): Somebody,
    Checked(which): Checked<RatingsQuery>,
    Visitor(viewer): Visitor,
) -> Result<Json<RatingHistory>, HttpError> {
    check_ruleset(&which.ruleset)?;
    let limit = check_limit(which.limit)?;
    let store = &app.services().store;
    let history = store.rating_history(player, &which.ruleset, which.before, limit);
    let history = history.await.map_err(|error| unreadable(&error))?;
    let last = history.last().map(|past| past.change.number);
    let viewer = viewer.map(|viewer| viewer.id);
    Ok(Json(RatingHistory {
        before: last.filter(|number| *number > 1 && history.len() == limit as usize),
        changes: history
            .into_iter()
            .map(|past| point(past, viewer))
            .collect(),
    }))
}

fn point(
    Past {
        change,
        players,
        listed,
    }: Past,
    viewer: Option<PlayerId>,
) -> HistoryPoint {
    let shown = listed || (viewer.is_some() && players.contains(&viewer));
    HistoryPoint {
        number: change.number,
        at: change.at,
        kind: match change.cause {
            Cause::Played { counts: true, .. } => HistoryKind::Played,
            Cause::Played { counts: false, .. } => HistoryKind::Withdrawn,
            Cause::Revised => HistoryKind::Revised,
        },
        game: shown.then_some(change.game),
        before: points(change.before),
        after: points(change.after.rating),
        deviation: points(change.after.deviation),
    }
}
