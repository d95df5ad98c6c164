//! `GET /api/games/{id}/events`: what happened.

use axum::{Json, extract::State};
use qiguan_protocol::{event::Events, query::EventsQuery};
use tokio::sync::oneshot;

use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Checked, Game, Visitor},
    },
    room::knock::{self, Knock, Read},
};

/// What happened in a game, as the caller may know it.
#[utoipa::path(
    get, path = "/api/games/{id}/events", tag = "games", security((), ("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the game"), EventsQuery),
    responses(
        (status = 200, description = "the events", body = Events),
        (status = 400, description = "a field is not as it should be", body = ErrorBody),
        (status = 404, description = "no such game", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Game(game): Game,
    Checked(which): Checked<EventsQuery>,
    Visitor(player): Visitor,
) -> Result<Json<Events>, HttpError> {
    let (reply, events) = oneshot::channel();
    let player = player.map(|player| player.id);
    app.hub
        .knock(
            game,
            Knock::Read {
                player,
                read: Read::Events(which.since, reply),
            },
        )
        .await;
    let events = events.await.map_err(|_| HttpError(knock::internal()))?;
    Ok(Json(Events { events: events? }))
}
