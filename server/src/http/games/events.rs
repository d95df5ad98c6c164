//! `GET /api/games/{id}/events`: what happened.

use axum::{Json, extract::State};
use qiguan_protocol::{event::EventFrame, ids::Seq};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;
use utoipa::{IntoParams, ToSchema};

use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Checked, Game, Visitor},
    },
    room::knock::{self, Knock, Read},
};

/// Which events.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct Which {
    /// Only events after this number; absent: all.
    #[serde(default)]
    since: Seq,
}

/// Events in order.
#[derive(Serialize, ToSchema)]
pub struct Events {
    /// The events.
    events: Vec<EventFrame>,
}

/// What happened in a game, as the caller may know it.
#[utoipa::path(
    get, path = "/api/games/{id}/events", tag = "games", security((), ("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the game"), Which),
    responses(
        (status = 200, description = "the events", body = Events),
        (status = 400, description = "a field is not as it should be", body = ErrorBody),
        (status = 404, description = "no such game", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Game(game): Game,
    Checked(which): Checked<Which>,
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
