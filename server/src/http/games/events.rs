//! `GET /api/games/{id}/events`: what happened.

use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use qiguan_game::audience::{Telling, snapshot::Snapshot};
use qiguan_protocol::{
    error::ApiError,
    event::Events,
    ids::{GameId, Seq},
    limits::PAGE_EVENTS,
    query::EventsQuery,
};

use super::pieces::{self, Writing};
use crate::{
    app::App,
    http::{
        error::HttpError,
        extract::{Checked, Id, Visitor},
        pages::at_most,
    },
    room::message::Read,
};

/// What happened in a game, as the caller may know it. A long game has several pages: `next` is `since` of the next one.
#[utoipa::path(
    get, path = "/api/games/{id}/events", operation_id = "listEvents", tag = "games", security((), ("token" = []), ("cookie" = [])),
    params(EventsQuery),
    responses((status = 200, description = "the events", body = Events))
)]
pub async fn list(
    State(app): State<App>,
    Id(game): Id<GameId>,
    Checked(which): Checked<EventsQuery>,
    Visitor(player): Visitor,
) -> Result<Response, HttpError> {
    let limit = at_most(which.limit.unwrap_or(PAGE_EVENTS), PAGE_EVENTS)?;
    let player = player.map(|player| player.id);
    let snapshot = app.hub.read(game, player, Read::Snapshot).await?;
    let since = which.since.min(snapshot.seq());
    let body = pieces::body(&app, since.0 as usize, move || {
        Ok(Page::after(*snapshot, since, limit))
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
    fn after(snapshot: Snapshot, since: Seq, limit: u32) -> Self {
        Self {
            telling: snapshot.tell(since),
            since,
            last: Seq(since.0.saturating_add(limit)).min(snapshot.seq()),
            snapshot,
        }
    }
}

impl Writing for Page {
    fn write(&mut self, out: &mut Vec<u8>) -> Result<bool, ApiError> {
        let told = self.telling.told();
        if told == self.since {
            out.extend_from_slice(br#"{"events":["#);
        }
        if told < self.last
            && let Some(event) = self.snapshot.event(&mut self.telling)
        {
            if told > self.since {
                out.push(b',');
            }
            pieces::json(out, &event)?;
            if event.seq < self.last {
                return Ok(true);
            }
        }
        out.push(b']');
        if self.last < self.snapshot.seq() {
            out.extend_from_slice(br#","next":"#);
            pieces::json(out, &self.last)?;
        }
        out.push(b'}');
        Ok(false)
    }
}
