//! `GET /api/players/{id}/against/{other}`: what two players have made of each other.

use axum::{Json, extract::State};
use qiguan_protocol::profile::HeadToHead;

use super::{tallies, unreadable};
use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::Pair,
    },
};

/// Counts the games of two players, as the first of them has seen them.
#[utoipa::path(
    get, path = "/api/players/{id}/against/{other}", operation_id = "getHeadToHead", tag = "players",
    params(("id" = uuid::Uuid, Path, description = "the player"), ("other" = uuid::Uuid, Path, description = "the other")),
    responses(
        (status = 200, description = "the results", body = HeadToHead),
        (status = 404, description = "one of these is not a player id", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Pair(player, against): Pair,
) -> Result<Json<HeadToHead>, HttpError> {
    let results = app.services().store.tallies(player, Some(against)).await;
    Ok(Json(HeadToHead {
        player,
        against,
        results: tallies(results.map_err(|error| unreadable(&error))?),
    }))
}
