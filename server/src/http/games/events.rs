//! `GET /api/games/{id}/events`: what happened.

use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use qiguan_game::audience::{Telling, snapshot::Snapshot};
use qiguan_protocol::{
    error::ApiError, event::Events, ids::Seq, limits::PAGE_EVENTS, query::EventsQuery,
};

use super::pages::{self, Writing};
use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Checked, Game, Visitor},
    },
};

/// What happened in a game, as the caller may know it. A long game has several pages: `next` is `since` of the next one.
#[utoipa::path(
    get, path = "/api/games/{id}/events", operation_id = "listEvents", tag = "games", security((), ("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the game"), EventsQuery),
    responses(
        (status = 200, description = "the events", body = Events),
        (status = 400, description = "a field is invalid", body = ErrorBody),
        (status = 404, description = "no such game", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Game(game): Game,
    Checked(which): Checked<EventsQuery>,
    Visitor(player): Visitor,
) -> Result<Response, HttpError> {
    let limit = pages::limit(which.limit, PAGE_EVENTS)?;
    let player = player.map(|player| player.id);
    let snapshot = pages::snapshot(&app, game, player).await?;
    let since = which.since.min(snapshot.seq());
    let body = pages::body(&app, since.0 as usize, move || {
        Page::after(*snapshot, since, limit)
    });
    Ok(([(header::CONTENT_TYPE, "application/json")], body.await?).into_response())
}

/// A page of events as [`Events`] has them.
struct Page {
    snapshot: Snapshot,
    telling: Telling,
    since: Seq,
    last: Seq,
}

impl Page {
    fn after(snapshot: Snapshot, since: Seq, limit: u32) -> Result<Self, ApiError> {
        Ok(Self {
            telling: snapshot.tell(since).map_err(|_| ApiError::parked())?,
            since,
            last: Seq(since.0.saturating_add(limit)).min(snapshot.seq()),
            snapshot,
        })
    }
}

impl Writing for Page {
    fn write(&mut self, out: &mut Vec<u8>) -> Result<bool, ApiError> {
        let told = self.telling.told();
        if told == self.since {
            out.extend_from_slice(br#"{"events":["#);
        }
        if told < self.last
            && let Some(event) = self
                .snapshot
                .event(&mut self.telling)
                .map_err(|_| ApiError::parked())?
        {
            if told > self.since {
                out.push(b',');
            }
            pages::json(out, &event)?;
            if event.seq < self.last {
                return Ok(true);
            }
        }
        out.push(b']');
        if self.last < self.snapshot.seq() {
            out.extend_from_slice(br#","next":"#);
            pages::json(out, &self.last)?;
        }
        out.push(b'}');
        Ok(false)
    }
}
